import UserProfileDomain

/// A generator of random users and queries. The values have small ranges, so that many conditions match some users.
struct RandomQueries {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// Returns a random user, who may lack any field.
    mutating func user(_ index: Int) throws -> User {
        User(
            id: try UserID("\(index)"), mailAddress: number(4) == 0 ? nil : try address(),
            birthday: number(4) == 0 ? nil : try birthday())
    }

    /// Returns a random query with a condition of up to eight comparisons, up to two sorts and a limit.
    mutating func query(of count: Int) throws -> Query<User> {
        var sort: [Sort<User>] = []
        for _ in 0..<number(3) { sort.append(self.sort()) }
        return Query(where: try filter(depth: 3, of: count), sort: sort, limit: number(5) == 0 ? nil : number(50) + 1)
    }

    private mutating func filter(depth: Int, of count: Int) throws -> Filter<User> {
        guard depth > 0, number(3) > 0 else {
            switch number(4) {
            case 0: return try idCondition(of: count)
            case 1: return try addressCondition()
            case 2: return try birthdayCondition()
            default: return try monthDayCondition()
            }
        }
        let (left, right) = (try filter(depth: depth - 1, of: count), try filter(depth: depth - 1, of: count))
        switch number(5) {
        case 0, 1: return left && right
        case 2, 3: return left || right
        default: return !left
        }
    }

    // MARK: Conditions

    private mutating func idCondition(of count: Int) throws -> Filter<User> {
        let (first, second) = (try UserID("\(number(count))"), try UserID("\(number(count))"))
        switch number(6) {
        case 0: return \.id == first
        case 1: return \.id > first
        case 2: return .between(\.id, first, second)
        case 3: return .isIn(\.id, [])
        case 4: return .contains(\.id, "\(number(100))")
        default: return .begins(\.id, with: "\(number(100))")
        }
    }

    private mutating func addressCondition() throws -> Filter<User> {
        let address = try address()
        let text = [
            "", "a", "V", "vision@", "Vision@EX", "example", "EXAMPLE", "@", ".com", "é", "e\u{301}", "%", "_", "'",
            "\"",
        ][number(15)]
        switch number(8) {
        case 0: return \.mailAddress == address
        case 1: return \.mailAddress != address
        case 2: return .isIn(\.mailAddress, [address, try self.address()])
        case 3: return \.mailAddress == nil
        case 4: return .begins(\.mailAddress, with: text)
        case 5: return .begins(\.mailAddress, with: text, ignoringCase: true)
        case 6: return .contains(\.mailAddress, text)
        default: return .contains(\.mailAddress, text, ignoringCase: true)
        }
    }

    private mutating func birthdayCondition() throws -> Filter<User> {
        let (first, second) = (try birthday(), try birthday())
        switch number(9) {
        case 0: return \.birthday == first
        case 1: return \.birthday != first
        case 2: return \.birthday < first
        case 3: return \.birthday <= first
        case 4: return \.birthday > first
        case 5: return \.birthday >= first
        case 6: return .between(\.birthday, first, second)
        case 7: return .isIn(\.birthday, [first, second])
        default: return \.birthday != nil
        }
    }

    private mutating func monthDayCondition() throws -> Filter<User> {
        let (first, second) = (MonthDay(try birthday().date), MonthDay(try birthday().date))
        switch number(4) {
        case 0: return \.monthDay == first
        case 1: return \.monthDay < first
        case 2: return \.monthDay >= first
        default: return .between(\.monthDay, first, second)
        }
    }

    private mutating func sort() -> Sort<User> {
        switch number(8) {
        case 0: .ascending(\.id)
        case 1: .descending(\.id)
        case 2: .ascending(\.mailAddress)
        case 3: .descending(\.mailAddress)
        case 4: .ascending(\.birthday)
        case 5: .descending(\.birthday)
        case 6: .ascending(\.monthDay)
        default: .descending(\.monthDay)
        }
    }

    // MARK: Values

    private mutating func address() throws -> MailAddress {
        let local = ["vision", "Vision", "a", "\(number(30))", "é", "e\u{301}", "\"a b\"", "\"A@b\"", "o'neil", "50%_"]
        let domain = ["example.com", "EXAMPLE.com", "example.net", "Vision.example"]
        return try MailAddress("\(local[number(10)])@\(domain[number(4)])")
    }

    private mutating func birthday() throws -> Birthday {
        Birthday(try CalendarDate(year: 1990 + number(10), month: 1 + number(12), day: 1 + number(28)))
    }

    private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }
}

/// A generator of reproducible random numbers (SplitMix64; Steele, Lea and Flood 2014).
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
