import UserProfileDomain

/// A filter and an equivalent predicate in plain Swift.
struct UserFilter {
    let filter: Filter<User>
    let holds: @Sendable (User) -> Bool

    private init(_ filter: Filter<User>, _ holds: @escaping @Sendable (User) -> Bool) {
        self.filter = filter
        self.holds = holds
    }

    static func random(_ depth: Int = 3, using generator: inout SeededGenerator) throws -> UserFilter {
        guard depth > 0, Int.random(in: 0..<3, using: &generator) > 0 else { return try one(using: &generator) }
        let left = try random(depth - 1, using: &generator)
        let right = try random(depth - 1, using: &generator)
        return switch Int.random(in: 0..<5, using: &generator) {
        case 0, 1: UserFilter(left.filter && right.filter) { left.holds($0) && right.holds($0) }
        case 2, 3: UserFilter(left.filter || right.filter) { left.holds($0) || right.holds($0) }
        default: UserFilter(!left.filter) { !left.holds($0) }
        }
    }

    private static func one(using generator: inout SeededGenerator) throws -> UserFilter {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
            comparison(
                of: \.birthday, \.birthday, try .random(using: &generator), try .random(using: &generator), &generator)
        case 1:
            comparison(
                of: \.monthDay, \.monthDay, MonthDay(try Birthday.random(using: &generator).date),
                MonthDay(try Birthday.random(using: &generator).date), &generator)
        case 2: try addressFilter(using: &generator)
        default: try idFilter(using: &generator)
        }
    }

    /// Returns a random comparison of a field with two values.
    private static func comparison<Content: FieldContent & Comparable & Sendable>(
        of field: KeyPath<User.Fields, EntityField<User, Content>>,
        _ value: any KeyPath<User, Content?> & Sendable, _ first: Content, _ second: Content,
        _ generator: inout SeededGenerator
    ) -> UserFilter {
        func holds(_ condition: @escaping @Sendable (Content) -> Bool) -> @Sendable (User) -> Bool {
            { $0[keyPath: value].map(condition) ?? false }
        }
        return switch Int.random(in: 0..<9, using: &generator) {
        case 0: UserFilter(field == first, holds { $0 == first })
        case 1: UserFilter(field != first) { $0[keyPath: value] != first }
        case 2: UserFilter(field < first, holds { $0 < first })
        case 3: UserFilter(field <= first, holds { $0 <= first })
        case 4: UserFilter(field > first, holds { $0 > first })
        case 5: UserFilter(field >= first, holds { $0 >= first })
        case 6: UserFilter(.between(field, first, second), holds { first <= $0 && $0 <= second })
        case 7: UserFilter(.isIn(field, [first, second]), holds { [first, second].contains($0) })
        default: UserFilter(.exists(field)) { $0[keyPath: value] != nil }
        }
    }

    private static func addressFilter(using generator: inout SeededGenerator) throws -> UserFilter {
        let address = try MailAddress.random(using: &generator)
        let other = try MailAddress.random(using: &generator)
        let texts = [
            "", "a", "A", "vision@", "vision@EXAMPLE", "Vision@example", "Example", "example", "é", "e\u{301}", "\"a",
            "a@x", "a@xn--", "ample-c", "MPLE-C", "a@ex\u{E4}",
        ]
        let text = generator.pick(texts)
        let form = MailAddress.comparable(text)
        func holds(_ condition: @escaping @Sendable (String, String) -> Bool) -> @Sendable (User) -> Bool {
            { user in
                guard let address = user.mailAddress, case .text(let comparable) = address.operand else { return false }
                return condition(address.text, text) || condition(comparable, text) || condition(comparable, form)
            }
        }
        let isFound = holds { Array($0.unicodeScalars).contains(Array($1.unicodeScalars)) }
        return switch Int.random(in: 0..<12, using: &generator) {
        case 6: UserFilter(\.mailAddress == nil) { $0.mailAddress == nil }
        case 7: UserFilter(\.mailAddress != nil) { $0.mailAddress != nil }
        case 8:
            UserFilter(
                .begins(\.mailAddress, with: text, ignoringCase: true),
                holds { $0.lowercased.starts(with: $1.lowercased) })
        case 9:
            UserFilter(
                .contains(\.mailAddress, text, ignoringCase: true),
                holds { $0.lowercased.contains($1.lowercased) })
        case 10:
            UserFilter(
                .ends(\.mailAddress, with: text, ignoringCase: true),
                holds { $0.lowercased.reversed().starts(with: $1.lowercased.reversed()) })
        case 11:
            UserFilter(.like(\.mailAddress, "*\(text)?*", ignoringCase: true)) { user in
                guard let address = user.mailAddress else { return false }
                return [address.text, MailAddress.comparable(address.text)].contains { form in
                    Array(form.lowercased.dropLast()).contains(text.lowercased)
                }
            }
        case 0: UserFilter(\.mailAddress == address) { $0.mailAddress == address }
        case 1: UserFilter(\.mailAddress != address) { $0.mailAddress != address }
        case 2: UserFilter(.isIn(\.mailAddress, [address, other])) { [address, other].contains($0.mailAddress) }
        case 3: UserFilter(.exists(\.mailAddress)) { $0.mailAddress != nil }
        case 4:
            UserFilter(.begins(\.mailAddress, with: text), holds { $0.unicodeScalars.starts(with: $1.unicodeScalars) })
        default:
            UserFilter(.contains(\.mailAddress, text)) { user in
                if isFound(user) || text.contains("@") { return isFound(user) }
                // A text without `@` may also be within the domain, regardless of case.
                guard let address = user.mailAddress else { return false }
                let domain = address.scalars.split(separator: "@").last.map(Array.init) ?? []
                return [domain, String(address.domain).asciiLowercased].contains { $0.contains(text.asciiLowercased) }
            }
        }
    }

    private static func idFilter(using generator: inout SeededGenerator) throws -> UserFilter {
        let (first, second) = (try UserID.random(using: &generator), try UserID.random(using: &generator))
        return switch Int.random(in: 0..<5, using: &generator) {
        case 0...2: comparison(of: \.id, \.optionalID, first, second, &generator)
        case 3: UserFilter(.isIn(\.id, [] as [UserID])) { _ in false }
        default: UserFilter(.begins(\.id, with: "1")) { $0.id.text.utf8.first == UInt8(ascii: "1") }
        }
    }
}

