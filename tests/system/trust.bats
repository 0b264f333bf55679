#!/usr/bin/env bats
# Trust counts for a place and the content of its policy files. git says which work trees belong to one repository.

load common

setup() {
    warder=$WARDER_BUILD/warder
    export HOME=$BATS_TEST_TMPDIR/home
    unset XDG_CONFIG_HOME XDG_STATE_HOME WARDER_CONFIG
    export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b GIT_CONFIG_NOSYSTEM=1
    mkdir -p "$HOME/work"
    project "$HOME/work/main"
    cd "$HOME/work/main" || return 1
    "$warder" trust --yes
}

# project DIR: a repository whose policy allows a script of its own.
project() {
    mkdir -p "$1/.warder" "$1/tools"
    echo 'allow: ["Bash(./tools/deploy.sh:*)"]' >"$1/.warder/warder.yaml"
    printf '#!/bin/sh\n' >"$1/tools/deploy.sh"
    chmod +x "$1/tools/deploy.sh"
    git -C "$1" init -q
    git -C "$1" add -A
    git -C "$1" commit -qm 1
}
trusted() {
    expect 0 "$warder" trust status "$1"
    (cd "$1" && expect 0 "$warder" check Bash './tools/deploy.sh x')
}
untrusted() {
    expect 1 "$warder" trust status "$1"
    (cd "$1" && expect 2 "$warder" check Bash './tools/deploy.sh x')
}

@test "a copy of the policy in another repository is not trusted, and it is said where it is" {
    project "$HOME/work/stranger"
    trusted "$HOME/work/main"
    untrusted "$HOME/work/stranger"
    expect 1 "$warder" trust status "$HOME/work/stranger"
    says "are trusted in $HOME/work/main"
    cd "$HOME/work/stranger"
    expect 2 "$warder" check Bash './tools/deploy.sh x'
    complains "these policy files are trusted in $HOME/work/main"
    expect 1 "$warder" trust status --json
    jq -e --arg at "$HOME/work/main" '.reason.elsewhere == $at' <<<"$output"
    "$warder" trust --yes
    trusted "$HOME/work/stranger"
}

@test "work trees of the repository share it, in both directions" {
    git worktree add -q "$HOME/work/linked" HEAD
    trusted "$HOME/work/linked"
    "$warder" untrust
    untrusted "$HOME/work/main"
    untrusted "$HOME/work/linked"
    (cd "$HOME/work/linked" && "$warder" trust --yes)
    trusted "$HOME/work/main"
    git worktree move "$HOME/work/linked" "$HOME/work/elsewhere"
    trusted "$HOME/work/elsewhere"
    git worktree add -q "$HOME/work/second" HEAD
    trusted "$HOME/work/second"
    echo 'deny: [Read]' >>"$HOME/work/second/.warder/warder.yaml"
    untrusted "$HOME/work/second"
}

@test "a project below the top of a work tree is that directory in every work tree, and no other" {
    mkdir sub other
    cp -r .warder tools sub
    cp -r .warder tools other
    git add -A && git commit -qm 2
    "$warder" untrust
    (cd sub && "$warder" trust --yes)
    git worktree add -q "$HOME/work/linked" HEAD
    trusted "$HOME/work/linked/sub"
    untrusted "$HOME/work/linked/other"
    untrusted "$HOME/work/linked"
}

# The stranger's side says what it likes; git believes each of these.
@test "a stranger cannot claim the repository" {
    git worktree add -q "$HOME/work/linked" HEAD
    project "$HOME/work/stranger"
    cd "$HOME/work/stranger"
    mv .git ../kept.git
    printf 'gitdir: %s\n' "$HOME/work/main/.git" >.git
    git status >/dev/null
    untrusted "$PWD"
    cp ../linked/.git .git
    git status >/dev/null
    untrusted "$PWD"
    rm .git
    ln -s ../main/.git .git
    git status >/dev/null
    untrusted "$PWD"
    rm .git
    ln -s ../linked/.git .git
    git status >/dev/null
    untrusted "$PWD"
    # A git directory of its own that names the trusted one as its common directory.
    rm .git
    mv ../kept.git .git
    echo "$HOME/work/main/.git" >.git/commondir
    git status >/dev/null
    untrusted "$PWD"
    # And one outside it, with a back-link.
    mv .git ../forged
    echo "$PWD/.git" >../forged/gitdir
    echo "gitdir: $HOME/work/forged" >.git
    git status >/dev/null
    untrusted "$PWD"
}

@test "the place is where links lead" {
    project "$HOME/work/stranger"
    ln -s main "$HOME/work/name"
    trusted "$HOME/work/name"
    mv "$HOME/work/main" "$HOME/work/kept"
    ln -s stranger "$HOME/work/main"
    untrusted "$HOME/work/main"
}

