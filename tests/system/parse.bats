#!/usr/bin/env bats
# `warder parse` from outside: sources of the text, output, exit codes; and the tree of actions,
# which `explain` shows too.

load common

setup() {
    warder=$WARDER_BUILD/warder
    export HOME=$BATS_TEST_TMPDIR/home
    export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99 # the sanitizers' own 1 would read as "not understood"
    unset XDG_CONFIG_HOME XDG_STATE_HOME WARDER_CONFIG CHIMERA_MINK_SETTINGS_PATH
    mkdir -p "$HOME/project/.git"
    cd "$HOME/project" || return
    umask 022
}

# Queries the JSON that was printed last.
json() {
    jq -cr "$1" "$BATS_TEST_TMPDIR/out"
}

@test "the text comes from -c, a file, standard input and -" {
    printf 'git status\n' >script
    expect 0 "$warder" parse -c 'git status'
    whole=${output/$'\nactions'*/}
    says 'command run git status'
    expect 0 "$warder" parse script
    [ "${output/$'\nactions'*/}" = "$whole" ]
    expect 0 "$warder" parse <script
    [ "${output/$'\nactions'*/}" = "$whole" ]
    expect 0 "$warder" parse - <script
    [ "${output/$'\nactions'*/}" = "$whole" ]
    expect 0 "$warder" parse -c=ls
    expect 0 "$warder" parse /dev/null --json
    [ "$(json .tree)" = null ]
}

@test "an unreadable text is an error, without an answer" {
    expect 66 "$warder" parse no-such-file
    complains 'cannot open no-such-file'
    expect 66 "$warder" parse .
    expect 64 "$warder" parse script -c ls
    complains 'not both'
    expect 64 "$warder" parse a b
    expect 64 "$warder" parse -c
    expect 65 bash -c 'head -c 1000001 /dev/zero | "$0" parse' "$warder"
    complains 'longer than 1000000 bytes'
    [ -z "$output" ]
    expect 1 bash -c 'head -c 1000000 /dev/zero | "$0" parse' "$warder"
}

@test "a refusal has a caret, an offset and a sentence" {
    expect 1 "$warder" parse -c 'echo "abc'
    says 'refused at byte 5, line 1, column 6: '
    says $'     echo "abc\n          ^\n'
    expect 1 "$warder" parse --json -c $'ls\necho )'
    [ "$(json '[.understood, .refusal.at, .refusal.line, .refusal.column, .refusal.by]')" = '[false,8,2,6,"parser"]' ]
    [ -n "$(json .refusal.why)" ]
    [ "$(json '[.actions[].kind]')" = '["command","command","text"]' ] # with what was read until then
    expect 1 "$warder" parse --json -c '$x y'
    [ "$(json .refusal.by)" = analysis ]
    expect 1 "$warder" parse -c '$x y'
    says 'not understood at byte 0'
}

