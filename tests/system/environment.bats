#!/usr/bin/env bats
# The environment of a hook belongs to the project: variables, libraries, limits. A denied call is denied or blocked in
# each of them, never silently let through.

load common

setup() {
    warder=$WARDER_BUILD/warder
    hook=$WARDER_BUILD/warder-hook
    [ -x "$hook" ] || skip "this build has no warder-hook (it needs musl-gcc)"
    export HOME=$BATS_TEST_TMPDIR/home SHELL=/bin/bash
    unset XDG_CONFIG_HOME XDG_STATE_HOME XDG_RUNTIME_DIR WARDER_CONFIG CLAUDE_PROJECT_DIR
    mkdir -p "$HOME/project/lib" "$HOME/.config/warder"
    cd "$HOME/project" || return
    echo 'deny: ["Bash(touch *)", "Write"]' >"$HOME/.config/warder/warder.yaml"
    event=$(event_of 'touch made.txt')
}

event_of() {
    printf '{"session_id":"s","transcript_path":"t","prompt_id":"p","cwd":"%s","permission_mode":"default",' "$PWD"
    printf '"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"%s"},"tool_use_id":"u"}' "$1"
}

# on_event COMMAND...: output, stderr and status are set.
on_event() {
    status=0
    printf '%s' "$event" | "$@" >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" || status=$?
    output=$(<"$BATS_TEST_TMPDIR/out")
    stderr=$(<"$BATS_TEST_TMPDIR/err")
}

# with VARIABLE=VALUE...: the hook in this environment.
with() { on_event env "$@" "$hook" --home "$HOME" --client claude; }

decision() { jq -r .hookSpecificOutput.permissionDecision <<<"$output"; }

denied() {
    [ "$status" = 0 ] && [ "$(decision)" = deny ] || {
        echo "not denied: exit $status, out: $output, err: $stderr"
        return 1
    }
}

# blocked WHY: exit 2, no answer, one line that names the reason.
blocked() {
    if [ "$status" != 2 ] || [ -n "$output" ] || [ "$(wc -l <"$BATS_TEST_TMPDIR/err")" != 1 ] || [[ $stderr != *"$1"* ]]; then
        echo "exit $status, out: $output, err: $stderr"
        return 1
    fi
}

forget_image() { rm -rf "$HOME/.cache/warder"; }

# in_place PASSWD COMMAND...: with this text as the user database, and the user that it calls root.
in_place() {
    local passwd=$BATS_TEST_TMPDIR/passwd
    printf '%s\n' "$1" >"$passwd"
    shift
    unshare -rm true 2>/dev/null || skip "this system has no user namespaces"
    # shellcheck disable=SC2016
    unshare -rm sh -c 'mount --bind "$0" /etc/passwd && exec "$@"' "$passwd" "$@"
}

@test "variables of the loader do not keep warder from judging" {
    needed=$(ldd "$warder" | sed -n 's/^\t\([^ ]*\) => .*/\1/p')
    [ -n "$needed" ]
    for library in $needed; do echo text >"lib/$library"; done
    for variable in "LD_LIBRARY_PATH=$PWD/lib" LD_LIBRARY_PATH=/proc/self/cwd/lib LD_TRACE_LOADED_OBJECTS=1 \
        "LD_PRELOAD=$PWD/lib/x" "LD_AUDIT=$PWD/lib/x" LD_DEBUG=all LD_BIND_NOW=1 \
        GLIBC_TUNABLES=glibc.malloc.check=3 MALLOC_PERTURB_=165 GCONV_PATH=. LOCPATH=. NLSPATH=. \
        LC_ALL=xx_XX.UTF-8 TZ=:/dev/zero TMPDIR=/nonexistent OPENSSL_CONF=/dev/zero OPENSSL_MODULES=.; do
        forget_image
        with "$variable"
        denied && [ -z "$stderr" ] || {
            echo "$variable, handed over: $stderr"
            return 1
        }
        with "$variable"
        denied || {
            echo "$variable, by the image"
            return 1
        }
    done
}

@test "where a shell around the hook prints something first, the hook gives no answer but a block" {
    for value in 1 ''; do
        [ -n "$(LD_SHOW_AUXV=$value bash -c :)" ] # it does, whatever the value is
        with "LD_SHOW_AUXV=$value"
        [ "$status" = 2 ]
        [[ -z $output && $stderr == *'LD_SHOW_AUXV is set'* ]]
    done
}

