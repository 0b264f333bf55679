# Completion of warder(1) for bash. Commands, options and values come from `warder help --json`, which prints one word a
# line: nothing here has to change with them. The program is found by the PATH: completing ./warder runs nothing.

# The table as lines of words: "command NAME", "operands OPERANDS", "client NAME" (a value of the operand),
# "option NAME ARGUMENT", "value VALUE" (of the option).
_warder_table() {
    command warder help --json 2>/dev/null | awk '
        function text(line) { sub(/^[^:]*: */, "", line); gsub(/^"|"?,?$/, "", line); return line }
        /^    "name":/ { print "command " text($0) }
        /^    "operands":/ { print "operands " text($0) }
        /^    "operand_values": \[$/ { kind = "client" }
        /^        "name":/ { name = text($0) }
        /^        "argument":/ { print "option " name " " text($0) }
        /^        "values": \[$/ { kind = "value" }
        /^ *\],?$/ { kind = "" }
        kind && /^ *"[^"]*",?$/ { line = $0; gsub(/[ ",]/, "", line); print kind " " line }'
}

# Fills the variables of _warder for `command`, and `values` for the option `before`.
_warder_read() {
    local kind first rest current='' option=''
    while read -r kind first rest; do
        case $kind in
            command)
                current="$first${rest:+ $rest}"
                firsts+=" $first"
                [ -n "$rest" ] && [ "$first" = "$command" ] && seconds+=" $rest"
                ;;
            operands) [ "$current" = "$command" ] && operands="$first $rest" ;;
            client) [ "$current" = "$command" ] && clients+=" $first" ;;
            option)
                option=$first
                [ "$current" = "$command" ] && options+=" $first"
                [ "$current" = "$command" ] && [ "$option" = "$before" ] && argument=$rest
                ;;
            value) [ "$current" = "$command" ] && [ "$option" = "$before" ] && values+=" $first" ;;
        esac
    done <<<"$table"
}

# Offers what the value or operand called $1 can be.
_warder_offer() {
    case $1 in
        *FILE* | PATH) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$word") ;;
        *DIR*) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "$word") ;;
        PROGRAM | *'-- COMMAND'*) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -c -f -- "$word") ;;
    esac
}

_warder() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    local firsts='' seconds='' options='' operands='' clients='' values='' argument='' table
    table=$(_warder_table)

    # "--mode=plan" arrives as three words.
    if [ "$word" = = ]; then
        word=''
    elif [ "$before" = = ]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    COMPREPLY=()
    if [ "$COMP_CWORD" = 1 ]; then
        _warder_read
        mapfile -t COMPREPLY < <(compgen -W "$firsts --json --help --version" -- "$word" | sort -u)
        return
    fi
    if [ "$COMP_CWORD" -gt 2 ] && grep -qx "command $command ${COMP_WORDS[2]}" <<<"$table"; then
        command+=" ${COMP_WORDS[2]}"
    fi
    _warder_read
    if [ -n "$argument" ] && [ "$argument" != null ]; then
        mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word")
        [ -n "$values" ] || _warder_offer "$argument"
        return
    fi
    [ "$command" = help ] && clients=$firsts
    [ -n "$options" ] || options=' --help --json' # of a family, such as `warder rules`
    mapfile -t COMPREPLY < <(compgen -W "$seconds$clients$options" -- "$word" | sort -u)
    [[ $word == -* ]] || _warder_offer "$operands"
}
complete -F _warder warder
