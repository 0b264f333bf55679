#!/bin/bash
# The programs of a release build have what the hardening flags promise.
set -u

if ! grep -q '^WARDER_HARDEN:BOOL=ON' "${WARDER_BUILD:?}/CMakeCache.txt"; then
    echo "SKIPPED: this build is not hardened"
    exit 77
fi
failed=0

# want PROGRAM WHAT PATTERN: in readelf's output; unwanted is the opposite.
said() { readelf -W --file-header --program-headers --dynamic --dyn-syms "$1" | grep -qE "$2"; }
want() { said "$1" "$3" || complain "$1 is not $2"; }
unwanted() { ! said "$1" "$3" || complain "$1 is $2"; }
complain() {
    echo "FAILED: $1"
    failed=1
}

for program in "$WARDER_BUILD/warder" "$WARDER_BUILD/warder-serve" "$WARDER_BUILD/tests/test_arena"; do
    [ -x "$program" ] || continue
    want "$program" "position independent" 'Type: +DYN'
    want "$program" "relocated read-only" 'GNU_RELRO'
    want "$program" "bound at start" 'FLAGS.*BIND_NOW|FLAGS_1.*NOW'
    want "$program" "guarded on the stack" '__stack_chk_fail'
    want "$program" "fortified" '_chk(@|$| )'
    unwanted "$program" "executable on the stack" 'GNU_STACK.* RWE'
    unwanted "$program" "told where to look for libraries" '\((RPATH|RUNPATH)\)'
done

# The check must fail where a flag is missing.
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
echo 'int main(void) { return 0; }' | "${CC:-gcc}" -no-pie -Wl,-z,norelro -Wl,-z,lazy -fno-stack-protector -x c -o "$tmp/soft" -
for pattern in 'Type: +DYN' 'GNU_RELRO' 'FLAGS.*BIND_NOW|FLAGS_1.*NOW' '__stack_chk_fail' '_chk(@|$| )'; do
    ! said "$tmp/soft" "$pattern" || complain "a soft program passes $pattern"
done
exit $failed