extension User {
    /// Returns a random user with values from a small range, so that users have values in common.
    static func random(_ id: UserID, using generator: inout SeededGenerator) throws -> User {
        let (isAddressMissing, isBirthdayMissing) = (
            generator.pick([0, 1, 2, 3]) == 0, generator.pick([0, 1, 2, 3]) == 0
        )
        return User(
            id: id, mailAddress: isAddressMissing ? nil : try .random(using: &generator),
            birthday: isBirthdayMissing ? nil : try .random(using: &generator))
    }

    fileprivate var optionalID: UserID? { id }

    fileprivate var monthDay: MonthDay? { birthday.map { MonthDay($0.date) } }
}

extension MailAddress {
    fileprivate static func random(using generator: inout SeededGenerator) throws -> MailAddress {
        let locals = ["vision", "Vision", "a", "é", "e\u{301}", "\"a b\"", "\"a\"", "\"\\a\""]
        let domains = [
            "example.com", "EXAMPLE.com", "example.net", "Vision.example", "ex\u{E4}mple.com", "XN--exmple-cua.com",
        ]
        return try MailAddress("\(generator.pick(locals))@\(generator.pick(domains))")
    }

    /// The Unicode scalars of the comparable form, by which a store sorts addresses.
    var scalars: [Unicode.Scalar] { Array(MailAddress.comparable(text).unicodeScalars) }
}

extension Birthday {
    fileprivate static func random(using generator: inout SeededGenerator) throws -> Birthday {
        let texts = [
            "1999-12-31", "2000-01-01", "2000-02-28", "2000-02-29", "2000-03-01", "2004-02-29", "2003-03-01",
            "1990-08-01",
            "2011-08-01", "0001-01-01",
        ]
        return try Birthday(generator.pick(texts))
    }
}

extension UserID {
    fileprivate static func random(using generator: inout SeededGenerator) throws -> UserID {
        try UserID(String(Int.random(in: 0..<40, using: &generator)))
    }
}

extension String {
    /// The Unicode scalars of the text in lowercase, which is the case folding of the letters in random addresses.
    fileprivate var lowercased: [Unicode.Scalar] {
        unicodeScalars.flatMap { Array($0.properties.lowercaseMapping.unicodeScalars) }
    }

    /// The Unicode scalars of the text, with ASCII letters lowercased.
    fileprivate var asciiLowercased: [Unicode.Scalar] {
        unicodeScalars.map { ("A"..."Z").contains($0) ? Unicode.Scalar(UInt8($0.value) + 32) : $0 }
    }
}

extension UserFilter {
    /// Returns a random sort and an equivalent order in plain Swift: a closure that returns whether the left user comes
    /// before the right one, or `nil` if they tie.
    static func randomSort(
        using generator: inout SeededGenerator
    ) -> (sort: Sort<User>, precedes: @Sendable (User, User) -> Bool?) {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: (.ascending(\.id), { $0.id < $1.id })
        case 1: (.descending(\.id), { $0.id > $1.id })
        case 2: (.ascending(\.birthday), { before($0.birthday, $1.birthday) })
        case 3: (.descending(\.birthday), { before($1.birthday, $0.birthday) })
        case 4: (.ascending(\.monthDay), { before($0.monthDay, $1.monthDay) })
        case 5: (.descending(\.monthDay), { before($1.monthDay, $0.monthDay) })
        case 6: (.ascending(\.mailAddress), { before($0.mailAddress, $1.mailAddress) })
        default: (.descending(\.mailAddress), { before($1.mailAddress, $0.mailAddress) })
        }
    }

    /// Returns whether the left value comes before the right one, or `nil` if they are equal. A missing value comes
    /// before all others.
    private static func before<Content: Comparable>(_ left: Content?, _ right: Content?) -> Bool? {
        if left == right { return nil }
        guard let left, let right else { return left == nil }
        return left < right
    }

    /// Compares addresses by Unicode scalars, as a store does. Swift would compare strings by canonical equivalence.
    private static func before(_ left: MailAddress?, _ right: MailAddress?) -> Bool? {
        if left?.scalars == right?.scalars { return nil }
        guard let left, let right else { return left == nil }
        return left.scalars.lexicographicallyPrecedes(right.scalars)
    }
}
