/// A token of a query: its text and its position.
struct QueryWord {
    enum Kind: Equatable {
        /// A name, a keyword, or a value without quotes.
        case bare
        /// A quoted value, which is never a name or a keyword.
        case quoted
        /// One of `( ) , = != < <= > >=`.
        case symbol
        /// The end of the query.
        case end
    }

    let kind: Kind

    /// The text without quotes.
    let text: String

    /// The position of the first character, in Unicode scalars from the start.
    let column: Int

    /// Returns whether the word is a certain keyword or symbol.
    func isMark(_ mark: String) -> Bool { (kind == .bare || kind == .symbol) && text == mark }

    /// The word as it appears in messages.
    var shown: String { kind == .end ? "the end" : text.debugDescription }
}

extension QueryWord {
    /// Splits a query into words, followed by the end.
    ///
    /// - Throws: ``QueryError`` if a quotation is not closed, or if no word can start with a character.
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

    /// Reads text in single or double quotes. A quote inside the text is doubled.
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
