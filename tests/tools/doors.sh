#!/usr/bin/env bash
# The doors to allow: verdict_allow() is the only function that writes allow into a verdict, and its callers are the ones
# that decide/verdict.h and ARCHITECTURE.md list. Whether something else writes `behavior` is for the compiler to say: in
# a copy of the sources the member is const.
set -eu
cd "$WARDER_SOURCE"

doors='ALLOWED_BY_ANSWER src/edge/engine/resolve.c
ALLOWED_BY_AUTO_ALLOW src/core/decide/decide.c
ALLOWED_BY_POLICY src/core/decide/fold.c
ALLOWED_BY_SERVICE src/edge/engine/remote.c
ALLOWED_BY_SETTINGS src/edge/connect/settings.c'

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

callers() { # of a tree: who is let in, and where; one line for each call
    (cd "$1" && grep -rn 'verdict_allow(' src --include='*.[ch]' | grep -vE '^src/core/decide/verdict\.[ch]:' |
        sed -E 's/^([^:]*):[0-9]*:.*verdict_allow\([^,]*, *(ALLOWED_BY_[A-Z_]*).*/\2 \1/' | sort)
}

# Every file that may know a verdict, with its member const: each write of the member is an error that names it. Whole
# verdicts may be copied, and begun as zero; one that is begun with a behavior is found by its text.
writers() {
    rm -rf "$scratch/tree"
    mkdir "$scratch/tree"
    cp -r "$1/src" "$1/include" "$scratch/tree"
    local header="$scratch/tree/src/core/decide/verdict.h" file
    sed -i 's/^    enum behavior behavior;/    const enum behavior behavior;/' "$header"
    grep -q 'const enum behavior behavior;' "$header" || echo "verdict.h: no member to be made const"
    (
        cd "$scratch/tree"
        grep -rlE 'verdict|decision' src --include='*.c' | while read -r file; do
            cc -std=c17 -fsyntax-only -w -D_GNU_SOURCE -DWARDER_VERSION='""' -Isrc/core -Isrc/edge -Isrc/prog \
                -Iinclude -I"$WARDER_BUILD/generated" "$file" 2>&1 | grep -E "read-only member .behavior|fatal error" || true
        done
        grep -rPzo --include='*.[ch]' '\(struct verdict\) *\{[^}]*\.behavior[^}]*' src | tr '\0' '\n'
        grep -rnE 'mem(cpy|move)\([^;]*verdict' src --include='*.c'
    ) | grep -v '^src/core/decide/verdict\.c:' || true
}

[ "$(callers .)" = "$doors" ] || {
    printf 'verdict_allow() has other callers than the doors that are listed:\n%s\n' "$(callers .)"
    exit 1
}
while read -r door _; do
    grep -q "$door" src/core/decide/verdict.h || { echo "$door is not listed in verdict.h" && exit 1; }
done <<<"$doors"
written=$(writers .)
[ -z "$written" ] || {
    printf 'a verdict is written past verdict_allow() and verdict_refuse():\n%s\n' "$written"
    exit 1
}

# The check itself can fail: by one more caller, by a write, by a verdict that begins as allow.
mkdir "$scratch/bad"
cp -r src include "$scratch/bad"
expect() { # WHAT FILE LINE: seen in a copy in which FILE has one more function with this line
    cp -r "$scratch/bad" "$scratch/one"
    printf 'void extra(struct verdict *v);\nvoid extra(struct verdict *v)\n{\n    %s\n}\n' "$3" >>"$scratch/one/$2"
    if [ "$(callers "$scratch/one")" = "$doors" ] && [ -z "$(writers "$scratch/one")" ]; then
        echo "the check does not see $1"
        exit 1
    fi
    rm -rf "$scratch/one"
}
expect 'one more caller' src/edge/engine/decision.c 'verdict_allow(v, ALLOWED_BY_POLICY, "x", (struct str){0});'
find "$scratch/bad/src" -name '*.c' ! -path '*/engine/decision.c' -delete # the rest of the tree was compiled above
doors=$(callers "$scratch/bad")
expect 'a write' src/edge/engine/decision.c 'v->behavior = BEHAVIOR_ALLOW;'
expect 'a verdict that begins as allow' src/edge/engine/decision.c '*v = (struct verdict){.behavior = BEHAVIOR_ALLOW};'
expect 'a copy of bytes' src/edge/engine/decision.c 'memcpy(v, &v->allowed_by, sizeof(struct verdict)); /* verdict */'
echo "five doors lead to allow, and no other write"
