#!/usr/bin/env bats
# `warder run`: it runs exactly what was judged, nothing before that, and leaves nothing of itself in the process.

# shellcheck disable=SC2154 # common.bash sets them
load common

setup() {
    warder=$WARDER_BUILD/warder
    export HOME=$BATS_TEST_TMPDIR/home
    export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
    unset XDG_CONFIG_HOME XDG_STATE_HOME WARDER_CONFIG CHIMERA_MINK_SETTINGS_PATH BASH_ENV ENV POSIXLY_CORRECT
    mkdir -p "$HOME/project/.git" "$HOME/.config/warder"
    cd "$HOME/project" || return
    umask 022
}

# runs STATUS ARGUMENTS...: `warder run ARGUMENTS` with that exit code; $output, and $stderr. A developer who runs the tests at a
# terminal is not asked.
runs() {
    local wanted=$1
    shift
    expect "$wanted" "$warder" run --home "$HOME" --headless "$@" </dev/null
}

# hook EVENT SCRIPT: a hook of the user's own policy.
hook() {
    printf '%s\n' "$2" >"$HOME/hook"
    printf 'hooks:\n  %s:\n    - hooks: [{command: sh, args: ["%s"]}]\n' "$1" "$HOME/hook" \
        >"$HOME/.config/warder/warder.yaml"
}

@test "the exit code is the command's" {
    runs 0 -- true
    runs 1 -- false
    runs 7 -c 'exit 7'
    runs 0 -c 'echo hello; echo there >&2'
    [ "$output" = hello ]
    [ "$stderr" = there ]
    runs 143 -c 'kill -TERM $$' --auto-allow
    runs 126 -- ./no-such-program
    complains 'denied'
    runs 127 -- no-such-program
    [ -z "$output" ]
}

