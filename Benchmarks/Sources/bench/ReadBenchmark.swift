import UserProfileDomain
import UserProfileKit

/// Reads profiles by id, in random order: through the use case, and as bytes by bare calls.
struct ReadBenchmark {
    let storage: UserProfileStorage
    let bare: BareLMDB
    let count: Int

    func run() async throws {
        var generator = SystemRandomNumberGenerator()
        let numbers = (0..<100_000).map { _ in Int.random(in: 0..<count, using: &generator) }
        let ids = try numbers.map(Profiles.id)
        try await compareAnswers(numbers)

        var rounds = Rounds()
        var byteCount = 0
        let users = storage.users
        try await rounds.run(
            15, operations: numbers.count,
            ours: { for id in ids where try await users.user(id) == nil { throw Failure(message: "\(id)") } },
            theirs: { for id in ids { try bare.read(id.text) { byteCount += $0.count } } })
        guard byteCount > 0 else { throw Failure(message: "nothing was read") }
        print(rounds.line("read a profile by id, \(count) profiles:"))
    }

    /// Both must find the same: what is measured is the same work.
    private func compareAnswers(_ numbers: [Int]) async throws {
        for number in numbers.prefix(1000) {
            guard let user = try await storage.users.user(Profiles.id(number)), user == (try Profiles.user(number))
            else {
                throw Failure(message: "profile \(number) is not what was saved")
            }
            var isThere = false
            try bare.read(Profiles.id(number).text) { bytes in
                isThere = String(decoding: bytes, as: UTF8.self).contains("somebody.\(number)@mail.example.com")
            }
            guard isThere else { throw Failure(message: "the peer does not find profile \(number)") }
        }
    }
}
