#!/usr/bin/env bats
# `warder learn`: rules from what people accepted, and everything that must never become one.

load common

setup() {
    warder=$WARDER_BUILD/warder
    export HOME=$BATS_TEST_TMPDIR/home
    export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
    unset XDG_CONFIG_HOME XDG_STATE_HOME WARDER_CONFIG CHIMERA_MINK_SETTINGS_PATH
    mkdir -p "$HOME/project/scripts"
    cd "$HOME/project" || return
    git init -q . 2>/dev/null
    umask 022
    calls=$BATS_TEST_TMPDIR/calls.jsonl
    : >"$calls"
}

# call SESSION ANSWER COMMAND [MODE]
call() {
    jq -nc --arg s "$1" --arg a "$2" --arg c "$3" --arg m "${4-default}" --arg d "$PWD" \
        '{tool: "Bash", input: {command: $c}, cwd: $d, project: $d, session: $s, mode: $m, answer: $a}' >>"$calls"
}

# accepted COMMAND...: each in two sessions.
accepted() {
    local c
    for c; do
        call s1 accept "$c"
        call s2 accept "$c"
    done
}

learn() {
    "$warder" learn --jsonl "$calls" "$@"
}

# The rules that are offered, those with a tick marked.
offered() {
    learn --json | jq -r '.learned.offers[] | "\(if .ticked then "x" else "-" end) \(.rule // "wrapper " + .wrapper)"'
}

@test "what was accepted in two sessions is a rule of program and subcommand" {
    accepted 'git push origin main' 'gh pr create -t x'
    [ "$(offered)" = $'- Bash(git push:*)\n- Bash(gh pr create:*)' ]
    expect 0 learn
    says '2 calls in 2 sessions'
    says 'git push https://elsewhere.example/x'
    says 'rules of the first half of the sessions (1), tried on the other (1)'
}

@test "one session is not enough, however many spellings it has" {
    for i in 1 2 3 4 5 6 7 8 9; do call s1 accept "git push origin b$i"; done
    [ -z "$(offered)" ]
    expect 0 learn
    says 'no rule can be learned'
}

@test "any rejection is a veto, however it is spelled" {
    accepted 'git push origin main'
    for c in 'git push -f' 'echo push | xargs git' 'git push "$(cat f)" && rm -rf x' 'git -C . push' 'sudo git push' 'cd x && git push' "bash -c 'git push'"; do
        sed '/reject/d' -i "$calls"
        call s3 reject "$c"
        [ -z "$(offered)" ]
    done
}

@test "what a rule cannot bound is never offered" {
    accepted 'sudo ls' 'cat ~/.ssh/id_rsa' 'git reset --hard' 'rm -rf build' 'rm x' 'npm install left-pad' 'systemctl restart x' \
        "python3 -c 'import os; os.remove(1)'" "perl -e 'x'" "PATH=/x ls" 'curl "$HOST/x"' 'kill 1' 'sh <<< x' 'LD_PRELOAD=x ls' 'echo a > b' 'mv a b' \
        'find / -name x' '/opt/tool x' 'git push "$(cat f)"' 'ssh example.org ls' 'printenv' 'git clone ext::x'
    [ -z "$(offered)" ]
}

@test "what writes files of the workspace is this one command" {
    accepted 'mkdir -p out' 'cp a out/b'
    [ "$(offered)" = $'x Bash(mkdir -p out)\n- Bash(cp a out/b)' ] # what is in `a` next time, nobody knows
    learn --json --tick 2 >p.json
    expect 0 "$warder" check --policy p.json Bash 'mkdir -p out && cp a out/b'
    expect 2 "$warder" check --policy p.json Bash 'mkdir -p other'
    expect 2 "$warder" check --policy p.json Bash 'cp a out/c'
}