@test "the command gets its words unchanged" {
    words=('a b' '*' '$HOME' "it's" $'new\nline' '' '-n' '--' '\' '"' '~' '{a,b}' 'x=y' $'tab\there' 'ümlaut' '#' '!')
    "$warder" run --home "$HOME" -- printf '<%s>' "${words[@]}" >got
    printf '<%s>' "${words[@]}" >want
    cmp got want
    printf '#!/bin/sh\necho "$0"; printf "<%%s>" "$@"\n' >if
    chmod +x if
    PATH=$PWD:$PATH runs 0 --allow "Bash(*)" -- if true
    [[ $output == "$PWD/if"$'\n''<true>' ]]
}

@test "bash gets the text unchanged" {
    runs 0 -c $'echo "a  b" \'$HOME\'\n# a comment\necho c'
    [ "$output" = $'a  b $HOME\nc' ]
    runs 127 --auto-allow -c=-n # a command of that name, not an option
    runs 0 -c 'echo "$0:$#"'
    [ "$output" = bash:0 ]
}

@test "bash reads nothing but the text" {
    echo 'touch made' >"$HOME/start"
    got=$(env BASH_ENV="$HOME/start" ENV="$HOME/start" SHELLOPTS=xtrace BASHOPTS=extglob \
        'BASH_FUNC_printf%%=() { touch made; }' "$warder" run --home "$HOME" -c 'printf x' 2>&1)
    [ "$got" = x ]
    [ ! -e made ]
    POSIXLY_CORRECT=1 runs 126 -c 'echo x'
    complains POSIXLY_CORRECT
    [ -z "$output" ]
    POSIXLY_CORRECT=1 runs 0 -- echo x
}

@test "environment, descriptors and signals are unchanged" {
    A=1 B='x y' "$warder" run --home "$HOME" --allow 'Bash(env)' -- env | grep -v '^_=' | sort >got
    A=1 B='x y' env | grep -v '^_=' | sort >want
    diff got want
    "$warder" run --home "$HOME" -- cat /proc/self/status 3<"$HOME" | grep -E '^Sig(Blk|Ign|Cgt)' >got
    cat /proc/self/status | grep -E '^Sig(Blk|Ign|Cgt)' >want
    diff got want
    "$warder" run --home "$HOME" --allow 'Bash(ls:*)' -- ls -l /proc/self/fd/ 3<"$HOME" 9>file | awk '{print $9}' >got
    ls -l /proc/self/fd/ 3<"$HOME" 9>file | awk '{print $9}' >want
    diff got want
    for closed in '0<&-' '1>&-' '2>&-'; do
        got=0 want=0
        eval "\"\$warder\" run --home \"\$HOME\" --allow 'Bash(*)' -- test -e /proc/self/fd/${closed%%[<>]*} $closed" || got=$?
        eval "env test -e /proc/self/fd/${closed%%[<>]*} $closed" || want=$?
        [ "$got" = "$want" ]
        [ "$want" = 1 ]
    done
    (trap '' PIPE CHLD && exec "$warder" run --home "$HOME" -- grep SigIgn /proc/self/status) >got
    (trap '' PIPE CHLD && exec grep SigIgn /proc/self/status) >want
    diff got want
    hook PreToolUse 'exit 0'
    (trap '' CHLD && exec "$warder" run --home "$HOME" -- true)
}

@test "signals reach the command" {
    mkfifo ready
    "$warder" run --home "$HOME" --auto-allow -c 'trap "exit 9" TERM; echo >ready; while :; do sleep 0.05; done' 2>/dev/null &
    read -r _ <ready
    kill -TERM $!
    status=0
    wait $! || status=$?
    [ "$status" = 9 ]
}

@test "a denied command does not run" {
    runs 126 --deny 'Bash(touch:*)' -- touch made
    complains 'denied: deny rule Bash(touch:*)'
    runs 126 --deny 'Bash(touch:*)' -c 'echo x; touch made'
    [ -z "$output" ]
    runs 126 -- rm -rf "$HOME"
    runs 126 -c 'echo x; if'
    [ -z "$output" ]
    [ ! -e made ]
    runs 126 --mode dontAsk -- curl http://localhost.invalid/
}

@test "an ask is a no if no one can answer" {
    runs 126 -- curl http://localhost.invalid/
    complains 'cannot ask: no prompt is available'
    complains 'to allow it: Bash(curl http://localhost.invalid/)'
    runs 126 --json -- curl http://localhost.invalid/
    [ "$(jq -r .behavior <<<"$stderr")" = deny ]
    [ -z "$output" ]
}

@test "--auto-allow is loud" {
    runs 0 --auto-allow -- chmod 600 "$HOME/project"
    complains 'WARNING: --auto-allow'
    complains 'DANGEROUS'
    runs 126 --auto-allow -- rm -rf "$HOME"
    complains 'WARNING: --auto-allow'
    runs 0 --auto-allow -- true
    [[ $stderr != *DANGEROUS* ]]
}

@test "nothing runs while the answer is pending" {
    mkfifo asked answer
    hook PermissionRequest 'cat >/dev/null; echo >asked; read -r word <answer; echo "{\"decision\":\"$word\"}"'
    for word in approve block; do
        rm -f made
        "$warder" run --home "$HOME" --headless -c 'echo x >made; curl --version >/dev/null; chmod 4777 made' 2>err &
        read -r _ <asked
        [ ! -e made ]
        echo "$word" >answer
        status=0
        wait $! || status=$?
        if [ "$word" = approve ]; then
            [ "$status" = 0 ] && [ -e made ]
        else
            [ "$status" = 126 ] && [ ! -e made ]
        fi
    done
}

# In a real terminal. A key that comes too early is dropped, so it is pressed until there is an answer.
@test "the person at the terminal decides" {
    local pane
    echo x >made
    for key in a d; do
        pane=(tmux -S "$BATS_TEST_TMPDIR/$key.sock" -f /dev/null)
        chmod 600 made
        "${pane[@]}" new-session -d -x 100 -y 40 \
            "'$warder' run --home '$HOME' -- chmod u+s made; echo \"\$?\" >code.new; mv code.new code-$key; sleep 100"
        tries=0 pressed=''
        until [ -e "code-$key" ]; do
            if "${pane[@]}" capture-pane -p | grep -qF '[?] Help'; then
                [ -n "$pressed" ] || [ ! -u made ]
                "${pane[@]}" send-keys "$key"
                pressed=yes
            fi
            tries=$((tries + 1))
            [ $tries -lt 400 ]
            sleep 0.05
        done
        "${pane[@]}" kill-server
        if [ $key = a ]; then
            [ "$(<code-a)" = 0 ] && [ -u made ]
        else
            [ "$(<code-d)" = 126 ] && [ ! -u made ]
        fi
    done
}

@test "the input that a hook rewrote is what runs" {
    hook PreToolUse 'cat >/dev/null; echo "{\"hookSpecificOutput\":{\"updatedInput\":{\"command\":\"echo new\"}}}"'
    runs 0 -- echo old
    [ "$output" = new ]
    complains 'the command was rewritten: echo new'
    runs 0 -c 'echo old'
    [ "$output" = new ]
    hook PreToolUse 'cat >/dev/null
        echo "{\"hookSpecificOutput\":{\"updatedInput\":{\"command\":\"echo new\",\"run_in_background\":true}}}"'
    runs 126 -- echo old
    [ -z "$output" ]
    hook PreToolUse 'cat >/dev/null; echo "{\"hookSpecificOutput\":{\"updatedInput\":{\"command\":\"rm -rf /\"}}}"'
    runs 126 -- echo old
    hook PreToolUse 'kill -9 $$'
    runs 126 -- echo old
    [ -z "$output" ]
}

@test "a builtin's name is judged as the program that will run" {
    mkdir bin
    printf '#!/bin/sh\ntouch made\n' >bin/true
    chmod +x bin/true
    PATH=$PWD/bin:$PATH runs 126 -- true
    [ ! -e made ]
}

@test "a file that is not a program is not passed to a shell" {
    echo 'touch made' >script
    chmod +x script
    hook PermissionRequest 'echo "{\"decision\":\"approve\"}"'
    runs 126 -- ./script
    complains 'cannot run ./script'
    [ ! -e made ]
}

@test "a command that is not UTF-8 is not judged and does not run" {
    runs 126 --allow 'Bash(*)' -- echo $'\xff'
    complains 'not UTF-8'
    runs 126 --allow 'Bash(*)' -c $'echo \xff'
    [ -z "$output" ]
}

@test "a session is kept, and one that cannot be kept denies" {
    runs 0 --session s1 -- true
    [ "$(find "$HOME/.local/state/warder/sessions" -name '*json*' | wc -l)" = 1 ]
    for _ in $(seq 19); do
        runs 126 --session s1 -- rm -rf "$HOME"
    done
    runs 126 --session s1 --json -- rm -rf "$HOME"
    [ "$(jq -r .interrupt <<<"$stderr")" = true ]
    for file in "$HOME"/.local/state/warder/sessions/*.json; do
        echo '{' >"$file"
    done
    runs 126 --session s1 -- true
    complains 'the session cannot be read'
    got=$(
        ulimit -f 0
        "$warder" run --home "$HOME" --session s2 -- echo ran 2>&1 | cat
        echo "exit ${PIPESTATUS[0]}"
    )
    [[ $got == *'denied: '*'exit 126' ]]
    [[ $got != *ran* ]]
    runs 0 -- true
}

@test "a call that cannot be recorded does not run" {
    runs 0 -- true
    [ -d "$HOME/.local/state/warder/journal" ]
    rm -r "$HOME/.local/state/warder/journal"
    echo >"$HOME/.local/state/warder/journal"
    runs 126 -- touch made
    complains 'could not be recorded'
    [ ! -e made ]
}

@test "usage errors are refused" {
    for arguments in '' 'true' 'true --' '-c true -- true' '--no-such -- true' '--cwd / -- true' '--home / -- true'; do
        # shellcheck disable=SC2086
        runs 64 $arguments
        [ -z "$output" ]
    done
    runs 64 -c ''
    runs 64 --mode lenient -- true
}

# answered STATUS INPUT ARGUMENTS...: with that standard input, and without a terminal.
answered() {
    local wanted=$1 input=$2
    shift 2
    expect "$wanted" bash -c 'input=$1; shift; printf "%b" "$input" | exec setsid --wait "$@"' - "$input" "$warder" run \
        --home "$HOME" "$@"
}

@test "with --answers a pipe answers, and the rest of it is the command's" {
    answered 0 'a\nmore\nlines\n' --answers -c 'mkdir kept && cat > kept/rest'
    [ "$(cat kept/rest)" = $'more\nlines' ]
    answered 0 'a\n' --answers -- touch made
    [ -e made ]
    answered 126 'd\n' --answers -- touch other
    [ ! -e other ]
    answered 126 '' --answers -- touch other
    complains 'denied'
    answered 126 'c\n' --answers -- touch other
    complains 'cancelled'
    [ ! -e other ]
}

@test "a pipe is the command's own, unless --answers is given" {
    answered 126 'a\n' -- touch other
    [ ! -e other ]
}

# classifier ANSWER [MORE]: a classifier that prints that, in the user's policy with MORE in it.
classifier() {
    printf '%s\n' '#!/bin/sh' "cat >$HOME/asked" "$1" >"$HOME/classify"
    printf 'hooks:\n  Classifier:\n    - hooks: [{command: sh, args: ["%s"], timeout: 2}]\n%s\n' "$HOME/classify" "${2-}" \
        >"$HOME/.config/warder/warder.yaml"
}

@test "a classifier may deny, and allows only where policy says so" {
    classifier "echo '{\"decision\":\"deny\",\"reason\":\"smells\"}'"
    runs 126 -- touch made
    complains 'denied by the classifier'
    complains 'smells'
    jq -e '.hook_event_name == "Classifier" and .tool_name == "Bash" and (.reason | length) > 0' "$HOME/asked"
    runs 0 -- true # what is allowed is not put to it
    for said in allow ask; do
        classifier "echo '{\"decision\":\"$said\"}'"
        runs 126 -- touch made
        [ ! -e made ]
    done
    classifier "echo '{\"decision\":\"allow\"}'" 'classifierAllows: true'
    runs 0 -- touch made
    [ -e made ]
    runs 126 --ask 'Bash(touch:*)' -- touch other # a rule wants a person
    runs 126 -- rm -rf /
    classifier "echo '{\"decision\":{\"behavior\":\"allow\",\"updatedInput\":{\"command\":\"touch rewritten\"}}}'" 'classifierAllows: true'
    runs 126 -- touch other
    [ ! -e rewritten ]
}

@test "a classifier that fails, hangs or talks nonsense leaves the question open" {
    for does in 'exit 3' 'sleep 60' 'echo nonsense' 'echo "{"' 'kill -9 $$'; do
        classifier "$does" 'classifierAllows: true'
        runs 126 -- touch other
        complains 'no prompt is available'
        [ ! -e other ]
    done
}

@test "no project switches on what a classifier allows" {
    classifier "echo '{\"decision\":\"allow\"}'"
    mkdir -p .warder
    echo 'classifierAllows: true' >.warder/warder.yaml
    "$warder" trust --yes --home "$HOME" >/dev/null
    runs 126 -- touch other
    [ ! -e other ]
}

@test "what a project is not trusted with is said once in a session, and not before each question" {
    mkdir -p .claude
    echo '{"permissions": {"allow": ["Bash(make other)"]}}' >.claude/settings.json
    # said COUNT COMMAND...: how often standard error has the warning
    said() {
        local wanted=$1
        shift
        [ "$("$@" 2>&1 | grep -c 'not trusted')" = "$wanted" ] || {
            echo "not $wanted times: $*"
            return 1
        }
    }
    said 1 "$warder" run --home "$HOME" --session s1 -- true
    said 0 "$warder" run --home "$HOME" --session s1 -- true
    said 1 "$warder" run --home "$HOME" --session s2 -- true
    # Without a name it is the session of the terminal: setsid begins one.
    said 1 setsid -w bash -c "'$warder' run --home '$HOME' -- true; '$warder' run --home '$HOME' -- true; exit"
    said 1 setsid -w "$warder" run --home "$HOME" -- true
    # Other files, another warning; what a person asks to be told is told.
    echo '{"permissions": {"allow": ["Bash(make other)", "Bash(make all)"]}}' >.claude/settings.json
    said 1 "$warder" run --home "$HOME" --session s1 -- true
    said 1 "$warder" check Bash true
    said 1 "$warder" check Bash true
    # An error is repeated, and so is the warning where nothing can be kept.
    state=${XDG_STATE_HOME:-$HOME/.local/state}/warder
    rm -rf "$state/told"
    : >"$state/told"
    said 1 "$warder" run --home "$HOME" --session s1 -- true
    said 1 "$warder" run --home "$HOME" --session s1 -- true
    rm "$state/told"
    said 1 "$warder" run --home "$HOME" --session s1 -- true
    touch -d '8 days ago' "$state"/told/*
    said 1 "$warder" run --home "$HOME" --session s3 -- true
    [ "$(find "$state/told" -type f | wc -l)" = 1 ]
    echo '{' >.claude/settings.json
    for _ in 1 2; do
        run "$warder" run --home "$HOME" --session s1 -- true
        [[ $output == *settings.json:* ]]
    done
}
