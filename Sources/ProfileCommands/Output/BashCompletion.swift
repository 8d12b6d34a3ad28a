// This extension corrects five errors of the completion script for bash that ArgumentParser generates:
//
// - Bash splits a word at each colon, so the generated script receives `lmdb:/path` as three words. The corrected
//   script joins the words. It offers only the part of a completion after the colon, because bash replaces only this
//   part.
// - Bash also splits an option from its value at an equals sign. The corrected script passes both as two words.
// - The generated script passes a word with its quotes and backslashes to the program. The corrected script removes
//   them first.
// - The generated script expands the completions of the program, so that bash could run a command in the name of a
//   file. The corrected script expands nothing.
// - The generated scripts for all shells find no command after options. ``movingOptionsInBash`` corrects them.
extension String {
    /// The corrected form of a completion script for bash, or any other text unchanged.
    var withCorrectedBashCompletion: String {
        // The last line of the script that ArgumentParser generates registers the completion function.
        let registration = "complete -o filenames -F _profile-cli profile-cli"
        guard let last = split(separator: "\n").last, last == registration else { return self }
        let end = lastIndex { $0 != "\n" }.map { index(after: $0) } ?? endIndex
        return String(self[..<end].dropLast(registration.count)) + Self.movingOptionsInBash + Self.bashCorrections
    }

    private static let bashCorrections = #"""
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
            __profile-cli_move_options
            current=COMP_CWORD
            words=("${COMP_WORDS[@]}")
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
