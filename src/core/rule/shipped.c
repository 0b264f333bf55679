/* shipped.c - the rules that come with Warder, as data.
 *
 * The guild lists are copied from its spec, in the same order. The default list writes x{, *} where
 * the spec writes x*, so that a program whose name merely starts like a runner's is not allowed. */
#include "rule/shipped.h"

#include "base/sha256.h"

#define DENY(pattern, why)                                                                         \
    {                                                                                              \
        BEHAVIOR_DENY, pattern, why, false                                                         \
    }
#define ALLOW(pattern)                                                                             \
    {                                                                                              \
        BEHAVIOR_ALLOW, pattern, NULL, false                                                       \
    }
#define RUNNER(pattern)                                                                            \
    {                                                                                              \
        BEHAVIOR_ALLOW, pattern, NULL, true                                                        \
    }

/* clang-format off */
static const struct shipped_rule guild[] = {
    /* Network exfiltration */
    DENY("curl*", "Network request - potential exfiltration"),
    DENY("wget*", "Network request - potential exfiltration"),
    DENY("nc *", "Netcat - potential exfiltration"),
    DENY("netcat*", "Netcat - potential exfiltration"),

    /* Remote access */
    DENY("ssh *", "Remote shell access"),
    DENY("scp *", "Remote file copy"),
    DENY("rsync*", "Remote sync"),

    /* Privilege escalation */
    DENY("sudo *", "Privilege escalation"),
    DENY("su *", "User switching"),

    /* Catastrophic deletion */
    DENY("rm -rf /*", "Root filesystem deletion"),
    DENY("rm -rf ~*", "Home directory deletion"),
    DENY("rm -rf .*", "Hidden file mass deletion"),

    /* Credential access */
    DENY("*/.ssh/*", "SSH credential access"),
    DENY("*/.aws/*", "AWS credential access"),
    DENY("*/.config/claude/*", "Claude config access"),
    DENY("*/.env*", "Environment file access"),
    DENY("*/credentials*", "Potential credential file"),

    /* Container escape */
    DENY("docker run*-v /*", "Docker with root mount"),
    DENY("docker run*--privileged*", "Privileged container"),

    /* Test runners */
    RUNNER("bun test*"),
    RUNNER("bun run test*"),
    RUNNER("npm test*"),
    RUNNER("npm run test*"),
    RUNNER("pytest*"),
    RUNNER("cargo test*"),
    RUNNER("go test*"),

    /* Build tools */
    RUNNER("bun run build*"),
    RUNNER("bun run lint*"),
    RUNNER("bun run typecheck*"),
    RUNNER("npm run build*"),
    RUNNER("npm run lint*"),
    RUNNER("tsc*"),
    RUNNER("eslint*"),
    RUNNER("cargo build*"),
    RUNNER("go build*"),

    /* Package management (install only) */
    ALLOW("bun install"),
    ALLOW("bun add *"),
    ALLOW("npm install"),
    ALLOW("npm ci"),

    /* Git (read + local write, no push) */
    ALLOW("git status*"),
    ALLOW("git diff*"),
    ALLOW("git log*"),
    ALLOW("git show*"),
    ALLOW("git add*"),
    ALLOW("git commit*"),
    ALLOW("git branch*"),
    ALLOW("git checkout*"),
    ALLOW("git stash*"),

    /* Read-only filesystem */
    ALLOW("ls*"),
    ALLOW("pwd"),
    ALLOW("cat *"),
    ALLOW("head *"),
    ALLOW("tail *"),
    ALLOW("wc *"),
    ALLOW("find *"),
    ALLOW("grep *"),
    ALLOW("rg *"),
};

