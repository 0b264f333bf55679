# Read by the tests beside it: an installed prefix of their own, and how to run foreign programs with our library.
# shellcheck shell=bash disable=SC2034 # what is set here is used there

skip() {
    echo "SKIPPED: $*"
    exit 77
}

# make_prefix sets tmp and prefix.
make_prefix() {
    tmp=$(mktemp -d)
    trap 'rm -rf "$tmp"' EXIT
    prefix=$tmp/prefix
    cmake --install "${WARDER_BUILD:?}" --prefix "$prefix" >"$tmp/install.log" 2>&1 || {
        cat "$tmp/install.log"
        exit 1
    }
}

sanitizer=$(sed -n 's/^WARDER_SANITIZE:STRING=//p' "${WARDER_BUILD:?}/CMakeCache.txt")
case $sanitizer in
    *thread*) skip "ThreadSanitizer must be part of the whole program" ;;
esac

# sanitized PROGRAM...: a program that was built without the sanitizer loads its run-time library first. What the program
# itself leaks is not ours.
sanitized() {
    case $sanitizer in
        *address*) LD_PRELOAD=$(gcc -print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0 "$@" ;;
        *) "$@" ;;
    esac
}
