#!/bin/bash
# libwarder as users get it: what it exports, what the manual documents, and programs built against an installed prefix.
set -u

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
prefix=$tmp/prefix
failed=0
complain() {
    echo "FAILED: $*"
    failed=1
}
# same WHAT A B: two lists of names, one a line.
same() {
    diff "$2" "$3" >"$tmp/diff" || {
        complain "$1"
        cat "$tmp/diff"
    }
}

cmake --install "${WARDER_BUILD:?}" --prefix "$prefix" >"$tmp/out" 2>&1 || {
    cat "$tmp/out"
    exit 1
}
lib=$(dirname "$(find "$prefix" -name libwarder.so)")
headers=("$prefix"/include/warder*.h)
export PKG_CONFIG_PATH=$lib/pkgconfig
cached() { sed -n "s/^$1:[A-Z]*=//p" "$WARDER_BUILD/CMakeCache.txt"; }
flags=(-Wall -Wextra -Werror)
[ -z "$(cached WARDER_SANITIZE)" ] || flags+=("-fsanitize=$(cached WARDER_SANITIZE)")
[ "$(cached WARDER_COVERAGE)" != ON ] || flags+=(--coverage)

# declared HEADER...: the functions, without comments and macros.
declared() {
    cat "$@" | tr '\n' ' ' | sed 's#/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/##g' |
        grep -o 'WARDER_API [^;(]*(' | sed -n 's/.*[ *]\(warder_[a-z_]*\)($/\1/p' | sort
}

# ---- what is exported ----
declared "${headers[@]}" >"$tmp/declared"
[ "$(wc -l <"$tmp/declared")" -gt 40 ] || complain "the headers seem to declare hardly anything"
nm -D --defined-only "$lib/libwarder.so" | awk '$2 != "A" { print $3 }' | sort >"$tmp/versioned"
sed 's/@@WARDER_[0-9.]*$//' "$tmp/versioned" >"$tmp/exported"
same "the shared library exports other names than the headers declare" "$tmp/declared" "$tmp/exported"
if grep -v '@@WARDER_[0-9]' "$tmp/versioned"; then complain "names without a version"; fi
nm --defined-only --extern-only "$lib/libwarder.a" | awk 'NF == 3 { print $3 }' | grep -v '^__\|^DW.ref' | sort >"$tmp/static"
same "the static library exports other names than the headers declare" "$tmp/declared" "$tmp/static"
# Before 1.0 the name that programs load has the minor version, too.
version=$(pkg-config --modversion warder)
case $version in 0.*) so=${version%.*} ;; *) so=${version%%.*} ;; esac
readelf -d "$lib/libwarder.so" | grep -q "SONAME.*\[libwarder\.so\.$so\]" || complain "the soname is not libwarder.so.$so"
grep -q "^#define WARDER_VERSION  *\"$version\"\$" "$prefix/include/warder.h" || complain "warder.h is not of version $version"
sed -n 's/^        \(warder_[a-z_]*\);$/\1/p' "$WARDER_SOURCE/src/edge/engine/warder.map" | sort >"$tmp/listed"
same "warder.map lists other names than the headers declare" "$tmp/declared" "$tmp/listed"

# ---- what is documented ----
for page in $(grep -oE 'docs/[a-z-]+\.(md|yaml)' README.md man/*.[15] | cut -d: -f2 | sort -u); do
    [ -f "$prefix/share/doc/warder/$page" ] || complain "$page is named and not installed"
done
[ "$(wc -l <"$prefix/include/warder.h")" -lt 500 ] || complain "warder.h has 500 lines"
[ "$(declared "$prefix/include/warder.h" | wc -l)" -lt 50 ] || complain "warder.h has 50 functions"
for header in "${headers[@]}"; do
    page=$prefix/share/man/man3/$(basename "$header" .h).3
    declared "$header" >"$tmp/declared"
    [ -f "$page" ] || {
        complain "there is no $(basename "$page")"
        continue
    }
    # Once in the synopsis, and once or more where it is explained.
    sed -n '/^.Sh SYNOPSIS/,/^.Sh DESCRIPTION/s/^\.F[no] \(warder_[a-z_]*\).*/\1/p' "$page" | sort >"$tmp/synopsis"
    same "the synopsis of $(basename "$page") is not that of its header" "$tmp/declared" "$tmp/synopsis"
    sed -n '/^.Sh DESCRIPTION/,$s/^\.Fn \(warder_[a-z_]*\).*/\1/p' "$page" | sort -u >"$tmp/explained"
    same "$(basename "$page") does not explain each function" "$tmp/declared" "$tmp/explained"
done

# members FILE: of the structs in a header or in the blocks of a page, as "struct member", without comments.
members() {
    sed 's#^\.\(B[dl]\|E[dl]\).*##' "$1" | tr '\n' ' ' | sed 's#/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/##g' |
        grep -o 'typedef struct warder_[a-z_]* {[^}]*}' | while read -r _ _ name rest; do
        echo "$rest" | tr -d '{}' | tr ';' '\n' | sed 's/(\*\([a-z_]*\))(.*/ \1/; s/\[[^]]*\]//g' |
            sed -n 's/^ *[a-z].*[ *]\([a-z_]*, .*\)$/\1/p; t; s/^ *[a-z].*[ *]\([a-z_]*\)$/\1/p' |
            tr ',' '\n' | sed "s/^[ *]*/$name /"
    done | sort
}
members "$prefix/include/warder.h" | grep -v '^warder_\(error\|rule\|text\) ' >"$tmp/members"
[ "$(wc -l <"$tmp/members")" -gt 45 ] || complain "warder.h seems to have hardly any members"
members "$prefix/share/man/man3/warder.3" >"$tmp/shown"
same "warder.3 shows other members than warder.h has" "$tmp/members" "$tmp/shown"

# Each program among the examples of the page, by itself.
awk -v out="$tmp/page-" '/^\.Sh/ { on = $2 == "EXAMPLES" } on && /^\.Bd/ { n++; in_block = 1; next } /^\.Ed/ { in_block = 0 }
    on && in_block { gsub(/\\e/, "\\"); print > (out n ".c") }' "$prefix/share/man/man3/warder.3"
[ -f "$tmp/page-2.c" ] || complain "warder.3 has no example with a callback"
for file in "$tmp"/page-*.c; do
    gcc -std=c17 -D_GNU_SOURCE "${flags[@]}" -I"$prefix/include" -c "$file" -o "$tmp/page.o" || complain "an example of warder.3"
done

# ---- each header by itself, in other languages ----
for header in "${headers[@]}"; do
    cat >"$tmp/use.c" <<END
#include <$(basename "$header")>
int main(void)
{
    warder_options o = WARDER_OPTIONS_INIT;
    warder_asking a = WARDER_ASKING_INIT;
    return o.struct_size == sizeof(o) && a.struct_size == sizeof(a) ? 0 : 1;
}
END
    case $header in *_admin.h) sed -i 's/^    warder_asking/    warder_log_filter f = WARDER_LOG_FILTER_INIT;\n    (void)f;\n&/' "$tmp/use.c" ;; esac
    cp "$tmp/use.c" "$tmp/use.cc"
    for std in c99 c17; do
        gcc -std=$std -pedantic "${flags[@]}" -I"$prefix/include" -fsyntax-only "$tmp/use.c" || complain "$header as $std"
    done
    for std in c++11 c++20; do
        g++ -std=$std -pedantic "${flags[@]}" -I"$prefix/include" "$tmp/use.cc" -o "$tmp/use" || complain "$header as $std"
        "$tmp/use" || complain "$header as $std: wrong sizes"
    done