static const struct shipped_rule warder[] = {
    /* JavaScript. Script names have suffixes: test:unit, build-docs. */
    RUNNER("{npm,pnpm,yarn,bun} test{, *}"),
    RUNNER("{npm,pnpm} t{, *}"),
    RUNNER("{npm,pnpm,yarn,bun} run test*"),
    RUNNER("{npm,pnpm,yarn,bun} run build*"),
    RUNNER("{npm,pnpm,yarn,bun} run lint*"),
    RUNNER("{npm,pnpm,yarn,bun} run check*"),
    RUNNER("{npm,pnpm,yarn,bun} run typecheck*"),
    RUNNER("{npm,pnpm,yarn,bun} run type-check*"),
    RUNNER("{npm,pnpm,yarn,bun} run types*"),
    RUNNER("{npm,pnpm,yarn,bun} run tsc*"),
    RUNNER("{npm,pnpm,yarn,bun} run format*"),
    RUNNER("{npm,pnpm,yarn,bun} run fmt*"),
    RUNNER("{npm,pnpm,yarn,bun} run compile*"),
    RUNNER("{npm,pnpm,yarn,bun} run coverage*"),
    RUNNER("{pnpm,yarn} {build,lint,typecheck,format}{, *}"),
    RUNNER("node --test{, *}"),
    RUNNER("{tsc,vue-tsc}{, *}"),
    RUNNER("eslint{, *}"),
    RUNNER("prettier {--check,-c}{, *}"),
    RUNNER("biome {check,lint,format,ci}{, *}"),
    RUNNER("oxlint{, *}"),
    RUNNER("stylelint{, *}"),
    RUNNER("{jest,vitest,mocha,ava}{, *}"),
    RUNNER("playwright test{, *}"),
    RUNNER("cypress run{, *}"),
    RUNNER("{npx,bunx,pnpm exec} {tsc,eslint,jest,vitest,mocha}{, *}"),
    RUNNER("{npx,bunx,pnpm exec} prettier {--check,-c}{, *}"),
    RUNNER("{npx,bunx,pnpm exec} playwright test{, *}"),
    RUNNER("deno {test,lint,fmt,check}{, *}"),

    /* Python */
    RUNNER("{pytest,py.test}{, *}"),
    RUNNER("{python,python3} -m {pytest,unittest,mypy,ruff,tox,nox,flake8,pylint,black --check}{, *}"),
    RUNNER("{uv run,poetry run,pipenv run,pdm run,hatch run} {pytest,mypy,ruff check,pyright,tox}{, *}"),
    RUNNER("{uv run,poetry run} {python,python3} -m pytest{, *}"),
    RUNNER("{tox,nox}{, *}"),
    RUNNER("ruff {check,format}{, *}"),
    RUNNER("black --check{, *}"),
    RUNNER("isort --check{, *}"),
    RUNNER("isort --check-only{, *}"),
    RUNNER("{mypy,pyright,basedpyright,flake8,pylint}{, *}"),

    /* Rust */
    RUNNER("cargo {test,build,check,clippy,fmt,bench,doc}{, *}"),
    RUNNER("cargo nextest run{, *}"),

    /* Go */
    RUNNER("go {test,build,vet,fmt}{, *}"),
    RUNNER("gofmt{, *}"),
    RUNNER("golangci-lint run{, *}"),
    RUNNER("staticcheck{, *}"),

    /* C, C++ and make */
    RUNNER("make"),
    RUNNER("make {all,test,check,lint,build,fmt,format,typecheck}{, *}"),
    RUNNER("cmake --build{, *}"),
    RUNNER("ctest{, *}"),
    RUNNER("ninja{, *}"),
    RUNNER("meson {compile,test}{, *}"),

    /* JVM */
    RUNNER("{mvn,./mvnw} {test,compile,verify,package}{, *}"),
    RUNNER("{gradle,./gradlew} {test,build,check,assemble}{, *}"),
    RUNNER("sbt {test,compile}{, *}"),

    /* Other common ones */
    RUNNER("dotnet {test,build,format}{, *}"),
    RUNNER("{rspec,rubocop}{, *}"),
    RUNNER("bundle exec {rspec,rubocop,rake test}{, *}"),
    RUNNER("rake test{, *}"),
    RUNNER("{bin/rails,rails} test{, *}"),
    RUNNER("{phpunit,vendor/bin/phpunit,./vendor/bin/phpunit}{, *}"),
    RUNNER("{phpstan,vendor/bin/phpstan,./vendor/bin/phpstan} analyse{, *}"),
    RUNNER("composer test{, *}"),
    RUNNER("swift {test,build}{, *}"),
    RUNNER("mix {test,compile,format,credo}{, *}"),
    RUNNER("{flutter,dart} {test,analyze}{, *}"),
    RUNNER("dart format{, *}"),
    RUNNER("zig {build,test,fmt}{, *}"),
    RUNNER("stack {test,build}{, *}"),
    RUNNER("cabal {test,build}{, *}"),
    RUNNER("dune {build,test,runtest}{, *}"),
    RUNNER("bats{, *}"),
    RUNNER("shellcheck{, *}"),
    RUNNER("shfmt -d{, *}"),
    RUNNER("pre-commit run{, *}"),
    RUNNER("bazel {build,test}{, *}"),

    /* Package management: installs what the lock file or manifest lists. Reading and git need no
     * rules here: the layers that know what a program does allow them, in the session's own
     * repository only. */
    ALLOW("npm ci"),
    ALLOW("npm install"),
    ALLOW("bun install"),
};

static const struct shipped_rule caliban[] = {
    ALLOW("Read"),
    ALLOW("Glob"),
    ALLOW("Grep"),
    ALLOW("LS"),
    ALLOW("NotebookRead"),
    ALLOW("LSP"),
    ALLOW("TodoRead"),
    ALLOW("TaskList"),
    ALLOW("TaskGet"),
    {BEHAVIOR_ASK, "*", NULL, false},
};
/* clang-format on */

const struct shipped_list shipped_guild = {"guild", DIALECT_ACTION, guild, COUNT(guild), true};
const struct shipped_list shipped_warder = {"warder", DIALECT_ACTION, warder, COUNT(warder)};
const struct shipped_list shipped_caliban = {"caliban", DIALECT_FIRST_ARG, caliban, COUNT(caliban)};

#define ID_DIGITS 12

struct str shipped_id(struct arena *a, const struct shipped_list *list,
                      const struct shipped_rule *rule)
{
    struct sha256 h;
    uint8_t hash[SHA256_BYTES];
    char hex[SHA256_HEX];

    sha256_init(&h);
    sha256_add(&h, str_format(a, "%s %s %s", list->name, behavior_name(rule->effect), rule->text));
    sha256_end(&h, hash);
    sha256_hex(hash, hex);
    return str_format(a, "builtin-%.*s", ID_DIGITS, hex);
}
