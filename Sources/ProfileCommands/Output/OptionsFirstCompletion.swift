// The completion scripts that ArgumentParser generates find no command after options, as in `profile-cli --store x sh`.
// The corrected scripts move the options behind the command before they complete a word, as ``CommandPath`` does before
// it parses the arguments. If the word is one of these options or its value, they complete it as after `show`, which
// has all of them. In zsh and fish, they also complete the value of `--user=a` as a word of its own; bash splits it.
extension String {
    /// The corrected form of a completion script for bash, zsh or fish, or any other text unchanged.
    var withCorrectedCompletion: String {
        if hasPrefix("#compdef profile-cli\n") {
            return replacing("    unsetopt aliases banghist\n", with: Self.movingOptionsInZsh, maxReplacements: 1)
        }
        if contains("\ncomplete -c 'profile-cli' -f\n") { return self + Self.movingOptionsInFish }
        return withCorrectedBashCompletion
    }

    /// The options with a value, separated by a text.
    private static func options(_ separator: String) -> String {
        CommandPath.commonOptions.filter(\.value).keys.sorted().joined(separator: separator)
    }

    static let movingOptionsInBash = """
        # Moves the options before the command behind it.
        __profile-cli_move_options() {
            local -i first=1 last
            local -a options=()
            while [[ first -lt COMP_CWORD && "${COMP_WORDS[first]}" = -* ]]; do
                options+=("${COMP_WORDS[first]}")
                case "${COMP_WORDS[first]}" in
                \(options("|")))
                    first+=1
                    [[ first -lt COMP_CWORD ]] && options+=("${COMP_WORDS[first]}")
                    ;;
                esac
                first+=1
            done
            if [[ first -gt COMP_CWORD || (first -eq COMP_CWORD && "${COMP_WORDS[first]}" = -*) ]]; then
                COMP_WORDS=("${COMP_WORDS[0]}" show "${COMP_WORDS[@]:1}")
                COMP_CWORD=$((COMP_CWORD + 1))
            elif [[ ${#options[@]} -eq 0 ]]; then
                return 0
            else
                last=first
                while [[ last -lt COMP_CWORD && "${COMP_WORDS[last]}" != -* ]]; do last+=1; done
                if [[ "${COMP_WORDS[last]}" = -* ]]; then
                    COMP_WORDS=(
                        "${COMP_WORDS[0]}" "${COMP_WORDS[@]:first:last - first}" "${options[@]}"
                        "${COMP_WORDS[@]:last}")
                else
                    COMP_WORDS=("${COMP_WORDS[0]}" "${COMP_WORDS[@]:first}")
                    COMP_CWORD=$((COMP_CWORD - first + 1))
                fi
            fi
            COMP_LINE="${COMP_WORDS[*]:0:COMP_CWORD + 1}"
            COMP_POINT=${#COMP_LINE}
        }


        """

    private static let movingOptionsInZsh = """
            unsetopt aliases banghist

            # Divides --name=value into two words.
            if [[ "${words[CURRENT]}" = --*=* ]] && compset -P 1 '*='; then
                words=(
                    "${(@)words[1,CURRENT-1]}" "${words[CURRENT]%%=*}" "${words[CURRENT]#*=}"
                    "${(@)words[CURRENT+1,-1]}")
                CURRENT+=1
            fi

            # Moves the options before the command behind it.
            local -i first=2 last
            local -a options=()
            while (( first < CURRENT )) && [[ "${words[first]}" = -* ]]; do
                options+=("${words[first]}")
                case "${words[first]}" in
                \(options("|")))
                    first+=1
                    (( first < CURRENT )) && options+=("${words[first]}")
                    ;;
                esac
                first+=1
            done
            if (( first > CURRENT )) || [[ first -eq CURRENT && "${words[first]}" = -* ]]; then
                words=("${words[1]}" show "${words[@]:1}")
                CURRENT+=1
            elif (( ${#options} > 0 )); then
                last=first
                while (( last < CURRENT )) && [[ "${words[last]}" != -* ]]; do last+=1; done
                if [[ "${words[last]}" = -* ]]; then
                    words=("${words[1]}" "${(@)words[first,last-1]}" "${options[@]}" "${(@)words[last,-1]}")
                else
                    words=("${words[1]}" "${(@)words[first,-1]}")
                    CURRENT=$((CURRENT - first + 2))
                fi
            fi

        """

    private static let movingOptionsInFish = """

        function __profile-cli_raw_tokens
            if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
                commandline --tokens-raw $argv
            else
                commandline -o $argv
            end
        end

        # Divides --name=value into two words, and moves the options before the command behind it.
        function __profile-cli_tokens
            set -l current (commandline -t)
            set -l option (string match -r -- '^--[^=]+(?==)' $current)
            set -q option[1]; and set current (string replace -r -- '^--[^=]+=' '' $current)
            switch "$argv"
            case -t
                printf '%s\\n' $current
                return
            case -tC
                set -l length 0
                set -q option[1]; and set length (math (string length -- $option) + 1)
                math (commandline -tC) - $length
                return
            end
            set -l before (__profile-cli_raw_tokens -pc) $option
            set -l end (math (count $before) + 1)
            set -l words (__profile-cli_raw_tokens $argv)
            if set -q option[1]
                set -l after
                test "$argv" = -p; and set after $current $words[$end..]
                set words $before $after
            end
            set -l first 2
            set -l options
            while test $first -lt $end; and string match -q -- '-*' $before[$first]
                set -a options $before[$first]
                if contains -- $before[$first] \(options(" "))
                    set first (math $first + 1)
                    test $first -lt $end; and set -a options $before[$first]
                end
                set first (math $first + 1)
            end
            if test $first -gt $end; or begin
                    test $first -eq $end; and string match -q -- '-*' $current
                end
                set words $words[1] show $words[2..]
            else if set -q options[1]
                set -l last $first
                while test $last -lt $end; and not string match -q -- '-*' $before[$last]
                    set last (math $last + 1)
                end
                if test $last -lt $end; or string match -q -- '-*' $current
                    set -l path
                    test $first -lt $last; and set path $before[$first..(math $last - 1)]
                    set words $words[1] $path $options $words[$last..]
                else
                    set words $words[1] $words[$first..]
                end
            end
            printf '%s\\n' $words
        end

        """
}
