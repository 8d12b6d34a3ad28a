import UserProfileDomain

/// A token of a query: its text and its position.
struct QueryToken {
    enum Kind: Equatable {
        /// A name, a keyword, or a value without quotes.
        case bare
        /// A value in quotes, which is never a name or a keyword.
        case quoted
        /// One of the symbols `( ) , = != < <= > >=`.
        case symbol
        /// The end of the query.
        case end
    }

    let kind: Kind

    /// The text of the token without quotes.
    let text: String

    /// The position of the token, in Unicode scalars from the start of the query.
    let column: Int

    /// Returns whether the token is the given keyword or symbol. A value in quotes is neither.
    func isSymbol(_ symbol: String) -> Bool { (kind == .bare || kind == .symbol) && text == symbol }

    /// The token as error messages show it.
    var messageText: String { kind == .end ? "the end" : text.excerpt(80).quoted }
}

extension QueryToken {
    /// Splits a query into tokens. The last token is the end of the query.
    ///
    /// - Throws: ``QueryError`` if a quoted text has no closing quote, or if a `!` is not followed by `=`.
    static func tokens(of text: String) throws(QueryError) -> [QueryToken] {
        let scalars = Array(text.unicodeScalars)
        var tokens: [QueryToken] = []
        var index = 0
        func end(from start: Int, while isPart: (Unicode.Scalar) -> Bool) -> Int {
            scalars[start...].firstIndex { !isPart($0) } ?? scalars.endIndex
        }
        func addToken(_ kind: Kind, through end: Int) {
            tokens.append(QueryToken(kind: kind, text: String(scalars[index..<end]), column: index))
            index = end
        }
        while index < scalars.count {
            switch scalars[index] {
            case let scalar where scalar.properties.isWhitespace: index += 1
            case "(", ")", ",": addToken(.symbol, through: index + 1)
            case "=", "!", "<", ">":
                let isTwo = index + 1 < scalars.count && scalars[index + 1] == "="
                guard isTwo || scalars[index] != "!" else {
                    throw QueryError("expected = after !; negate a condition with \"not …\"", in: text, at: index)
                }
                addToken(.symbol, through: index + (isTwo ? 2 : 1))
            case "'", "\"":
                let start = index
                let quoted = try quotedText(scalars, at: &index, in: text)
                tokens.append(QueryToken(kind: .quoted, text: quoted, column: start))
            default: addToken(.bare, through: end(from: index, while: isPartOfToken))
            }
        }
        return tokens + [QueryToken(kind: .end, text: "", column: index)]
    }

    private static func isPartOfToken(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.properties.isWhitespace && !"(),=!<>'\"".unicodeScalars.contains(scalar)
    }

    /// Reads text in single or double quotes. Within the text, a quote is written twice.
    private static func quotedText(
        _ scalars: [Unicode.Scalar], at index: inout Int, in text: String
    ) throws(QueryError) -> String {
        let start = index
        let quote = scalars[index]
        var content: [Unicode.Scalar] = []
        index += 1
        while index < scalars.count {
            if scalars[index] == quote {
                index += 1
                guard index < scalars.count, scalars[index] == quote else { return String(content) }
            }
            content.append(scalars[index])
            index += 1
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
