#!/bin/bash
# Runs run.mjs against an installed prefix, with a network that is loopback only. The SDK is not part of the project:
#   npm install --prefix ~/.cache/warder-clients/sdk --ignore-scripts @anthropic-ai/claude-agent-sdk
# shellcheck disable=SC2154 # prefix.sh sets prefix
set -eu
WARDER_SOURCE=$(cd "$(dirname "$0")/../../.." && pwd)
export WARDER_SOURCE WARDER_BUILD="${1:?the build directory}"
cd "$WARDER_SOURCE"
# shellcheck source=tests/bindings/prefix.sh
. tests/bindings/prefix.sh
sdk=${WARDER_SDK:-${CLIENTS_DIR:-$HOME/.cache/warder-clients}/sdk}

command -v node >/dev/null || skip "there is no node here"
[ -e "$WARDER_BUILD/warder.node" ] || skip "node_api.h was not found (libnode-dev), so the package was not built"
[ -d "$sdk/node_modules/@anthropic-ai/claude-agent-sdk" ] || skip "there is no Claude Agent SDK in $sdk"
unshare -n true 2>/dev/null || skip "a network that is loopback only needs root"
make_prefix
unshare -n sh -c 'ip link set lo up && exec "$@"' sh \
    timeout 300 node tests/judges/sdk/run.mjs "$prefix/lib/node_modules/warder" "$sdk"