@test "a host is named, and each needs two sessions" {
    accepted 'curl https://api.example.com/a'
    call s1 accept 'curl https://other.example.com/'
    [ "$(learn --json | jq -c '.learned.offers[0].entry.within')" = '{"hosts":["api.example.com"]}' ]
    learn --json --tick 1 >p.json
    expect 0 "$warder" check --policy p.json Bash 'curl https://api.example.com/b'
    expect 2 "$warder" check --policy p.json Bash 'curl https://other.example.com/'
    expect 2 "$warder" check --policy p.json Bash 'curl https://api.example.com.evil.org/'
    expect 2 "$warder" check --policy p.json Bash 'curl -o /srv/x https://api.example.com/b'
}

@test "what sends, scripts and unknown programs have no tick" {
    touch scripts/x.sh scripts/y.py
    accepted 'git push' './scripts/x.sh a' 'python3 scripts/y.py' 'deploytool status a' 'deploytool ./f' 'deploytool -v'
    [ "$(offered)" = "- Bash(git push:*)
- Bash(./scripts/x.sh:*)
- Bash(python3 scripts/y.py:*)
- Bash(deploytool status:*)
- Bash(deploytool ./f)
- Bash(deploytool -v)" ]
    [ "$(learn --json | jq -c '.allow')" = '[]' ]
    [ "$(learn --json --tick 2,4 | jq -c '[.allow[].rule]')" = '["Bash(./scripts/x.sh:*)","Bash(deploytool status:*)"]' ]
    expect 64 learn --tick 9
    complains 'no rule has the number 9'
    expect 64 learn --tick a
}

@test "a wrapper is declared when five known commands went through it" {
    accepted 'withlock git status' 'withlock npm test' 'withlock ls -la' 'withlock go vet ./...'
    [[ "$(offered)" != *wrapper* ]]
    accepted 'withlock make all'
    [ "$(offered)" = 'x wrapper withlock' ]
    learn --json >p.json
    expect 0 "$warder" check --policy p.json Bash 'withlock git log'
    expect 2 "$warder" check --policy p.json Bash 'withlock git push'
    expect 2 "$warder" check --policy p.json Bash 'withlock rm -rf x'
    expect 2 "$warder" check --policy p.json Bash './withlock git log'
}

@test "... with a subcommand and a --, and not one of the agent's own" {
    for c in 'git status' 'npm test' 'ls -la' 'go vet ./...' 'make all'; do accepted "runner exec -- $c" "./w $c" "node_modules/.bin/w $c"; done
    [ "$(offered | grep wrapper)" = 'x wrapper runner exec' ]
    learn --json >p.json
    expect 0 "$warder" check --policy p.json Bash 'runner exec -- git log'
    expect 2 "$warder" check --policy p.json Bash 'runner other -- git log'
}

@test "a program whose subcommands are called like programs is no wrapper" {
    accepted 'tool find x' 'tool diff a b' 'tool sort x' 'tool git status' 'tool make y' 'tool ls'
    [[ "$(offered)" == *'wrapper tool'* ]] # all that is known of it speaks for it
    call s1 accept 'tool frobnicate'
    [[ "$(offered)" != *wrapper* ]]
}

@test "a call in a mode in which no one is asked says nothing" {
    for m in bypassPermissions dontAsk never/danger-full-access auto; do
        : >"$calls"
        call s1 accept 'git push' "$m"
        call s2 accept 'git push' "$m"
        [ -z "$(offered)" ]
    done
    call s3 accept 'git push' acceptEdits
    call s4 accept 'git push' default
    [ "$(offered)" = '- Bash(git push:*)' ]
}

@test "the same call in a session that was resumed is one call" {
    accepted 'git push'
    jq -c '. + {id: "toolu_1"}' "$calls" >c2 && mv c2 "$calls"
    [ -z "$(offered)" ]
}

@test "what the policy allows already is not learned, and what a rule asks about stays an ask" {
    accepted 'git push'
    mkdir -p "$HOME/.config/warder"
    echo 'allow: ["Bash(git push:*)"]' >"$HOME/.config/warder/warder.yaml"
    [ -z "$(offered)" ]
    echo 'ask: ["Bash(git push:*)"]' >"$HOME/.config/warder/warder.yaml"
    [ -z "$(offered)" ]
    expect 0 learn
    says 'is asked about, whatever the rules say'
}

@test "a line that cannot be read is an error: it may have been a rejection" {
    accepted 'git push'
    cp "$calls" good
    for l in '{"tool": "Bash", "answer": "reject"' '{"tool": "Bash", "answer": "reject"}' '[]' \
        '{"input": {"command": "git push"}, "answer": "reject"}' '{"tool": "Bash", "input": {"command": "git push"}, "answer": "Reject"}' \
        '{"tool": "Bash", "input": {"command": "git push"}, "answer": true}'; do
        (cat good && echo "$l") >"$calls"
        expect 65 learn
    done
    (cat good && echo '{"tool": "Bash", "input": {"command": "git push"}, "answer": "reject", "cwd": "x"}') >"$calls"
    [ -z "$(offered)" ]
    [ "$(learn --project "$PWD" --json | jq '.learned.offers | length')" = 0 ]
}

@test "names of tools and words that the agent chose are no patterns" {
    jq -nc --arg d "$PWD" '("s1", "s2") as $s | ("mcp__srv__*", "*", "mcp__srv__get") | {tool: ., input: {x: 1}, cwd: $d, project: $d,
        session: $s, answer: "accept"}' >>"$calls"
    accepted "tool '*'" "tool 'a:*'" "tool 'a) Bash(*'" "'t*' x"
    [ "$(offered)" = '- mcp__srv__get
- Bash(tool \*)
- Bash(tool a:\*)
- Bash(tool a\) Bash\(\*)' ]
}

@test "the log: asks and answers of the same project" {
    for s in s1 s2; do
        jq -nc --arg s "$s" --arg d "$PWD" '{kind: "decision", id: ("d_" + $s), session_id: $s, tool: "Bash", command: "git push",
            decision: "human-accept", cwd: $d, timestamp: "2026-03-01T10:00:00.000Z"}' >>"$calls"
    done
    [ "$(offered)" = '- Bash(git push:*)' ]
    expect 0 learn
    says '2026-03-01 to 2026-03-01'
    jq -nc --arg d "$PWD" '{kind: "decision", id: "d_3", session_id: "s9", tool: "Bash", command: "git push x [REDACTED]",
        decision: "human-deny", cwd: $d, timestamp: "2026-03-01T10:00:00.000Z"}' >>"$calls"
    [ -z "$(offered)" ]
    expect 0 "$warder" learn
    says '0 calls of 0 sessions'
}

