# Completion of warder(1) for bash. `warder complete` knows the commands, their options and their values: nothing here has
# to change with them. The program is found by the PATH: completing ./warder runs nothing.

_warder() {
    local words=("${COMP_WORDS[@]:1:COMP_CWORD}") word line
    local count=${#words[@]}

    # "--mode=plan" arrives as three words.
    if ((count > 1)) && [ "${words[count - 1]}" = = ]; then
        words[count - 1]=''
    elif ((count > 2)) && [ "${words[count - 2]}" = = ]; then
        unset "words[count - 2]"
    fi
    words=("${words[@]}")
    word=${words[${#words[@]} - 1]}
    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
            :file) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$word") ;;
            :directory) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "$word") ;;
            :command) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -c -f -- "$word") ;;
            *) COMPREPLY+=("$line") ;;
        esac
    done < <(command warder complete -- "${words[@]}" 2>/dev/null)
}
complete -F _warder warder
