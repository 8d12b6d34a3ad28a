/// A word of a query that was typed: what it says and where it stands.
struct QueryWord {
    enum Kind: Equatable {
        /// A name, a keyword, or a value without quotes.
        case bare
        /// A value in quotes, never a name or a keyword.
        case quoted
        /// One of `( ) , = != < <= > >=`.
        case symbol
        /// After all of them.
        case end
    }

    let kind: Kind

    /// What it says, without quotes.
    let text: String

    /// Where it begins, in Unicode scalars from the start.
    let column: Int

    /// Whether it is a keyword or a symbol.
    func isMark(_ mark: String) -> Bool { (kind == .bare || kind == .symbol) && text == mark }

    /// The word as a message shows it.
    var shown: String { kind == .end ? "the end" : text.debugDescription }
}

extension QueryWord {
    /// The words of a query, and at last its end.
    ///
    /// - Throws: ``QueryError`` where quotes are not closed, or a character begins nothing.
    static func words(of text: String) throws(QueryError) -> [QueryWord] {
        let scalars = Array(text.unicodeScalars)
        var words: [QueryWord] = []
        var place = 0
        func end(from start: Int, while isPart: (Unicode.Scalar) -> Bool) -> Int {
            scalars[start...].firstIndex { !isPart($0) } ?? scalars.endIndex
        }
        func take(_ kind: Kind, through end: Int) {
            words.append(QueryWord(kind: kind, text: String(scalars[place..<end]), column: place))
            place = end
        }
        while place < scalars.count {
            switch scalars[place] {
            case let scalar where scalar.properties.isWhitespace: place += 1
            case "(", ")", ",": take(.symbol, through: place + 1)
            case "=", "!", "<", ">":
                let isTwo = place + 1 < scalars.count && scalars[place + 1] == "="
                guard isTwo || scalars[place] != "!" else {
                    throw QueryError(
                        "a ! stands before a =; the contrary of a condition is \"not …\"", in: text, at: place)
                }
                take(.symbol, through: place + (isTwo ? 2 : 1))
            case "'", "\"":
                let start = place
                let quoted = try quotedText(scalars, at: &place, in: text)
                words.append(QueryWord(kind: .quoted, text: quoted, column: start))
            default: take(.bare, through: end(from: place, while: isPartOfWord))
            }
        }
        return words + [QueryWord(kind: .end, text: "", column: place)]
    }

    private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.properties.isWhitespace && !"(),=!<>'\"".unicodeScalars.contains(scalar)
    }

    /// Text in quotes of either kind. The quote itself is written twice within.
    private static func quotedText(
        _ scalars: [Unicode.Scalar], at place: inout Int, in text: String
    ) throws(QueryError) -> String {
        let start = place
        let quote = scalars[place]
        var content: [Unicode.Scalar] = []
        place += 1
        while place < scalars.count {
            if scalars[place] == quote {
                place += 1
                guard place < scalars.count, scalars[place] == quote else { return String(content) }
            }
            content.append(scalars[place])
            place += 1
        }
        throw QueryError("the quote \(String(quote)) is not closed", in: text, at: start)
    }
}

extension String {
    fileprivate init(_ scalars: some Sequence<Unicode.Scalar>) {
        var view = UnicodeScalarView()
        view.append(contentsOf: scalars)
        self.init(view)
    }
}
