#!/usr/bin/env bats
# The prompt in a real terminal (tmux): every key, signals, resizing, and that the terminal is the same afterwards.
# A shell with job control runs in the pane, and in it tests/drivers/prompt_driver, which asks about one call.

setup() {
    driver=$WARDER_BUILD/tests/prompt_driver
    warder=$WARDER_BUILD/warder
    export HOME=$BATS_TEST_TMPDIR/home LC_ALL=C.UTF-8
    export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
    unset XDG_CONFIG_HOME XDG_STATE_HOME WARDER_CONFIG CHIMERA_MINK_SETTINGS_PATH TMUX
    mkdir -p "$HOME/project/.git" "$HOME/project/.claude"
    cd "$HOME/project" || return
    umask 022
    socket=$BATS_TEST_TMPDIR/tmux.sock
    asked=0
    compared=0
    settings=$HOME/project/.claude/settings.local.json
}

teardown() {
    tmux -S "$socket" kill-server 2>/dev/null || true
}

pane() {
    tmux -S "$socket" "$@"
}

screen() {
    pane capture-pane -p -J -S -200 -t 0
}

# wait_for TEXT [COUNT]: until the pane shows it, that many times.
wait_for() {
    local tries=0
    until [ "$(screen | grep -cF -- "$1")" -ge "${2:-1}" ]; do
        tries=$((tries + 1))
        if [ $tries -gt 400 ]; then
            echo "never seen: $1"
            screen
            return 1
        fi
        sleep 0.03
    done
}

lacks() {
    [ "$(screen | grep -cF -- "$1")" -eq 0 ]
}

# A shell at its prompt; the terminal's settings are saved in `before`.
terminal() {
    pane -f /dev/null -u new-session -d -x "${1:-80}" -y "${2:-40}" \
        "env PS1='READY> ' TERM=screen-256color bash --norc --noprofile -i"
    wait_for 'READY>'
    run_in 'set +H; stty -a | grep -v ^speed >before; clear; echo be""gun'
    wait_for begun
}

# run_in COMMAND: types it into the shell.
run_in() {
    pane send-keys -t 0 -l -- "$1"
    pane send-keys -t 0 Enter
}

press() {
    pane send-keys -t 0 "$@"
}

# ask ARGUMENT...: asks in the pane and waits for the panel. Keys count at once: the end of a grace period is invisible.
ask() {
    run_in "$(printf '%q ' "$driver" "$@")"
    asked=$((asked + 1))
    wait_for '[?] Help' "$asked"
}

# Checks the answer, and that the terminal is restored.
answer_is() {
    wait_for "RESULT $1"
    terminal_is_sane
}

terminal_is_sane() {
    run_in 'stty -a | grep -v ^speed >after; echo com""pared'
    compared=$((compared + 1))
    wait_for compared "$compared"
    diff before after
}

# ---- keys ----

@test "a allows once and writes nothing" {
    terminal
    ask Bash 'make deploy'
    wait_for 'Suggest  Bash(make deploy)'
    press a
    answer_is 'allow remember=nothing rule='
    [ ! -e "$settings" ]
}

@test "d denies once" {
    terminal
    ask Bash 'make deploy'
    press d
    answer_is 'deny remember=nothing'
    [ ! -e "$settings" ]
}

@test "c cancels, which is a separate result" {
    terminal
    ask Bash 'make deploy'
    press c
    answer_is 'deny cancelled remember=nothing'
}

@test "? explains the keys and asks again" {
    terminal
    ask Bash 'make deploy'
    press '?'
    wait_for 'this call runs, once'
    press x
    wait_for 'this call runs, once' 2
    press a
    answer_is 'allow'
}

@test "A writes the suggested rule, which then counts" {
    terminal
    run "$warder" check Bash 'make deploy'
    [ "$status" -eq 2 ]
    ask Bash 'make deploy'
    press A
    wait_for 'rule> Bash(make deploy)'
    [ ! -e "$settings" ]
    press Enter
    answer_is 'allow remember=written rule=Bash(make deploy)'
    [ "$(jq -c .permissions "$settings")" = '{"allow":["Bash(make deploy)"]}' ]
    "$warder" check Bash 'make deploy'
}