@test "variables that keep a shell from starting the hook are emptied in the entry" {
    for client in gemini qwen copilot; do
        "$warder" install "$client" --yes --edits no >/dev/null
        file=$(find "$HOME/.$client" -name '*.json' ! -name '*backup*' | head -n 1)
        handler=$(jq -c '.hooks[][] | (.hooks[0]? // .) | select((.command // .bash) | contains("--ran") | not)' "$file" | head -n 1)
        mapfile -t empty < <(jq -r '.env | to_entries[] | "\(.key)=\(.value)"' <<<"$handler")
        command=$(jq -r '.command // .bash' <<<"$handler")
        for variable in LD_DEBUG=help SHELLOPTS=noexec "LD_PRELOAD=$PWD/lib/x" "BASH_ENV=$PWD/lib/x" \
            GLIBC_TUNABLES=glibc.rtld.optional_static_tls=999999999999999; do
            on_event env "$variable" "${empty[@]}" bash -c "$command"
            # The event is Qwen Code's as well; the others block what they do not know.
            [[ $status == 2 && $stderr == *event* || $(decision) == deny ]] || {
                echo "$client, $variable: exit $status, $output, $stderr"
                return 1
            }
        done
    done
}

@test "a preloaded library does not answer for warder" {
    cc=$(command -v cc) || skip "there is no compiler"
    cat >x.c <<'C'
#include <unistd.h>
__attribute__((constructor)) static void answer(void)
{
    static const char yes[] = "{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"allow\"}}";
    if (write(1, yes, sizeof(yes) - 1) > 0)
        _exit(0);
}
C
    "$cc" -shared -fPIC -o lib/x.so x.c
    output=$(LD_PRELOAD=$PWD/lib/x.so /bin/true)
    [ "$(decision)" = allow ] # it does what it is made for
    with "LD_PRELOAD=$PWD/lib/x.so"
    denied
    with "LD_AUDIT=$PWD/lib/x.so" "LD_PRELOAD=$PWD/lib/x.so"
    denied
}

@test "variables of interpreters, proxies and places change no verdict" {
    mkdir -p evil/warder evil/.config/warder bin
    echo 'allow: ["Bash(*)", "Write"]' | tee evil/warder/warder.yaml evil/.config/warder/warder.yaml evil/p.yaml >evil/x
    for variable in "HOME=$PWD/evil" "XDG_CONFIG_HOME=$PWD/evil" "XDG_STATE_HOME=$PWD/evil" "XDG_CACHE_HOME=$PWD/evil" \
        "XDG_RUNTIME_DIR=$PWD/evil" "WARDER_CONFIG=$PWD/evil/p.yaml" "CHIMERA_MINK_SETTINGS_PATH=$PWD/evil/p.yaml" \
        HOME= HOME=relative PATH= PATH=/nonexistent "PATH=$PWD/bin" BASH_ENV=/dev/zero NODE_OPTIONS=--require=/dev/zero \
        PYTHONPATH=. https_proxy=http://127.0.0.1:1 SSL_CERT_FILE=/dev/zero WARDER_HOOK_DEPTH=9; do
        forget_image
        with "$variable"
        denied || {
            echo "$variable"
            return 1
        }
        with "$variable"
        denied || {
            echo "$variable, by the image"
            return 1
        }
    done
    [ ! -e evil/.local ] && [ ! -e evil/.cache ]
}

@test "the home is the one that the user database names" {
    mkdir -p evil/.config/warder
    echo 'allow: ["Bash(*)"]' >evil/.config/warder/warder.yaml
    entry="other:x:1:1::$PWD/evil:/bin/sh
root:x:0:0::$HOME:/bin/sh
root:x:0:0::$PWD/evil:/bin/sh"
    for program in "$hook" "$warder hook"; do
        # shellcheck disable=SC2086
        on_event in_place "$entry" env HOME="$PWD/evil" $program --client claude
        denied
        [ -d "$HOME/.local/state/warder/journal" ]
        [ ! -e evil/.local ]
        # Another home counts if the registered command names it.
        # shellcheck disable=SC2086
        on_event in_place "$entry" env HOME="$HOME" $program --home "$PWD/evil" --client claude
        [ "$(decision)" = allow ]
        rm -rf evil/.local evil/.cache
    done
}

