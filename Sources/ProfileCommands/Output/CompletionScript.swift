// Corrections of the completion scripts that ArgumentParser generates:
//
// - No script finds a command after options, or completes the value in `--user=a`. Bash divides words at colons, too,
//   and passes them with their quotes. The corrected scripts take the words from ``CommandPath/completedWords(of:)``.
// - The script for bash expands the completions of the program, so that bash could run a command in the name of a file.
//   The corrected script expands nothing.
extension String {
    /// The corrected form of a completion script for bash, zsh or fish, or any other text unchanged.
    var withCorrectedCompletion: String {
        if hasPrefix("#compdef profile-cli\n") {
            let start = "    unsetopt aliases banghist\n"
            return replacing(start, with: start + Self.wordsInZsh, maxReplacements: 1)
        }
        if contains("\ncomplete -c 'profile-cli' -f\n") { return self + Self.wordsInFish }
        return contains("\ncomplete -o filenames -F _profile-cli profile-cli") ? self + Self.wordsInBash : self
    }

    private static let wordsInBash = #"""


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

        # Completes the last word before the cursor. The program prints the words, and the part of the last one before
        # the word that bash replaces.
        __profile-cli_complete() {
            local program="${1/#\~\//${HOME}/}"
            local -a found
            mapfile -t found < <("${program}" ---words "${COMP_LINE:0:COMP_POINT}" "${2}" 2>/dev/null)
            # The shell cannot run the program by the word in the line, e.g. because it is a variable.
            [[ "${#found[@]}" -gt 1 ]] || return 0
            COMP_WORDS=("${found[@]}")
            COMP_CWORD=$((${#COMP_WORDS[@]} - 2))
            local -r kept="${COMP_WORDS[-1]#=}"
            unset 'COMP_WORDS[-1]'
            COMP_LINE=''
            _profile-cli "${1}" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            # Bash does not recognize a directory after a scheme.
            [[ ${#COMPREPLY[@]} -eq 1 && "${COMPREPLY[0]}" = @(lmdb|plist):* && -d "${COMPREPLY[0]#*:}" ]] \
                && COMPREPLY[0]+=/
            COMPREPLY=("${COMPREPLY[@]#"${kept}"}")
            # Only file names need quotes, and the user continues after a scheme or a directory.
            [[ "${COMPREPLY[*]}" != */* ]] && compopt +o filenames 2>/dev/null
            [[ "${#COMPREPLY[@]}" -eq 1 && "${COMPREPLY[0]}" = *[:/] ]] && compopt -o nospace 2>/dev/null
            return 0
        }

        complete -o filenames -F __profile-cli_complete profile-cli
        """#

    private static let wordsInZsh = #"""
            [[ "${words[CURRENT]}" = --*=* ]] && compset -P 1 '*='
            local -a found=("${(@f)"$("${words[1]/#\~\//$HOME/}" ---words "${(j: :)words[1,CURRENT]}" 2>/dev/null)"}")
            (( ${#found} > 1 )) || return 1
            words=("${found[@]}")
            words[-1]=()
            CURRENT=${#words}

        """#

    private static let wordsInFish = #"""

        # Prints the words before the cursor. They are kept, because the script asks for them many times.
        function __profile-cli_tokens
            set -l line (commandline -pc | string collect)
            if test "$line" != "$__profile_cli_line"
                set -l program (string replace -r -- '^~/' "$HOME/" (commandline -opc)[1])
                set -g __profile_cli_line $line
                set -g __profile_cli_words (command $program ---words $line 2>/dev/null)[..-2]
            end
            switch "$argv"
            case -t
                printf '%s\n' $__profile_cli_words[-1]
            case -tC
                string length -- $__profile_cli_words[-1]
            case -pc
                printf '%s\n' $__profile_cli_words[..-2]
            case '*'
                printf '%s\n' $__profile_cli_words
            end
        end

        """#
}

extension CommandPath {
    /// Divides a command line for a completion script.
    ///
    /// - Parameter arguments: The command line up to the cursor, and the word at its end that the shell replaces.
    /// - Returns: The words in the order and the form that the scripts of ArgumentParser expect, and `=` with the part
    ///   of the last word that the shell keeps.
    static func completedWords(of arguments: [String]) -> [String] {
        // If bash does not divide words at equals signs, it would replace the name of an option, too.
        let replaced = arguments.dropFirst().last ?? ""
        guard let line = arguments.first, !(replaced.hasPrefix("--") && replaced.contains("=")) else { return [] }
        var words = line.shellWords
        let current = words.removeLast()
        let program = words.isEmpty ? [] : [words.removeFirst()]
        let path = CommandPath(of: words)
        // A common option, or its value, is completed as after `show`, which has all of them.
        let isOption = current.hasPrefix("-") || path.options.last.flatMap { commonOptions[$0] } == true
        if path.isGroup, path.mistake == nil, path.rest.isEmpty {
            words = isOption ? ["show"] + path.options : path.words
        } else {
            words = path.arguments
        }
        let kept = line.dropLast(replaced.count)
        return program + words + [current, "=\(String(kept).shellWords.last ?? "")"]
    }
}

extension String {
    /// The words of a command line without quotes and backslashes; the last one may be empty or have an open quote. A
    /// last word `--name=value` is two words. A line break is a space, because the words are printed as lines.
    fileprivate var shellWords: [String] {
        var words: [String] = []
        var word = ""
        var quote: Character?
        // A shell may pass the space before the command. A backslash at the end of a line continues the line.
        var rest = replacing("\\\n", with: " ").drop(while: \.isWhitespace)
        while let character = rest.popFirst() {
            switch character {
            // Within double quotes, a backslash quotes few characters.
            case "\\" where quote == nil || quote == "\"" && rest.first.map({ "\"\\$`".contains($0) }) == true:
                word += rest.popFirst().map(String.init) ?? ""
            case quote: quote = nil
            case "'" where quote == nil, "\"" where quote == nil: quote = character
            case _ where quote == nil && character.isWhitespace:
                words.append(word)
                word = ""
                rest = rest.drop(while: \.isWhitespace)
            default: word.append(character.isNewline ? " " : character)
            }
        }
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return words + (word.hasPrefix("--") && parts.count == 2 ? parts : [word])
    }
}