@test "where nothing is of Claude Code, the rule goes to a file of ours" {
    rmdir .claude
    terminal
    ask Bash 'make deploy'
    press A
    wait_for '/project/.warder/warder.local.yaml'
    press Enter
    answer_is 'allow remember=written rule=Bash(make deploy)'
    grep -qF 'Bash(make deploy)' .warder/warder.local.yaml
    [ ! -e .claude ]
    "$warder" check Bash 'make deploy'
    ask Bash 'make push' # the file is there now, and takes the next one
    press D
    wait_for 'rule> Bash(make push)'
    press Enter
    answer_is 'deny remember=written rule=Bash(make push)'
    [ "$("$warder" rules --json | jq -c '[.rules[] | select(.file and (.file | endswith("warder.local.yaml"))) | .behavior] | sort')" = '["allow","deny"]' ]
}

@test "A keeps the trust of a trusted project, and gives none to an untrusted one" {
    terminal
    mkdir -p .claude
    echo '{"permissions": {"allow": ["Bash(make other)"]}}' >.claude/settings.json
    "$warder" trust --yes
    ask Bash 'make deploy'
    press A
    wait_for 'rule> '
    press Enter
    answer_is 'allow remember=written'
    "$warder" check Bash 'make deploy'
    "$warder" check Bash 'make other'
    "$warder" untrust
    ask Bash 'make publish'
    press A
    wait_for 'not trusted'
    wait_for 'rule> Bash(make publish)'
    press Enter
    wait_for 'rule=Bash(make publish)'
    grep -qF 'make publish' "$settings"
    run "$warder" check Bash 'make publish'
    [ "$status" -eq 2 ]
}

@test "an edited rule is shown again, with what it matches, and written as typed" {
    terminal
    ask Bash 'make deploy'
    press A
    wait_for 'rule> Bash(make deploy)'
    press BSpace
    run_in ':*)'
    wait_for 'allow Bash(make deploy:*)'
    wait_for 'covers this call'
    [ ! -e "$settings" ]
    press e
    wait_for 'this rule goes to' 2
    press C-a C-k
    run_in 'Bash(make other'
    wait_for 'not a rule'
    run_in ')'
    wait_for 'covers 0 of the 1 actions'
    press Enter
    answer_is 'allow remember=written rule=Bash(make other)'
    [ "$(jq -c .permissions "$settings")" = '{"allow":["Bash(make other)"]}' ]
}

@test "a digit chooses a wider rule, Tab moves between them, and Enter writes the one that is shown" {
    terminal
    ask Bash 'git push origin main'
    wait_for 'Suggest  Bash(git push origin main)'
    wait_for 'Or [2]   Bash(git push:*)'
    press 2
    wait_for 'rule> Bash(git push:*)'
    press Tab
    wait_for 'rule> Bash(git push origin main)'
    press Tab
    wait_for 'rule> Bash(git push:*)'
    [ ! -e "$settings" ]
    press Enter
    answer_is 'allow remember=written rule=Bash(git push:*)'
    [ "$(jq -c .permissions "$settings")" = '{"allow":["Bash(git push:*)"]}' ]
    "$warder" check Bash 'git push origin topic'
}

@test "the rule for a host is offered where it would do" {
    terminal
    ask Bash 'curl -s https://example.com/x'
    wait_for 'Or [2]   WebFetch(domain:example.com)'
    press 2
    wait_for 'rule> WebFetch(domain:example.com)'
    press Enter
    answer_is 'allow remember=written'
    "$warder" check Bash 'curl -s https://example.com/y'
    ask Bash 'curl -sL https://example.org/x'
    wait_for 'Suggest  Bash(curl -sL https://example.org/x)'
    lacks 'WebFetch(domain:example.org)'
    press d
}

@test "a digit without a rule of that number explains the keys" {
    terminal
    ask Bash 'git push origin main'
    press 3
    wait_for '[1-9]'
    press d
    answer_is deny
    [ ! -e "$settings" ]
}

@test "s allows for this session, which a call without one does not offer" {
    terminal
    ask Bash 'make deploy'
    lacks 'session'
    press s
    wait_for 'this call runs, once'
    lacks 'allowed for this session'
    press d
    answer_is deny
    ask --session s1 Bash 'make deploy'
    wait_for '[s] Allow for this session'
    press s
    answer_is 'allow remember=session rule='
    [ ! -e "$settings" ]
}

@test "u writes to the person's own settings, where the project is not trusted" {
    mkdir -p .claude
    echo '{"permissions": {"allow": ["Bash(make other)"]}}' >.claude/settings.json
    terminal 160 40
    ask Bash 'make deploy'
    press u
    wait_for "goes to $HOME/.config/warder/warder.yaml"
    press Enter
    answer_is 'allow remember=written rule=Bash(make deploy)'
    [ ! -e "$settings" ]
    [ "$(cat "$HOME/.config/warder/warder.yaml")" = $'allow:\n  - "Bash(make deploy)"' ]
    "$warder" check Bash 'make deploy'
    "$warder" trust --yes
    ask Bash 'make publish'
    [ "$(screen | grep -cF 'in all projects')" -eq 1 ]
    press d
}

