@testable import ProfileFormats
import ProfileProperties
@testable import UserProfileDomain

/// A second, slow reader of comma-separated values, which follows the grammar of RFC 4180 literally.
struct Rows {
    /// The values of each line that is not empty.
    private let rows: [[String]]

    /// Reads the whole input; `nil` if any part of it violates the grammar or is not UTF-8.
    init?(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        var rest = Array(text.unicodeScalars)[...]
        if rest.first == "\u{FEFF}" { rest = rest.dropFirst() }
        var rows: [[String]] = []
        while !rest.isEmpty {
            var row: [String] = []
            let start = rest.count
            while true {
                guard let value = Rows.value(&rest) else { return nil }
                row.append(value)
                guard rest.first == "," else { break }
                rest = rest.dropFirst()
            }
            let isBlank = rest.count == start
            if rest.starts(with: ["\r", "\n"]) || rest.elementsEqual(["\r"]) {
                rest = rest.dropFirst(2)
            } else if rest.first == "\n" {
                rest = rest.dropFirst()
            } else if !rest.isEmpty {
                return nil
            }
            if !isBlank { rows.append(row) }
        }
        self.rows = rows
    }

    /// Reads one value, up to a comma or a line ending.
    private static func value(_ rest: inout ArraySlice<Unicode.Scalar>) -> String? {
        var value = String.UnicodeScalarView()
        guard rest.first == "\"" else {
            while let scalar = rest.first, scalar != ",", scalar != "\n" {
                // A carriage return belongs to the line ending if nothing else follows it.
                if scalar == "\r", rest.dropFirst().first == "\n" || rest.count == 1 { break }
                if scalar == "\"" { return nil }
                value.append(scalar)
                rest = rest.dropFirst()
            }
            return String(value)
        }
        rest = rest.dropFirst()
        while let scalar = rest.popFirst() {
            if scalar == "\"" {
                guard rest.first == "\"" else { return String(value) }
                rest = rest.dropFirst()
            }
            value.append(scalar)
        }
        return nil
    }

    /// Returns the profiles in the rows after the first one, or `nil` if one of them is invalid.
    func users(ignoresUnknown: Bool) -> [User]? {
        guard let names = rows.first else { return [] }
        let known = ["id", "mailAddress", "birthday"]
        let used = names.filter { known.contains($0) }
        guard used.contains("id"), Set(used).count == used.count, ignoresUnknown || used.count == names.count else {
            return nil
        }
        var users: [User] = []
        for row in rows.dropFirst() {
            guard row.count == names.count else { return nil }
            let fields = Dictionary(zip(names, row)) { first, _ in first }
            do {
                var user = User(id: try UserID(fields["id"] ?? ""))
                if let text = fields["mailAddress"], !text.isEmpty { user.mailAddress = try MailAddress(text) }
                if let text = fields["birthday"], !text.isEmpty {
                    user.birthday = try Birthday(text)
                    try user.birthday?.checkHasBegun(at: ProfileProperties.now)
                }
                users.append(user)
            } catch {
                return nil
            }
        }
        return users
    }
}
