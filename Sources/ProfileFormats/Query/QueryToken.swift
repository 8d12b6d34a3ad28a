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
        var rest = Array(text.unicodeScalars)[...]
        var tokens: [QueryToken] = []
        func addToken(_ kind: Kind, _ count: Int) {
            let text = String(String.UnicodeScalarView(rest.prefix(count)))
            tokens.append(QueryToken(kind: kind, text: text, column: rest.startIndex))
            rest = rest.dropFirst(count)
        }
        while let first = rest.first {
            let column = rest.startIndex
            switch first {
            case let scalar where scalar.properties.isWhitespace: rest = rest.dropFirst()
            case "(", ")", ",": addToken(.symbol, 1)
            case "=", "!", "<", ">":
                let isTwo = rest.dropFirst().first == "="
                guard isTwo || first != "!" else {
                    throw QueryError("expected = after !; negate a condition with \"not …\"", in: text, at: column)
                }
                addToken(.symbol, isTwo ? 2 : 1)
            case "'", "\"":
                guard let content = rest.removeQuoted() else {
                    throw QueryError("the quote \(first) is not closed", in: text, at: column)
                }
                let quoted = String(String.UnicodeScalarView(content))
                tokens.append(QueryToken(kind: .quoted, text: quoted, column: column))
            default: addToken(.bare, rest.prefix(while: isPartOfToken).count)
            }
        }
        return tokens + [QueryToken(kind: .end, text: "", column: rest.startIndex)]
    }

    private static func isPartOfToken(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.properties.isWhitespace && !"(),=!<>'\"".unicodeScalars.contains(scalar)
    }
}

extension ArraySlice where Element: Equatable {
    /// Removes a text in quotes, which begins with its opening quote. Within the text, a quote is written twice.
    ///
    /// - Returns: The text without its quotes, or `nil` if it is not closed.
    mutating func removeQuoted() -> [Element]? {
        guard let quote = popFirst() else { return nil }
        var content: [Element] = []
        while let end = firstIndex(of: quote) {
            content += self[..<end]
            self = self[(end + 1)...]
            guard first == quote else { return content }
            content.append(quote)
            self = dropFirst()
        }
        return nil
    }
}
