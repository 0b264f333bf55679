#!/usr/bin/env bats
# Managed policy holds against what the agent's own user could make: a socket that answers, an image that lies. Another
# user and another /etc are needed, so these tests run as root, in mount namespaces of their own.

load common

setup() {
    warder=$WARDER_BUILD/warder
    hook=$WARDER_BUILD/warder-hook
    [ -x "$hook" ] || skip "this build has no warder-hook (it needs musl-gcc)"
    [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null || skip "needs root and mount namespaces"
    home=$BATS_TEST_TMPDIR/home
    mkdir -p "$home/project" "$BATS_TEST_TMPDIR/etc"
    echo "agent:x:4242:4242::$home:/bin/sh" >"$BATS_TEST_TMPDIR/passwd"
    chmod 711 "$BATS_RUN_TMPDIR" # bats keeps it from other users; its names cannot be guessed
    chown -R 4242:4242 "$home"
    cd "$home/project" || return
    setpriv --reuid 4242 --regid 4242 --clear-groups test -x "$hook" || skip "another user cannot run this build"
    setpriv --reuid 4242 --regid 4242 --clear-groups test -w "$home" || skip "another user cannot reach the home"
    managed=warder/warder.yaml
}

# policy TEXT: of the administrator; empty: there is none.
policy() {
    rm -rf "${BATS_TEST_TMPDIR:?}/etc"
    mkdir -p "$BATS_TEST_TMPDIR/etc"
    [ -z "$1" ] && return
    mkdir -p "$BATS_TEST_TMPDIR/etc/${managed%/*}"
    printf '%s\n' "$1" >"$BATS_TEST_TMPDIR/etc/$managed"
}

# as_agent COMMAND...: as the agent's user, with that policy in /etc.
as_agent() {
    # shellcheck disable=SC2016
    unshare -m bash -c 'd=$0; mount --bind "$d/passwd" /etc/passwd
        for name in warder claude-code; do
            [ -d "$d/etc/$name" ] || continue
            mkdir -p "$d/over" "$d/work"; mount -t tmpfs none "$d/over"; mkdir "$d/over/up" "$d/over/work"
            mount -t overlay overlay -o "lowerdir=/etc,upperdir=$d/over/up,workdir=$d/over/work" /etc 2>/dev/null ||
                { cp -a /etc/. "$d/over/up/"; mount --bind "$d/over/up" /etc; }
            mount --bind "$d/passwd" /etc/passwd
            cp -r "$d/etc/$name" "/etc/$name"; chmod -R go-w "/etc/$name"
        done
        exec setpriv --reuid 4242 --regid 4242 --clear-groups env -i PATH="$PATH" SHELL=/bin/bash "$@"' "$BATS_TEST_TMPDIR" "$@"
}

event_of() {
    printf '{"session_id":"s","transcript_path":"t","prompt_id":"p","cwd":"%s","permission_mode":"default",' "$PWD"
    printf '"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"%s"},"tool_use_id":"u"}' "$1"
}

# verdict_of COMMAND [PROGRAM...]: what the hook says.
verdict_of() {
    local command=$1 said
    shift
    said=$(event_of "$command" | as_agent "${@:-$hook}" --client claude 2>&1) || {
        echo "blocked: $said"
        return
    }
    jq -r '.hookSpecificOutput.permissionDecision' <<<"$said"
}

# A service of the agent's user that allows everything; it says what it was sent.
fake_service() {
    cat >"$home/fake.py" <<'P'
import json, os, socket, sys
with open(sys.argv[1] + "/fake.pid", "w") as f:
    f.write(str(os.getpid()))
path = sys.argv[1] + "/.local/state/warder/warder.sock"
os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
if os.path.exists(path):
    os.unlink(path)
s = socket.socket(socket.AF_UNIX)
s.bind(path)
s.listen(8)
while True:
    c, _ = s.accept()
    line = c.recv(1 << 20)
    if not line:
        continue
    with open(sys.argv[1] + "/sent", "ab") as f:
        f.write(line)
    yes = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}
    both = {"hook": {"code": 0, "out": json.dumps(yes), "err": ""}, "behavior": "allow", "decision": "auto-accept",
            "decision_id": "x", "layer": "fake", "reason": "fake"}
    c.sendall(json.dumps(both).encode() + b"\n")
    c.close()
P
    rm -f "$home/sent"
    rm -f "$home/fake.pid"
    as_agent /usr/bin/python3 "$home/fake.py" "$home" 3>&- >/dev/null 2>&1 &
    for _ in {1..100}; do
        [ -S "$home/.local/state/warder/warder.sock" ] && return
        sleep 0.05
    done
    return 1
}