@test "q is no help: it cancels" {
    terminal
    ask Bash 'make deploy'
    press q
    answer_is 'deny cancelled'
}

@test "Escape leaves the rule unwritten" {
    terminal
    ask Bash 'make deploy'
    press A
    wait_for 'rule> '
    press Escape
    wait_for 'Permission required' 2
    press d
    answer_is 'deny remember=nothing'
    [ ! -e "$settings" ]
}

@test "D writes a deny rule" {
    terminal
    ask Bash 'make deploy'
    press D
    wait_for 'Always deny: this rule goes to'
    press Enter
    answer_is 'deny remember=written rule=Bash(make deploy)'
    [ "$(jq -c .permissions "$settings")" = '{"deny":["Bash(make deploy)"]}' ]
    run "$warder" check Bash 'make deploy'
    [ "$status" -eq 1 ]
}

@test "each part of a call gets its rule" {
    terminal
    ask Bash 'make deploy && make push'
    press A
    wait_for '(1 of 2)'
    press Enter
    wait_for '(2 of 2)'
    [ ! -e "$settings" ]
    press Enter
    answer_is 'allow remember=written'
    [ "$(jq -c .permissions.allow "$settings")" = '["Bash(make deploy)","Bash(make push)"]' ]
    "$warder" check Bash 'make deploy && make push'
}

@test "a project with rules of our own format keeps them there" {
    mkdir -p .warder
    printf '# ours\nallow:\n  - Read # everything\n' >.warder/warder.local.yaml
    "$warder" trust --yes
    terminal
    ask Bash 'make deploy'
    press A
    wait_for 'rule> '
    press Enter
    answer_is 'allow remember=written'
    [ "$(cat .warder/warder.local.yaml)" = $'# ours\nallow:\n  - Read # everything\n  - "Bash(make deploy)"' ]
    "$warder" check Bash 'make deploy'
}

@test "caliban: the new rule goes above what would shadow it" {
    mkdir -p .caliban
    printf '# mine\n[[rule]]\ntool = "Bash:make *"\naction = "ask"\ncomment = "look first"\n' >.caliban/permissions.toml
    mkdir -p ~/.config/warder
    echo 'profile: caliban' >~/.config/warder/warder.yaml
    "$warder" trust --yes
    terminal
    ask Bash 'make deploy'
    wait_for 'Comment  look first'
    wait_for '[A] Allow permanently'
    press A
    wait_for 'rule> Bash:make deploy'
    press Enter
    answer_is 'allow remember=written rule=Bash:make deploy'
    [ "$(head -4 .caliban/permissions.toml)" = $'[[rule]]\ntool = "Bash:make deploy"\naction = "allow"' ]
    "$warder" check Bash 'make deploy'
}

@test "guild: a command's rule goes to a file of guild's own, which no other profile trips over" {
    mkdir -p ~/.config/warder
    echo 'profile: guild' >~/.config/warder/warder.yaml
    terminal
    ask Bash 'make deploy'
    press A
    wait_for '.warder/authorization.yaml'
    press Enter
    answer_is 'allow remember=written rule=make deploy'
    [ ! -e "$settings" ]
    [ "$(cat .warder/authorization.yaml)" = $'accept:\n  - "make deploy"' ]
    "$warder" check Bash 'make deploy'
    ask Bash 'make undeploy'
    press D
    wait_for 'Always deny: this rule goes to'
    press Enter
    answer_is 'deny remember=written rule=make undeploy'
    [ ! -e "$settings" ]
    for profile in guild warder caliban waterfall mini mink; do
        run "$warder" check Bash 'make undeploy' --profile $profile
        [ "$status" -eq 1 ]
        run "$warder" check Bash 'make other' --profile $profile
        [ "$status" -ne 1 ]
    done
}

@test "mink has its own wording, mini its y and n" {
    terminal
    ask --profile mink Bash 'make deploy'
    wait_for '[A] Always allow this command'
    wait_for '[c] Cancel turn'
    press d
    answer_is 'deny'
    ask --profile mini Bash 'sudo make install'
    wait_for 'Allow?'
    press y
    wait_for 'RESULT allow remember=session'
    terminal_is_sane
}

# ---- signals, sizes, odd input ----

@test "Ctrl-C cancels" {
    terminal
    ask Bash 'make deploy'
    press C-c
    answer_is 'deny cancelled'
}