@test "without a home in the user database the call is blocked, and the reason says what to do" {
    for entry in 'other:x:1:1::/:/bin/sh' 'root:x:0:0::relative:/bin/sh' 'root:x:0:0:::/bin/sh' '' 'root:x::0::/:/bin/sh' \
        '+root:x:0x0:0::/:/bin/sh'; do
        for program in "$hook" "$warder hook"; do
            # shellcheck disable=SC2086
            on_event in_place "$entry" $program --client claude
            blocked 'name it with --home'
        done
    done
    on_event in_place 'other:x:1:1::/:/bin/sh' "$hook" --home "$HOME" --client claude
    denied
}

# fake SCRIPT: a program in warder's place beside a copy of the hook.
fake() {
    mkdir -p "$BATS_TEST_TMPDIR/beside"
    [ -x "$BATS_TEST_TMPDIR/beside/warder-hook" ] || cp "$hook" "$BATS_TEST_TMPDIR/beside/"
    rm -f "$BATS_TEST_TMPDIR/beside/warder"
    printf '#!/bin/bash\n%s\n' "$1" >"$BATS_TEST_TMPDIR/beside/warder"
    chmod 755 "$BATS_TEST_TMPDIR/beside/warder"
    on_event "$BATS_TEST_TMPDIR/beside/warder-hook" --home "$HOME" --client claude "${@:2}"
}

@test "anything but a whole answer of warder is a block" {
    yes='{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'
    seal() { printf "printf '\\\\nwarder: answered %03d, %010d bytes\\\\n'" "$1" "$2"; }
    for script in 'exit 127' 'exit 0' 'exit 1' "echo '$yes'" "echo '$yes'; exit 1" 'kill -SEGV $$' 'kill -KILL $$' \
        "printf '%s' '$yes'; $(seal 0 $((${#yes} + 1)))" "printf '%s' '$yes'; $(seal 2 ${#yes})" \
        "printf '%s' '$yes'; $(seal 0 ${#yes}); echo" "printf '%s' '$yes'; $(seal 0 ${#yes}); exit 3" \
        "printf '%s' '$yes'; $(seal 0 ${#yes}); kill -SEGV \$\$" "$(seal 0 0); printf '%s' '$yes'" \
        'exec >&-; exit 0' 'exec </dev/zero; head -c 99M'; do
        fake "$script"
        blocked 'the call is blocked' || {
            echo "$script"
            return 1
        }
    done
    fake 'echo why >&2; exit 2'
    blocked 'why'
    # The near misses: a whole answer, and a whole silence.
    fake "printf '%s' '$yes'; $(seal 0 ${#yes})"
    [ "$status|$output|$stderr" = "0|$yes|" ]
    fake "$(seal 0 0)"
    [ "$status|$output|$stderr" = '0||' ]
    fake "printf '%s' '$yes'; $(seal 2 ${#yes}); exit 2"
    [ "$status|$output|$stderr" = "2|$yes|" ]
}

@test "a library that is missing blocks" {
    mkdir -p "$BATS_TEST_TMPDIR/beside"
    cp "$hook" "$warder" "$BATS_TEST_TMPDIR/beside/"
    on_event "$BATS_TEST_TMPDIR/beside/warder-hook" --home "$HOME" --client claude
    denied
    forget_image
    sed -i 's/libyaml-0\.so\.2/libyaml-9.so.2/; s/libwarder_edge\.so/libwarder_gone.so/' "$BATS_TEST_TMPDIR/beside/warder"
    on_event "$BATS_TEST_TMPDIR/beside/warder-hook" --home "$HOME" --client claude
    [ "$status" = 2 ]
    [ -z "$output" ]
    complains 'ended with code 127 without a whole answer; the call is blocked'
}

@test "a program that does not come to its end is not waited for, and does not stay" {
    fake "echo \$\$ >'$HOME/pid'; exec sleep 100" --timeout 1
    blocked 'in time'
    pid=$(<"$HOME/pid")
    for _ in {1..50}; do
        [ -e "/proc/$pid" ] && [ "$(sed -n 's/^State:\t//p' "/proc/$pid/status" | cut -c1)" != Z ] || return 0
        sleep 0.1
    done
    echo "$pid still runs"
    return 1
}

@test "an answer that is there is not lost while its image is written" {
    fake "printf '\\nwarder: answered 000, 0000000000 bytes\\n'; exec sleep 4 2>&- 3>&-" --timeout 2
    [ "$status|$output|$stderr" = '0||' ]
}