@test "a moved project asks again and says why" {
    cd "$HOME"
    mv work/main work/moved
    untrusted "$HOME/work/moved"
    expect 1 "$warder" trust status work/moved
    says "are trusted in $HOME/work/main"
    expect 64 "$warder" trust work/moved </dev/null
    complains "are trusted in $HOME/work/main"
    mv work/moved work/main
    trusted "$HOME/work/main"
}

@test "other files in a trusted place are said to be other files" {
    echo 'deny: [Read]' >>.warder/warder.yaml
    expect 1 "$warder" trust status
    says 'not those that were trusted'
}

@test "trust list shows places and repositories" {
    expect 0 "$warder" trust list
    says "$HOME/work/main  and the work trees of $HOME/work/main/.git"
    expect 0 "$warder" trust list --json
    jq -e --arg at "$HOME/work/main" '.trusted | length == 1 and .[0].project == $at and .[0].repository == $at + "/.git"' <<<"$output"
    "$warder" untrust
    expect 0 "$warder" trust list
    [ -z "$output" ]
}

# The hook keeps the policy that it has read as an image: it must see that the work tree is no longer one.
@test "a work tree that stops being one is not trusted from then on" {
    git worktree add -q "$HOME/work/linked" HEAD
    cd "$HOME/work/linked"
    judge() {
        printf '{"session_id":"s","cwd":"%s","hook_event_name":"PreToolUse","permission_mode":"default","tool_name":"Bash","tool_input":{"command":"./tools/deploy.sh x"}}' "$PWD" |
            CLAUDE_PROJECT_DIR=$PWD "$WARDER_BUILD/warder-hook" --home "$HOME" --client claude | jq -r .hookSpecificOutput.permissionDecision
    }
    [ "$(judge)" = allow ]
    [ "$(judge)" = allow ]
    rm .git
    git init -q
    [ "$(judge)" = ask ]
}

@test "everything that trust switches on is shown, in every file that the hash covers" {
    cd "$HOME/work" && mkdir -p all/.caliban all/.claude all/.warder/hooks && cd all
    printf '[[rule]]\ntool = "Bash:curl *"\naction = "allow"\n' >.caliban/permissions.toml
    cat >.claude/settings.json <<'END'
{"permissions": {"allow": ["Bash(make:*)"], "additionalDirectories": ["/srv/other"], "defaultMode": "acceptEdits"},
 "allowedTools": ["WebFetch"], "disabledTools": ["Agent"], "disableAllHooks": true}
END
    cat >.warder/warder.yaml <<'END'
deny: ["Bash(rm:*)"]
hooks: {PreToolUse: [{hooks: [{type: command, command: ./.warder/hooks/check.sh}]}]}
END
    printf '#!/bin/sh\n' >.warder/hooks/check.sh
    expect 0 "$warder" trust --yes
    for shown in .caliban/permissions.toml .claude/settings.json .warder/warder.yaml .warder/hooks/check.sh 'Bash:curl \*' \
        'Bash(make:\*)' /srv/other acceptEdits WebFetch Agent 'check.sh' 'own hooks are switched off' 'Bash(rm:\*)'; do
        grep -q -- "$shown" <<<"$output" || {
            echo "not shown: $shown in $output"
            return 1
        }
    done
    "$warder" untrust
    expect 0 "$warder" trust --yes --json
    json=$(
        "$warder" untrust >/dev/null
        "$warder" trust --yes --json 2>/dev/null
    )
    jq -e '.preview | (.files | length) == 4 and .allowedTools == ["WebFetch"] and .additionalDirectories == ["/srv/other"]
        and .mode == "acceptEdits" and .disableAllHooks and (.rules | length) == 3' <<<"$json"
}

@test "a project with files of another model alone can be trusted, with its rules shown" {
    mkdir -p "$HOME/work/caliban/.caliban" && cd "$HOME/work/caliban"
    printf '[[rule]]\ntool = "*"\naction = "allow"\n' >.caliban/permissions.toml
    expect 2 "$warder" check --profile caliban Bash 'curl x.example'
    expect 0 "$warder" trust --yes
    says '.caliban/permissions.toml'
    says 'allow'
    expect 0 "$warder" check --profile caliban Bash 'curl x.example'
}

@test "trust --profile shows rules as that profile reads them" {
    mkdir -p "$HOME/work/mini/.warder" && cd "$HOME/work/mini"
    echo 'deny: ["Bash(curl:*)"]' >.warder/warder.yaml
    expect 64 "$warder" trust --profile mini </dev/null
    says 'does not mark a prefix in this profile'
    expect 64 "$warder" trust </dev/null
    says 'Bash(curl:'
    expect 64 "$warder" trust --profile none
}
