import ArgumentParser
import UserProfileDomain
import UserProfileKit

/// The shell completion of user ids. It reads the ids from the local store that the preceding words name.
enum UserCompletion {
    static let kind = CompletionKind.custom { words, _, prefix in await ids(words, prefix) }

    /// The maximum number of ids that are offered.
    private static let maximumCount = 100

    private static func ids(_ words: [String], _ prefix: String) async -> [String] {
        do {
            var overrides: [String: String] = [:]
            overrides["store"] = value(of: "--store", in: words)
            overrides["environment"] = value(of: "--environment", in: words)
            let configuration = try Configuration.read(
                program: "profile-cli", overrides: overrides)
            let storage = try await UserProfileStorage.open(configuration.store, buildsIndexes: false)
            let found = try await storage.closing { storage in
                try await storage.users.find(
                    Query(where: prefix.isEmpty ? nil : .begins(\.id, with: prefix), limit: maximumCount))
            }
            return found.entities.map(\.id.text).filter { $0.allSatisfy(isPlain) }
        } catch {
            // Completion must not print errors. The command itself reports them.
            return []
        }
    }

    /// Returns whether a character has no special meaning in any shell.
    private static func isPlain(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "._@+-/".contains(character)
    }

    private static func value(of option: String, in words: [String]) -> String? {
        if let index = words.firstIndex(of: option) { return words.dropFirst(index + 1).first }
        return words.first { $0.hasPrefix("\(option)=") }.map { String($0.dropFirst(option.count + 1)) }
    }
}
