/* js.c - JavaScript and TypeScript: runtimes and package managers.
 *
 * Two habits of these programs shaped the rows. A launcher (npx, bunx) installs a package that it
 * does not find and runs it, and `bun run` and `pnpm` fall back to any program of the system:
 * after them only the names of launch.c are known. And the words after a script's name go to
 * a program that is not read: they are judged as paths (@arg). */
#include "programs/reading.h"
#include "programs/rows/starts_from.h"

/* clang-format off */
#define DENO_HOSTS "deno.json deno.jsonc deno.lock import_map.json package.json"
#define NPM \
    "%-h,--help --json -s,--silent -q,--quiet -d -dd -ddd --verbose --loglevel= -w,--workspace= " \
    "-ws,--workspaces --include-workspace-root --no-workspaces --prefix,-C=P --no-color " \
    "--color?= --no-progress --no-audit --no-fund --if-present --ignore-scripts " \
    "--no-update-notifier --offline --prefer-offline --prefer-online --registry=N " \
    "--script-shell=X --node-options=X --userconfig=F --globalconfig=F --cache=W"
#define PNPM \
    "-h,--help --json --silent -s --color --no-color --reporter= --loglevel= -C,--dir=P " \
    "-r,--recursive --filter,-F= -w,--workspace-root --parallel --stream --aggregate-output " \
    "--workspace-concurrency= --if-present --no-bail --sort --no-sort --reverse --resume-from= " \
    "--offline --prefer-offline"
#define BUN \
    "-h,--help --silent --cwd=P --filter,-F= --bun,-b --watch --hot --smol --no-install " \
    "--elide-lines="
#define NODE_READS_MORE "--experimental-strip-types,--experimental-transform-types,--enable-source-maps"
#define DENO \
    "%-h,--help -q,--quiet -c,--config=R --no-config --lock?=RW --no-lock --frozen?= --no-remote " \
    "--no-npm --cached-only --unstable?= --allow-all,-A --no-prompt --v8-flags= -L,--log-level= " \
    "--node-modules-dir?= !--inspect?=@listen !--inspect-brk?=@listen !--inspect-wait?=@listen"

/* Scripts of package.json that run by themselves, each with its pre- and its post-. */
#define INSTALL_SCRIPTS "prepublish install prepare"
#define PUBLISH_SCRIPTS "prepublishOnly prepack prepare postpack publish"

