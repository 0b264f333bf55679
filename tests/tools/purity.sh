#!/bin/bash
# The core is pure, and the check that says so can fail.
set -u

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cc=${CC:-gcc}

tools/check-purity "${WARDER_BUILD:?}" || exit 1
for room in call rule shell programs facts decide; do
    if compgen -G "src/core/$room/*.c" >/dev/null && [ ! -d "$WARDER_BUILD/CMakeFiles/room_$room.dir" ]; then
        echo "the objects of $room/ are not where the check looks for them"
        exit 1
    fi
done

# room NAME TEXT: compiles this text into an object of the room.
room() {
    local dir=$tmp/CMakeFiles/room_$1.dir/src/core/$1
    mkdir -p "$dir"
    printf '%s\n' "$2" | "$cc" -D_GNU_SOURCE ${3:-} -x c -c -o "$dir/a.c.o" - || exit 1
}

failed=0
# expect pass|fail WHAT [SYMBOL]: checks the rooms made so far, then removes them.
expect() {
    local got=pass
    tools/check-purity "$tmp" >"$tmp/out" || got=fail
    if [ "$got" != "$1" ] || ! grep -q "${3:-}" "$tmp/out"; then
        echo "FAILED: $2: want $1, got $got"
        sed 's/^/    /' "$tmp/out"
        failed=1
    fi
    rm -rf "$tmp/CMakeFiles"
    mkdir "$tmp/CMakeFiles"
}

room rule '#include <string.h>
int f(const char *s) { return strcmp(s, "x"); }'
expect pass "comparing strings"

for statement in 'getenv("HOME")' 'time(0)' 'open("/etc/passwd", 0)' 'fopen("/etc/passwd", "r")' 'read(0, p, 0)' \
    'write(1, p, 0)' 'stat("/", p)' 'socket(1, 1, 0)' 'execve("/bin/sh", 0, 0)' 'fork()' 'malloc(1)' 'free(p)' 'puts("x")' \
    'printf("%d", 1)' 'rand()' 'realpath("/", 0)' 'getcwd(0, 0)' 'n = isalpha(n)' 'setjmp(door)' 'p = stdout'; do
    room rule "#include <ctype.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
static jmp_buf door;
int f(int n, void *p) { $statement; return n; }" '-w'
    expect fail "$statement in the core" 'rule.* is not pure'
done

room decide '#include <string.h>
void f(char *to, const char *from, unsigned long n) { memcpy(to, from, n); }' '-O2 -D_FORTIFY_SOURCE=2'
expect pass "a fortified memcpy"

room decide '#include <stdio.h>
void f(const char *s) { printf("%s %d", s, 1); }' '-O2 -D_FORTIFY_SOURCE=2'
expect fail "a fortified printf" "decide.*printf"

room decide 'int ours(void); int f(void) { return ours(); }'
room facts 'int ours(void); int ours(void) { return 1; }'
expect pass "a function of another core room"

room base '#include <stdlib.h>
char *home(void) { return getenv("HOME"); }'
expect pass "base/ may read the world while the core does not call it"

room base '#include <stdlib.h>
char *home(void) { return getenv("HOME"); }'
room call 'char *home(void); char *f(void) { return home(); }'
expect fail "the core reads the world through base/" "base.*getenv"

room base '#include <stdlib.h>
void *take(void) { return malloc(1); }'
room call 'void *take(void); void *f(void) { return take(); }'
expect pass "the arena takes memory for the core"

exit $failed
