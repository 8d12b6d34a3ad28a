import ArgumentParser
import ProfileFormats
import UserProfileDomain
import UserProfileKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The completion script for bash. It corrects four errors of the script that ArgumentParser generates:
///
/// - Bash splits a word at each colon, so the generated script receives `lmdb:/path` as three words. The corrected
///   script joins the words. It offers only the part of a completion after the colon, because bash replaces only this
///   part.
/// - Bash also splits an option from its value at an equals sign. The corrected script passes both as two words.
/// - The generated script passes a word with its quotes and backslashes to the program. The corrected script removes
///   them first.
/// - The generated script expands the completions of the program, so that bash could run a command in the name of a
///   file. The corrected script expands nothing.
enum BashCompletion {
    /// The last line of the script that ArgumentParser generates, which registers the completion function.
    private static let registration = "complete -o filenames -F _profile-cli profile-cli"

    /// Returns the corrected form of a completion script for bash, and any other text unchanged.
    static func corrected(_ text: String) -> String {
        guard let last = text.split(separator: "\n").last, last == registration else { return text }
        let end = text.lastIndex { $0 != "\n" }.map { text.index(after: $0) } ?? text.endIndex
        return String(text[..<end].dropLast(registration.count)) + corrections
    }

    private static let corrections = #"""
        # Adds completions as they are, without the expansions of compgen -W.
        __profile-cli_add_completions() {
            local completion
            if [[ "${1}" = -W ]]; then
                while IFS='' read -r completion; do
                    [[ -n "${completion}" && "${completion}" = "${cur}"* ]] && COMPREPLY+=("${completion}")
                done <<<"${2}"
            else
                while IFS='' read -r completion; do
                    COMPREPLY+=("${completion}")
                done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
            fi
        }

        # Prints a word without its quotes and backslashes. Nothing is expanded.
        __profile-cli_unquoted() {
            local word="${1}" quote='' text='' character
            while [[ -n "${word}" ]]; do
                character="${word:0:1}"
                word="${word:1}"
                if [[ -n "${quote}" && "${character}" = "${quote}" ]]; then
                    quote=''
                elif [[ -z "${quote}" && "${character}" = [\'\"] ]]; then
                    quote="${character}"
                elif [[ "${character}" = '\' && "${quote}" != "'" ]]; then
                    # Within double quotes, a backslash quotes few characters.
                    [[ "${quote}" = '"' && "${word:0:1}" != [\"\\\$\`] ]] && text+='\'
                    text+="${word:0:1}"
                    word="${word:1}"
                else
                    text+="${character}"
                fi
            done
            printf %s "${text}"
        }

        # Joins the words that bash has split at colons, removes the equals sign between an option and its value, and
        # completes the current word up to the cursor.
        __profile-cli_complete() {
            local line="${COMP_LINE}" word blanks kept=''
            local -a words=()
            local -i index current=-1 rest="${COMP_POINT}"
            for index in "${!COMP_WORDS[@]}"; do
                word="${COMP_WORDS[index]}"
                blanks="${line%%[![:blank:]]*}"
                line="${line:${#blanks}}"
                rest=rest-${#blanks}
                line="${line:${#word}}"
                [[ "${index}" -eq "${COMP_CWORD}" ]] && word="${word:0:rest < 0 ? 0 : rest}"
                rest=rest-${#COMP_WORDS[index]}
                if [[ "${word}" = '=' && -z "${blanks}" && "${words[-1]}" = --* ]]; then
                    # The value, which the next words extend.
                    words+=('')
                    kept=''
                elif [[ "${index}" -eq 0 || -n "${blanks}" \
                    || ("${word}" != :* && "${words[-1]}" != *: && -n "${words[-1]}") ]]; then
                    words+=("${word}")
                    kept=''
                elif [[ "${current}" -ne "${#words[@]}-1" ]]; then
                    [[ "${index}" -eq "${COMP_CWORD}" ]] && kept="${words[-1]}"
                    words[-1]+="${word}"
                fi
                if [[ "${index}" -eq "${COMP_CWORD}" ]]; then
                    current=${#words[@]}-1
                    # Bash replaces what follows a colon before the cursor.
                    [[ "${word}" = : ]] && kept="${words[-1]}"
                    local -r replaced="$(__profile-cli_unquoted "${kept}")"
                fi
            done
            for index in "${!words[@]}"; do
                words[index]="$(__profile-cli_unquoted "${words[index]}")"
            done
            COMP_WORDS=("${words[@]}")
            COMP_CWORD="${current}"
            COMP_LINE="${COMP_LINE:0:COMP_POINT}"
            _profile-cli "${1}" "${words[current]}" "${words[current - 1]}"
            COMPREPLY=("${COMPREPLY[@]#"${replaced}"}")
            # Bash does not recognize a directory after a quoted scheme.
            if [[ "${#COMPREPLY[@]}" -eq 1 ]]; then
                word="${replaced}${COMPREPLY[0]}"
                [[ "${word}" = @(lmdb|plist):* && -d "${word#*:}" ]] && COMPREPLY[0]+=/
            fi
            # Only file names need quotes, and the user continues after a scheme or a directory.
            [[ "${COMPREPLY[*]}" != */* ]] && compopt +o filenames 2>/dev/null
            [[ "${#COMPREPLY[@]}" -eq 1 && "${COMPREPLY[0]}" = *[:/] ]] && compopt -o nospace 2>/dev/null
            return 0
        }

        complete -o filenames -F __profile-cli_complete profile-cli
        """#
}

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
