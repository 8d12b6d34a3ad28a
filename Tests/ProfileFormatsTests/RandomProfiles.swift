import DataStoreTesting
import UserProfileDomain

/// Users with characters that are difficult for the formats.
struct RandomProfiles {
    private var generator = SeededGenerator()

    var seed: UInt64 { generator.seed }

    /// Returns the size of an input chunk.
    mutating func size() -> Int { .random(in: 1...200, using: &generator) }

    mutating func users(count: Int) -> [User] { (0..<count).map { _ in user() } }

    private static let pieces = [
        ",", "\"", "\\", ";", "'", " ", "a", "Z", "=1+1", "{", "}", ":", "\u{FEFF}", "é", "e\u{301}", "天気", "😀",
        "\u{2028}",
        "/", "\u{AD}", "null",
    ]

    private mutating func text(_ pieces: [String], _ count: ClosedRange<Int>) -> String {
        (0..<Int.random(in: count, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? "" }
            .joined()
    }

    private mutating func user() -> User {
        // If the text is not a valid id, another one is generated. An invalid address counts as missing.
        var id: UserID?
        while id == nil { id = try? UserID(text(Self.pieces, 1...8)) }
        var user = User(id: id ?? .me)
        if Bool.random(using: &generator) {
            let local = text(["a", "b", "\\\"", " ", ",", "é", ".", "😀"], 1...5)
            user.mailAddress = try? MailAddress("\"\(local)\"@example.com")
        }
        if Bool.random(using: &generator) {
            let year = String(Int.random(in: 1...2010, using: &generator))
            let padded = String(repeating: "0", count: 4 - year.count) + year
            let (month, day) = (Int.random(in: 10...12, using: &generator), Int.random(in: 10...30, using: &generator))
            user.birthday = try? Birthday("\(padded)-\(month)-\(day)")
        }
        return user
    }
}