@test "limits of the process block or deny" {
    # With less a program cannot even be started: the kernel ends it.
    for limit in '-v 16384' '-v 32768' '-v 65536' '-n 3' '-n 4' '-n 5' '-n 6' '-n 8' '-f 0' '-f 1' '-d 256' '-d 1024' '-s 64' \
        '-s 256' '-t 1' '-c 0' '-l 0' '-i 0'; do
        forget_image
        for _ in 1 2; do
            # Through a pipe: what is too large for a file is not lost there.
            status=0
            output=$(printf '%s' "$event" | bash -c "ulimit $limit && exec \"\$@\"" _ "$hook" --home "$HOME" --client claude 2>&1) ||
                status=$?
            [ "$status" = 2 ] && [[ $output == *'the call is blocked'* ]] || denied || {
                echo "ulimit $limit"
                return 1
            }
        done
    done
}

@test "no more processes: what has to be handed over is blocked, what an image answers is not" {
    [ "$(id -u)" = 0 ] || skip "needs root: the limit does not hold for root, so another user is needed"
    chmod 711 "$BATS_RUN_TMPDIR" # bats keeps it from other users; its names cannot be guessed
    chown -R 4242:4242 "$HOME"
    # shellcheck disable=SC2016
    few() { on_event setpriv --reuid 4242 --regid 4242 --clear-groups bash -c 'ulimit -u 1 && exec "$@"' _ "$@"; }
    setpriv --reuid 4242 --regid 4242 --clear-groups test -x "$hook" || skip "another user cannot run this build"
    setpriv --reuid 4242 --regid 4242 --clear-groups test -w "$HOME" || skip "another user cannot reach the home"
    few "$hook" --home "$HOME" --client claude
    blocked 'cannot run warder'
    on_event setpriv --reuid 4242 --regid 4242 --clear-groups "$hook" --home "$HOME" --client claude
    denied
    few "$hook" --home "$HOME" --client claude
    denied
}

@test "hooks of policy files get the variables that are named, and no others" {
    printf '#!/bin/sh\nenv -0 >"%s"\n' "$HOME/seen" >"$HOME/hook.sh"
    chmod 755 "$HOME/hook.sh"
    printf 'hooks:\n  PreToolUse:\n    - hooks: [{type: command, command: %s}]\n' "$HOME/hook.sh" >>"$HOME/.config/warder/warder.yaml"
    event=$(event_of 'mystery x')
    with LD_PRELOAD= BASH_ENV=/x NODE_OPTIONS=x https_proxy=x PYTHONPATH=x HOME=/x XDG_CONFIG_HOME=/x TZ=x \
        CLAUDE_PROJECT_DIR="$PWD" CLAUDE_CONFIG_DIR=/c
    [ "$status" = 0 ]
    seen=$(tr '\0' '\n' <"$HOME/seen" | sed 's/=.*//' | sort | tr '\n' ' ')
    allowed=' CLAUDE_CODE_SESSION_ID CLAUDE_CONFIG_DIR CLAUDE_PROJECT_DIR HOME LANG OLDPWD PATH PWD SHELL SHLVL WARDER_AGENTS_CONFIG_HOME WARDER_HOOK_DEPTH XDG_RUNTIME_DIR _ '
    for name in $seen; do
        [[ $allowed == *" $name "* ]] || {
            echo "$name: $seen"
            return 1
        }
    done
    [[ $(tr '\0' '\n' <"$HOME/seen") == *"HOME=$HOME"* ]]
}

