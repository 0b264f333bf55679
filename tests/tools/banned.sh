#!/bin/bash
# Using a banned function is a compile error; fields and variables in the core may have the same names.
set -u

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0

# compile HEADERS STATEMENT, as the build compiles a room
compile() {
    printf '#include <setjmp.h>\nint f(int n, char *p, char *q);\nint f(int n, char *p, char *q) { (void)q; %s; return n + !p; }\n' \
        "$2" >"$tmp/a.c"
    "${CC:-gcc}" -std=c17 -D_GNU_SOURCE -Wall -Wno-unused -Wno-unused-result -Wno-nonnull $1 -c -o "$tmp/a.o" "$tmp/a.c" \
        >"$tmp/out" 2>&1
}
everywhere='-include src/core/base/banned.h'
core="$everywhere -include src/core/base/banned_core.h"

# refused HEADERS STATEMENT: compiles without the headers and not with them, so the headers refuse it.
refused() {
    if ! compile '-include stdio.h -include stdlib.h -include string.h -include time.h -include unistd.h -include fcntl.h' "$2"; then
        echo "FAILED: the test itself is wrong: $2"
        cat "$tmp/out"
        failed=1
    elif compile "$1" "$2"; then
        echo "FAILED: not refused: $2"
        failed=1
    elif ! grep -qE 'poisoned|the core' "$tmp/out"; then
        echo "FAILED: refused, but not by the header: $2"
        cat "$tmp/out"
        failed=1
    fi
}
taken() {
    if ! compile "$1" "$2"; then
        echo "FAILED: refused: $2"
        cat "$tmp/out"
        failed=1
    fi
}

while read -r statement; do
    refused "$everywhere" "$statement"
done <<'END'
strcpy(p, q)
strcat(p, q)
sprintf(p, "%s", q)
strncpy(p, q, 3)
stpcpy(p, q)
p = alloca(3)
p = strdupa(q)
p = strtok(p, q)
n = atoi(p)
sscanf(p, "%d", &n)
p = ctime(0)
n = rand()
n = system(p)
popen(p, "r")
p = tmpnam(p)
END

while read -r statement; do
    taken "$everywhere" "$statement"
    refused "$core" "$statement"
done <<'END'
p = getenv(q)
p = secure_getenv(q)
n = (int)time(0)
n = open(p, 0)
n = fopen(p, q) != 0
n = (int)read(n, p, 1)
n = (int)write(n, p, 1)
printf("%s", p)
puts(p)
n = access(p, 0)
p = realpath(p, q)
p = getcwd(p, 1)
n = fork()
p = malloc(1)
free(p)
p = strdup(q)
abort()
char *(*function)(const char *) = getenv
END

taken "$core" 'snprintf(p, 3, "%s", q)'
taken "$core" 'memcpy(p, q, 3)'
taken "$core" 'int read = 1, write = 2, open = 3, time = 4; n = read + write + open + time'
taken "$core" 'struct effects { int read, write, time; } e = {.read = n}; n = e.read'

exit $failed
