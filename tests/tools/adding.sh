#!/bin/bash
# CONTRIBUTING.md names the places that a new program, client, layer, profile and subcommand touch. One of each is added
# to a copy of the tree, in these places and no others. The copy is built: it must know them all, and the real build none.
# shellcheck disable=SC2317 # the functions knows_* are called by the names that compgen lists
set -eu

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
tree=$tmp/tree
mkdir -p "$tree" "$tmp/home/project"
cp -a CMakeLists.txt cmake src include tools bindings man packaging "$tree"
touch "$tmp/home/project/notes.txt"

# before FILE PATTERN: puts standard input before the first line of the copy's FILE that matches.
before() {
    local text line
    text=$(cat)
    line=$(grep -nm1 -- "$2" "$tree/$1" | cut -d: -f1)
    [ -n "$line" ] || { echo "no line of $1 matches $2" && exit 1; }
    { head -n $((line - 1)) "$tree/$1" && printf '%s\n' "$text" && tail -n "+$line" "$tree/$1"; } >"$tmp/file"
    mv "$tmp/file" "$tree/$1"
}

# ---- a program ----
before src/core/programs/rows/text.c '^    {"ack"' <<'END'
    {"aabacus", "-n,--level=", "R*", 0, "aabacus(1)"},
END

# ---- a client ----
before src/core/call/agents.def '^AGENT(claude' <<'END'
AGENT(newagent, "New Agent",
    PROGRAMS("newagent")
    VARIABLES("NEW_AGENT")
    SETTINGS(ANYWHERE(".newagent"))
    CLIENT(
        CLAUDE_FIELDS,
        .events = {{.name = "BeforeCall", .kind = EVENT_TOOL, .shape = ANSWER_SPECIFIC, .asks = ASKS_ALL}},
        .has = "new_agent_version")
    REGISTRATION(
        .files = {".newagent/hooks.json", NULL, NULL},
        .blank = "{}\n", .events = "BeforeCall", .entry = GROUP(SHELL_HANDLER), .per_second = 1,
        .canary = CLAUDE_CANARY("\"new_agent_version\":1,\"hook_event_name\":\"BeforeCall\",\"tool_name\":\"Bash\",")))

END

# ---- a layer ----
cat >"$tree/src/core/decide/layer_tuesday.c" <<'END'
/* layer_tuesday.c - no call may mention Tuesday. */
#include "decide/layer.h"

const struct said *layer_tuesday(const struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++)
        if (strs_has(&f->actions.items[i].subject.words, STR("Tuesday")))
            return say(f, SAY_DENY, (struct str){0});
    return NULL;
}
END
before src/core/decide/layers.def '^LAYER(POLICY' <<'END'
LAYER(TUESDAY, look, tuesday, "tuesday", "it mentions Tuesday")
END
before src/core/decide/profiles.c '^    {LAYER_DISABLED, ROLE_STOP},' <<'END'
    {LAYER_TUESDAY, ROLE_STOP},
END

# ---- a profile ----
before src/core/decide/profiles.c '^#define STEPS' <<'END'
static const struct step tiny_steps[] = {
    {LAYER_VALID, ROLE_STOP},
    {LAYER_POLICY, ROLE_STOP},
    {LAYER_DENY_RULES, ROLE_STOP},
};

