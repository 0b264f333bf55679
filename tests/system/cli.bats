#!/usr/bin/env bats
# The command from outside: exit codes, options, JSON, lines, bad input, and that nothing is written.
# An error must never look like an allow: every failure here is checked for its exit code, too.

load common

setup() {
    warder=$WARDER_BUILD/warder
    export HOME=$BATS_TEST_TMPDIR/home
    export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99 # the sanitizers' own 1 would read as deny
    unset XDG_CONFIG_HOME XDG_STATE_HOME WARDER_CONFIG CHIMERA_MINK_SETTINGS_PATH
    mkdir -p "$HOME/project/.git"
    cd "$HOME/project" || return
    umask 022
}

# Only UTF-8, no control characters but line feed and tab, and nothing that reverses the text.
is_plain() {
    if LC_ALL=C.UTF-8 grep -naP '[\x00-\x08\x0b-\x1f\x7f\x{202e}]' "$1"; then
        return 1
    fi
    iconv -f UTF-8 -t UTF-8 "$1" >/dev/null
}

# usage WHAT ARGUMENTS...: exit 64, nothing on standard output, and WHAT in the error.
usage() {
    local what=$1
    shift
    expect 64 "$warder" "$@"
    complains "$what"
    [ -z "$output" ]
}

# The line that `check --jsonl` answers to this text.
answer() {
    printf '%s' "$1" | "$warder" check --jsonl
}

# ---- verdicts and exit codes ----

need_terminal() { # a machine without /dev/pts has no terminal
    script -qec true /dev/null >/dev/null 2>&1 || skip "there are no pseudo-terminals here"
}

@test "the verdict is the exit code and the first word" {
    expect 0 "$warder" check Read notes.txt
    [[ $output == 'allow  '* ]]
    expect 1 "$warder" check Write notes.txt --mode plan
    [[ $output == 'deny   '* ]]
    expect 2 "$warder" check WebFetch https://example.com
    [[ $output == 'ask    '* ]]
}

@test "explain has the verdict of check" {
    for command in 'git status' 'rm -rf ~' 'curl https://example.com' 'ls; curl x | sh' ')'; do
        "$warder" check Bash "$command" --json >check.json || checked=$?
        "$warder" explain Bash "$command" --json >explain.json || explained=$?
        [ "${checked-0}" -le 2 ]
        [ "${checked-0}" = "${explained-0}" ]
        [ "$(jq -r '.behavior + .reason' check.json)" = "$(jq -r '.behavior + .reason' explain.json)" ]
        unset checked explained
    done
}

@test "explain prints colours on a terminal only, and not with NO_COLOR" {
    need_terminal
    expect 2 "$warder" explain Bash 'curl x.example'
    [[ $output != *$'\e'* ]]
    says 'layers that spoke, in order'
    run script -qec "$warder explain Bash 'curl x.example'" /dev/null
    [[ $output == *$'\e['* ]]
    NO_COLOR=1 run script -qec "$warder explain Bash 'curl x.example'" /dev/null
    [[ $output != *$'\e['* ]]
}

@test "a deny rule on the command line denies, and says which one" {
    expect 1 "$warder" check Read notes.txt --deny 'Read(*.txt)'
    says 'Read(*.txt)'
    expect 1 "$warder" check Read notes.txt --allow 'Read(*.txt)' --deny='Read(notes.txt)'
    expect 2 "$warder" check Read notes.txt --ask 'Read(notes.txt)'
}

@test "the order of the rules on the command line is kept across the three options" {
    expect 0 "$warder" check WebSearch cats --profile caliban --allow 'WebSearch:cats' --deny 'WebSearch:*'
    expect 1 "$warder" check WebSearch cats --profile caliban --deny 'WebSearch:*' --allow 'WebSearch:cats'
    expect 2 "$warder" check WebSearch cats --profile caliban --ask 'WebSearch:c*' --allow 'WebSearch:cats'
}

@test "after -- an argument may begin with a dash" {
    expect 2 "$warder" check Bash -- '--version'
    expect 0 "$warder" check --json Read -- --notes.txt
    usage 'unknown option --version' check Bash --version
}

@test "options may be anywhere, with a blank or with =" {
    expect 1 "$warder" check --deny 'Bash(ls)' Bash ls
    expect 1 "$warder" check Bash --deny='Bash(ls)' ls
    expect 1 "$warder" check Bash ls --deny 'Bash(ls)'
}

@test "--headless turns an ask into a deny" {
    expect 1 "$warder" check WebFetch https://example.com --headless
    says 'cannot ask'
}

@test "--auto-allow is loud, each time" {
    expect 0 "$warder" check WebFetch https://example.com --auto-allow
    complains 'WARNING: --auto-allow'
    expect 0 "$warder" explain Read notes.txt --auto-allow --json
    complains 'WARNING: --auto-allow'
    expect 1 "$warder" check WebFetch https://example.com --auto-allow --deny WebFetch
    complains 'WARNING: --auto-allow'
}

