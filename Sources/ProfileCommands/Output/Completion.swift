import ArgumentParser
import DataStoreSystem

// The shell completions of options and arguments.
extension CompletionKind {
    /// Completion of store locations: the schemes, then the paths.
    static let store = CompletionKind.custom { _, _, prefix in stores(prefix) }

    /// Completion of cities, by their codes or names.
    static let city = CompletionKind.custom { _, _, prefix in cities(prefix) }

    /// Completion of user ids. It reads the ids from the local store that the preceding words name.
    static let user = CompletionKind.custom { words, _, prefix in await users(words, prefix) }

    // Completion of conditions and sorts: the fields and operators that may be the next word.
    static let userCondition = lastWord(FieldSet.users.words)
    static let userSort = lastWord(FieldSet.users.sortNames + ["desc"])
    static let weatherCondition = lastWord(FieldSet.weather.words)
    static let weatherSort = lastWord(FieldSet.weather.sortNames + ["desc"])

    static func stores(_ prefix: String) -> [String] {
        guard let colon = prefix.firstIndex(of: ":") else { return ["lmdb:", "plist:", "memory:"] }
        let scheme = prefix[...colon]
        guard scheme == "lmdb:" || scheme == "plist:" else { return [] }
        let path = prefix[prefix.index(after: colon)...]
        let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let beginning = path.dropFirst(directory.count)
        // A directory that cannot be read has no completions.
        let names = try? Directory(directory.isEmpty ? "." : directory).names { name in
            // A line break ends a completion.
            name.hasPrefix(beginning) && (!name.hasPrefix(".") || beginning.hasPrefix(".")) && !name.contains("\n")
                && Path(name).hasEntryName
        }
        return (names ?? []).sorted().map { "\(scheme)\(directory)\($0)" }
    }

    static func cities(_ prefix: String) -> [String] {
        let isCode = prefix.first.map { $0.isNumber } ?? false
        return City.all.map { isCode ? $0.code.text : $0.name }.filter { $0.hasPrefix(prefix) }
    }

    private static func lastWord(_ words: [String]) -> CompletionKind {
        .custom { _, _, prefix in completed(prefix, by: words) }
    }

    /// Returns the completions of a string. Each completion replaces the last word of the string with one of the given
    /// words that begins with this word.
    static func completed(_ text: String, by words: [String]) -> [String] {
        let start = text.lastIndex { " ,(".contains($0) }.map { text.index(after: $0) } ?? text.startIndex
        return words.filter { $0.hasPrefix(text[start...]) }.map { text[..<start] + $0 }
    }

    /// Returns at most a hundred ids of users that begin with a string.
    static func users(_ words: [String], _ prefix: String) async -> [String] {
        func value(of long: String, _ short: String) -> String? {
            if let index = words.lastIndex(where: { $0 == long || $0 == short }) {
                return words.dropFirst(index + 1).first
            }
            return words.last { $0.hasPrefix("\(long)=") }.map { String($0.dropFirst(long.count + 1)) }
        }
        do {
            let configuration = try Configuration.read(
                program: "profile-cli", environment: value(of: "--environment", "-e"),
                store: value(of: "--store", "-s"))
            let storage = try await UserProfileStorage.open(configuration.store, buildsIndexes: false)
            let found = try await storage.closing { storage in
                try await storage.users.find(
                    Query(where: prefix.isEmpty ? nil : .begins(\.id, with: prefix), limit: 100))
            }
            // These characters have no special meaning in any shell.
            return found.entities.map(\.id.text).filter { id in
                id.allSatisfy { $0.isLetter || $0.isNumber || "._@+-/".contains($0) }
            }
        } catch {
            // Completion must not print errors. The command itself reports them.
            return []
        }
    }
}