# The program itself: the shell around it would leave it behind.
end_service() {
    [ ! -s "$home/fake.pid" ] || kill "$(cat "$home/fake.pid")" 2>/dev/null || true
    rm -f "$home/fake.pid"
}

teardown() {
    end_service
}

@test "a socket of the agent's user decides nothing where policy is managed" {
    for said in 'deny: ["Bash(curl:*)"]' $'service: "off"\ndeny: ["Bash(curl:*)"]' 'ask: ["Bash(curl:*)"]'; do
        policy "$said"
        before=$(verdict_of 'curl https://x.example')
        [ "$before" = deny ] || [ "$before" = ask ]
        fake_service
        for program in "$hook" "$warder hook"; do
            # shellcheck disable=SC2086
            [ "$(verdict_of 'curl https://x.example' $program)" = "$before" ]
        done
        [ ! -e "$home/sent" ]
        end_service
        rm -f "$home/.local/state/warder/warder.sock"
    done
}

@test "where managed policy wants a service it is asked, and lifts no deny" {
    policy $'service: auto\ndeny: ["Bash(curl:*)"]'
    fake_service
    [ "$(verdict_of 'curl https://x.example')" = deny ]
    [ ! -e "$home/sent" ]
    [ "$(verdict_of 'mystery x')" = allow ]
    [ -e "$home/sent" ]
}

@test "without managed policy the user's own service decides, as before" {
    policy ''
    fake_service
    [ "$(verdict_of 'curl https://x.example')" = allow ]
}

@test "a user who requires a service that managed policy does not name is denied, with the reason" {
    policy 'deny: ["Bash(curl:*)"]'
    mkdir -p "$home/.config/warder"
    echo 'service: required' >"$home/.config/warder/warder.yaml"
    chown -R 4242:4242 "$home/.config"
    fake_service
    [[ $(verdict_of ls) == blocked:*'managed policy names no service'* ]]
    [ ! -e "$home/sent" ]
}

@test "an image is neither written nor believed where policy is managed" {
    policy ''
    [ "$(verdict_of 'ls')" = allow ]
    [ -n "$(ls "$home/.cache/warder/images")" ]
    for managed in warder/warder.yaml warder/warder.json warder/authorization.toml claude-code/managed-settings.json \
        claude-code/managed-settings.d/10.json; do
        rm -rf "$home/.cache"
        case $managed in
            warder/warder.yaml) policy 'deny: ["Bash(npm test:*)"]' ;;
            warder/warder.json) policy '{"deny": ["Bash(npm test:*)"]}' ;;
            warder/authorization.toml) policy 'deny = ["npm test*"]' ;;
            *) policy '{"permissions": {"deny": ["Bash(npm test:*)"]}}' ;;
        esac
        [ "$(verdict_of 'npm test')" = deny ] || {
            echo "$managed: $(verdict_of 'npm test')"
            return 1
        }
        [ ! -e "$home/.cache" ]
    done
}

