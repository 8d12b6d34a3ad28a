import ArgumentParser
import ProfileFormats
import UserProfileDomain

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Shell completion of store locations: the schemes, then the paths.
enum StoreCompletion {
    static let kind = CompletionKind.custom { _, _, prefix in locations(prefix) }

    static func locations(_ prefix: String) -> [String] {
        guard let colon = prefix.firstIndex(of: ":") else { return ["lmdb:", "plist:", "memory:"] }
        let scheme = prefix[...colon]
        guard scheme == "lmdb:" || scheme == "plist:" else { return [] }
        let path = prefix[prefix.index(after: colon)...]
        let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        // A directory that cannot be read has no completions.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.isEmpty ? "." : directory)) ?? []
        let beginning = path.dropFirst(directory.count)
        return names.filter { name in
            // A line break ends a completion.
            name.hasPrefix(beginning) && (!name.hasPrefix(".") || beginning.hasPrefix(".")) && !name.contains("\n")
        }.sorted().map { "\(scheme)\(directory)\($0)" }
    }
}

/// Shell completion of conditions and sorts: the fields and operators that may be the next word.
enum QueryCompletion {
    static let condition = kind(FieldSet.users.words)
    static let sort = kind(FieldSet.users.sortNames + ["desc"])
    static let weatherCondition = kind(FieldSet.weather.words)
    static let weatherSort = kind(FieldSet.weather.sortNames + ["desc"])

    private static func kind(_ words: [String]) -> CompletionKind {
        .custom { _, _, prefix in completed(prefix, by: words) }
    }

    /// Returns the completions of a string. Each completion replaces the last word of the string with one of the given
    /// words that begins with this word.
    static func completed(_ text: String, by words: [String]) -> [String] {
        let start = text.lastIndex { " ,(".contains($0) }.map { text.index(after: $0) } ?? text.startIndex
        return words.filter { $0.hasPrefix(text[start...]) }.map { text[..<start] + $0 }
    }
}

/// Shell completion of cities, by their codes or names.
enum CityCompletion {
    static let kind = CompletionKind.custom { _, _, prefix in cities(prefix) }

    static func cities(_ prefix: String) -> [String] {
        let isCode = prefix.first.map { $0.isNumber } ?? false
        let words = City.all.map { isCode ? $0.code.text : $0.name }
        return words.filter { $0.hasPrefix(prefix) }
    }
}