done

# ---- the example, in three ways ----
[ "$(wc -l <examples/embed.c)" -le 40 ] || complain "embed.c has more than 40 lines"
mkdir "$tmp/home" "$tmp/work"
# embed PROGRAM: checks its output and its exit code.
embed() {
    local out code
    while IFS='|' read -r want tool input says; do
        out=$(cd "$tmp/work" && HOME=$tmp/home LD_LIBRARY_PATH=$lib "$1" "$tool" "$input" 2>&1)
        code=$?
        case $out in
            *"$says"*) ;;
            *) complain "$1 $tool $input says: $out" ;;
        esac
        [ "$code" = "$want" ] || complain "$1 $tool $input ends with $code"
    done <<'END'
0|Bash|{"command": "git status"}|allow: only reads
0|Bash|{"command": "npm run build"}|allow: allow rule Bash(npm run:*) (user, embed.yaml:2)
1|Bash|{"command": "npm run build; curl x"}|deny: deny rule Bash(curl:*)
1|Read|{"file_path": "a/.env"}|deny: deny rule Read(**/.env)
1|Bash|{"command": "frob"}|may Bash run with {"command":"frob"}?
1|Bash|no json|deny: 1:1:
END
}
# shellcheck disable=SC2046 # flags are words
gcc "${flags[@]}" examples/embed.c $(pkg-config --cflags --libs warder) -o "$tmp/by-pkg-config" ||
    complain "embed.c by pkg-config"
embed "$tmp/by-pkg-config"
# shellcheck disable=SC2046
gcc "${flags[@]}" examples/embed.c $(pkg-config --cflags warder) "$lib/libwarder.a" \
    $(pkg-config --static --libs-only-l warder | sed 's/-lwarder//') -o "$tmp/static" ||
    complain "embed.c with the static library"
embed "$tmp/static"
if readelf -d "$tmp/static" | grep -q 'NEEDED.*libwarder'; then complain "the static example needs the shared library"; fi

mkdir "$tmp/cmake"
cp examples/embed.c "$tmp/cmake"
cat >"$tmp/cmake/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(embed LANGUAGES C)
add_compile_options(${flags[*]})
add_link_options(${flags[*]})
find_package(warder 0.1 REQUIRED COMPONENTS static)
foreach(kind warder static)
  add_executable(embed_\${kind} embed.c)
  target_link_libraries(embed_\${kind} PRIVATE warder::\${kind})
endforeach()
END
if cmake -S "$tmp/cmake" -B "$tmp/cmake/build" -G Ninja -D CMAKE_PREFIX_PATH="$prefix" >"$tmp/out" 2>&1 &&
    cmake --build "$tmp/cmake/build" >>"$tmp/out" 2>&1; then
    embed "$tmp/cmake/build/embed_warder"
    embed "$tmp/cmake/build/embed_static"
else
    complain "embed.c by find_package"
    cat "$tmp/out"
fi
sed -i 's/find_package(warder 0.1 /find_package(warder 9.9 /' "$tmp/cmake/CMakeLists.txt"
if cmake -S "$tmp/cmake" -B "$tmp/cmake/newer" -G Ninja -D CMAKE_PREFIX_PATH="$prefix" >"$tmp/out" 2>&1; then
    complain "find_package takes a version that is not there"
fi
exit $failed
