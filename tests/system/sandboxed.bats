#!/usr/bin/env bats
# The sandbox as it is shipped: nobody has written a policy, and nobody has typed `warder sandbox check`.

# shellcheck disable=SC2154,SC2016 # common.bash sets them
load common

setup() {
    place=$(mktemp -d /var/tmp/warder-sandboxed-XXXXXX)
    home=$place/home
    cache=$home/.cache/warder
    bin=$place/bin
    export ASAN_OPTIONS=exitcode=99:detect_leaks=0 UBSAN_OPTIONS=exitcode=99
    [ -x "$WARDER_BUILD/warder-cell" ] || skip "there is no warder-cell here"
    bwrap --dev-bind / / true 2>/dev/null || skip "no bubblewrap here"
    unshare -Urmn true 2>/dev/null || skip "no user namespaces here"
    mkdir -p "$home/project" "$bin"
    echo "someone:x:$(id -u):$(id -g)::$home:/bin/bash" >"$place/passwd"
    # programs of a directory of their own: a hook starts the `warder` that is beside it
    cp "$WARDER_BUILD/warder" "$WARDER_BUILD/warder-hook" "$WARDER_BUILD/warder-cell" "$bin/"
    cd "$home/project" || return
}

teardown() {
    rm -rf "$place"
}

inside() {
    bwrap --dev-bind / / --bind "$place/passwd" /etc/passwd -- \
        env -u XDG_STATE_HOME -u XDG_CONFIG_HOME -u WARDER_CONFIG -u CLAUDE_CONFIG_DIR HOME="$home" SHELL=/bin/bash "$@"
}

# answer COMMAND [VARIABLE=VALUE...]: what Claude Code is answered.
answer() {
    local text=$1
    shift
    jq -cn --arg text "$text" --arg cwd "$home/project" '{session_id: "s", transcript_path: "t", prompt_id: "p", cwd: $cwd,
        permission_mode: "default", hook_event_name: "PreToolUse", tool_name: "Bash", tool_use_id: "u",
        tool_input: {command: $text}}' >"$place/event"
    inside env "$@" "$bin/"${program:-warder-hook} --client claude <"$place/event" >"$place/out" 2>"$place/err"
    jq -r '.hookSpecificOutput | .permissionDecision + (if .updatedInput.command then " contained" else "" end)' <"$place/out"
}

# wait_for COMMAND...: until it succeeds; fails after ten seconds.
wait_for() {
    for _ in $(seq 100); do
        ! "$@" || return 0
        sleep 0.1
    done
    echo "still not: $*"
    return 1
}

tried() { find "$cache" -name 'cell-tried-*' | wc -l; }

# A program in the place of `warder` that only says how it was started. The policy's image is there before.
put_witness() {
    answer 'ls' >/dev/null
    cat >"$bin/warder" <<END
#!/bin/sh
{
    echo "args \$*"
    echo "directory \$(pwd)"
    echo "fds \$(ls /proc/self/fd | tr '\n' ' ')"
    echo "in \$(readlink /proc/self/fd/0)"
    echo "session \$(cut -d' ' -f6 /proc/self/stat)"
    tr '\0' '\n' </proc/self/environ | sed 's/^/variable /'
} >>$place/witness.\$\$
mv $place/witness.\$\$ $place/witnessed.\$\$
END
    chmod 755 "$bin/warder"
}

@test "the first call that could use it has the machine looked at; the next one runs in it" {
    [ "$(answer 'frobnicate x')" = ask ]
    wait_for test -e "$cache/cell"
    [ "$(jq -r .tier "$cache/cell")" = namespaces ]
    [ "$(stat -c %a "$cache/cell")" = 600 ]
    [ "$(answer 'frobnicate x')" = "allow contained" ]
    [ "$(answer 'npm test')" = "allow contained" ]
    [ "$(answer 'ls')" = allow ]
    [ "$(tried)" = 1 ]
    # nothing was left in the project or in /tmp
    [ -z "$(ls -A)" ]
    [ -z "$(find /tmp -maxdepth 1 -name 'warder-check-*' -newer "$place/passwd" -user "$(id -un)")" ]
}