@test "relative directories become absolute" {
    mkdir sub
    expect 0 "$warder" explain Read x --cwd sub --json
    [ "$(jq -r .cwd <<<"$output")" = "$PWD/sub" ]
    expect 2 "$warder" explain Write sub/x --project sub --json
    [ "$(jq -r .workspace <<<"$output")" = "$PWD/sub" ]
    expect 2 "$warder" explain Write x --cwd sub --project . --json
    [ "$(jq -r .workspace <<<"$output")" = "$PWD" ]
    expect 1 "$warder" check Read ~+/sub/x --home sub --deny 'Read(~/x)'
}

@test "the plan file may be written in plan mode, another file not" {
    expect 0 "$warder" check Write plan.md --mode plan --plan-file plan.md
    expect 1 "$warder" check Write other.md --mode plan --plan-file plan.md
}

# ---- help ----

@test "every command has help, on standard output, with each of its options" {
    count=0
    while read -r name; do
        # shellcheck disable=SC2086
        expect 0 "$warder" $name --help
        [ -z "$stderr" ]
        says "Usage: warder $name"
        help=$output
        for option in $("$warder" help --json | jq -r --arg n "$name" '.[] | select(.name == $n) | .options[].name'); do
            [[ $help == *"  $option"* || $help == *", $option"* ]]
        done
        # shellcheck disable=SC2086
        expect 0 "$warder" help $name
        [ "$output" = "$help" ]
        count=$((count + 1))
    done < <("$warder" help --json | jq -r '.[].name')
    [ $count -ge 12 ]
}

@test "the manual has every command and every option" {
    page=$(mandoc -T ascii "$WARDER_SOURCE/man/warder.1" | sed 's/.\x08//g')
    words=$("$warder" help --json | jq -r '.[] | .name, .options[].name' | tr ' ' '\n' | sort -u)
    [ "$(wc -w <<<"$words")" -ge 25 ]
    for word in $words; do
        [[ $page == *"$word"* ]] || {
            echo "$word is not in warder(1)"
            return 1
        }
    done
}

@test "help for the program, a family, and an unknown command" {
    expect 0 "$warder" --help
    says 'Agents:'
    expect 0 "$warder" help
    says 'Agents:'
    for word in $("$warder" help --json | jq -r '.[].name' | cut -d' ' -f1 | sort -u); do # each in one of the groups
        grep -q "^  $word" <<<"$output"
    done
    expect 0 "$warder" rules --help
    says 'rules lint'
    expect 0 "$warder" help rules
    says 'rules lint'
    "$warder" help rules --json | jq -e 'map(.name) == ["rules", "rules list", "rules lint", "rules show", "rules add",
        "rules change", "rules remove", "rules audit"]'
    "$warder" rules --help --json | jq -e 'length == 8'
    usage 'unknown command "nonsense"' help nonsense
    usage 'unknown command "rules nonsense"' help rules nonsense
    usage 'unknown option --nonsense' rules --nonsense
}

@test "-h, -V, and --color" {
    expect 0 "$warder" -h
    says 'Agents:'
    expect 0 "$warder" check -h
    says '-h, --help'
    expect 0 "$warder" -V
    [[ $output == 'warder '* ]]
    expect 0 "$warder" check Bash ls --color always
    [[ $output == *$'\033[1;32mallow\033[0m'* ]]
    for words in '--color never' '--color auto' ''; do
        # shellcheck disable=SC2086
        expect 0 "$warder" check Bash ls $words
        [[ $output == 'allow  '* ]]
    done
    usage '--color is one of: auto always never' check Bash ls --color sometimes
}

@test "a command after -- is a shell command: words, or one text" {
    expect 0 "$warder" check -- git status
    expect 0 "$warder" check -- 'ls | wc -l'
    expect 2 "$warder" check -- rm -rf 'a b'
    says "deletes a b"
    [[ $output != *'deletes a, '* ]]
    usage 'not both' check --input '{}' -- ls
}

@test "values in other letters are read; others get a suggestion" {
    expect 0 "$warder" check Bash ls --mode ACCEPTEDITS
    usage 'did you mean acceptEdits?' check Bash ls --mode acceptedit
}

@test "a reader that has seen enough gets no complaint" {
    [ "$("$warder" help --json | wc -c)" -gt 65536 ] # more than a pipe holds
    ("$warder" help --json 2>err || true) | head -c 1 >/dev/null
    [ ! -s err ]
    expect 74 sh -c '"$1" help >/dev/full' sh "$warder"
    complains 'cannot write the answer'
}

@test "--version" {
    expect 0 "$warder" --version
    [[ $output =~ ^warder\ [0-9]+\.[0-9]+\.[0-9]+$ ]]
    expect 0 "$warder" --version --json
    jq -e .version <<<"$output"
}

# ---- usage ----

