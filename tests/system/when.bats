#!/usr/bin/env bats
# When a rule counts, by a real hook: the client, the time, and the beginning of the session.
load common

setup() {
    warder=$WARDER_BUILD/warder
    export HOME=$BATS_TEST_TMPDIR/home
    unset XDG_CONFIG_HOME XDG_STATE_HOME WARDER_CONFIG CLAUDE_PROJECT_DIR
    mkdir -p "$HOME/.config/warder" "$HOME/project"
    chmod -R go-rwx "$HOME"
    cd "$HOME/project" || return
}

policy() {
    cat >"$HOME/.config/warder/warder.yaml"
}

# hook COMMAND [SESSION]: what the hook decides.
hook() {
    jq -nc --arg c "$1" --arg s "${2-s1}" --arg d "$PWD" '{session_id: $s, transcript_path: "/x", cwd: $d,
        permission_mode: "default", hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: {command: $c},
        tool_use_id: "t1"}' | "$warder" hook --home "$HOME" --client claude | jq -r .hookSpecificOutput.permissionDecision
}

@test "for: as long as the session is young, and again in a new one" {
    policy <<'END'
allow:
  - {rule: "Bash(mv:*)", when: {for: 2h}}
deny:
  - {rule: "Bash(touch:*)", when: {for: 1s}}
END
    [ "$(hook 'touch a')" = deny ]
    [ "$(hook 'mv a b')" = allow ]
    sleep 2
    [ "$(hook 'touch a')" = ask ]
    [ "$(hook 'touch a' s2)" = deny ]
    [ "$(hook 'mv a b')" = allow ]
}

@test "for: without a session a deny counts, and an allow does not" {
    policy <<'END'
allow:
  - {rule: "Bash(mv:*)", when: {for: 2h}}
deny:
  - {rule: "Bash(touch:*)", when: {for: 1s}}
END
    expect 1 "$warder" check --home "$HOME" Bash 'touch a'
    expect 2 "$warder" check --home "$HOME" Bash 'mv a b'
}

@test "client and until" {
    policy <<'END'
allow:
  - {rule: "Bash(mv:*)", when: {client: claude, until: 2999-12-31}}
  - {rule: "Bash(cp:*)", when: {client: codex}}
  - {rule: "Bash(ln:*)", when: {until: 2020-12-31}}
END
    [ "$(hook 'mv a b')" = allow ]
    [ "$(hook 'cp a b')" = ask ]
    [ "$(hook 'ln a b')" = ask ]
}

@test "rules list says when" {
    policy <<'END'
deny:
  - {rule: "Bash(mv:*)", when: {mode: plan, until: 2999-12-31}, unless: ["Bash(mv a b)"]}
END
    expect 0 "$warder" rules list --home "$HOME"
    says 'when mode plan; until 3000-01-01T00:00:00.000Z; unless Bash(mv a b)'
}