@test "Ctrl-D is the end of the input, and denies" {
    terminal
    ask Bash 'make deploy'
    press C-d
    answer_is 'deny remember=nothing'
}

@test "Ctrl-Z gives the terminal back, fg asks again" {
    terminal
    ask Bash 'make deploy'
    press C-z
    wait_for Stopped
    terminal_is_sane
    run_in fg
    wait_for 'Permission required' 2
    press a
    wait_for 'RESULT allow'
    terminal_is_sane
}

@test "so does SIGSTOP" {
    terminal
    ask Bash 'make deploy'
    pid=$(pgrep -f "^$driver")
    kill -STOP "$pid"
    wait_for Stopped
    run_in fg
    wait_for 'Permission required' 2
    press a
    wait_for 'RESULT allow'
    terminal_is_sane
}

@test "the terminal is restored if the process is killed" {
    terminal
    run_in 'ulimit -c 0'
    for signal in TERM HUP QUIT SEGV ABRT; do
        ask Bash 'make deploy'
        pid=$(pgrep -f "^$driver")
        kill -"$signal" "$pid"
        tail --pid="$pid" -f /dev/null
        run_in 'echo status $?'
        # A sanitizer reports the last two in its own way.
        wait_for "status $((128 + $(kill -l "$signal")))" || wait_for 'status 99'
        terminal_is_sane
    done
}

@test "the deadline ends it" {
    terminal
    run_in "$(printf '%q ' "$driver" --deadline 300 Bash 'make deploy')"
    answer_is deadline
}

@test "a new size is drawn" {
    terminal 100 40
    ask Bash "make deploy $(printf 'x%.0s' {1..80})"
    pane resize-window -t 0 -x 40 -y 20
    wait_for 'Permission required' 2
    pane resize-window -t 0 -x 30 -y 20
    wait_for '- Permission required --'
    press a
    answer_is allow
}

# What is on the screen now, without what has scrolled away.
visible() {
    pane capture-pane -p -t 0
}

@test "on a small screen the command, the reason and the keys are all there" {
    terminal 38 10
    run_in "$(printf '%q ' "$driver" --session s1 Bash 'git push --force origin main')"
    wait_for 'a allow'
    visible | grep -qF '| git push --force origin main'
    visible | grep -qF 'github.com' || visible | grep -qF 'push'
    [ "$(visible | grep -oE '\b(a allow|s session|A always|d deny|D never|c cancel)\b|\? help|v view' | wc -l)" -eq 8 ]
    press s
    wait_for 'RESULT allow remember=session'
}

@test "on a tiny screen the command and the keys are there" {
    terminal 20 5
    run_in "clear; $(printf '%q ' "$driver" Bash 'make deploy')"
    wait_for 'a A d D c ? v'
    visible | grep -qF '| make deploy'
    press d
    wait_for 'RESULT deny'
}

@test "a long input is cut in the middle; v shows all of it" {
    terminal 80 30
    seq -f 'echo line%g' 1 60 | tr '\n' '&' | sed 's/&/ \&\n/g' >long
    # shellcheck disable=SC2016 # the shell in the pane expands it
    run_in "$(printf '%q Bash "$(cat long; echo make last)"' "$driver")"
    wait_for 'more lines: press v to see all'
    wait_for '| make last'
    lacks '| echo line30 &'
    press v
    wait_for 'of '
    press Space
    wait_for '| echo line30 &'
    press G
    wait_for 'action 61'
    press a
    press q
    wait_for 'Permission required'
    lacks 'action 61'
    press d
    answer_is deny
}

@test "keys that were typed before the question do not count" {
    terminal
    run_in "read -r -N1; $(printf '%q ' "$driver" Bash 'make deploy')"
    press x a a a
    wait_for 'Help'
    press d
    wait_for 'RESULT deny'
}

@test "keys pressed too soon do not count either" {
    terminal
    ask --grace 60000 --deadline 700 Bash 'make deploy'
    press a
    answer_is deadline
}

@test "pasted text presses no key" {
    terminal
    ask Bash 'make deploy'
    pane set-buffer 'aaaa'
    pane paste-buffer -p -t 0
    press '?'
    wait_for 'this call runs, once'
    lacks RESULT
    press d
    answer_is deny
}

