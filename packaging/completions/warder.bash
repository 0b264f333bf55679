# Completion of warder(1) for bash. Commands, options and values come from `warder help --json`, which prints one word a
# line: nothing here has to change with them. The program is found by the PATH: completing ./warder runs nothing.

# _warder_table WORD1 WORD2 OPTION: seven lines about the command of these words: all first words, its second words, its
# options, its operands, the values of its operand, what OPTION takes, the values of that.
_warder_table() {
    command warder help --json 2>/dev/null | awk -v one="$1" -v two="$1 $2" -v option="$3" '
        function text(line) { sub(/^[^:]*: */, "", line); gsub(/^"|"?,?$/, "", line); return line }
        function word(line) { gsub(/[ ",]/, "", line); return line }
        /^    "name":/ {
            now = text($0)
            n = split(now, part, " ")
            first[part[1]] = 1
            if (n > 1 && part[1] == one) seconds = seconds " " part[2]
            if (now == two) { found = now; options = operands = clients = argument = values = "" }
            mine = now == two || (now == one && found != two)
        }
        mine && /^    "operands":/ { operands = text($0) }
        /^    "operand_values": \[$/ { list = "client" }
        /^        "name":/ { name = text($0); if (mine) options = options " " name }
        mine && name == option && /^        "argument":/ { argument = text($0) }
        /^        "values": \[$/ { list = name == option ? "value" : "other" }
        /^ *\],?$/ { list = "" }
        mine && list == "client" && /^ *"[^"]*",?$/ { clients = clients " " word($0) }
        mine && list == "value" && /^ *"[^"]*",?$/ { values = values " " word($0) }
        END {
            for (f in first) firsts = firsts " " f
            print firsts; print seconds; print options; print operands; print clients; print argument; print values
        }'
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
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} second=''
    local table firsts seconds options operands clients argument values

    # "--mode=plan" arrives as three words.
    if [ "$word" = = ]; then
        word=''
    elif [ "$before" = = ]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    [ "$COMP_CWORD" -gt 2 ] && second=${COMP_WORDS[2]}
    mapfile -t table < <(_warder_table "$command" "$second" "$before")
    firsts=${table[0]} seconds=${table[1]} options=${table[2]} operands=${table[3]} clients=${table[4]}
    argument=${table[5]} values=${table[6]}

    COMPREPLY=()
    if [ "$COMP_CWORD" = 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$firsts --json --help --version" -- "$word")
        return
    fi
    if [ -n "$argument" ] && [ "$argument" != null ]; then
        mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word")
        [ -n "$values" ] || _warder_offer "$argument"
        return
    fi
    [ "$command" = help ] && clients=$firsts
    [ -n "$options" ] || options=' --help --json' # of a family, such as `warder rules`
    [ "$COMP_CWORD" = 2 ] || seconds=''
    mapfile -t COMPREPLY < <(compgen -W "$seconds$clients$options" -- "$word")
    [[ $word == -* ]] || _warder_offer "$operands"
}
complete -F _warder warder