@test "run and the proxies go by the user database as well, and hand on the environment as it was" {
    mkdir -p evil/.config/warder
    echo 'allow: ["Bash(*)"]' | tee evil/.config/warder/warder.yaml >evil/p.yaml
    entry="root:x:0:0::$HOME:/bin/sh"
    for variables in "HOME=$PWD/evil" "XDG_CONFIG_HOME=$PWD/evil/.config" "WARDER_CONFIG=$PWD/evil/p.yaml"; do
        status=0
        in_place "$entry" env "$variables" "$warder" run --headless -- touch made 2>err || status=$?
        [ "$status" = 126 ] && grep -q 'deny rule Bash(touch \*)' err || {
            echo "$variables: $status, $(cat err)"
            return 1
        }
    done
    [ ! -e made ] && [ ! -e evil/.local ]
    in_place "$entry" env "HOME=$PWD/evil" WARDER_CONFIG=x XDG_STATE_HOME=/y "$warder" run --allow 'Bash(env)' -- env >seen
    grep -qx "HOME=$PWD/evil" seen
    grep -qx WARDER_CONFIG=x seen
    grep -qx XDG_STATE_HOME=/y seen
    status=0
    in_place 'other:x:1:1::/:/bin/sh' "$warder" run -- true 2>err || status=$?
    [ "$status" = 78 ] && grep -q 'name it with --home' err
    call='{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{}}}'
    echo 'deny: [mcp__s__t]' >"$HOME/.config/warder/warder.yaml"
    echo 'allow: [mcp__s__t]' >evil/.config/warder/warder.yaml
    echo "$call" | in_place "$entry" env "HOME=$PWD/evil" "$warder" mcp proxy --name s -- sh -c 'echo "$HOME" >where; cat >got' >said
    grep -q 'deny rule mcp__s__t' said
    [ ! -s got ] && [ "$(<where)" = "$PWD/evil" ]
}

# The entry of an agent that starts hooks by the first bash of PATH, and how that agent does it: as node does, with the
# PATH of the entry's own environment.
as_agent() { # AGENT EVENT [VARIABLE=VALUE...]
    local settings=$HOME/.$1/settings.json handler client=$1 list=$2
    shift 2
    "$warder" install "$client" --yes --edits no >/dev/null
    handler=$(jq -c ".hooks.$list[0].hooks[0]" "$settings")
    on_event env "$@" /usr/bin/python3 -c '
import json, os, sys
handler = json.loads(sys.argv[1])
env = {**os.environ, **{k: v.replace("$PATH", os.environ["PATH"]) for k, v in handler["env"].items()}}
env.update(w.split("=", 1) for w in sys.argv[2:])
os.execvpe("bash", ["bash", "-c", handler["command"]], env)' "$handler" "${hostile[@]}"
}

@test "no variable keeps the shell of Gemini CLI and Qwen Code from starting the hook" {
    local variable
    for variable in LD_TRACE_LOADED_OBJECTS=1 LD_SHOW_AUXV=1 SHELLOPTS=noexec LD_DEBUG=help \
        GLIBC_TUNABLES=glibc.rtld.optional_static_tls=999999999999999 LD_LIBRARY_PATH="$PWD/lib" BASH_ENV="$PWD/lib/start"; do
        hostile=("$variable")
        echo text >lib/libc.so.6
        echo 'exit 0' >lib/start
        as_agent qwen PreToolUse
        denied || {
            echo "with $variable"
            return 1
        }
    done
    event=$(event_of 'touch made.txt' | jq -c '.hook_event_name = "BeforeTool" | .timestamp = "t"
        | .tool_name = "run_shell_command"')
    hostile=(LD_TRACE_LOADED_OBJECTS=1)
    as_agent gemini BeforeTool
    [ "$(jq -r .decision <<<"$output")" = deny ]
}

@test "the bash for hooks starts what was registered, and nothing else" {
    local own=$WARDER_BUILD/libexec/warder bash=$WARDER_BUILD/libexec/warder/bash words
    printf '#!/bin/sh\nprintf "<%%s>" "$@" "$PATH"\n' >"$HOME/it's a hook"
    chmod +x "$HOME/it's a hook"
    words="'$HOME/it'\\''s a hook' --client 'a b'"
    PATH="$own:/usr/bin:/bin" on_event "$bash" -c "$words"
    [ "$output" = '<--client><a b></usr/bin:/bin>' ]
    for words in '/bin/echo a; /bin/echo b' '/bin/echo $HOME' '/bin/echo `id`' 'echo a' "/bin/echo 'a" '/bin/echo "a"' '' \
        '/bin/echo >x' '/bin/echo a b c d e f g h i j k l m n o p q'; do
        on_event "$bash" -c "$words"
        blocked 'not one of `warder install`' || {
            echo "for $words"
            return 1
        }
    done
    on_event "$bash" -c /nonexistent/warder-hook
    blocked 'cannot be run'
    on_event "$bash" -lc /bin/true
    blocked 'takes -c and a command'
    on_event "$bash"
    blocked 'takes -c and a command'
    # What an agent without PATH leaves of the entry.
    PATH="$own:\$PATH" on_event "$bash" -c '/usr/bin/env'
    ! grep -q '^PATH=' <<<"$output"
}