# claude SESSION COMMAND MODE RESULT: a session with one call.
claude() {
    local f="$HOME/.claude/projects/-p/$1.jsonl"
    mkdir -p "${f%/*}"
    jq -nc --arg s "$1" --arg m "$3" --arg d "$PWD" '{type: "user", sessionId: $s, cwd: $d, permissionMode: $m,
        message: {role: "user", content: "go"}}' >>"$f"
    jq -nc --arg s "$1" --arg c "$2" --arg d "$PWD" '{type: "assistant", sessionId: $s, cwd: $d, timestamp: "2026-01-02T03:04:05.678Z",
        message: {role: "assistant", content: [{type: "text", text: "x"}, {type: "tool_use", id: ("toolu_" + $s), name: "Bash", input: {command: $c}}]}}' >>"$f"
    jq -nc --arg s "$1" --arg r "$4" '{type: "user", sessionId: $s, message: {role: "user", content: [{type: "tool_result",
        tool_use_id: ("toolu_" + $s), is_error: ($r != "ok"), content: $r}]}}' >>"$f"
}

@test "transcripts of Claude Code" {
    claude a 'git push' default ok
    claude b 'git push' acceptEdits ok
    claude c 'gh pr create' bypassPermissions ok
    claude d 'gh pr create' bypassPermissions ok
    from() { "$warder" learn --from "$1" --json | jq -r '.learned.offers[].rule'; }
    [ "$(from claude)" = 'Bash(git push:*)' ]
    [ "$(from "$HOME/.claude/projects")" = 'Bash(git push:*)' ]
    echo 'not JSON' >>"$HOME/.claude/projects/-p/a.jsonl"
    expect 0 "$warder" learn --from claude
    says '1 lines of transcripts could not be read'
    claude e 'git push --force' default "The user doesn't want to proceed with this tool use. The tool use was rejected"
    [ -z "$(from claude)" ]
    chmod o+w "$HOME/.claude/projects/-p/a.jsonl"
    expect 65 "$warder" learn --from claude
}