@test "usage errors are 64 and say what is wrong" {
    expect 64 "$warder"
    says 'warder install CLIENT'
    [ "$(wc -l <<<"$output")" -le 9 ]
    usage 'unknown command "nonsense"' nonsense
    usage 'token needs a subcommand' token
    usage 'unknown command "rules nonsense"' rules nonsense
    usage 'did you mean check?' chek
    usage 'did you mean rules list?' rules lst
    usage 'did you mean rules?' ruels
    usage 'did you mean --mode?' check Bash ls --moed plan
    usage 'unknown option --nonsense' --nonsense
    usage 'which tool?' check
    usage 'what is Bash given?' check Bash
    usage 'not both' check Bash ls --input '{}'
    usage 'unknown tool "Bsh"; did you mean Bash?' check Bsh ls
    usage '"git" is not a tool. For a shell command: warder check -- git status' check git status
    usage 'nothing to import: Warder reads Claude Code' import claude
    usage 'the permissions of Kimi Code cannot be imported' import kimi
    usage '"nothing" is neither a file nor an agent' import nothing
    usage "quote the argument (warder check Bash 'ls x')" check Bash ls x
    usage 'unexpected operand: x' profiles x
    usage 'unknown option --mod' check Bash ls --mod plan
    usage 'unknown option -x' check Bash -x
    usage 'unknown option --yes' check Bash ls --yes
    usage '--mode needs a value' check Bash ls --mode
    usage '--mode needs a value, and this one is empty' check Bash ls --mode=
    usage '--mode needs a value, and this one is empty' check Bash ls --mode ''
    usage '--deny needs a value' check Bash ls --deny --json
    usage '--json takes no value' check Bash ls --json=yes
    usage '--mode is given twice' check Bash ls --mode plan --mode default
    usage 'which rule?' rules show
    usage 'which file?' policy check
    usage '--jsonl reads' check --jsonl Bash ls
    usage '--jsonl reads' check --jsonl --input '{}'
    usage '--jsonl reads' explain --jsonl Bash ls
    usage 'unknown option --jsonl' parse --jsonl
}

@test "an unknown mode or profile is named together with the known ones" {
    usage '--mode is one of: default acceptEdits' check Bash ls --mode careful
    usage '--profile is one of: warder caliban' check Bash ls --profile nonsense
}

@test "the profiles and modes of the table are those of the program" {
    listed=$("$warder" help check --json | jq -r '.options[] | select(.name == "--profile") | .values[]' | sort)
    [ "$(wc -l <<<"$listed")" = 6 ]
    [ "$listed" = "$("$warder" profiles --json | jq -r '.profiles[].name' | sort)" ]
    for mode in $("$warder" help check --json | jq -r '.options[] | select(.name == "--mode") | .values[]'); do
        expect 0 "$warder" rules list --mode "$mode"
    done
}

@test "a tool whose first argument is not known needs --input" {
    usage '--input' check NoSuchTool x
    expect 2 "$warder" check NoSuchTool --input '{"x": 1}'
}

# ---- JSON ----

@test "--json is valid JSON everywhere" {
    echo 'deny: ["Bash(ls)"]' >warder.yaml
    for line in "check Read x" "check WebFetch x" "explain Bash ls" "rules list" "rules lint" "rules show 1" \
        "policy show" "policy check warder.yaml" profiles "trust status" trust untrust help "help check" --version \
        "help rules" --help "check --help" "rules --help"; do
        status=0
        # shellcheck disable=SC2086
        "$warder" $line --json >out 2>err || status=$?
        jq -e . out >/dev/null || {
            echo "no JSON: $line"
            cat out err
            return 1
        }
        [ "$status" -le 2 ]
    done
}

@test "the JSON of a verdict has its fields" {
    expect 2 "$warder" check WebFetch https://example.com --json
    jq -e '.behavior == "ask" and (.layer | type) == "string" and has("rule") and (.reason | length) > 0
        and (.message | length) > 0 and .interrupt == false and has("tool_use_id") and .updated_input == null
        and (.findings | type) == "array" and (.suggestions | length) > 0' <<<"$output"
    [ "$(wc -l <<<"$output")" = 1 ]
}

# ---- lines ----

@test "--jsonl answers each line, in order" {
    {
        for i in $(seq 50); do
            echo "{\"tool\": \"Read\", \"input\": {\"file_path\": \"notes.txt\"}, \"tool_use_id\": \"$i\"}"
            echo "not a call $i"
        done
        printf '{"tool": "Read", "input": {"file_path": "x"}, "tool_use_id": "last"}'
    } >calls
    expect 0 "$warder" check --jsonl <calls
    [ "$(wc -l <<<"$output")" = 101 ]
    [ "$(jq -r 'select(.behavior == "allow") | .tool_use_id' <<<"$output")" = "$(
        seq 50
        echo last
    )" ]
    [ "$(jq -r 'select(.behavior == "deny") | .behavior' <<<"$output" | wc -l)" = 50 ]
}

