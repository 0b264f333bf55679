# terminal.bash - a person's terminal, for commands that only a person may run: `load terminal`. setup() sets socket.
# shellcheck shell=bash

panes=0

teardown() {
    tmux -S "$socket" kill-server 2>/dev/null || true
}

screen() {
    tmux -S "$socket" capture-pane -p -J -t 0
}

wait_for() {
    local tries=0
    until screen | grep -qF -- "$1"; do
        tries=$((tries + 1))
        if [ $tries -gt 400 ]; then
            echo "never seen: $1"
            screen
            return 1
        fi
        sleep 0.03
    done
}

# in_terminal COMMAND: runs it in a pane that then shows its exit code. A developer's bats may run below an
# agent: the pane's own parents are tmux and init.
in_terminal() {
    tmux -S "$socket" kill-server 2>/dev/null || true
    socket=$BATS_TEST_TMPDIR/tmux.$((++panes))
    tmux -S "$socket" -f /dev/null -u new-session -d -x 120 -y 50 "$1; echo status \$?; exec cat"
}
