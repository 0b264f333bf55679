# Completion of warder(1) for bash. tests/system/completion.bats compares it with the program's own table.

_warder() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    local rules='--profile --mode --policy --allow --ask --deny --project'
    local policy="$rules --cwd --home"
    local call='--input --plan-file --auto-allow --headless'
    local common='--json --help'
    local commands='check explain parse run hook install uninstall doctor import mcp acp'
    commands+=' rules policy profiles approve trust untrust help'
    local clients='claude codex gemini copilot qwen opencode cursor windsurf crush cline droid kiro kimi vscode'
    local options values=''

    # "--mode=plan" arrives as three words.
    if [ "$word" = = ]; then
        word=''
    elif [ "$before" = = ]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    if [ "$COMP_CWORD" -gt 2 ]; then
        case "$command ${COMP_WORDS[2]}" in
            'rules list' | 'rules lint' | 'rules show' | 'policy show' | 'policy check' | 'mcp proxy' | 'acp proxy' | 'trust status')
                command+=" ${COMP_WORDS[2]}"
                ;;
        esac
    fi

    COMPREPLY=()
    case $before in
        --profile) values='warder caliban waterfall guild mini mink' ;;
        --client) values="auto $clients" ;;
        --mode) values='default acceptEdits bypassPermissions dontAsk plan delegate auto' ;;
        --policy | --plan-file)
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
            return
            ;;
        --cwd | --home | --project)
            mapfile -t COMPREPLY < <(compgen -d -- "$word")
            return
            ;;
        --allow | --ask | --deny | --input | -c | --timeout | --name | --session) return ;;
    esac
    if [ -n "$values" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word")
        return
    fi

    if [ "$COMP_CWORD" = 1 ]; then
        options="$commands $common --version"
    else
        case $command in
            check) options="$policy $call --jsonl $common" ;;
            explain) options="$policy $call --jsonl $common" ;;
            parse) options="-c $policy $common" ;;
            run) options="-c --session --auto-allow --headless $rules $common" ;;
            hook) options="--client --timeout $policy $common" ;;
            install | uninstall) options="$clients --user --project --managed --dry-run --home --yes $common" ;;
            import) options="codex gemini opencode cursor copilot --write --home $common" ;;
            doctor) options="$clients --home $common" ;;
            mcp) options="proxy $policy $common" ;;
            acp) options='proxy --help' ;;
            'acp proxy') options="$policy $common" ;;
            'mcp proxy') options="--name $policy $common" ;;
            rules) options='list lint show --help' ;;
            policy) options='show check --help' ;;
            'rules '* | 'policy '*) options="$policy $common" ;;
            approve) options="--list --home $common" ;;
            trust) options="status --home --yes $common" ;;
            'trust status' | untrust) options="--home $common" ;;
            help) options="$commands $common" ;;
            *) options=$common ;;
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    case $command:$word in
        *:-*) ;;
        'policy check:'* | parse:*) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
        run:*) mapfile -t COMPREPLY < <(compgen -c -f -- "$word") ;;
        trust:* | 'trust status:'* | untrust:*) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "$word") ;;
    esac
}
complete -F _warder warder