@test "explain --jsonl prints for each line what explain --json prints for one" {
    call='{"tool":"Bash","input":{"command":"ls | wc -l"}}'
    printf '%s\n%s\n' "$call" '{"tool":"Bash","input":{"command":"git push"}}' >calls
    expect 0 "$warder" explain --jsonl <calls
    [ "$(jq -r '[.behavior, (.actions | length)] | @csv' <<<"$output" | tr '\n' ' ')" = '"allow",2 "ask",1 ' ]
    [ "$(head -1 <<<"$output")" = "$("$warder" explain --json Bash 'ls | wc -l')" ]
}

@test "--jsonl answers a line before the next one is written" {
    coproc "$warder" check --jsonl
    for i in 1 2 3; do
        echo "{\"tool\": \"Bash\", \"input\": {\"command\": \"ls\"}, \"tool_use_id\": \"$i\"}" >&"${COPROC[1]}"
        read -r -t 20 line <&"${COPROC[0]}"
        [ "$(jq -r .tool_use_id <<<"$line")" = $i ]
    done
}

@test "a line's fields win over the options, and hooks' names are known" {
    call='{"tool_name": "Write", "tool_input": {"file_path": "x", "content": ""}, "mode": "plan"}'
    [ "$(printf '%s\n' "$call" | "$warder" check --jsonl --mode acceptEdits | jq -r .behavior)" = deny ]
    call=${call/plan/acceptEdits}
    [ "$(printf '%s\n' "$call" | "$warder" check --jsonl --mode plan | jq -r .behavior)" = allow ]
}

@test "malformed lines are denied, one answer each" {
    deep=$(printf '[%.0s' $(seq 200))
    for line in '' ' ' '{' '{"tool": "Bash", "input": {"command": "ls"}' '[]' '"x"' 'null' '{}' '{"input": {}}' \
        '{"tool": 1, "input": {}}' '{"tool": "Bash", "input": []}' '{"tool": "Bash", "input": {"command": 1}}' \
        '{"tool": "Bash", "input": {"command": "ls"}, "nonsense": 1}' '{"tool": "Bash", "tool": "Read", "input": {}}' \
        '{"tool": "Bash", "input": {"command": "ls", "command": "rm x"}}' '{"tool": "Bash", "input": {"command": "\ud800"}}' \
        '{"tool": "Bash", "input": {"command": "ls"}} x' '{"tool": "Bash", "input": {"command": "ls"}, "cwd": "x"}' \
        "{\"tool\": \"Bash\", \"input\": $deep" $'{"tool": "Bash", "input": {"command": "\xff\xfe"}}'; do
        expect 0 answer "$line"$'\n'
        [ "$(wc -l <<<"$output")" = 1 ]
        [ "$(jq -r .behavior <<<"$output")" != allow ]
        [ -n "$(jq -r '.reason // empty' <<<"$output")" ]
    done
}

@test "a NUL byte in a line hides nothing after it" {
    printf '{"tool": "Read", "input": {"path": "x"}}\0{"y"\n{"tool": "Read", "input": {"path": "x"}}\n' >calls
    expect 0 "$warder" check --jsonl <calls
    [ "$(jq -r .behavior <<<"$output" | xargs)" = 'deny allow' ]
}

