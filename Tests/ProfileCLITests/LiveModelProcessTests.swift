import DataStoreTesting
import TestScale
import Testing
import UserProfileKit

/// Tests of live models of this process while other processes write.
@Suite(.timeLimit(.minutes(20))) @MainActor struct LiveModelProcessTests {
    @Test("The last state of a storm of writes of other processes arrives at 100 models", arguments: StoreKind.allCases)
    func storm(_ kind: StoreKind) async throws {
        let cli = try ProfileCLI()
        let store = cli.store(kind)
        let storage = try await UserProfileStorage.open(StorageLocation(store.text))
        let processes = 3
        let users = try (0..<processes).map { try UserID("user\($0)") }
        let (queries, entities, counts) = (
            (0..<40).map { number in
                LiveQuery(Query<User>(where: .begins(\.mailAddress, with: "\(number % 10)")), in: storage.users)
            },
            (0..<40).map { LiveEntity(users[$0 % processes], in: storage.users) },
            (0..<20).map { number in
                LiveValue(
                    -1,
                    storage.updates { snapshot in
                        try snapshot.repository(of: User.self).count(where: .begins(\.mailAddress, with: "\(number)"))
                    })
            }
        )
        let (field, edited) = (mail(of: users[0], in: storage), mail(of: users[1], in: storage))
        edited.isEditing = true
        let saves = TestScale.count(10, full: 60)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for process in 0..<processes {
                group.addTask {
                    let commands = (0..<saves).map { number in
                        "profile-cli set-mail \(number)@example.com --user user\(process) --store '\(store.text)'"
                    }
                    let outcome = try await cli.shell(commands.joined(separator: " && "))
                    #expect(outcome.code == 0, "\(outcome)")
                }
            }
            try await group.waitForAll()
        }
        for model in queries {
            let expected = try await storage.users.find(model.query).entities
            try await until { model.entities == expected }
        }
        for (number, model) in entities.enumerated() {
            let expected = try await storage.users.find(users[number % processes])
            try await until { model.value == expected }
        }
        for (number, model) in counts.enumerated() {
            let expected = try await storage.users.count(where: .begins(\.mailAddress, with: "\(number)"))
            try await until { model.value == expected }
        }
        let last = "\(saves - 1)@example.com"
        #expect(entities.allSatisfy { $0.value?.mailAddress?.text == last })
        // The changes of other processes appear in a field, unless the user is typing.
        try await until { field.value == last }
        #expect(edited.value.isEmpty)
        edited.isEditing = false
        try await until { edited.value == last }
        await storage.close()
    }

    private func mail(of user: UserID, in storage: UserProfileStorage) -> Bound<String> {
        Bound(user, in: storage.users) {
            $0?.mailAddress?.text ?? ""
        } save: { text in
            try await storage.profiles.saveMailAddress(MailAddress(text), of: user)
        }
    }
}