@test "the caret is below its place even in a long line" {
    long=$(printf 'x%.0s' {1..300})
    expect 1 "$warder" parse -c "echo $long é 'y"
    # the caret line follows the first source line
    source=$(grep -m1 "'y\$" <<<"$output")
    caret=$(grep -m1 '^ *^$' <<<"$output")
    [ "${source:${#caret}-1:1}" = "'" ]
    [ ${#source} -lt 150 ]
}

@test "control characters are shown and never sent" {
    printf 'echo \033[31m \001 \302\205 \xff \342\200\256x\n' >script
    expect 1 "$warder" parse script
    says '\x1b[31m'
    says '<U+202E>'
    if LC_ALL=C grep -naP '[\x00-\x08\x0b-\x1f\x7f]|\xe2\x80\xae|\xff' "$BATS_TEST_TMPDIR/out"; then false; fi
    expect 1 "$warder" parse --json script
    if LC_ALL=C grep -naP '[\x00-\x08\x0b-\x1f\x7f]|\xff' "$BATS_TEST_TMPDIR/out"; then false; fi
    json . >/dev/null
    printf 'echo a\0b\n' >script
    expect 1 "$warder" parse script
    says '\x00'
}

@test "the shape of the JSON" {
    expect 0 "$warder" parse --json -c 'A=1 cat <in "$x" && f() { ls; } | g'
    [ "$(json 'keys_unsorted')" = '["understood","refusal","tree","actions","findings"]' ]
    [ "$(json '.actions[0] | keys')" = '["allow_forms","at","cwd","cwd_other","effect_names","effects","form","forms","hosts","kind","length","parent","paths","program_known","redirect","words"]' ]
    [ "$(json '.actions[0].words[0] | keys')" = '["at","known","length","may_dash","may_glob","may_split","text"]' ]
    [ "$(json '.tree | .kind, .kids[0].kind')" = $'list\nand-or' ]
    [ "$(json '.tree.kids[0].kids[0] | [.assigns[0].assigns, .redirects[0].operator, .join]')" = '["A","<","&&"]' ]
    [ "$(json '[.findings[].name]')" = '["input-redirection"]' ]
}

# Every key that a tree can have, as tree_json.h and the manual name them.
@test "the keys of the tree are those of the manual" {
    expect 0 "$warder" parse --json - <<'END'
! time A=1 B+=2 c=(1 2) cat "${x[1]:-y}" $((1 + 2)) <<-E 2>out &
	text
	E
case a in b) ls ;; esac
cat <<'E'; f() { echo "${z[@]}"; }
$x
E
END
    names=$(json '[.tree | .. | objects | keys[]] | unique | join(" ")')
    [ "$names" = 'all appends array assigns at body clauses delimiter descriptor elements end form inert inner join kids kind length name negated operand operator parameter parts patterns quoted redirects strips_tabs subscript target text timed words' ] || {
        echo "$names"
        return 1
    }
    for name in $names; do
        grep -qE "^\.(Cm|It Cm) (.* )?$name( |\$)" "$WARDER_SOURCE/man/warder.1" || {
            echo "the manual does not name $name"
            return 1
        }
    done
}

@test "normal forms, peeled wrappers, directory, effects and paths" {
    expect 0 "$warder" parse --json -c 'cd /tmp && timeout 5 /usr/bin/git -C x push -f origin main >out'
    [ "$(json '.actions[] | select(.form | startswith("timeout")?) | .allow_forms[1]')" = '/usr/bin/git -C x push -f origin main' ]
    [ "$(json '.actions[] | select(.form | startswith("/usr")?) | .forms | index("git push -f origin main") != null')" = true ]
    [ "$(json '[.actions[] | select(.form | startswith("/usr")?) | .effect_names[]] | index("send") != null')" = true ]
    [ "$(json '.actions[] | select(.kind == "redirection") | [.cwd, .paths[0].path, .paths[0].access]')" = '["/tmp","/tmp/out",["write"]]' ]
}

# command~form of an action~form of the action around it
@test "an inner action knows the one around it" {
    count=0
    while IFS='~' read -r command inner outer; do
        expect 0 "$warder" parse --json -c "$command"
        found=$(jq -r --arg inner "$inner" '.actions as $a | first($a[] | select((.form // .forms[0] | gsub("\u0001"; "?")) == $inner))
            | if .parent == null then "-" else $a[.parent] | .form // .forms[0] end | gsub("\u0001"; "?")' "$BATS_TEST_TMPDIR/out")
        [ "$found" = "$outer" ] || {
            echo "$command: $inner stands in '$found', not in '$outer'"
            return 1
        }
        count=$((count + 1))
    done <<'END'
ls; cat a~cat a~-
sh -c 'ls b'~ls b~sh -c ls b
sh -c "sh -c 'ls c'"~ls c~sh -c ls c
echo $(ls d)~ls d~echo ?
x=$(ls e)~ls e~x=?
x=$(ls e) id~ls e~x=?
x=$(ls f) id~x=?~id
A=1 cat g~A=1~cat g
env A=1 ls~A=1~env A=1 ls
env A=1 ls~ls~env A=1 ls
echo `ls h`~ls h~echo ?
diff <(ls i) j~ls i~diff /dev/fd/? j
find . -name k -exec ls -l {} +~ls -l ?~find . -name k -exec ls -l {} +
echo l | xargs ls -d~ls -d ?~xargs ls -d
f() { ls m; }; f~ls m~f
f() { ls n; }; f~f~-
nice timeout 3 ls o~ls o~timeout 3 ls o
nice timeout 3 ls o~timeout 3 ls o~nice timeout 3 ls o
echo "$(echo $(ls p))"~ls p~echo ?
for x in $(ls q); do id; done~ls q~-
cat <<< $(ls r)~ls r~cat
( cd / && ls s )~ls s~-
END
    [ "$count" = 22 ]
}

@test "explain and parse indent inner actions below outer ones" {
    for command in explain parse; do
        arguments=(-c "nice sh -c 'ls >out'")
        [ $command = explain ] && arguments=(Bash "${arguments[1]}")
        "$warder" "$command" "${arguments[@]}" >out || true
        [ "$(grep -E '^ *[0-9]+\. ' out)" = "  1. nice sh -c ls >out
    2. sh -c ls >out
      3. ls
        4. redirection $HOME/project/out" ]
    done
    grep -q '^         cleared by harmless' out || "$warder" explain Bash "nice sh -c 'ls >out'" | grep '^         cleared by harmless'
    "$warder" explain Bash "nice sh -c 'ls >out'" | grep '^           not cleared by any layer'
    [ "$("$warder" explain --json Bash "nice ls >out" | jq -c '[.actions[].parent]')" = '[1,null,1]' ]
}
