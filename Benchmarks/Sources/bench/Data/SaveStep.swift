import UserProfileDomain

/// A save of a profile, and the entry that the peer writes for the same save.
struct SaveStep: Sendable {
    let user: User
    let entry: EncodedEntry

    /// Returns steps that change the mail address of each profile and then restore it. Every step changes a record,
    /// even if the sequence is repeated.
    static func sequence(_ numbers: [Int], on stage: Stage) async throws -> [SaveStep] {
        try await steps(numbers, isChanged: true, on: stage) + steps(numbers, isChanged: false, on: stage)
    }

    private static func steps(_ numbers: [Int], isChanged: Bool, on stage: Stage) async throws -> [SaveStep] {
        let entries = try await Profiles.encoded(numbers, isChanged: isChanged, on: stage)
        return try zip(numbers, entries).map { number, entry in
            SaveStep(user: try Profiles.user(number, isChanged: isChanged), entry: entry)
        }
    }
}
