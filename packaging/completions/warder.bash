# Completion of warder(1) for bash. tests/system/completion.bats compares it with the program's own table.

_warder() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    local rules='--profile --mode --policy --allow --ask --deny --project'
    local policy="$rules --cwd --home"
    local call='--input --plan-file --session --client --auto-allow --headless'
    local common='--json --help'
    local commands='check explain parse run hook install uninstall doctor import mcp acp'
    commands+=' rules policy profiles review log token serve approve trust untrust help'
    local data='--data --home'
    local service='--url --token-file --data --home'
    local filter='--decision --project --worker --session --tool --rule --since --until --text --limit'
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
            'rules list' | 'rules lint' | 'rules show' | 'rules add' | 'rules change' | 'rules remove' | 'rules audit' | \
                'review list' | 'review watch' | 'review show' | 'review approve' | 'review deny' | 'review promote' | \
                'policy show' | 'policy check' | 'mcp proxy' | 'acp proxy' | 'trust status' | \
                'token create' | 'token list' | 'token revoke' | \
                'log list' | 'log show' | 'log export' | 'log verify' | 'log head' | 'log rebuild' | 'log repair')
                command+=" ${COMP_WORDS[2]}"
                ;;
        esac
    fi

    COMPREPLY=()
    case $before in
        --profile) values='warder caliban waterfall guild mini mink' ;;
        --client) values="auto $clients" ;;
        --role) values='operator worker viewer' ;;
        --decision) values='auto-accept auto-deny human-accept human-deny timeout-deny ask' ;;
        --mode) values='default acceptEdits bypassPermissions dontAsk plan delegate auto' ;;
        --record-sync) values='always crash' ;;
        --status) values='pending approved denied expired' ;;
        --type) values='accept deny' ;;
        --policy | --plan-file | --anchor | --token-file | --socket | --tls-cert | --tls-key | --notify-command)
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
            return
            ;;
        --cwd | --home | --project | --data)
            mapfile -t COMPREPLY < <(compgen -d -- "$word")
            return
            ;;
        --allow | --ask | --deny | --input | -c | --timeout | --name | --session) return ;;
        --listen | --review-timeout | --retention | --host | --notify-webhook) return ;;
        --url | --reason | --cooldown | --pattern | --scope | --command) return ;;
        --worker | --tool | --rule | --since | --until | --text | --limit | --cursor) return ;;
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
            install | uninstall) options="$clients --user --project --managed --dry-run --home --yes $common" ;;
            import) options="codex gemini opencode cursor copilot --write --home $common" ;;
            doctor) options="$clients --home $common" ;;
            mcp) options="proxy $policy $common" ;;
            acp) options='proxy --help' ;;
            'acp proxy') options="$policy $common" ;;
            'mcp proxy') options="--name $policy $common" ;;
            hook) options="--client --timeout --data --image $policy $common" ;;
            rules) options='list lint show add change remove audit --help' ;;
            'rules add') options="--type --scope --reason --dry-run $service $common" ;;
            'rules change') options="--pattern --type --scope --reason $service $common" ;;
            'rules remove') options="$service $common" ;;
            'rules audit') options="--type --scope --command --since --limit $service $common" ;;
            review) options="list watch show approve deny promote $service $common" ;;
            'review list') options="--status $service $common" ;;
            'review approve' | 'review deny') options="--reason $service $common" ;;
            'review promote') options="--reason --rule --cooldown $service $common" ;;
            'review '*) options="$service $common" ;;
            policy) options='show check --help' ;;
            'rules '* | 'policy '*) options="$policy $common" ;;
            approve) options="--list --home $common" ;;
            serve)
                options='--listen --socket --review-timeout --cooldown --retention --record-sync --tls-cert --tls-key --host --notify-command --notify-webhook'
                options+=" --profile --mode --policy $data $common"
                ;;
            token) options='create list revoke --help' ;;
            'token create') options="--role --name --policy $data $common" ;;
            'token '*) options="$data $common" ;;
            log) options="list show export verify head rebuild repair $filter --cursor --follow $data $common" ;;
            'log list') options="$filter --cursor --follow $data $common" ;;
            'log export') options="$filter $data $common" ;;
            'log verify') options="--anchor $data $common" ;;
            'log head') options="--anchor --journald $data $common" ;;
            'log '*) options="$data $common" ;;
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
