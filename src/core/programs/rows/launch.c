/* launch.c - what the launchers of JavaScript projects may start: tools, and scripts by their
 * usual names.
 *
 * `npx NAME` runs a package that it may have to install first, `pnpm NAME` and `bun run NAME` run
 * any program of the system when the project has no script of that name. So only these names are
 * known: tools with a row of their own, and names that are scripts everywhere and programs nowhere.
 */
#include "programs/reading.h"

/* clang-format off */
#define TOOL(launcher, name) {launcher " " name, "=" name, "", 0, "the row of the tool"}
#define TOOLS(L) \
    TOOL(L, "biome"), TOOL(L, "cypress"), TOOL(L, "depcheck"), TOOL(L, "esbuild"), TOOL(L, \
     "eslint"), TOOL(L, "jest"), \
    TOOL(L, "knip"), TOOL(L, "lint-staged"), TOOL(L, "markdownlint"), TOOL(L, "markdownlint-cli2" \
     ), TOOL(L, "mocha"), \
    TOOL(L, "next"), TOOL(L, "nx"), TOOL(L, "oxlint"), TOOL(L, "playwright"), TOOL(L, "prettier"), \
     TOOL(L, "prisma"), \
    TOOL(L, "pyright"), TOOL(L, "rollup"), TOOL(L, "stylelint"), TOOL(L, "svelte-check"), TOOL(L, \
     "ts-node"), \
    TOOL(L, "tsc"), TOOL(L, "tsup"), TOOL(L, "tsx"), TOOL(L, "turbo"), TOOL(L, "vite"), TOOL(L, \
     "vitest"), \
    TOOL(L, "vue-tsc"), TOOL(L, "webpack")

static const struct program_row tools[] = {
    TOOLS("bun run"), TOOLS("bunx"), TOOLS("npx"), TOOLS("pnpm"), TOOLS("yarn"),
};

#define SCRIPT(launcher, name, effects) {launcher " " name, "", "@@args", (effects), "scripts of package.json", .scripts = name}
#define RUNS(launcher, name) SCRIPT(launcher, name, EFFECT_PROJECT)
#define SENDS(launcher, name) SCRIPT(launcher, name, EFFECT_PROJECT | EFFECT_SEND)
#define SCRIPTS(L) \
    RUNS(L, "build"), RUNS(L, "build:dev"), RUNS(L, "build:prod"), RUNS(L, "build:production"), \
     RUNS(L, "build:watch"), RUNS(L, "check"), RUNS(L, "check-types"), RUNS(L, "check:types"), \
    RUNS(L, "ci"), RUNS(L, "coverage"), SENDS(L, "deploy"), RUNS(L, "dev"), RUNS(L, "e2e"), \
     RUNS(L, "format"), \
    RUNS(L, "format:check"), RUNS(L, "format:fix"), RUNS(L, "generate"), RUNS(L, "lint"), RUNS(L, \
     "lint:fix"), \
    RUNS(L, "preview"), SENDS(L, "release"), RUNS(L, "start"), RUNS(L, "storybook"), RUNS(L, \
     "test"), \
    RUNS(L, "test:ci"), RUNS(L, "test:coverage"), RUNS(L, "test:e2e"), RUNS(L, "test:integration" \
     ), \
    RUNS(L, "test:unit"), RUNS(L, "test:watch"), RUNS(L, "type-check"), RUNS(L, "typecheck"), \
     RUNS(L, "types"), \
    RUNS(L, "validate"), RUNS(L, "verify")

/* bun's own `bun build` and `bun test` are other things, pnpm and yarn have `test` and `start` of their own */
static const struct program_row scripts[] = {
    SCRIPTS("bun run"), SCRIPTS("pnpm"), SCRIPTS("yarn"),
};
/* clang-format on */

extern const struct program_file rows_launch_tools, rows_launch_scripts;
const struct program_file rows_launch_tools = {"programs/rows/launch.c", tools, COUNT(tools)};
const struct program_file rows_launch_scripts = {"programs/rows/launch.c", scripts, COUNT(scripts)};
