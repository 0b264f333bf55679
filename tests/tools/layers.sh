#!/bin/bash
# No layer calls a layer, and the check that says so can fail. What two layers need is in decide/layer_shared.h.
set -u

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# mentions DIRECTORY: where a file of it names the function of a layer other than to define it.
mentions() {
    local functions
    functions=$(sed -n 's/^LAYER([A-Z_]*, [a-z]*, \([a-z_]*\),.*/\1/p' "$1/layers.def" | sort -u | paste -sd'|')
    [ -n "$functions" ] || echo "$1/layers.def: no rows"
    grep -HnE "\blayer_($functions)\b" "$1"/*.c |
        grep -vE "^[^:]*:[0-9]+:(#include |const struct said \*layer_[a-z_]+\()" |
        grep -vE '^[^:]*:[0-9]+: *(/\*| \*)'
}

found=$(mentions src/core/decide)
if [ -n "$found" ]; then
    printf 'a layer is called by name; only the table may do that:\n%s\n' "$found"
    exit 1
fi

failed=0
# expect pass|fail LINE: a directory with two layers, and this line in the function of one of them.
expect() {
    printf 'LAYER(FIRST, look, first, "first", "x")\nLAYER(SECOND, clear, second, "second", "x")\n' >"$tmp/layers.def"
    printf '/* layer_first.c - a layer */\n#include "decide/layer_second.h"\n\nconst struct said *layer_first(void)\n{\n%s\n}\n' \
        "$2" >"$tmp/layer_first.c"
    local got=pass
    [ -z "$(mentions "$tmp")" ] || got=fail
    if [ "$got" != "$1" ]; then
        echo "FAILED: with $2: want $1, got $got"
        failed=1
    fi
}

expect pass '    return say(f, SAY_ALLOW, STR("x"));'
expect pass '    return layer_secondary(f);'
expect fail '    return layer_second(f, 0);'
expect fail '    return look_by(layer_second);'
expect fail '    return layer_first(f);'

exit $failed
