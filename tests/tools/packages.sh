#!/bin/bash
# docs/dependencies.md explains exactly the packages of tools/packages.txt.
set -u

listed() { grep -v '^#' tools/packages.txt | awk '{ print $2 }' | sort; }
# shellcheck disable=SC2016 # backquotes of Markdown
explained() { sed -n 's/^| `\([a-z0-9.+-]*\)` |.*/\1/p' docs/dependencies.md | sort; }

if ! diff <(listed) <(explained); then
    echo "FAILED: < is in tools/packages.txt only, > in docs/dependencies.md only"
    exit 1
fi
if [ "$(listed | uniq -d)" ]; then
    echo "FAILED: twice in tools/packages.txt: $(listed | uniq -d)"
    exit 1
fi
[ "$(listed | wc -l)" -gt 0 ]