@test "escape sequences of a command do not reach the terminal" {
    terminal
    printf '%s\n' "exec $(printf '%q' "$driver") Bash \$'echo \\e]0;owned\\a\\e[31mred\\e[2J\\r\\x9b32m\\u009b33m'" >script
    pane pipe-pane -t 0 "cat >$BATS_TEST_TMPDIR/bytes"
    run_in 'bash script'
    wait_for '\x1b]0;owned\x07\x1b[31mred\x1b[2J\x0d'
    press '?'
    wait_for 'this call runs, once'
    press v
    wait_for ' of '
    press q
    press D
    wait_for 'rule> '
    press Escape
    press a
    wait_for 'RESULT allow'
    pane pipe-pane -t 0
    LC_ALL=C grep -qF 'owned' "$BATS_TEST_TMPDIR/bytes"
    [ "$(LC_ALL=C grep -cP '\x1b\]|\x1b\[31m|\x9b' "$BATS_TEST_TMPDIR/bytes")" -eq 0 ]
    terminal_is_sane
}

@test "a background process does not ask" {
    terminal
    run_in "$(printf '%q Bash %q & wait' "$driver" 'make deploy')"
    answer_is nobody
}

@test "on a dumb terminal it reads lines" {
    terminal
    run_in "TERM=dumb $(printf '%q ' "$driver" Bash 'make deploy')"
    wait_for 'Help'
    run_in 'd'
    answer_is deny
}

# ---- without a terminal ----

@test "a line's first character counts" {
    [ "$(echo allow | "$driver" --lines Bash 'make deploy' 2>/dev/null)" = $'\nRESULT allow remember=nothing rule=' ]
    [[ $(printf '?\nx\n\ncancel\na\n' | "$driver" --lines Bash 'make deploy' 2>/dev/null) == *'RESULT deny cancelled'* ]]
    [[ $(echo d | "$driver" --lines Bash 'make deploy' 2>/dev/null) == *'RESULT deny remember=nothing'* ]]
    [[ $(printf 'v\na\n' | "$driver" --lines Bash 'make deploy' 2>&1 >/dev/null) == *'layers that spoke, in order'* ]]
}

@test "the end of the input denies, even in the middle of a line" {
    [[ $("$driver" --lines Bash 'make deploy' 2>/dev/null </dev/null) == *'RESULT deny remember=nothing'* ]]
    [[ $(printf a | "$driver" --lines Bash 'make deploy' 2>/dev/null) == *'RESULT deny remember=nothing'* ]]
    [[ $(head -c 100000 /dev/zero | tr '\0' a | "$driver" --lines Bash 'make deploy' 2>/dev/null) == *'RESULT deny '* ]]
}

@test "A on a line writes the rule that was shown" {
    [[ $(echo A | "$driver" --lines Bash 'make deploy' 2>shown) == *'RESULT allow remember=written rule=Bash(make deploy)'* ]]
    grep -qF 'Suggest  Bash(make deploy)' shown
    [ "$(jq -c .permissions "$settings")" = '{"allow":["Bash(make deploy)"]}' ]
}

@test "nothing but text is written where there is no terminal" {
    printf '?\nv\nd\n' | "$driver" --lines Bash $'echo \e[31m' >/dev/null 2>shown
    [ "$(LC_ALL=C grep -cP '[^\n -~]' shown)" -eq 0 ]
}

# ---- as one of the askers ----

# Keys are ignored for 200 ms, and nothing shows when that is over: a harmless key is pressed until it
# counts.
press_help_until_heard() {
    local before tries=0
    before=$(screen | grep -cF 'Rules    go to' || true)
    until [ "$(screen | grep -cF 'Rules    go to')" -gt "$before" ]; do
        tries=$((tries + 1))
        [ $tries -lt 400 ]
        press '?'
        sleep 0.03
    done
}

@test "warder_resolve() asks at the terminal" {
    terminal
    ask --resolve Bash 'make deploy'
    press_help_until_heard
    press A
    wait_for 'rule> Bash(make deploy)'
    press Enter
    answer_is 'allow by prompt'
    "$warder" check Bash 'make deploy'
    ask --resolve Bash 'make publish'
    press_help_until_heard
    press d
    wait_for 'RESULT deny by prompt'
    ask --resolve --deadline 300 Bash 'make publish'
    wait_for 'RESULT deny by ask'
    terminal_is_sane
}

@test "without a terminal it reads a line, if the caller wants that" {
    [[ $(echo a | setsid -w "$driver" --resolve Bash 'make deploy' 2>/dev/null) == *'RESULT allow by prompt'* ]]
    [[ $(echo d | setsid -w "$driver" --resolve Bash 'make deploy' 2>/dev/null) == *'RESULT deny by prompt'* ]]
    [[ $(setsid -w "$driver" --resolve Bash 'make deploy' 2>/dev/null </dev/null) == *'RESULT deny by prompt'* ]]
}
