import UserProfileDomain

/// A sort and an equivalent order in plain Swift.
struct UserSort {
    let sort: Sort<User>
    /// A closure that returns whether the left user comes before the right one, or `nil` if they tie.
    let precedes: @Sendable (User, User) -> Bool?

    static func random(using generator: inout SeededGenerator) -> UserSort {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: UserSort(sort: .ascending(\.id)) { $0.id < $1.id }
        case 1: UserSort(sort: .descending(\.id)) { $0.id > $1.id }
        case 2: UserSort(sort: .ascending(\.birthday)) { before($0.birthday, $1.birthday) }
        case 3: UserSort(sort: .descending(\.birthday)) { before($1.birthday, $0.birthday) }
        case 4: UserSort(sort: .ascending(\.monthDay)) { before($0.monthDay, $1.monthDay) }
        case 5: UserSort(sort: .descending(\.monthDay)) { before($1.monthDay, $0.monthDay) }
        case 6: UserSort(sort: .ascending(\.mailAddress)) { before($0.addressText, $1.addressText) }
        default: UserSort(sort: .descending(\.mailAddress)) { before($1.addressText, $0.addressText) }
        }
    }

    /// Returns whether the left value comes before the right one, or `nil` if they are equal. A missing value comes
    /// before all others.
    private static func before<Content: Comparable>(_ left: Content?, _ right: Content?) -> Bool? {
        if left == right { return nil }
        guard let left, let right else { return left == nil }
        return left < right
    }
}

extension User {
    fileprivate var monthDay: MonthDay? { birthday.map { MonthDay($0.date) } }

    /// The address in a form that is compared by Unicode scalars, like the addresses in a store. Swift would compare
    /// strings by canonical equivalence instead.
    fileprivate var addressText: ScalarText? { mailAddress.map { ScalarText(scalars: $0.scalars) } }
}

private struct ScalarText: Comparable {
    let scalars: [Unicode.Scalar]

    static func < (left: ScalarText, right: ScalarText) -> Bool {
        left.scalars.lexicographicallyPrecedes(right.scalars)
    }
}
