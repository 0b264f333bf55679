#!/bin/bash
# The ten longest functions and the sizes of files: for information, it never fails. Functions are found by the layout that
# clang-format gives them, with both braces in the first column.
functions=$(mktemp)
trap 'rm -f "$functions"' EXIT

git ls-files 'src/*.c' | xargs awk '
function base(path) {
    sub(/^src\//, "", path)
    return path
}
/^[a-z_].*\(/ && !/;$/ { start = FNR; name = $0 }
/^\{/ { open = 1 }
/^\}/ && open {
    sub(/^__attribute__\(\([^()]*(\([^()]*\))?[^()]*\)\) */, "", name)
    sub(/\(.*/, "", name)
    sub(/.*[ *]/, "", name)
    printf "%d %s %s\n", FNR - start + 1, name, base(FILENAME)
    open = 0
}' | sort -rn >"$functions"

# numbers -> count, median, 90th percentile
spread() {
    sort -n | awk '{ n[NR] = $1 } END { printf "%d, median %d lines, nine in ten under %d, largest %d\n",
        NR, n[int((NR + 1) / 2)], n[int((NR * 9 + 9) / 10)] + 1, n[NR] }'
}
printf 'functions: ' && awk '{ print $1 }' "$functions" | spread
printf 'files:     ' && git ls-files 'src/*.c' | xargs -n1 wc -l | spread
echo 'the longest functions:'
head -10 "$functions" | awk '{ printf "%5d  %-28s %s\n", $1, $2, $3 }'
exit 0