static const struct program_row rows[] = {
    {"bun",
     "global "
     BUN
     " -v,--version --revision -e,--eval=X -p,--print=X -r,--preload,--require,--import=F "
     "--env-file=F -c,--config=F !--inspect?=@listen !--inspect-brk?=@listen !--inspect-wait?=@listen",
     "{-e,-p} .* | {-v,-h,--revision} ^project none | {0} ^code none | @source @arg*", 0,
     "bun.com/docs/cli", .launches = "",
     .starts_from = JS_FILES, .kit = "npm", .set_by = "BUN_*", .shares_scripts = SCRIPT_RUNNERS},
    {"bun add",
     "mixed --dev,-d,-D --optional --peer --exact,-E ^system--global,-g --production,-p --frozen-lockfile "
     "--no-save --dry-run --ignore-scripts --registry=N",
     "@package*", EFFECT_INSTALL, "bun.com/docs/cli"},
    {"bun audit", "--json --audit-level= --ignore= --prod", "none", EFFECT_PROJECT | EFFECT_FETCH,
     "bun.com/docs/cli"},
    {"bun build",
     "mixed --outdir,--outfile=W --target= --format= --minify --minify-syntax --minify-whitespace "
     "--minify-identifiers --sourcemap?= --splitting --external,-e= --entry-naming=@naming "
     "--chunk-naming=@naming --asset-naming=@naming --public-path=@text --define,-d=@text "
     "--packages= --compile --bytecode "
     "--root=R --no-bundle --watch --production --env= --loader,-l= --tsconfig-override=R "
     "--metafile?=W --banner,--footer=@text --conditions= --no-clear-screen --emit-dce-annotations "
     "--css-chunking",
     "R*", EFFECT_PROJECT, "bun.com/docs/cli"},
    {"bun ci", "=bun install", "", 0, "bun.com/docs/cli"},
    {"bun create", "mixed", ".*", EFFECT_INSTALL | EFFECT_CODE, "bun.com/docs/cli"},
    {"bun i", "=bun install", "", 0, "bun.com/docs/cli"},
    {"bun info", "mixed --json", "@package .*", EFFECT_PROJECT | EFFECT_FETCH, "bun.com/docs/cli"},
    {"bun install",
     "mixed --frozen-lockfile --production,-p --no-save --dry-run --force,-f --ignore-scripts "
     "--no-progress --no-summary --verbose --exact,-E --dev,-d,-D --global,-g --lockfile-only "
     "--linker= --no-cache --omit= --backend= --concurrent-scripts= --network-concurrency= --trust "
     "--registry=N",
     "@package*", EFFECT_INSTALL, "bun.com/docs/cli", .also = "bun i", .scripts = INSTALL_SCRIPTS},
    {"bun outdated", "mixed -r,--recursive", ".*", EFFECT_PROJECT | EFFECT_FETCH,
     "bun.com/docs/cli"},
    {"bun pm", "", "sub", 0, "bun.com/docs/cli"},
    {"bun pm bin", "-g,--global", "none", 0, "bun.com/docs/cli"},
    {"bun pm cache", "", "none", 0, "bun.com/docs/cli"},
    {"bun pm default-trusted", "", "none", 0, "bun.com/docs/cli"},
    {"bun pm hash", "", "none", 0, "bun.com/docs/cli"},
    {"bun pm list", "=bun pm ls", "", 0, "bun.com/docs/cli"},
    {"bun pm ls", "-a,--all -g,--global", "none", 0, "bun.com/docs/cli"},
    {"bun pm pack",
     "--dry-run --destination=W --filename=W --ignore-scripts --quiet --gzip-level=",
     "none", EFFECT_PROJECT, "bun.com/docs/cli", .scripts = "prepack prepare postpack"},
    {"bun pm pkg", "", "sub", 0, "bun.com/docs/cli"},
    {"bun pm pkg get", "", ".*", 0, "bun.com/docs/cli"},
    {"bun pm untrusted", "", "none", 0, "bun.com/docs/cli"},
    {"bun pm view", "=bun info", "", 0, "bun.com/docs/cli"},
    {"bun pm whoami", "", "none", EFFECT_PROJECT | EFFECT_FETCH, "bun.com/docs/cli"},
    {"bun publish",
     "mixed --access= --tag= --dry-run --otp= --auth-type= --tolerate-republish --gzip-level= "
     "--registry=N --ignore-scripts",
     "R", EFFECT_SEND | EFFECT_PROJECT, "bun.com/docs/cli", .scripts = PUBLISH_SCRIPTS},
    {"bun remove", "mixed --global,-g --dry-run --no-save", ".*", EFFECT_INSTALL,
     "bun.com/docs/cli"},
    {"bun run",
     "-e,--eval=X -p,--print=X -r,--preload=F --env-file=F -c,--config=F",
     "{-e,-p} .* | {0} none | @source @arg*", 0, "bun.com/docs/cli", .danger = DANGER_SCRIPTS},
    {"bun test",
     "mixed -t,--test-name-pattern= --timeout= --update-snapshots,-u --rerun-each= --only --todo "
     "--coverage --coverage-reporter= --coverage-dir=W --bail?= --randomize --seed= --reporter= "
     "--reporter-outfile=W --preload,-r=F --only-failures --dots --concurrent --max-concurrency= "
     "--pass-with-no-tests --no-coverage --test-path-ignore-patterns= --parallel?= --isolate "
     "--changed?= --shard=",
     "R*", EFFECT_PROJECT, "bun.com/docs/cli"},
    {"bun update", "mixed --latest -r,--recursive -i,--interactive", ".*", EFFECT_INSTALL,
     "bun.com/docs/cli"},
    {"bun upgrade", "--canary --stable", "none", EFFECT_INSTALL | EFFECT_SYSTEM,
     "bun.com/docs/cli"},
    {"bun why", "mixed --depth= --top", ".", 0, "bun.com/docs/cli"},
    {"bun x", "=bunx", "", 0, "bun.com/docs/cli"},
    {"bunx",
     "--bun --no-install --silent --verbose -p,--package=",
     "sub", EFFECT_INSTALL | EFFECT_CODE, "bun.com/docs/cli",
     .starts_from = JS_FILES, .also = "bun x", .kit = "npm"},
    {"deno", DENO " %-V,--version", "{0} ^code none | F .*", 0,
     "docs.deno.com/runtime/reference/cli", .fronted = true, .launches = "",
     .starts_from = JS_FILES},
    {"deno bench",
     "mixed "
     DENO
     " --filter= --json --no-run",
     "@local*", EFFECT_PROJECT, "docs.deno.com/runtime/reference/cli"},
    {"deno check",
     "mixed "
     DENO
     " --all --doc --doc-only",
     "@local*", EFFECT_PROJECT | EFFECT_FETCH, "docs.deno.com/runtime/reference/cli",
     .hosts_in = DENO_HOSTS,
     .runs_no_source = true},
    {"deno doc",
     "mixed "
     DENO
     " --json --private --lint --filter=",
     "@local*", EFFECT_PROJECT | EFFECT_FETCH, "docs.deno.com/runtime/reference/cli",
     .hosts_in = DENO_HOSTS},
    {"deno eval", "", "X*", EFFECT_CODE, "docs.deno.com/runtime/reference/cli"},
    {"deno fmt",
     "mixed "
     DENO
     " --check --ext= --ignore= --indent-width= --line-width= --no-semicolons --single-quote "
     "--prose-wrap= --use-tabs --fail-fast --watch",
     "R*", EFFECT_PROJECT, "docs.deno.com/runtime/reference/cli",
     .runs_no_source = true},
    {"deno info", "mixed " DENO " --json", "@local*", EFFECT_PROJECT | EFFECT_FETCH,
     "docs.deno.com/runtime/reference/cli",
     .hosts_in = DENO_HOSTS},
    {"deno install",
     "mixed "
     DENO
     " -g,--global -f,--force -n,--name= --root=W -e,--entrypoint -D,--dev",
     ".*", EFFECT_INSTALL | EFFECT_CODE, "docs.deno.com/runtime/reference/cli"},
    {"deno lint",
     "mixed "
     DENO
     " --fix --json --compact --rules --rules-tags= --rules-include= --rules-exclude= --ignore= "
     "--watch",
     "R*", EFFECT_PROJECT, "docs.deno.com/runtime/reference/cli",
     .runs_no_source = true},
    {"deno outdated",
     "mixed "
     DENO
     " --compatible --recursive,-r",
     ".*", EFFECT_PROJECT | EFFECT_FETCH, "docs.deno.com/runtime/reference/cli",
     .hosts_in = DENO_HOSTS},
    {"deno repl", "", "X*", EFFECT_CODE, "docs.deno.com/runtime/reference/cli"},
    {"deno run",
     DENO
     " --allow-read?= --allow-write?= --allow-net?= --allow-env?= --allow-run?= --watch --check "
     "--no-check --env-file?=F",
     "F .*", EFFECT_CODE, "docs.deno.com/runtime/reference/cli"},
    {"deno task",
     DENO
     " --cwd=P -r,--recursive -f,--filter=",
     "@task @arg*", EFFECT_PROJECT, "docs.deno.com/runtime/reference/cli"},
    {"deno test",
     "mixed "
     DENO
     " --filter= --coverage?=W --clean --parallel --fail-fast?= --watch --no-run --doc "
     "--trace-leaks --shuffle?= --reporter= --junit-path=W --ignore= --no-check --allow-read?= "
     "--allow-env?= --allow-net?= --allow-write?= --allow-run?= --permit-no-files",
     "{--clean} --coverage=@emptied @local* | @local*", EFFECT_PROJECT,
     "docs.deno.com/runtime/reference/cli"},
    {"lerna", "=", "", 0, "npmjs.com/package/lerna", .scripts = "*",
     .shares_scripts = SCRIPT_RUNNERS},
    {"node",
     "%-h,--help %-v,--version -e,--eval=@js -p,--print=@js -pe=@js "
     "-r,--require,--import,--loader,--experimental-loader=F --env-file=F -c,--check "
     "-i,--interactive --input-type=@jstype --test --test-only --test-name-pattern= "
     "--test-skip-pattern= --test-reporter=R --test-reporter-destination=W --test-concurrency= "
     "--test-timeout= --test-shard= --test-force-exit --test-update-snapshots "
     "--experimental-test-coverage --experimental-strip-types --experimental-transform-types "
     "--experimental-default-type= --no-warnings --disable-warning= --enable-source-maps "
     "--trace-warnings --trace-uncaught --throw-deprecation --no-deprecation "
     "--unhandled-rejections= --max-old-space-size= --stack-trace-limit= --conditions,-C= --watch "
     "--experimental-vm-modules --no-experimental-strip-types --run=@task "
     "!--inspect?=@listen !--inspect-brk?=@listen !--inspect-wait?=@listen !--inspect-port,--debug-port=@listen",
     "{-e,-p,-pe} {-i,-c,--run,--test,--watch," NODE_READS_MORE "} -e=X -p=X -pe=X .* | "
     "{-e,-p,-pe} .* | {-i} ^code .* | {-c} R* | {--test} ^project R* | {--run} ^project @arg* | "
     "{0,-} {--watch," NODE_READS_MORE "} ^code .* | {0,-} ^code in=@js .* | Z .*",
     0, "node 20 --help, nodejs.org/api/cli.html", .fronted = true, .launches = "",
     .starts_from = JS_FILES, .same = "--report-dir,--report-directory", .also = "nodejs", .implies = "-p>-e -pe>-e", .set_by = "NODE_OPTIONS", .shares_scripts = SCRIPT_RUNNERS},
    {"nodejs", "=node", "", 0, "node 20 --help, nodejs.org/api/cli.html"},
    {"npm", "global " NPM " ^project-v,--version -l", "sub", 0, "npm 11 help, docs.npmjs.com/cli",
     .danger = DANGER_MANY,
     .starts_from = JS_FILES, .kit = "npm", .set_by = "NPM_CONFIG_* npm_config_* HOME", .shares_scripts = SCRIPT_RUNNERS},
    {"npm access", "mixed", "sub", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm access get", "mixed", ".*", EFFECT_PROJECT | EFFECT_FETCH,
     "npm 11 help, docs.npmjs.com/cli"},
    {"npm access list", "mixed", ".*", EFFECT_PROJECT | EFFECT_FETCH,
     "npm 11 help, docs.npmjs.com/cli"},
    {"npm access ls-packages", "mixed", ".*", EFFECT_PROJECT | EFFECT_FETCH,
     "npm 11 help, docs.npmjs.com/cli"},
    {"npm add", "=npm install", "", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm audit",
     "mixed --audit-level= --omit= --include= --production --package-lock-only",
     "none", EFFECT_PROJECT | EFFECT_FETCH, "npm 11 help, docs.npmjs.com/cli"},
    {"npm audit fix",
     "mixed --force --dry-run --package-lock-only --omit=",
     "none", EFFECT_INSTALL, "npm 11 help, docs.npmjs.com/cli"},
    {"npm audit signatures", "mixed", "none", EFFECT_PROJECT | EFFECT_FETCH,
     "npm 11 help, docs.npmjs.com/cli"},
    {"npm bin", "mixed -g,--global", "none", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm cache", "mixed", "sub", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm cache ls", "mixed", ".*", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm cache verify", "mixed", "none", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm ci",
     "mixed --omit= --include= --force,-f --legacy-peer-deps --no-save --production --only= "
     "--install-strategy= --foreground-scripts",
     "none", EFFECT_INSTALL, "npm 11 help, docs.npmjs.com/cli", .also = "npm clean-install,npm ic,npm install-clean,npm isntall-clean", .scripts = INSTALL_SCRIPTS},
    {"npm completion", "", "none", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm config", "mixed", "sub", 0, "npm 11 help, docs.npmjs.com/cli", .also = "npm c"},
    {"npm config get", "mixed -g,--global", "@name*", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm config list", "mixed -l,--long -g,--global", "none", 0, "npm 11 help, docs.npmjs.com/cli", .also = "npm config ls"},
    {"npm config ls", "=npm config list", "", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm config set",
     "mixed -g,--global -L,--location=",
     ".*", EFFECT_SYSTEM | EFFECT_CODE, "npm 11 help, docs.npmjs.com/cli"},
    {"npm create", "mixed -y,--yes", ".*", EFFECT_INSTALL | EFFECT_CODE, "npm 11 help, "
     "docs.npmjs.com/cli", .also = "npm innit"},
    {"npm dedupe", "mixed --dry-run --omit=", "none", EFFECT_INSTALL, "npm 11 help, "
     "docs.npmjs.com/cli", .also = "npm ddp"},
    {"npm deprecate", "mixed --otp= --dry-run", ".*", EFFECT_SEND, "npm 11 help, docs.npmjs.com/cli"
     },
    {"npm diff",
     "mixed --diff-name-only --diff-unified= --diff-ignore-all-space",
     "none", EFFECT_PROJECT | EFFECT_FETCH, "npm 11 help, docs.npmjs.com/cli"},
    {"npm dist-tag", "mixed", "sub", 0, "npm 11 help, docs.npmjs.com/cli", .also = "npm dist-tags"},
    {"npm dist-tag add", "mixed --otp=", ".*", EFFECT_SEND, "npm 11 help, docs.npmjs.com/cli"},
    {"npm dist-tag ls", "mixed", "@package", EFFECT_PROJECT | EFFECT_FETCH,
     "npm 11 help, docs.npmjs.com/cli"},
    {"npm dist-tag rm", "mixed --otp=", ".*", EFFECT_SEND, "npm 11 help, docs.npmjs.com/cli"},
    {"npm doctor", "mixed", ".*", EFFECT_PROJECT | EFFECT_FETCH, "npm 11 help, docs.npmjs.com/cli"},
    {"npm exec", "=npx", "", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm explain", "mixed", ".*", 0, "npm 11 help, docs.npmjs.com/cli", .also = "npm why"},
    {"npm find-dupes", "mixed --omit=", "none", EFFECT_PROJECT | EFFECT_FETCH,
     "npm 11 help, docs.npmjs.com/cli"},
    {"npm fund", "mixed --no-browser --which=", "{0} none | {--no-browser} . | ^network .",
     EFFECT_PROJECT | EFFECT_FETCH,
     "npm 11 help, docs.npmjs.com/cli; opens the page that a package names"},
    {"npm get", "=npm config get", "", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm help", "", ".*", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm help-search", "mixed -l,--long", ".*", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm i", "=npm install", "", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm info", "=npm view", "", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm init",
     "mixed -y,--yes -f,--force --scope= --init-type=",
     "{0} cwd=W none | ^install^code .*", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm install",
     "mixed -g,--global --location= -D,--save-dev -P,--save-prod -O,--save-optional "
     "-E,--save-exact -S,--save --no-save --force,-f --legacy-peer-deps --omit= --include= --production --no-package-lock "
     "--package-lock-only --dry-run --install-strategy= --foreground-scripts --no-bin-links --only="
     ,
     "@package*", EFFECT_INSTALL, "npm 11 help, docs.npmjs.com/cli", .also = "npm i,npm add,npm in,npm ins,npm inst,npm insta,npm instal,npm isnt,npm isnta,npm isntal,npm isntall", .implies = "--location=global>-g", .scripts = INSTALL_SCRIPTS},
    {"npm la", "=npm ls", "", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm link", "mixed", ".*", EFFECT_INSTALL, "npm 11 help, docs.npmjs.com/cli", .also = "npm ln", .scripts = INSTALL_SCRIPTS},
    {"npm list", "=npm ls", "", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm ll", "=npm ls", "", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm login",
     "mixed --scope= --auth-type=",
     "none", EFFECT_NETWORK | EFFECT_SYSTEM, "npm 11 help, docs.npmjs.com/cli", .also = "npm adduser,npm add-user"},
    {"npm ls",
     "mixed -a,--all --depth= -g,--global -l,--long -p,--parseable --omit= --include= --link "
     "--package-lock-only --unicode --production --dev --prod --only=",
     ".*", 0, "npm 11 help, docs.npmjs.com/cli", .also = "npm list,npm la,npm ll"},
    {"npm outdated",
     "mixed -a,--all -g,--global -l,--long -p,--parseable --depth=",
     ".*", EFFECT_PROJECT | EFFECT_FETCH, "npm 11 help, docs.npmjs.com/cli"},
    {"npm owner", "mixed", "sub", 0, "npm 11 help, docs.npmjs.com/cli", .also = "npm author"},
    {"npm owner ls", "mixed", "@package", EFFECT_PROJECT | EFFECT_FETCH,
     "npm 11 help, docs.npmjs.com/cli"},
    {"npm pack",
     "mixed --dry-run --pack-destination=W",
     "{0} ^project cwd=W none | {1} ^fetch cwd=W @package", 0, "npm 11 help, docs.npmjs.com/cli", .scripts = "prepack prepare postpack"},
    {"npm ping", "mixed", "none", EFFECT_PROJECT | EFFECT_FETCH, "npm 11 help, docs.npmjs.com/cli"},
    {"npm pkg", "mixed", "sub", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm pkg get", "mixed", ".*", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm prefix", "mixed -g,--global", "none", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm prune", "mixed --omit= --production --dry-run", ".*", EFFECT_INSTALL,
     "npm 11 help, docs.npmjs.com/cli"},
    {"npm publish",
     "mixed --access= --tag= --dry-run --otp= --provenance",
     "R", EFFECT_SEND | EFFECT_PROJECT, "npm 11 help, docs.npmjs.com/cli", .scripts = PUBLISH_SCRIPTS},
    {"npm query", "mixed -g,--global --package-lock-only", ".*", 0,
     "npm 11 help, docs.npmjs.com/cli"},
    {"npm rebuild", "mixed -g,--global", ".*", EFFECT_INSTALL | EFFECT_PROJECT, "npm 11 help, "
     "docs.npmjs.com/cli", .also = "npm rb", .scripts = INSTALL_SCRIPTS},
    {"npm remove", "=npm uninstall", "", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm restart", "mixed", "@arg*", EFFECT_PROJECT, "npm 11 help, docs.npmjs.com/cli", .scripts = "restart start stop"},
    {"npm rm", "=npm uninstall", "", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm root", "mixed -g,--global", "none", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm run", "mixed --foreground-scripts", "{0} none | ^project @task @arg*", 0, "npm 11 help, "
     "docs.npmjs.com/cli", .danger = DANGER_SCRIPTS, .also = "npm run-script,npm rum,npm urn"},
    {"npm run env", "mixed", ".*", EFFECT_SECRETS, "npm 11 help, docs.npmjs.com/cli"},
    {"npm run-script", "=npm run", "", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm sbom",
     "mixed --omit= --package-lock-only --sbom-format= --sbom-type=",
     "none", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm search",
     "mixed -l,--long -p,--parseable --no-description --searchlimit= --searchopts=",
     ".*", EFFECT_PROJECT | EFFECT_FETCH, "npm 11 help, docs.npmjs.com/cli", .also = "npm find,npm s,npm se"},
    {"npm show", "=npm view", "", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm start", "mixed", "@arg*", EFFECT_PROJECT, "npm 11 help, docs.npmjs.com/cli", .scripts = "start"},
    {"npm stop", "mixed", "@arg*", EFFECT_PROJECT, "npm 11 help, docs.npmjs.com/cli", .scripts = "stop"},
    {"npm t", "=npm test", "", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm test", "mixed", "@arg*", EFFECT_PROJECT, "npm 11 help, docs.npmjs.com/cli", .also = "npm t,npm tst", .scripts = "test"},
    {"npm token", "mixed", ".*", EFFECT_SECRETS | EFFECT_NETWORK, "npm 11 help, docs.npmjs.com/cli"
     },
    {"npm tst", "=npm test", "", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm uninstall",
     "mixed -g,--global -D,--save-dev -S,--save --no-save",
     ".*", EFFECT_INSTALL, "npm 11 help, docs.npmjs.com/cli", .also = "npm un,npm unlink,npm remove,npm rm,npm r"},
    {"npm update",
     "mixed -g,--global -D,--save-dev -S,--save --no-save --depth= --legacy-peer-deps --force",
     ".*", EFFECT_INSTALL, "npm 11 help, docs.npmjs.com/cli", .also = "npm up,npm upgrade,npm udpate"},
    {"npm v", "=npm view", "", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm version", "mixed", "none", 0, "npm 11 help, docs.npmjs.com/cli", .also = "npm verison", .scripts = "preversion version"},
    {"npm view", "mixed --tag=", "@package .*", EFFECT_PROJECT | EFFECT_FETCH,
     "npm 11 help, docs.npmjs.com/cli", .also = "npm v,npm info,npm show"},
    {"npm whoami", "mixed", "none", EFFECT_PROJECT | EFFECT_FETCH,
     "npm 11 help, docs.npmjs.com/cli"},
    {"npm why", "=npm explain", "", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm x", "=npx", "", 0, "npm 11 help, docs.npmjs.com/cli"},
    {"npm-run-all", "=", "", 0, "npmjs.com/package/npm-run-all", .scripts = "*",
     .shares_scripts = SCRIPT_RUNNERS},
    {"npx",
     "%-h,--help %-v,--version --no-install --no --silent,-s --quiet,-q ^install-y,--yes "
     "^install-p,--package= -c,--call=X --ignore-scripts -w,--workspace= --prefix=P",
     "sub", EFFECT_INSTALL | EFFECT_CODE, "npm 11 help, docs.npmjs.com/cli", .fronted = true,
     .quotes_words = true,
     .starts_from = JS_FILES, .also = "npm exec,npm x", .kit = "npm", .set_by = "NPM_CONFIG_* npm_config_* HOME"},
    {"pnpm", "global " PNPM " -v,--version", "{-v} ^project none | {0} none | @script @arg*", 0,
     "pnpm.io/pnpm-cli",
     .starts_from = JS_FILES, .kit = "npm", .set_by = "NPM_CONFIG_* npm_config_* HOME", .shares_scripts = SCRIPT_RUNNERS},
    {"pnpm add",
     "mixed -D,--save-dev -P,--save-prod -O,--save-optional -E,--save-exact --save-peer "
     "-g,--global --workspace --ignore-scripts",
     "@package*", EFFECT_INSTALL, "pnpm.io/pnpm-cli"},
    {"pnpm audit",
     "mixed --audit-level= -D,--dev -P,--prod --no-optional --ignore-registry-errors",
     "none", EFFECT_FETCH | EFFECT_PROJECT, "pnpm.io/pnpm-cli"},
    {"pnpm bin", "-g,--global", "none", EFFECT_PROJECT, "pnpm.io/pnpm-cli"},
    {"pnpm create", "", ".*", EFFECT_INSTALL | EFFECT_CODE, "pnpm.io/pnpm-cli"},
    {"pnpm dlx", "--package= -c,--shell-mode", "X*", EFFECT_INSTALL | EFFECT_CODE,
     "pnpm.io/pnpm-cli"},
    {"pnpm exec", "!-c,--shell-mode --no-reporter-hide-prefix --report-summary", "I", 0,
     "pnpm.io/pnpm-cli", .waits = true},
    {"pnpm i", "=pnpm install", "", 0, "pnpm.io/pnpm-cli"},
    {"pnpm info", "=npm view", "", 0, "pnpm.io/pnpm-cli"},
    {"pnpm install",
     "mixed --frozen-lockfile --no-frozen-lockfile --prefer-frozen-lockfile --lockfile-only "
     "--fix-lockfile --ignore-scripts -P,--prod -D,--dev --no-optional --force --shamefully-hoist "
     "--fetch-timeout= --child-concurrency=",
     "none", EFFECT_INSTALL, "pnpm.io/pnpm-cli", .also = "pnpm i", .scripts = INSTALL_SCRIPTS},
    {"pnpm licenses", "", ".*", EFFECT_PROJECT, "pnpm.io/pnpm-cli"},
    {"pnpm list",
     "mixed --depth= --long --parseable -g,--global -P,--prod -D,--dev --no-optional "
     "--only-projects --lockfile-only",
     ".*", EFFECT_PROJECT, "pnpm.io/pnpm-cli", .also = "pnpm ls"},
    {"pnpm ls", "=pnpm list", "", 0, "pnpm.io/pnpm-cli"},
    {"pnpm outdated",
     "mixed --compatible --long --format= -g,--global -P,--prod -D,--dev --no-optional --no-table",
     ".*", EFFECT_FETCH | EFFECT_PROJECT, "pnpm.io/pnpm-cli"},
    {"pnpm pack", "mixed --pack-destination=W --out=W --dry-run", "none", EFFECT_PROJECT,
     "pnpm.io/pnpm-cli", .scripts = "prepack prepare postpack"},
    {"pnpm publish",
     "mixed --access= --tag= --dry-run --no-git-checks --publish-branch= --otp= --provenance "
     "--force --report-summary",
     "R", EFFECT_SEND | EFFECT_PROJECT, "pnpm.io/pnpm-cli", .scripts = PUBLISH_SCRIPTS},
    {"pnpm rebuild", "", ".*", EFFECT_INSTALL | EFFECT_PROJECT, "pnpm.io/pnpm-cli", .scripts = INSTALL_SCRIPTS},
    {"pnpm remove", "mixed -D,--save-dev -g,--global", ".*", EFFECT_INSTALL, "pnpm.io/pnpm-cli", .also = "pnpm rm,pnpm un,pnpm uninstall"},
    {"pnpm rm", "=pnpm remove", "", 0, "pnpm.io/pnpm-cli"},
    {"pnpm root", "-g,--global", "none", EFFECT_PROJECT, "pnpm.io/pnpm-cli"},
    {"pnpm run",
     "--no-reporter-hide-prefix --report-summary --sequential",
     "{0} none | ^project @task @arg*", 0, "pnpm.io/pnpm-cli", .danger = DANGER_SCRIPTS},
    {"pnpm run env", "", ".*", EFFECT_SECRETS, "pnpm.io/pnpm-cli"},
    {"pnpm store", "", "sub", 0, "pnpm.io/pnpm-cli"},
    {"pnpm store path", "", "none", EFFECT_PROJECT, "pnpm.io/pnpm-cli"},
    {"pnpm store status", "", "none", EFFECT_PROJECT, "pnpm.io/pnpm-cli"},
    {"pnpm up", "=pnpm update", "", 0, "pnpm.io/pnpm-cli"},
    {"pnpm update",
     "mixed -L,--latest -D,--dev -P,--prod -i,--interactive -g,--global",
     ".*", EFFECT_INSTALL, "pnpm.io/pnpm-cli", .also = "pnpm up,pnpm upgrade"},
    {"pnpm view", "=npm view", "", 0, "pnpm.io/pnpm-cli"},
    {"pnpm why", "mixed --depth= --long --parseable -g,--global -P,--prod -D,--dev", ".*",
     EFFECT_PROJECT, "pnpm.io/pnpm-cli"},
    {"pnpx", "", "X*", EFFECT_INSTALL | EFFECT_CODE, "pnpm.io/pnpm-cli", .kit = "npm"},
    {"run-p", "=", "", 0, "npmjs.com/package/npm-run-all", .scripts = "*",
     .shares_scripts = SCRIPT_RUNNERS},
    {"run-s", "=", "", 0, "npmjs.com/package/npm-run-all", .scripts = "*",
     .shares_scripts = SCRIPT_RUNNERS},
    {"wsrun", "=", "", 0, "npmjs.com/package/wsrun", .scripts = "*",
     .shares_scripts = SCRIPT_RUNNERS},
    {"yarn",
     "%-h,--help -v,--version --cwd=P --silent,-s",
     "{-v} ^project none | {0} ^install none | @script @arg*", 0,
     "yarnpkg.com/cli, classic.yarnpkg.com/docs/cli",
     .starts_from = JS_FILES, .also = "yarnpkg", .bare = "install", .kit = "npm", .set_by = "YARN_* HOME", .shares_scripts = SCRIPT_RUNNERS},
    {"yarn add",
     "mixed -D,--dev -P,--peer -O,--optional -E,--exact -T,--tilde -W --json -i,--interactive",
     "@package*", EFFECT_INSTALL, "yarnpkg.com/cli, classic.yarnpkg.com/docs/cli"},
    {"yarn audit",
     "--level= --groups= --json",
     "none", EFFECT_FETCH | EFFECT_PROJECT, "yarnpkg.com/cli, classic.yarnpkg.com/docs/cli"},
    {"yarn config", "", ".*", EFFECT_SYSTEM | EFFECT_UNKNOWN, "yarnpkg.com/cli, classic.yarnpkg.com/docs/cli"},
    {"yarn create", "", ".*", EFFECT_INSTALL | EFFECT_CODE, "yarnpkg.com/cli, "
     "classic.yarnpkg.com/docs/cli"},
    {"yarn dedupe", "--check -c", ".*", EFFECT_INSTALL, "yarnpkg.com/cli, "
     "classic.yarnpkg.com/docs/cli"},
    {"yarn dlx",
     "-p,--package= -q,--quiet",
     "X*", EFFECT_INSTALL | EFFECT_CODE, "yarnpkg.com/cli, classic.yarnpkg.com/docs/cli"},
    {"yarn env", "", ".*", EFFECT_SECRETS | EFFECT_PROJECT, "yarnpkg.com/cli, "
     "classic.yarnpkg.com/docs/cli"},
    {"yarn exec", "", "I", EFFECT_PROJECT, "yarnpkg.com/cli, classic.yarnpkg.com/docs/cli", .waits = true},
    {"yarn explain", "", ".*", EFFECT_FETCH | EFFECT_PROJECT, "yarnpkg.com/cli, "
     "classic.yarnpkg.com/docs/cli"},
    {"yarn global", "", ".*", EFFECT_INSTALL, "yarnpkg.com/cli, classic.yarnpkg.com/docs/cli"},
    {"yarn info",
     "--json",
     "@package .*", EFFECT_FETCH | EFFECT_PROJECT, "yarnpkg.com/cli, classic.yarnpkg.com/docs/cli"},
    {"yarn install",
     "mixed --frozen-lockfile --immutable --immutable-cache --check-cache --mode= --prefer-offline "
     "--ignore-scripts --production --non-interactive --silent,-s --network-timeout= --force "
     "--pure-lockfile --no-progress --json --inline-builds",
     "none", EFFECT_INSTALL, "yarnpkg.com/cli, classic.yarnpkg.com/docs/cli", .scripts = INSTALL_SCRIPTS},
    {"yarn list",
     "mixed --depth= --pattern= --json --prod",
     ".*", EFFECT_PROJECT, "yarnpkg.com/cli, classic.yarnpkg.com/docs/cli"},
    {"yarn node", "", "I", EFFECT_PROJECT, "yarnpkg.com/cli, classic.yarnpkg.com/docs/cli", .waits = true},
    {"yarn npm", "", "sub", EFFECT_PROJECT, "yarnpkg.com/cli, classic.yarnpkg.com/docs/cli"},
    {"yarn npm audit",
     "--all,-A --recursive,-R --environment= --severity= --json",
     "none", EFFECT_FETCH | EFFECT_PROJECT, "yarnpkg.com/cli, classic.yarnpkg.com/docs/cli"},
    {"yarn npm info",
     "--json --fields,-f=",
     "@package*", EFFECT_FETCH | EFFECT_PROJECT, "yarnpkg.com/cli, classic.yarnpkg.com/docs/cli"},
    {"yarn npm publish",
     "--access= --tag= --otp= --tolerate-republish",
     "none", EFFECT_SEND | EFFECT_PROJECT, "yarnpkg.com/cli, classic.yarnpkg.com/docs/cli"},
    {"yarn outdated", "--json", ".*", EFFECT_FETCH | EFFECT_PROJECT, "yarnpkg.com/cli, "
     "classic.yarnpkg.com/docs/cli"},
    {"yarn plugin", "", ".*", EFFECT_INSTALL | EFFECT_CODE, "yarnpkg.com/cli, classic.yarnpkg.com/docs/cli"},
    {"yarn publish",
     "mixed --access= --tag= --new-version= --non-interactive",
     "R", EFFECT_SEND | EFFECT_PROJECT, "yarnpkg.com/cli, classic.yarnpkg.com/docs/cli", .scripts = PUBLISH_SCRIPTS},
    {"yarn remove", "mixed --all,-A -W", ".*", EFFECT_INSTALL, "yarnpkg.com/cli, "
     "classic.yarnpkg.com/docs/cli"},
    {"yarn run", "=yarn", "", 0, "yarnpkg.com/cli, classic.yarnpkg.com/docs/cli"},
    {"yarn set", "", ".*", EFFECT_INSTALL | EFFECT_CODE, "yarnpkg.com/cli, classic.yarnpkg.com/docs/cli"},
    {"yarn up",
     "mixed -i,--interactive -E,--exact -R,--recursive",
     ".*", EFFECT_INSTALL, "yarnpkg.com/cli, classic.yarnpkg.com/docs/cli"},
    {"yarn upgrade",
     "mixed --latest -L -P,--pattern= -E,--exact",
     ".*", EFFECT_INSTALL, "yarnpkg.com/cli, classic.yarnpkg.com/docs/cli"},
    {"yarn versions", "", "none", EFFECT_PROJECT, "yarnpkg.com/cli, classic.yarnpkg.com/docs/cli"},
    {"yarn why",
     "mixed -R,--recursive --json --peers",
     ".*", EFFECT_PROJECT, "yarnpkg.com/cli, classic.yarnpkg.com/docs/cli"},
    {"yarnpkg", "=yarn", "", 0, "yarnpkg.com/cli, classic.yarnpkg.com/docs/cli"},
};
/* clang-format on */

extern const struct program_file rows_js;
const struct program_file rows_js = {"programs/rows/js.c", rows, COUNT(rows)};