@test "what only reads has nothing looked at" {
    answer 'ls' >/dev/null
    answer 'git status && cat README.md' >/dev/null
    sleep 0.5
    [ ! -e "$cache/cell" ]
    [ "$(tried)" = 0 ]
}

@test "neither has a policy that does not use it, nor a command that only says what would happen" {
    mkdir -p "$home/.config/warder"
    echo 'sandbox: {use: off}' >"$home/.config/warder/warder.yaml"
    [ "$(answer 'frobnicate x')" = ask ]
    rm "$home/.config/warder/warder.yaml"
    status=0
    inside "$bin/warder" check --client claude Bash 'frobnicate x' || status=$?
    [ "$status" = 2 ]
    sleep 0.5
    [ ! -e "$cache/cell" ]
    [ "$(tried)" = 0 ]
}

@test "of many hooks at a time one starts it, with nothing of what it was given" {
    put_witness
    for i in $(seq 8); do
        answer 'frobnicate x' SECRET=of-the-project LD_PRELOAD=/nowhere.so PATH="$home/project:$PATH" HOME=/elsewhere >"$place/said.$i" 3</etc/passwd &
    done
    wait
    wait_for compgen -G "$place/witnessed.*"
    sleep 0.5
    [ "$(compgen -G "$place/witnessed.*" | wc -l)" = 1 ]
    cat "$place"/witnessed.*
    grep -qx 'args sandbox check --unasked' "$place"/witnessed.*
    grep -qx 'directory /' "$place"/witnessed.*
    grep -qx 'in /dev/null' "$place"/witnessed.*
    grep -qx 'fds 0 1 2 3 ' "$place"/witnessed.* # the last one is that of ls itself
    [ "$(cat "$place"/witnessed.* | grep -c '^variable ..*')" = 0 ]
    # ... and it is nobody's child: of a session of its own
    [ "$(sed -n 's/^session //p' "$place"/witnessed.*)" != "$(cut -d' ' -f6 /proc/self/stat)" ]
}

@test "where it fails, nobody tries again by himself" {
    put_witness
    for _ in 1 2 3; do
        [ "$(answer 'frobnicate x')" = ask ]
    done
    sleep 0.5
    [ "$(compgen -G "$place/witnessed.*" | wc -l)" = 1 ]
    # a person does, and then it is there
    cp "$WARDER_BUILD/warder" "$bin/warder"
    inside "$bin/warder" sandbox check >/dev/null
    [ "$(answer 'frobnicate x')" = "allow contained" ]
}

@test "after a sandbox that could not be built it is looked at again, but not at every call" {
    inside "$bin/warder" sandbox check >/dev/null
    touch "$cache/cell-tried-$(cat /proc/sys/kernel/random/boot_id)-$(jq -r .build "$cache/cell")"
    [ "$(answer 'frobnicate x')" = "allow contained" ]
    # as warder-cell does it
    rm "$cache/cell"
    [ "$(answer 'frobnicate x')" = ask ]
    sleep 0.5
    [ ! -e "$cache/cell" ]
    touch -d '595 seconds ago' "$cache"/cell-tried-*
    [ "$(answer 'frobnicate x')" = ask ]
    sleep 0.5
    [ ! -e "$cache/cell" ]
    touch -d '601 seconds ago' "$cache"/cell-tried-*
    [ "$(answer 'frobnicate x')" = ask ]
    wait_for test -e "$cache/cell"
    [ "$(answer 'frobnicate x')" = "allow contained" ]
    [ "$(tried)" = 1 ]
    rm "$cache/cell"
    [ "$(answer 'frobnicate x')" = ask ]
    sleep 0.5
    [ ! -e "$cache/cell" ]
}

@test "after another start of the machine, or with another build, it is looked at again" {
    for kept in '{"tier":"namespaces","boot":"00000000-0000-0000-0000-000000000000","build":"x"}' 'no JSON'; do
        mkdir -p -m 700 "$cache"
        rm -f "$cache"/cell-tried-*
        touch "$cache/cell-tried-00000000-0000-0000-0000-000000000000-x"
        echo "$kept" >"$cache/cell"
        chmod 600 "$cache/cell"
        [ "$(answer 'frobnicate x')" = ask ]
        wait_for grep -q "$(cat /proc/sys/kernel/random/boot_id)" "$cache/cell"
        [ "$(answer 'frobnicate x')" = "allow contained" ]
        [ "$(tried)" = 1 ]
    done
}