# codex SESSION POLICY ESCALATED OUTPUT COMMAND
codex() {
    local f="$HOME/.codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-$1.jsonl"
    mkdir -p "${f%/*}"
    jq -nc --arg s "$1" --arg p "$2" --arg e "$3" --arg o "$4" --arg c "$5" --arg d "$PWD" '
        {type: "session_meta", payload: {id: $s, cwd: $d}},
        {type: "turn_context", payload: {cwd: $d, approval_policy: $p}},
        {type: "response_item", payload: {type: "function_call", name: "exec_command", call_id: ("call_" + $s),
            arguments: ({cmd: $c, sandbox_permissions: $e} | tojson)}},
        {type: "response_item", payload: {type: "function_call_output", call_id: ("call_" + $s), output: $o}}' >>"$f"
}

@test "transcripts of Codex" {
    from() { "$warder" learn --from codex --json | jq -r '.learned.offers[].rule'; }
    codex a on-request require_escalated ok 'git push'
    codex b on-request use_default ok 'git push'
    codex c never require_escalated ok 'git push'
    [ -z "$(from)" ]
    codex d untrusted use_default ok 'git push'
    [ "$(from)" = 'Bash(git push:*)' ]
    codex e on-request require_escalated 'exec command rejected by user' 'git push'
    [ -z "$(from)" ]
}

@test "--write shows the change, asks, and --undo takes it back" {
    accepted 'git push'
    expect 1 learn --write --yes
    complains 'nothing to write'
    expect 64 learn --write --tick 1 </dev/null
    says '+   - {"rule":"Bash(git push:*)"'
    complains 'run it again with --yes'
    [ ! -e .warder/warder.local.yaml ]
    expect 0 learn --write --tick 1 --yes
    grep -q 'learned: 2 calls in 2 sessions' .warder/warder.local.yaml
    expect 0 "$warder" check Bash 'git push origin x'
    expect 0 "$warder" trust status
    sed -i '1i # mine' .warder/warder.local.yaml
    expect 0 "$warder" trust --yes
    expect 0 "$warder" learn --undo --yes
    says '-   - {"rule":"Bash(git push:*)"'
    [ "$(cat .warder/warder.local.yaml)" = '# mine' ]
    expect 2 "$warder" check Bash 'git push origin x'
    expect 64 "$warder" learn --undo --yes
    complains 'no learned change'
}

@test "... in the user's policy, in every syntax" {
    accepted 'git push'
    for c in 'git status' 'npm test' 'ls -la' 'go vet ./...' 'make all'; do accepted "withlock $c"; done
    local dir=$HOME/.config/warder
    for f in warder.yaml warder.toml warder.json; do
        rm -rf "$dir"
        mkdir -p "$dir"
        case $f in *.json) echo '{"deny": ["Bash(x)"]}' ;; *.toml) echo 'deny = ["Bash(x)"]' ;; *) echo 'deny: ["Bash(x)"]' ;; esac >"$dir/$f"
        cp "$dir/$f" before
        expect 0 learn --user --write --tick 1 --yes
        expect 0 "$warder" policy check "$dir/$f"
        expect 0 "$warder" check Bash 'withlock git status && git push'
        expect 0 "$warder" learn --undo --yes
        cmp before "$dir/$f"
    done
    rm -rf "$dir"
    expect 0 learn --user --write --tick 1 --yes
    expect 0 "$warder" check Bash 'git push'
}

@test "an agent may not learn by itself" {
    expect 1 "$warder" check Bash 'warder learn --write --yes'
    expect 1 "$warder" check --allow 'Bash(warder:*)' Bash 'warder learn --undo --yes'
}