END
before src/core/decide/profiles.c '^        .name = "warder"' <<'END'
        .name = "tiny",
        .spec = "tests/tools/adding.sh",
        .summary = "deny rules, and a person for the rest",
        .dialect = DIALECT_WARDER,
        .order = NEAREST_FIRST,
        STEPS(tiny_steps),
        .asker = "ask",
        .headless = "there is no one to ask",
    },
    {
END

# ---- a subcommand ----
cat >"$tree/src/prog/cli/greet.c" <<'END'
/* greet.c - `warder greet`. */
#include "cli/command.h"
#include "cli/output.h"

struct given {
    const char *name;
};

static int run(struct cli *cli)
{
    const struct given *given = cli->args.given;

    printf("hello %s\n", given->name ? given->name : "you");
    return EXIT_YES;
}

static const struct option greet_options[] = {
    OPT_TEXT("--name", "NAME", OWN(name), "who is greeted"),
    {0},
};

const struct command command_greet = {
    .name = "greet",
    .operands = "",
    .summary = "say hello",
    .tables = {greet_options, common_options},
    .run = run,
};
END
before src/prog/cli/commands.def '^COMMAND(explain)' <<'END'
COMMAND(greet)
END

# ---- these are the places that CONTRIBUTING.md names ----
failed=0
complain() {
    echo "FAILED: $*"
    failed=1
}

# named PARAGRAPH PLACE: the paragraph that begins with "**A PARAGRAPH.**" has the place in it.
named() {
    awk -v begin="**$1.**" 'index($0, begin) == 1 { in_it = 1 } /^$/ { in_it = 0 } in_it' CONTRIBUTING.md |
        grep -qF "\`$2\`" || complain "CONTRIBUTING.md does not name $2 in \"$1\""
}
named 'A program' src/core/programs/rows/
named 'A client' src/core/call/agents.def
named 'A layer' src/core/decide/layer_NAME.c
named 'A layer' src/core/decide/layers.def
named 'A layer' src/core/decide/profiles.c
named 'A profile' src/core/decide/profiles.c
named 'A subcommand' src/prog/cli/NAME.c
named 'A subcommand' src/prog/cli/commands.def

# ---- what is asked of a build ----
export HOME=$tmp/home
unset XDG_CONFIG_HOME XDG_STATE_HOME WARDER_CONFIG CLAUDE_PROJECT_DIR

knows_program() { "$1" check Bash 'aabacus --level 3 notes.txt'; }
knows_client_in_lists() { "$1" help install | grep -qw newagent && "$1" help hook | grep -qw newagent; }
knows_client_as_agent() { "$1" check Bash newagent | grep -q 'starts another agent'; }
knows_client_settings() { "$1" check Write .newagent/x --mode bypassPermissions | grep -q 'agent settings'; }
knows_client_registration() { "$1" install newagent --dry-run | grep -q BeforeCall; }
knows_client_protocol() {
    printf '{"new_agent_version":1,"hook_event_name":"BeforeCall","cwd":"%s","tool_name":"Bash","tool_input":%s}' \
        "$PWD" '{"command":"ls"}' | "$1" hook --home "$HOME" | grep -q '"permissionDecision":"allow"'
}
knows_layer() {
    "$1" profiles | grep -q 'tuesday .*it mentions Tuesday' &&
        "$1" explain Bash 'echo Tuesday' | grep -q 'it mentions Tuesday'
}
knows_profile() { [ "$("$1" check Bash ls --profile tiny | head -c3)" = ask ] && "$1" help check | grep -qw tiny; }
knows_subcommand() { "$1" help greet | grep -q -- --name && [ "$("$1" greet --name there)" = 'hello there' ]; }

# Where bubblewrap is there, the copy takes the place of the real tree, with a copy of the real build: little is built again.
# Elsewhere all of it is, with the compiler of the real build and without its flags.
build_in_place() {
    mkdir "$tree/build"
    find "$WARDER_BUILD" -mindepth 1 -maxdepth 1 ! -name tests ! -name Testing -exec cp -a -t "$tree/build" {} +
    local inside=(bwrap --dev-bind / / --bind "$tree" "$WARDER_SOURCE" --bind "$tree/build" "$WARDER_BUILD")
    "${inside[@]}" cmake -DWARDER_TESTS=OFF "$WARDER_BUILD" && "${inside[@]}" cmake --build "$WARDER_BUILD" --target warder
}
build_all() {
    local compiler
    compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$WARDER_BUILD/CMakeCache.txt")
    cmake -S "$tree" -B "$tree/build" -G Ninja -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=None \
        -DCMAKE_C_FLAGS=-O0 -DWARDER_TESTS=OFF && cmake --build "$tree/build" --target warder
}
build=build_all
bwrap --dev-bind / / true 2>"$tmp/log" && build=build_in_place
"$build" >"$tmp/log" 2>&1 || {
    tail -30 "$tmp/log"
    exit 1
}
ln -sf /bin/true "$tree/build/warder-hook" # only that is registered, and its name is enough here

cd "$tmp/home/project"
for check in $(compgen -A function knows_); do
    if "$check" "$WARDER_BUILD/warder" >/dev/null 2>&1; then
        complain "$check: the real build knows it"
    fi
    "$check" "$tree/build/warder" >"$tmp/said" 2>&1 || {
        complain "$check: the copy does not know it"
        cat "$tmp/said"
    }
done
[ "$failed" = 0 ] && echo "$(compgen -A function knows_ | wc -l) questions: the copy knows what was added, the real build does not"
exit "$failed"