@test "an agent that has ignored an answer stays left out until a person asks for the check" {
    inside "$bin/warder" sandbox check >/dev/null
    mkdir -p -m 700 "$home/.local/state/warder/cells"
    [ "$(answer 'frobnicate x')" = "allow contained" ]
    sleep 0.1
    touch "$home/.local/state/warder/cells/ignored-claude"
    [ "$(answer 'frobnicate x')" = ask ]
    # the machine is started again
    sed -i 's/"boot":"[^"]*"/"boot":"00000000-0000-0000-0000-000000000000"/' "$cache/cell"
    touch -d '1 hour ago' "$cache/cell"
    [ "$(answer 'frobnicate x')" = ask ]
    wait_for grep -q "$(cat /proc/sys/kernel/random/boot_id)" "$cache/cell"
    [ "$(answer 'frobnicate x')" = ask ]
    mkdir -p "$home/.claude"
    inside "$bin/warder" install claude --yes >/dev/null
    inside "$bin/warder" doctor claude >"$place/doctor" || true
    grep -q 'ran its own command, so its calls do not run in one until `warder sandbox check`' "$place/doctor"
    [ "$(answer 'frobnicate x')" = ask ]
    # ... also where the file is gone
    rm "$cache/cell" "$cache"/cell-tried-*
    [ "$(answer 'frobnicate x')" = ask ]
    wait_for test -e "$cache/cell"
    [ "$(answer 'frobnicate x')" = ask ]
    inside "$bin/warder" sandbox check >/dev/null
    [ "$(answer 'frobnicate x')" = "allow contained" ]
}

@test "the hook that has libraries starts it, too" {
    program="warder hook"
    [ "$(answer 'frobnicate x')" = ask ]
    wait_for test -e "$cache/cell"
    [ "$(answer 'frobnicate x')" = "allow contained" ]
}

@test "install and doctor look, and say in a line what it means" {
    mkdir -p "$home/.claude" "$home/.qwen"
    inside "$bin/warder" install claude --yes >"$place/said"
    grep -qx "Sandbox: namespaces: what nobody can judge runs in it without a question, and so does the project's own code (to switch it off: warder help sandbox check)." "$place/said"
    [ "$(answer 'frobnicate x')" = "allow contained" ]
    rm "$cache/cell"
    inside "$bin/warder" doctor claude >"$place/said" || true
    grep -q '^Sandbox: namespaces: what nobody can judge' "$place/said"
    [ -e "$cache/cell" ]
    [ "$(inside "$bin/warder" doctor claude --json | jq -r .sandbox)" = namespaces ]
    # an agent that runs its own command has none
    inside "$bin/warder" install qwen --yes >"$place/said"
    [ "$(grep -c Sandbox "$place/said")" = 0 ]
    # policy
    mkdir -p "$home/.config/warder"
    echo 'sandbox: {code: free}' >"$home/.config/warder/warder.yaml"
    inside "$bin/warder" doctor claude | grep -q '^Sandbox: namespaces: what nobody can judge runs in it without a question (to'
    echo 'sandbox: {use: off}' >"$home/.config/warder/warder.yaml"
    inside "$bin/warder" doctor claude | grep -q '^Sandbox: off: policy does not use it.$'
    [ "$(inside "$bin/warder" doctor claude --json | jq -r .sandbox)" = off ]
    echo 'profile: guild' >"$home/.config/warder/warder.yaml"
    inside "$bin/warder" doctor claude | grep -q '^Sandbox: off: policy does not use it.$'
}

@test "... of a machine that has the other one, or none" {
    mkdir -p "$home/.claude"
    inside unshare -Ur sh -c 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"' sh "$bin/warder" install claude --yes >"$place/said" || true
    grep -q "^Sandbox: landlock: the project's own code runs in it; what nobody can judge is asked about" "$place/said"
    jq '.tier = "none"' "$cache/cell" >"$cache/new"
    chmod 600 "$cache/new"
    mv "$cache/new" "$cache/cell"
    [ "$(answer 'frobnicate x')" = ask ]
    [ "$(answer 'npm test')" = allow ]
    sleep 0.3
    [ "$(tried)" = 0 ] # it is known that there is none
}
