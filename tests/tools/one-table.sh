#!/bin/bash
# What is known of a program is in its row (src/core/programs/rows) and nowhere else: no other file of the core has a list
# with names of programs. A list is three or more of them, each the first or only text of an entry: {"curl", ...}, "wget",
set -eu
cd "$(dirname "$0")/../.."

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# FILE NAMES REASON. The numbers may only become smaller.
cat >"$tmp/allowed" <<'END'
src/core/decide/layer_catastrophe.c 11 functions: how each of them destroys a home or a disk
src/core/facts/environment.c 4 values of variables: programs that do nothing
src/core/rule/suggest.c 20 our choice: which subcommands are offered with any arguments
src/core/rule/tool.c 8 names of tools and of their arguments; view is one, and an editor
src/core/shell/assigned.c 13 the shell's own commands, which set variables
src/core/shell/builtin.c 49 functions for the shell's own commands
src/core/shell/output_shape.c 28 functions: what the words are that a program prints
src/core/shell/parse.c 5 the shell's grammar
src/core/shell/wrapper.c 31 functions for programs that run others in ways of their own
src/core/shell/written.c 3 functions: what cp, mv and tee write
END

sed -n 's/^    {"\([^" ]*\)[" ].*/\1/p' src/core/programs/rows/*.c | sort -u >"$tmp/names"
[ "$(wc -l <"$tmp/names")" -gt 500 ] || {
    echo "the rows were not found"
    exit 1
}

# Prints FILE and NAME for each entry that is the name of a program.
entries() {
    awk -v names="$tmp/names" '
        BEGIN { while ((getline name < names) > 0) known[name] = 1 }
        {
            line = $0
            while (match(line, /(^|[{,])[ \t]*"[^"]*"[ \t]*([,}]|$)/)) {
                entry = substr(line, RSTART, RLENGTH)
                line = substr(line, RSTART + RLENGTH - 1)
                if (line !~ /^[,}]/)
                    line = ""
                gsub(/^[^"]*"|"[^"]*$/, "", entry)
                if (entry in known)
                    print FILENAME, entry
            }
        }' "$@"
}

# Prints what is too much; nothing: all is well.
check() {
    entries "$@" | awk -v allowed="$tmp/allowed" '
        BEGIN { while ((getline < allowed) > 0) most[$1] = $2 }
        { count[$1]++; what[$1] = what[$1] " " $2 }
        END {
            for (file in count)
                if (count[file] > (file in most ? most[file] : 2))
                    print file ": a second table of programs:" what[file]
        }'
}

# It can fail: a list that is like those that have been removed.
printf 'static const char *const talkers[] = {"curl", "wget",\n    "nc"};\nint x = f("ssh", "scp");\n' >"$tmp/bad.c"
printf 'static const char *const words[] = {"curl", "nothing"};\n' >"$tmp/good.c"
if [ -z "$(check "$tmp/bad.c")" ] || [ -n "$(check "$tmp/good.c")" ]; then
    echo "one-table: the check itself does not work"
    exit 1
fi

files=$(git ls-files 'src/core/*.c' 'src/core/*.h' | grep -v '^src/core/programs/\(rows\|readers\|python\|javascript\)/')
# shellcheck disable=SC2086
found=$(check $files)
if [ -n "$found" ]; then
    echo "$found"
    exit 1
fi
