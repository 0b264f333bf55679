#!/usr/bin/env bash
# Two functions with the same name in two rooms: the static library would silently take the first object found.
set -eu
cd "$WARDER_SOURCE"

objects() { # of all sources, as far as this build has them
    for source in $(find src -name '*.c'); do
        room=${source#src/*/} room=${room%%/*} target=room_$room
        [ "$room" != hook ] || target=warder-hook # made of the rooms' sources, and its own
        object="$1/CMakeFiles/$target.dir/$source.o"
        [ ! -f "$object" ] || echo "$object"
    done
}

names() { # of global functions that more than one object defines
    objects "$1" | xargs nm --defined-only | awk '$2 == "T" || $2 == "R" || $2 == "D" { print $3 }' | sort | uniq -d
}

twice=$(names "$WARDER_BUILD" | grep -vE '^(__|main$)' || true) # each program has a main of its own
if [ -n "$twice" ]; then
    printf 'defined in more than one file:\n%s\n' "$twice"
    exit 1
fi

# The check itself can fail.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch"/src/core/{a,b} "$scratch/build/CMakeFiles/room_a.dir/src/core/a" "$scratch/build/CMakeFiles/room_b.dir/src/core/b"
for room in a b; do
    echo 'int twin(void); int twin(void) { return 0; }' >"$scratch/src/core/$room/x.c"
    cc -c "$scratch/src/core/$room/x.c" -o "$scratch/build/CMakeFiles/room_$room.dir/src/core/$room/x.c.o"
done
cd "$scratch"
[ "$(names "$scratch/build")" = twin ] || {
    echo "the check does not see a twin"
    exit 1
}
echo "no name is defined twice"
