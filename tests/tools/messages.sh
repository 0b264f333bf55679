#!/bin/bash
# docs/messages.md lists the messages that the sources have, and the check that says so can fail.
set -u

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

if ! tools/messages | diff docs/messages.md - >"$tmp/diff"; then
    head -40 "$tmp/diff"
    echo "FAILED: docs/messages.md is out of date: make messages"
    exit 1
fi

# In a copy with one message more, and one that is gone, both are noticed.
mkdir -p "$tmp/tree/tools"
cp -r src "$tmp/tree/" && cp tools/messages "$tmp/tree/tools/"
printf '\nvoid new_one(void *err);\nvoid new_one(void *err)\n{\n    fail(err, 0, "the moon is %%s today", "full");\n}\n' \
    >>"$tmp/tree/src/edge/policy/file.c"
rm "$tmp/tree/src/edge/machine/http.c"
"$tmp/tree/tools/messages" | diff docs/messages.md - >"$tmp/diff"
grep -q '^> | the moon is … today | file.c |' "$tmp/diff" || {
    echo "FAILED: a new message is not noticed"
    exit 1
}
grep -q '^< .*| http.c |' "$tmp/diff" || {
    echo "FAILED: a message that is gone is not noticed"
    exit 1
}
echo "$(grep -c '^| ' docs/messages.md) lines of messages are up to date"
