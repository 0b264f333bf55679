#!/bin/bash
# The core links against libc alone, and also against another libc. So does what writes a
# record, which a small static hook program needs.
set -eu

if ! command -v musl-gcc >/dev/null; then
    echo "SKIPPED: there is no musl-gcc here"
    exit 77
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
flags='-std=c17 -D_GNU_SOURCE -Wall -Werror -O0 -Isrc/core -Isrc/edge -include src/core/base/banned.h'
sources=$(find src/core -name '*.c' && ls src/edge/machine/{brief,entries,own,stamp}.c \
    src/edge/record/{chain,decision,journal,keyed,redact*,segment}.c)

# warder-hook is made of the same files, with the same compiler: those of the build will do where there are any.
built=$WARDER_BUILD/CMakeFiles/warder-hook.dir
launcher=$(sed -n 's/^CMAKE_C_COMPILER_LAUNCHER:[A-Z]*=//p' "$WARDER_BUILD/CMakeCache.txt")
objects=0
for source in $sources; do
    object=$tmp/$(echo "$source" | tr / -).o
    if [ "$built/$source.o" -nt "$source" ]; then
        cp "$built/$source.o" "$object"
    else
        $launcher musl-gcc $flags -c -o "$object" "$source"
    fi
    objects=$((objects + 1))
done
ar rcs "$tmp/libwarder_core.a" "$tmp"/*.o

cat >"$tmp/main.c" <<'END'
#include "base/arena.h"
#include "base/str.h"

static void join(void *arena)
{
    if (!str_is(str_join(arena, STR("war"), STR("der")), "warder"))
        abort();
}

/* What is asked in warder-hook (prog/hook/processor.c). */
bool processor_has_sha256(void);
bool processor_has_sha256(void)
{
    return false;
}

int main(void)
{
    struct arena arena;

    arena_init(&arena, 1 << 20);
    bool fine = arena_try(&arena, join, &arena);
    arena_release(&arena);
    return fine ? 0 : 1;
}
END
# All of the archive, not only what main() needs: a symbol that only glibc has must not hide in an unused object.
musl-gcc $flags -static -o "$tmp/main" "$tmp/main.c" -Wl,--whole-archive "$tmp/libwarder_core.a" -Wl,--no-whole-archive
"$tmp/main"
echo "$objects files build with musl; a static program of all of them is $(stat -c %s "$tmp/main") bytes"
