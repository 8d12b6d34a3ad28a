import UserProfileDomain

/// One save, as we are given it and as the peer is.
struct SaveStep: Sendable {
    let user: User
    let entry: EncodedEntry

    /// Gives each profile another mail address, and then its old one again. Going through it again and again, each step
    /// changes something.
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