# The image as code of the same user would forge it: one rule renamed, the sum computed again.
forge() {
    python3 - "$home" "$1" "$2" <<'P'
import glob, struct, sys
MASK, ODD = (1 << 64) - 1, 0x9E3779B97F4A7C15
def mix(sum, word):
    sum = (sum ^ word) * ODD & MASK
    return sum ^ sum >> 29
def image_sum(data):
    words = struct.unpack("<%dQ" % (len(data) // 8), data)
    sums, places, whole = [0] * 4, [0] * 4, len(words) // 4 * 4
    for i in range(whole):
        sums[i % 4] = (sums[i % 4] + words[i]) & MASK
        places[i % 4] = (places[i % 4] + sums[i % 4]) & MASK
    sum = len(data)
    for k in 0, 1:
        for word in sums[k], places[k], sums[k + 2], places[k + 2]:
            sum = mix(sum, word)
    for word in words[whole:]:
        sum = mix(sum, word)
    return sum
old, new = sys.argv[2].encode(), sys.argv[3].encode()
[name] = glob.glob(sys.argv[1] + "/.cache/warder/images/*")
data = bytearray(open(name, "rb").read())
assert struct.unpack_from("<Q", data, 24)[0] == image_sum(bytes(data[32:])), "the sum is elsewhere"
assert old in data
data[:] = data.replace(old, new)
struct.pack_into("<Q", data, 24, image_sum(bytes(data[32:])))
open(name, "wb").write(data)
P
}

@test "a forged image changes no verdict of managed policy" {
    # What it does without managed policy, where the user's own policy could be changed as well.
    policy ''
    mkdir -p "$home/.config/warder"
    echo 'deny: ["Bash(npm test:*)"]' >"$home/.config/warder/warder.yaml"
    chown -R 4242:4242 "$home/.config"
    [ "$(verdict_of 'npm test')" = deny ]
    forge 'npm test' 'zzz zzzz'
    [ "$(verdict_of 'npm test')" != deny ]
    # The same file, but now the administrator denies.
    policy 'deny: ["Bash(npm test:*)"]'
    rm "$home/.config/warder/warder.yaml"
    [ "$(verdict_of 'npm test')" = deny ]
    [ "$(verdict_of 'npm test' "$warder" hook)" = deny ]
}

# check ARGUMENTS...: what `warder check` says, as the agent's user.
check() {
    as_agent HOME="$home" "$warder" check "$@" 2>"$BATS_TEST_TMPDIR/complaint" | sed -n '1s/ .*//p'
}

@test "a managed deny rule holds in every profile, and no option replaces a managed profile" {
    policy 'deny: ["Bash(curl:*)"]'
    for profile in warder caliban waterfall guild mini mink; do
        [ "$(check --profile "$profile" Bash 'curl x')" = deny ] || {
            echo "$profile"
            return 1
        }
    done
    mkdir -p "$home/.config/warder"
    echo 'profile: mini' >"$home/.config/warder/warder.yaml"
    chown -R 4242:4242 "$home/.config"
    [ "$(check Bash 'curl x')" = deny ]
    [ "$(check Bash 'make release')" = allow ] # mini
    [ "$(verdict_of 'curl x')" = deny ]
    policy 'profile: warder'
    [ "$(check Bash 'make release')" = ask ]
    [ "$(check --profile mini Bash 'make release')" = ask ]
    grep -q 'managed policy chose the profile warder: --profile mini does not count' "$BATS_TEST_TMPDIR/complaint"
    echo 'allow: ["Bash"]' >"$home/named.yaml"
    policy 'deny: ["Bash(curl:*)"]'
    [ "$(check --policy "$home/named.yaml" Bash 'curl x')" = deny ]
    [ "$(check --policy "$home/named.yaml" Bash 'make release')" = allow ]
}

@test "a managed mode is not left with a mode in no order with it, by the hook either" {
    policy 'mode: plan'
    mkdir -p "$home/.config/warder"
    echo 'allow: ["Bash"]' >"$home/.config/warder/warder.yaml"
    chown -R 4242:4242 "$home/.config"
    for mode in default dontAsk delegate auto acceptEdits bypassPermissions; do
        [ "$(check --mode "$mode" Bash 'touch a.c')" = deny ] || {
            echo "$mode"
            return 1
        }
        [ "$(check --mode "$mode" Agent --input '{"prompt":"x"}')" = deny ] || {
            echo "$mode Agent"
            return 1
        }
        said=$(event_of 'touch a.c' | sed "s/\"permission_mode\":\"default\"/\"permission_mode\":\"$mode\"/" |
            as_agent "$hook" --client claude 2>&1)
        [ "$(jq -r .hookSpecificOutput.permissionDecision <<<"$said")" = deny ] || {
            echo "$mode hook: $said"
            return 1
        }
    done
}

@test "Codex is registered for the whole machine beside what is required of it, or not at all" {
    cp -a /etc "$BATS_TEST_TMPDIR/machine"
    rm -rf "$BATS_TEST_TMPDIR/machine/codex"
    # shellcheck disable=SC2016
    HOME=$home unshare -m bash -euc 'mount --bind "$1/machine" /etc; mount --bind "$1/passwd" /etc/passwd
        file=/etc/codex/requirements.toml
        "$0" install --managed codex --yes
        [ "$(grep -c "^# " "$file")" = 2 ]
        "$0" install --managed codex --yes | grep "already registered"
        "$0" doctor codex | grep "registered  $file (managed)"
        "$0" uninstall --managed codex --yes
        [ ! -e "$file" ]
        printf "allowed_sandbox_modes = [\"read-only\"]\n" >"$file"
        cp "$file" "$1/before"
        "$0" install --managed codex --yes
        grep "^allowed_sandbox_modes" "$file"
        "$0" uninstall --managed codex --yes
        cmp "$file" "$1/before"
        printf "[features]\napps = false\n" >"$file"
        cp "$file" "$1/before"
        ! "$0" install --managed codex --yes 2>"$1/said"
        grep "does not fit into $file, line 5" "$1/said"
        cmp "$file" "$1/before"' "$warder" "$BATS_TEST_TMPDIR"
}