@test "a line of 10,000,000 bytes is read, one more is not, and the next one is answered" {
    head='{"tool": "Read", "input": {"file_path": "x", "pages": "'
    tail='"}}'
    room=$((10000000 - ${#head} - ${#tail}))
    {
        printf '%s' "$head" && head -c $room /dev/zero | tr '\0' x && printf '%s\n' "$tail"
        printf '%s' "$head" && head -c $((room + 1)) /dev/zero | tr '\0' x && printf '%s\n' "$tail"
        printf '%s' "$head" && head -c 40000000 /dev/zero | tr '\0' x && printf '%s\n' "$tail"
        printf '%s\n' "$head$tail"
    } >calls
    expect 0 "$warder" check --jsonl <calls
    [ "$(jq -r .behavior <<<"$output" | xargs)" = 'allow deny deny allow' ]
}

@test "a line of any length takes bounded memory" {
    if grep -qE '__(asan|tsan)_init' "$warder"; then
        skip "a sanitizer takes the address space by itself"
    fi
    {
        head -c 400000000 /dev/zero
        printf '\n{"tool": "Read", "input": {"file_path": "x"}}\n'
    } | expect 0 bash -c 'ulimit -v 200000 && "$1" check --jsonl' - "$warder"
    [ "$(jq -r .behavior "$BATS_TEST_TMPDIR/out" | xargs)" = 'deny allow' ]
}

@test "no lines, no answers" {
    expect 0 "$warder" check --jsonl </dev/null
    [ -z "$output" ]
}

# ---- bad input ----

@test "an input that is not a JSON object is denied, with line and column" {
    for input in '{' '{"command": "ls"' '{"command": "ls",}' '{"command": "ls", "command": "ls"}' '[]' '1' 'ls' \
        $'{"command": "\xff"}' '{"command": "\ud800"}'; do
        expect 1 "$warder" check Bash --input "$input"
        [[ $output =~ [0-9]+:[0-9]+:\  ]]
    done
    expect 1 "$warder" check Bash --input "$(printf '[%.0s' $(seq 1000))"
}

@test "wrong types and unknown fields of a shell call are not allowed" {
    for input in '{"command": 1}' '{"command": null}' '{"command": {"x": "ls"}}' '{}' '{"commando": "ls"}' \
        '{"command": "ls", "nonsense": "rm x"}' '{"command": "ls", "elevated": true}'; do
        status=0
        "$warder" check Bash --input "$input" >out 2>&1 || status=$?
        [ $status = 1 ] || [ $status = 2 ]
    done
}

@test "terminal control characters are shown, not sent" {
    for command in $'echo \e[2J' $'ls \xff' $'ls \u202e' $'ls \r' $'ls\n\nls'; do
        "$warder" check Bash "$command" >out 2>&1 || true
        is_plain out
        "$warder" explain Bash "$command" >out 2>&1 || true
        is_plain out
    done
    bad=$'x\e[2J\xff\u202e\n'
    for command in check explain; do
        expect 1 "$warder" $command Read "$bad" --deny "Read(${bad}y)" --deny 'Read(**)'
        is_plain "$BATS_TEST_TMPDIR/out"
        expect 1 "$warder" $command WebSearch "$bad" --deny "WebSearch($bad)"
        says 'x\x1b[2J\xff'
        is_plain "$BATS_TEST_TMPDIR/out"
    done
    expect 1 "$warder" check WebSearch "$bad" --deny "WebSearch($bad)"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/out")" = 3 ]
    expect 64 "$warder" check "$bad" x
    complains 'x\x1b[2J\xff'
    is_plain "$BATS_TEST_TMPDIR/err"
    expect 64 "$warder" "--$bad"
    is_plain "$BATS_TEST_TMPDIR/err"
}

@test "commands with bytes that deceive a reader are not allowed" {
    for command in $'ls \xff' $'ls \u202e' $'ls \r' $'ls \e[2J' $'ls \x01' $'ls \u200b'; do
        expect 2 "$warder" check Bash "$command"
    done
}

@test "a rule that cannot be read is refused with its column" {
    expect 64 "$warder" check Bash ls --deny 'Bash(ls'
    [ "$stderr" = $'warder: --deny "Bash(ls": the parenthesis that opens here is not closed\n                    ^' ]
    expect 64 "$warder" check Bash ls --deny $'B\e(\u00e4'
    [ "$(tail -1 <<<"$stderr")" = "$(printf '%17s^' '')" ] # below the escape, as wide as it is shown
    expect 64 "$warder" check Bash ls --allow 'Bash()'
    expect 64 "$warder" rules list --ask ''
}

@test "a broken policy file denies and names line and column" {
    printf 'deny:\n  - Bash(ls\n' >bad.yaml
    expect 1 "$warder" check Read notes.txt --policy bad.yaml
    says 'a policy file has errors: every call is denied'
    complains 'bad.yaml:2:9'
    expect 1 "$warder" check Read notes.txt --policy bad.yaml --json
    says 'bad.yaml:2:9'
    expect 65 "$warder" policy check bad.yaml
    says 'bad.yaml:2:9'
    printf '{"permissions": {"deny": ["Bash(ls)"]' >bad.json
    expect 1 "$warder" check Read notes.txt --policy bad.json
    expect 65 "$warder" policy check bad.json
    says 'bad.json:1:'
    printf 'denny: []\n' >bad.yaml
    expect 65 "$warder" policy check bad.yaml
    says 'denny'
    printf 'allow:\n  - Bash(ls\n' >bad.yaml
    expect 0 "$warder" check Read notes.txt --policy bad.yaml
    complains 'bad.yaml:2:9'
    expect 1 "$warder" policy check bad.yaml
}

@test "an error in a policy leaves the JSON valid" {
    printf 'allow:\n  - Bash(ls\n' >bad.yaml
    expect 0 "$warder" check Read notes.txt --policy bad.yaml --json
    jq -e . <<<"$output"
    complains 'warning'
}

@test "a policy file that is missing, or others can write, is an error" {
    expect 66 "$warder" check Bash ls --policy missing.yaml
    complains 'missing.yaml'
    expect 66 "$warder" policy check missing.yaml
    echo 'allow: ["WebFetch(domain:example.com)"]' >open.yaml
    chmod 666 open.yaml
    expect 1 "$warder" check Read notes.txt --policy open.yaml
    expect 65 "$warder" policy check open.yaml
}

@test "the home must be known" {
    expect 64 env -u HOME "$warder" check Bash ls
    expect 0 env -u HOME "$warder" check Read x --home /nonexistent
}

# ---- output ----

@test "an answer that cannot be written is not an allow" {
    for line in "check Read x" "explain Read x" "rules list" "policy show" profiles help --version "check --help"; do
        # shellcheck disable=SC2086
        expect 74 bash -c '"$@" >/dev/full' - "$warder" $line
        complains 'cannot write the answer'
        # shellcheck disable=SC2086
        expect 74 bash -c '"$@" >&-' - "$warder" $line
    done
    expect 74 bash -c 'echo "{}" | "$1" check --jsonl >/dev/full' - "$warder"
}

@test "a reader that goes away ends --jsonl with an error" {
    yes '{"tool": "Read", "input": {"file_path": "x"}}' | {
        "$warder" check --jsonl 2>err || echo $? >status
    } | head -n 1 >first
    [ "$(<status)" = 74 ]
    [ "$(jq -r .behavior first)" = allow ]
}

@test "closed standard streams are not mistaken for files" {
    expect 0 bash -c '"$1" check Read x <&- 2>&-' - "$warder"
    expect 74 bash -c '"$1" check --jsonl <&-' - "$warder"
    complains 'cannot read standard input'
    mkdir -p .warder
    echo 'allow: ["WebFetch(domain:example.com)"]' >.warder/warder.yaml
    expect 74 bash -c '"$1" trust --yes >&-' - "$warder"
    jq -e .trusted "$HOME/.local/state/warder/trust.json"
}

@test "a directory in place of standard input is an error" {
    expect 74 bash -c '"$1" check --jsonl <.' - "$warder"
}

# ---- rules, policy, profiles ----

@test "rules list, show and lint" {
    printf 'deny:\n  - rule: Bash(git push:*)\n    id: push\n    reason: by hand\n' >warder.yaml
    expect 0 "$warder" rules list --policy warder.yaml
    says 'Bash(git push:*)'
    says 'warder.yaml:2:5'
    expect 0 "$warder" rules show push --policy warder.yaml
    says 'by hand'
    expect 0 "$warder" rules show 1 --policy warder.yaml
    says 'Bash(git push:*)'
    expect 64 "$warder" rules show nonsense --policy warder.yaml
    complains 'nonsense'
    expect 65 "$warder" rules lint --policy warder.yaml --profile mini
    says 'does not mark a prefix in this profile'
    echo 'deny: ["Bash(git push *)"]' >mini.yaml
    expect 0 "$warder" rules lint --policy mini.yaml --profile mini
    expect 1 "$warder" rules lint --policy mini.yaml --profile mini --allow 'Bash(git push *)'
}

@test "rules lint: a path from the root, in guild's files and in ours" {
    printf 'deny:\n  - {pattern: "cp *", reason: no, paths: ["/srv/prod/**"]}\n' >guild.yaml
    expect 0 "$warder" rules lint --policy guild.yaml --profile guild
    expect 1 "$warder" check Bash 'cp a /srv/prod/x' --policy guild.yaml --profile guild
    says 'cp *'
    printf 'deny:\n  - {pattern: "cp *", reason: no, paths: ["/src/**"]}\n' >guild.yaml
    expect 1 "$warder" rules lint --policy guild.yaml --profile guild
    says './src/** is in the project'
    printf 'deny:\n  - {rule: Bash, reason: no, paths: ["/srv/prod/**"]}\n' >ours.yaml
    expect 1 "$warder" rules lint --policy ours.yaml
    says '//srv/prod/** is absolute'
    printf 'deny:\n  - {rule: Bash, reason: no, paths: ["//srv/prod/**", /src/x]}\n  - Read(/lib/**)\n' >ours.yaml
    expect 0 "$warder" rules lint --policy ours.yaml
}

# mistake FILE PLACE MESSAGE LINE MARK: the text on standard input has that mistake, shown below its line.
mistake() {
    cat >"$1"
    expect 65 "$warder" policy check "$1"
    says "$1:$2: error: $3"$'\n'"    $4"$'\n'"    $5^"$'\n'
}

@test "a mistake in a policy file is shown, with what to write" {
    mistake p.yaml 1:1 'unknown key "dney"; did you mean "deny"?' 'dney: [x]' '' <<<'dney: [x]'
    mistake p.yaml 1:7 '"deny" must be a list: write ["Bash(curl *)"]' 'deny: Bash(curl *)' '      ' <<<'deny: Bash(curl *)'
    mistake p.yaml 1:7 'unknown mode "acceptedits"; did you mean acceptEdits?' 'mode: acceptedits' '      ' <<<'mode: acceptedits'
    mistake p.yaml 2:13 '"Bash(x": the parenthesis that opens here is not closed' 'deny: ["Bash(x"]' '            ' \
        <<<$'allow: [y]\ndeny: ["Bash(x"]'
    mistake p.yaml 2:1 'the list that begins on line 1 is not closed with ]' 'allow: []' '' <<<$'deny: ["x"\nallow: []'
    mistake p.yaml 1:8 'the quote that opens on line 1 is not closed' 'deny: ["a' '       ' <<<'deny: ["a'
    mistake p.yaml 2:1 'expected a key, with a colon after it' 'foo' '' <<<$'deny: [x]\nfoo'
    mistake p.yaml 2:10 'this test fails: it is allowed, and should be denied' '  deny: ["Bash(ls)"]' '         ' \
        <<<$'tests:\n  deny: ["Bash(ls)"]' || [[ $output == *'should be denied: only reads'* ]]
    mistake p.json 1:39 "expected ',' or ']', found '}'" '{"permissions": {"deny": ["Bash(curl" }}' \
        '                                      ' <<<'{"permissions": {"deny": ["Bash(curl" }}'
    mistake p.toml 1:8 '"deny" must be a list: write ["x"]' 'deny = "x"' '       ' <<<'deny = "x"'
    printf 'deny:\n\t- x\n' >p.yaml
    expect 65 "$warder" policy check p.yaml
    says 'p.yaml:2:1: error: YAML cannot be indented with tabs: use spaces'
    jq -e '.findings[0].source == "deny = \"x\""' <<<"$("$warder" policy check p.toml --json)" ||
        "$warder" policy check p.toml --json | jq -e '[.. | .source? // empty] | any(. == "deny = \"x\"")'
    mistake p.yaml 1:10 'unknown profile "wardr"; did you mean warder?' 'profile: wardr' '         ' <<<'profile: wardr'
    mkdir -p "$HOME/.config/warder"
    cp p.yaml "$HOME/.config/warder/warder.yaml"
    expect 1 "$warder" check Bash ls
    complains $'warder.yaml:1:10: error: unknown profile "wardr"; did you mean warder?\n    profile: wardr\n             ^'
    echo 'edits: [codx]' >"$HOME/.config/warder/warder.yaml"
    expect 0 "$warder" check Bash ls
    complains 'unknown agent "codx"; did you mean codex?'
}

@test "policy show names the files that were found" {
    mkdir -p "$HOME/.claude"
    echo '{"permissions": {"deny": ["Bash(ls)"]}}' >"$HOME/.claude/settings.json"
    expect 0 "$warder" policy show
    says "$HOME/.claude/settings.json"
    expect 1 "$warder" check Bash ls
    "$warder" policy show --json | jq -e '[.files[] | select(.found)] | length == 1'
    [[ $("$warder" policy show) != *'not there'* ]]
    expect 0 "$warder" policy show --all
    says "$HOME/.config/warder/warder.yaml  not there"
    echo '{' >"$HOME/.claude/settings.json"
    expect 65 "$warder" policy show
    says "$HOME/.claude/settings.json  cannot be read"
    [ "$("$warder" policy show 2>&1 | grep -c 'error:')" = 1 ] # said once
    rm "$HOME/.claude/settings.json"
    expect 0 "$warder" policy show
    says 'none (--all lists the '
}

@test "profiles lists all six" {
    expect 0 "$warder" profiles
    for name in warder caliban waterfall guild mini mink; do
        says "$name"
    done
}

# ---- trust ----

@test "trust needs a person or --yes, and ends with a change" {
    mkdir .warder
    echo 'allow: ["WebFetch(domain:example.com)"]' >.warder/warder.yaml
    expect 1 "$warder" trust status
    expect 2 "$warder" check WebFetch https://example.com
    expect 64 "$warder" trust </dev/null
    complains '--yes'
    expect 1 "$warder" trust status
    expect 0 "$warder" trust --yes
    says 'warder.yaml'
    expect 0 "$warder" trust status
    expect 0 "$warder" check WebFetch https://example.com
    expect 0 "$warder" trust
    echo 'deny: [Read]' >>.warder/warder.yaml
    expect 1 "$warder" trust status
    expect 2 "$warder" check WebFetch https://example.com
}

@test "trust asks at a terminal; only yes is yes" {
    need_terminal
    mkdir .warder
    echo 'allow: ["WebFetch(domain:example.com)"]' >.warder/warder.yaml
    for reply in n '' x yess; do
        printf '%s\n' "$reply" | script -qec "$warder trust" /dev/null || true
        expect 1 "$warder" trust status
    done
    printf 'y\n' | script -qec "$warder trust" /dev/null
    expect 0 "$warder" trust status
    expect 0 "$warder" untrust
    expect 1 "$warder" trust status
}

@test "without policy files there is nothing to trust" {
    expect 2 "$warder" trust status
    expect 1 "$warder" trust --yes
    expect 66 "$warder" trust status /nonexistent
}

# ---- promise: check and explain write nothing ----

@test "check and explain leave nothing behind" {
    mkdir "$BATS_TEST_TMPDIR/empty"
    HOME=$BATS_TEST_TMPDIR/empty
    cd "$HOME"
    for command in ls 'rm -rf ~' 'curl x' 'echo x > y' ')'; do
        "$warder" check Bash "$command" >/dev/null || true
        "$warder" explain Bash "$command" >/dev/null || true
        "$warder" check Bash "$command" --auto-allow --mode acceptEdits >/dev/null 2>&1 || true
    done
    "$warder" check Write x --mode acceptEdits >/dev/null || true
    "$warder" check Bash ls --headless --json >/dev/null || true
    echo '{"tool": "Bash", "input": {"command": "rm x"}, "session": "s"}' | "$warder" check --jsonl >/dev/null
    [ "$(find . | sort)" = . ]
}

@test "a file is checked as the engine reads it in its place" {
    mkdir -p .warder
    printf 'permissions:\n  deny: ["Bash(touch *)"]\n' >.warder/warder.yaml
    expect 0 "$warder" policy check .warder/warder.yaml
    expect 1 "$warder" check Bash 'touch x'
    printf 'permissions:\n  dney: ["Bash(touch *)"]\n' >.warder/warder.yaml
    expect 65 "$warder" policy check .warder/warder.yaml
    says '.warder/warder.yaml:2:3: error: unknown key "dney"; did you mean "deny"?'
    expect 1 "$warder" check Bash ls
    printf 'deny: "Bash(x)"\n' >.warder/warder.yaml
    expect 65 "$warder" policy check .warder/warder.yaml
    says '"deny" must be a list: write ["Bash(x)"]'
    printf 'deny:\n\t- Bash(x)\n' >.warder/warder.yaml
    expect 65 "$warder" policy check .warder/warder.yaml
    says 'YAML cannot be indented with tabs'
    printf 'deny: ["a",\nallow: []\n' >.warder/warder.yaml
    expect 65 "$warder" policy check .warder/warder.yaml
    says 'the list that begins on line 1 is not closed'
}

@test "init writes a policy to begin with, once" {
    for preset in relaxed standard strict; do
        "$warder" init --dry-run --preset $preset >warder.yaml
        expect 0 "$warder" policy check warder.yaml
        rm -rf "$HOME/.config"
        expect 0 "$warder" init --preset $preset
        says "warder/warder.yaml: written ($preset: "
        cmp "$HOME/.config/warder/warder.yaml" warder.yaml
        expect 1 "$warder" check Read secrets/key
    done
    rm warder.yaml
    expect 2 "$warder" check Bash 'make'
    expect 1 "$warder" check Bash 'sudo ls'
    expect 64 "$warder" init
    complains 'is there already, and is not changed'
    mv "$HOME/.config/warder/warder.yaml" "$HOME/.config/warder/warder.yml"
    expect 64 "$warder" init
    expect 0 "$warder" init --in-project
    [ -f .warder/warder.yaml ]
    usage 'did you mean strict' init --dry-run --preset strct
    [ "$("$warder" init --dry-run --json | jq -r '[.preset, .written] | join(" ")')" = 'standard false' ]
}

@test "the modes as mink and mini spell them" {
    for pair in --plan=deny --accept-edits=allow --dont-ask=deny --yolo=allow; do
        expect "$([ "${pair#*=}" = deny ] && echo 1 || echo 0)" "$warder" check "${pair%%=*}" Edit a.c
    done
    expect 1 "$warder" check --permission-mode plan Edit a.c
    expect 0 "$warder" check --profile mink --permission-mode bypassPermissions Bash make
    expect 64 "$warder" check --yolo --plan Edit a.c
    complains 'given twice'
    expect 64 "$warder" check --plan=x Edit a.c
    complains 'takes no value'
}

@test "mini: in plan mode the plan file of the session may be written, and no other" {
    mkdir -p "$HOME/.claude/plans"
    expect 0 "$warder" check --profile mini --plan --session s-1 write_file "$HOME/.claude/plans/plan-s-1.md"
    says 'plan file'
    # shellcheck disable=SC2088
    expect 0 "$warder" check --profile mini --plan --session s-1 write_file '~/.claude/plans/plan-s-1.md'
    expect 1 "$warder" check --profile mini --plan --session s-2 write_file "$HOME/.claude/plans/plan-s-1.md"
    expect 1 "$warder" check --profile mini --plan write_file "$HOME/.claude/plans/plan-.md"
    expect 1 "$warder" check --profile mini --plan --session ../../x write_file "$HOME/.claude/plans/plan-../../x.md"
    ln -s "$HOME/.bashrc" "$HOME/.claude/plans/plan-s-3.md"
    expect 1 "$warder" check --profile mini --plan --session s-3 write_file "$HOME/.claude/plans/plan-s-3.md"
    expect 0 "$warder" check --profile mini --plan --session s-1 --plan-file plan.txt write_file plan.txt
    expect 1 "$warder" check --profile mini --plan --session s-1 --plan-file plan.txt write_file "$HOME/.claude/plans/plan-s-1.md"
}

@test "the reason of an ask says what is open, in every profile" {
    for profile in warder caliban waterfall guild mink; do
        expect 2 "$warder" check --profile "$profile" Bash 'frobnicate x'
        ! grep -q 'no layer' <<<"$output" || return 1
    done
    expect 2 "$warder" check --profile mink Bash 'frobnicate x'
    says 'frobnicate'
    expect 2 "$warder" check --profile waterfall Bash 'curl https://example.com'
    says 'sends a request to example.com'
}
