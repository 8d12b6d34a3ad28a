import UserProfileKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Query<User>.Cursor {
    /// The position as text that an address can contain.
    var token: String? {
        guard let data = try? JSONEncoder().encode(self) else { return nil }
        return String(
            data.base64EncodedString().compactMap { character in
                switch character {
                case "+": "-"
                case "/": "_"
                case "=": nil
                default: character
                }
            })
    }

    /// Reads a position from an address.
    ///
    /// - Returns: The position, or `nil` if the text is not one.
    init?(token: String) {
        var text = token.map { character -> Character in
            switch character {
            case "-": "+"
            case "_": "/"
            default: character
            }
        }
        while !text.count.isMultiple(of: 4) { text.append("=") }
        guard let data = Data(base64Encoded: String(text)),
            let cursor = try? JSONDecoder().decode(Query<User>.Cursor.self, from: data)
        else { return nil }
        self = cursor
    }
}
