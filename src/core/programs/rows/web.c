/* web.c - JavaScript and TypeScript: compilers, bundlers, test runners, linters. */
#include "programs/reading.h"
#include "programs/rows/starts_from.h"

/* clang-format off */
#define PRETTY \
    "--tab-width= --use-tabs --print-width= --single-quote --jsx-single-quote --no-semi --semi " \
    "--trailing-comma= --prose-wrap= --end-of-line= --arrow-parens= --bracket-same-line " \
    "--bracket-spacing --no-bracket-spacing --quote-props= --html-whitespace-sensitivity= " \
    "--embedded-language-formatting= --experimental-ternaries"
#define BIOME \
    "mixed %-h,--help --write --fix --unsafe --apply --apply-unsafe --formatter-enabled= " \
    "--linter-enabled= --assist-enabled= --organize-imports-enabled= --enforce-assist= " \
    "--indent-style= --indent-width= --line-width= --line-ending= --quote-style= --semicolons= " \
    "--trailing-commas= --changed --staged --since= --no-errors-on-unmatched --max-diagnostics= " \
    "--diagnostic-level= --reporter= --colors= --verbose --skip-errors --skip-parse-errors " \
    "--error-on-warnings --config-path=R --use-server --stdin-file-path= --files-max-size= " \
    "--files-ignore-unknown= --log-level= --log-kind= --only= --skip= --suppress --reason= " \
    "--json --json-pretty --vcs-enabled= --vcs-client-kind= --vcs-use-ignore-file= --vcs-root= " \
    "--vcs-default-branch="
#define NX \
    "%-h,--help --skip-nx-cache,--skipNxCache --verbose --configuration,-c= --parallel?= " \
    "--output-style,--outputStyle= --nx-bail,--nxBail --exclude= --prod --skip-remote-cache " \
    "--batch --dte --no-dte"
#define TSC \
    "mixed %-h,--help %-v,--version --all -p,--project=R --noEmit --pretty -b,--build -w,--watch " \
    "--outDir=W --outFile=W --declarationDir=W --tsBuildInfoFile=W --generateTrace=W " \
    "--generateCpuProfile=W --listFiles --listFilesOnly --showConfig --traceResolution " \
    "-t,--target= -m,--module= --moduleResolution= --moduleDetection= --lib= --jsx= " \
    "--jsxImportSource= --strict --skipLibCheck --skipDefaultLibCheck --esModuleInterop " \
    "--allowJs --checkJs --resolveJsonModule --incremental --composite -d,--declaration " \
    "--declarationMap --emitDeclarationOnly --sourceMap --inlineSourceMap --inlineSources " \
    "--removeComments --types= --typeRoots= --baseUrl= --rootDir= --isolatedModules " \
    "--verbatimModuleSyntax --noImplicitAny --strictNullChecks --noUnusedLocals " \
    "--noUnusedParameters --noImplicitReturns --noFallthroughCasesInSwitch " \
    "--noUncheckedIndexedAccess --noErrorTruncation --noEmitOnError --allowImportingTsExtensions " \
    "--allowSyntheticDefaultImports --allowArbitraryExtensions --experimentalDecorators " \
    "--emitDecoratorMetadata --forceConsistentCasingInFileNames --preserveWatchOutput -f,--force " \
    "--clean --dry --verbose --listEmittedFiles --diagnostics --extendedDiagnostics " \
    "--explainFiles --locale= --ignoreConfig --ignoreDeprecations= --maxNodeModuleJsDepth= " \
    "--assumeChangesOnlyAffectDirectDependencies"
#define VITE \
    "mixed %-h,--help -c,--config=R --base= -l,--logLevel= --clearScreen --configLoader= " \
    "-d,--debug?= -f,--filter= -m,--mode= --host?= --port= --strictPort --cors --force"
#define VITEST \
    "mixed %-h,--help %-v,--version -r,--root=R -c,--config=R -u,--update?= -w,--watch?= " \
    "-t,--testNamePattern= --dir=R --ui?= --open --silent?= --hideSkippedTests --reporter=R " \
    "--outputFile=W --coverage?= --coverage.enabled?= --coverage.all?= --coverage.provider= " \
    "--coverage.reporter= --coverage.include= --coverage.exclude= " \
    "--coverage.reportsDirectory=@emptied --coverage.thresholds.lines= --no-coverage --mode= " \
    "--isolate?= --no-isolate --globals --dom --browser?= --pool= " \
    "--poolOptions.threads.singleThread?= --poolOptions.forks.singleFork?= --fileParallelism?= " \
    "--no-file-parallelism --maxWorkers= --minWorkers= --environment= --passWithNoTests " \
    "--logHeapUsage --allowOnly --dangerouslyIgnoreUnhandledErrors --shard= --changed?= " \
    "--sequence.shuffle?= --sequence.seed= --inspect --testTimeout= --hookTimeout= --bail?= " \
    "--retry= --diff= --exclude= --expandSnapshotDiff --typecheck?= --typecheck.only?= " \
    "--project= --slowTestThreshold= --teardownTimeout= --maxConcurrency= " \
    "--expect.requireAssertions --printConsoleTrace --run --no-color --color " \
    "--disableConsoleIntercept --clearScreen --related --tags= --detectAsyncLeaks"

static const struct program_row rows[] = {
    {"ava",
     "mixed %--help %--version --color --no-color -c,--concurrency= --fail-fast -m,--match= "
     "--no-cache --config=R --node-arguments=X -s,--serial -t,--tap -T,--timeout= "
     "-u,--update-snapshots -v,--verbose -w,--watch",
     "R*", EFFECT_PROJECT, "github.com/avajs/ava docs/05-command-line.md",
     .starts_from = JS_FILES},
    {"biome", "%-h,--help %-V,--version", "sub", 0, "biomejs.dev/reference/cli",
     .starts_from = JS_FILES},
    {"biome check", BIOME, "R*", EFFECT_PROJECT, "biomejs.dev/reference/cli",
     .runs_no_source = true},
    {"biome ci", BIOME " --threads=", "R*", EFFECT_PROJECT, "biomejs.dev/reference/cli",
     .runs_no_source = true},
    {"biome explain", "%-h,--help", ".", 0, "biomejs.dev/reference/cli"},
    {"biome format", BIOME, "R*", EFFECT_PROJECT, "biomejs.dev/reference/cli",
     .runs_no_source = true},
    {"biome lint", BIOME, "R*", EFFECT_PROJECT, "biomejs.dev/reference/cli",
     .runs_no_source = true},
    {"biome rage",
     "%-h,--help --formatter --linter --daemon-logs",
     "none", EFFECT_PROJECT, "biomejs.dev/reference/cli"},
    {"biome version", "", "none", 0, "biomejs.dev/reference/cli"},
    {"changeset",
     "%-h,--help %-v,--version",
     "sub", EFFECT_PROJECT, "github.com/changesets/changesets docs/command-line-options.md",
     .starts_from = JS_FILES},
    {"changeset publish",
     "--otp= --tag= --no-git-tag --snapshot=",
     "none", EFFECT_SEND | EFFECT_PROJECT, "github.com/changesets/changesets "
     "docs/command-line-options.md"},
    {"changeset status",
     "--verbose -v --since= --output,-o=W",
     "none", EFFECT_PROJECT, "github.com/changesets/changesets docs/command-line-options.md"},
    {"changeset version",
     "--snapshot?=",
     "none", EFFECT_PROJECT, "github.com/changesets/changesets docs/command-line-options.md"},
    {"concurrently",
     "%-h,--help %-v,-V,--version -n,--names= -c,--prefix-colors= -k,--kill-others "
     "--kill-others-on-fail -s,--success= -r,--raw -p,--prefix= -g,--group -m,--max-processes= "
     "--no-color",
     "X*", EFFECT_CODE, "npmjs.com/package/concurrently", .scripts = "*", .shares_scripts = SCRIPT_RUNNERS},
    {"cross-env", "", "@@env", 0, "npmjs.com/package/cross-env"},
    {"cross-env-shell", "", "X*", EFFECT_CODE, "npmjs.com/package/cross-env"},
    {"cypress", "%-h,--help %-v,--version", "sub", 0, "docs.cypress.io/app/references/command-line",
     .starts_from = JS_FILES},
    {"cypress info", "", "none", 0, "docs.cypress.io/app/references/command-line"},
    {"cypress install", "--force,-f", "none", EFFECT_INSTALL,
     "docs.cypress.io/app/references/command-line"},
    {"cypress run",
     "%-h,--help -s,--spec=R -b,--browser= --headless --headed -q,--quiet -e,--env= --component "
     "--e2e -P,--project=P -C,--config-file=R -r,--reporter=R !-o,--reporter-options= -p,--port= "
     "--no-exit --no-runner-ui",
     "none", EFFECT_PROJECT, "docs.cypress.io/app/references/command-line"},
    {"cypress verify", "", "none", 0, "docs.cypress.io/app/references/command-line"},
    {"depcheck",
     "mixed %-h,--help %--version --json --ignores= --ignore-patterns= --skip-missing --oneline "
     "--quiet --config=R",
     "R", EFFECT_PROJECT, "npmjs.com/package/depcheck",
     .starts_from = JS_FILES},
    {"dotenv", "%--help -e=R -v= -o,--override -c?= --no-expand", "I", EFFECT_CODE,
     "npmjs.com/package/dotenv-cli: a file sets its variables", .waits = true},
    {"esbuild",
     "mixed %-h,--help %--version --bundle --minify --minify-syntax --minify-whitespace "
     "--minify-identifiers --sourcemap?= --splitting --format= --platform= --target= --packages= "
     "--external?= --outfile=W --outdir=W --outbase=R --tsconfig=R --metafile=W --analyze?= "
     "--watch?= --log-level= --log-limit= --color= --jsx= --jsx-factory=@text --jsx-fragment=@text "
     "--jsx-import-source=@text --charset= --tree-shaking= --allow-overwrite --keep-names "
     "--main-fields= --conditions= --public-path=@text --entry-names=@naming --chunk-names=@naming "
     "--asset-names=@naming --global-name=@text --legal-comments= --resolve-extensions= --loader= "
     "--sources-content=",
     "{0} ^unknown none | R*", EFFECT_PROJECT, "esbuild.github.io/api; without a file it reads any "
     "text",
     .starts_from = JS_FILES},
    {"eslint",
     "mixed %-h,--help %-v,--version -c,--config=R --no-config-lookup --no-eslintrc --env= --ext= "
     "--global= --parser=R --parser-options= --resolve-plugins-relative-to=R --plugin= --rule= "
     "--rulesdir=R --fix --fix-dry-run --fix-type= --ignore-path=R --no-ignore --ignore-pattern= "
     "--no-warn-ignored --pass-on-no-patterns --stdin --stdin-filename= --quiet --max-warnings= "
     "--exit-on-fatal-error -o,--output-file=W -f,--format=R --color --no-color --no-inline-config "
     "--report-unused-disable-directives --report-unused-disable-directives-severity= "
     "--report-unused-inline-configs= --cache --no-cache --cache-file=W --cache-location=W "
     "--cache-strategy= --env-info --no-error-on-unmatched-pattern --debug --print-config=R "
     "--stats --flag= --concurrency= --inspect-config --mcp",
     "{--cache} R* | --cache-location=WD --cache-file=WD R*", EFFECT_PROJECT,
     "eslint.org/docs/latest/use/command-line-interface", .fronted = true,
     .starts_from = JS_FILES,
     .runs_no_source = true},
    {"husky", "%--help %--version", ".*", EFFECT_CODE, "typicode.github.io/husky"},
    {"jest",
     "mixed %-h,--help %-v,--version -b,--bail?= --cache --no-cache --cacheDirectory=W "
     "--changedFilesWithAncestor --changedSince= --ci --clearCache --clearMocks --collectCoverage "
     "--collectCoverageFrom= --color --colors --no-color -c,--config=R --coverage?= "
     "--coverageDirectory=W --coverageProvider= --coverageReporters= --debug --detectOpenHandles "
     "--env,--testEnvironment=R --errorOnDeprecated -e,--expand --filter=R --findRelatedTests "
     "--forceExit --globalSetup=R --globalTeardown=R --ignoreProjects= --injectGlobals --json "
     "--lastCommit --listTests --logHeapUsage -w,--maxWorkers= --maxConcurrency= --no-coverage "
     "--notify --onlyChanged,-o --onlyFailures --openHandlesTimeout= --outputFile=W "
     "--passWithNoTests --preset=R --projects=R --reporters=R --resetMocks --restoreMocks "
     "--rootDir=R --roots=R --runInBand,-i --runTestsByPath --seed= --randomize --selectProjects= "
     "--setupFilesAfterEnv=R --setupFiles=R --shard= --showConfig --showSeed --silent "
     "--testLocationInResults --testMatch= --testNamePattern,-t= --testPathIgnorePatterns= "
     "--testPathPattern= --testPathPatterns= --testRegex= --testRunner=R --testTimeout= "
     "--updateSnapshot,-u --useStderr --verbose --watch --watchAll?= --no-watchman --watchman "
     "--workerThreads",
     "{--clearCache} --cacheDirectory=d R* | R*", EFFECT_PROJECT, "jestjs.io/docs/cli",
     .fronted = true,
     .starts_from = JS_FILES},
    {"knip",
     "mixed %-h,--help %-V,--version -c,--config=R -t,--tsConfig=R --production --strict "
     "-W,--workspace= --directory=P --cache --no-gitignore --include= --exclude= --dependencies "
     "--exports --files --include-entry-exports --fix --allow-remove-files --format --reporter= "
     "--reporter-options= --no-exit-code --max-issues= --no-config-hints --no-progress -n "
     "--debug,-d --trace --performance --memory",
     "none", EFFECT_PROJECT, "knip.dev/reference/cli",
     .starts_from = JS_FILES},
    {"lint-staged",
     "%-h,--help %-V,--version --allow-empty -p,--concurrent= -c,--config=R --cwd=P -d,--debug "
     "--diff= --diff-filter= --max-arg-length= --no-stash --no-hide-partially-staged -q,--quiet "
     "-r,--relative -v,--verbose",
     "none", EFFECT_PROJECT | EFFECT_REPO, "npmjs.com/package/lint-staged",
     .starts_from = JS_FILES},
    {"markdownlint",
     "mixed %-h,--help %-V,--version -c,--config=R -d,--dot -f,--fix -i,--ignore= -j,--json "
     "-o,--output=W -p,--ignore-path=R -q,--quiet -r,--rules=R -s,--stdin --enable= --disable=",
     "R*", EFFECT_PROJECT, "npmjs.com/package/markdownlint-cli",
     .starts_from = JS_FILES,
     .runs_no_source = true},
    {"markdownlint-cli2",
     "mixed %--help --config=R --fix --format --no-globs",
     "R*", EFFECT_PROJECT, "npmjs.com/package/markdownlint-cli",
     .starts_from = JS_FILES,
     .runs_no_source = true},
    {"mocha",
     "mixed %-h,--help %-V,--version --allow-uncaught -A,--async-only -b,--bail --check-leaks "
     "--delay --dry-run --exit --forbid-only --forbid-pending --jobs,-j= --parallel,-p --retries= "
     "--slow,-s= --timeout,-t,--timeouts= --ui,-u= --color,-c,--colors --no-color,-C --diff "
     "--full-trace --inline-diffs --reporter,-R=R !--reporter-option,-O= --config=R --package=R "
     "--extension= --file=R --ignore,--exclude= --recursive --require,-r=R --sort,-S --spec=R "
     "--watch,-w --watch-files= --watch-ignore= --fgrep,-f= --grep,-g= --invert,-i "
     "--node-option,-n=X --list-interfaces --list-reporters",
     "R*", EFFECT_PROJECT, "mochajs.org",
     .starts_from = JS_FILES},
    {"next", "%-h,--help %-v,--version", "sub", EFFECT_PROJECT,
     "nextjs.org/docs/app/api-reference/cli/next",
     .starts_from = JS_FILES},
    {"next build",
     "mixed %-h,--help -d,--debug --profile --no-lint --no-mangling --turbo --turbopack --webpack "
     "--experimental-build-mode= --experimental-app-only",
     "R", EFFECT_PROJECT, "nextjs.org/docs/app/api-reference/cli/next"},
    {"next dev",
     "mixed %-h,--help -p,--port= -H,--hostname= --turbo --turbopack --webpack --experimental-https"
     ,
     "R", EFFECT_PROJECT, "nextjs.org/docs/app/api-reference/cli/next"},
    {"next info", "%-h,--help --verbose", "none", EFFECT_PROJECT,
     "nextjs.org/docs/app/api-reference/cli/next"},
    {"next lint",
     "mixed %-h,--help -d,--dir=R --file=R --ext= -c,--config=R --rule= --rulesdir=R --strict "
     "--fix --fix-type= --ignore-path=R --no-ignore --quiet --max-warnings= -o,--output-file=W "
     "-f,--format=R --no-cache --cache-location=W",
     "R*", EFFECT_PROJECT, "nextjs.org/docs/app/api-reference/cli/next"},
    {"next start",
     "mixed %-h,--help -p,--port= -H,--hostname=",
     "R", EFFECT_PROJECT, "nextjs.org/docs/app/api-reference/cli/next"},
    {"next typegen", "mixed %-h,--help", "R", EFFECT_PROJECT,
     "nextjs.org/docs/app/api-reference/cli/next"},
    {"nodemon",
     "%-h,--help %-v,--version -x,--exec=X -e,--ext= -w,--watch= -i,--ignore= -q,--quiet "
     "-V,--verbose --delay,-d=",
     "F .*", EFFECT_CODE, "npmjs.com/package/nodemon"},
    {"nx", "%-h,--help %--version", "sub", 0, "nx.dev/nx-api/nx/documents",
     .starts_from = JS_FILES, .shares_scripts = SCRIPT_RUNNERS},
    {"nx affected",
     "mixed "
     NX
     " -t,--target,--targets=@task --base= --head= --files= --uncommitted --untracked --graph?=W",
     "none", EFFECT_PROJECT, "nx.dev/nx-api/nx/documents"},
    {"nx build", "mixed " NX, ".*", EFFECT_PROJECT, "nx.dev/nx-api/nx/documents"},
    {"nx e2e", "=nx build", "", 0, "nx.dev/nx-api/nx/documents"},
    {"nx format:check",
     "mixed --all --base= --head= --files= --uncommitted --untracked",
     ".*", EFFECT_PROJECT, "nx.dev/nx-api/nx/documents"},
    {"nx format:write", "=nx format:check", "", 0, "nx.dev/nx-api/nx/documents"},
    {"nx lint", "mixed " NX " --fix --quiet", ".*", EFFECT_PROJECT, "nx.dev/nx-api/nx/documents"},
    {"nx report", "", "none", EFFECT_PROJECT, "nx.dev/nx-api/nx/documents"},
    {"nx run", "mixed " NX, "@task", EFFECT_PROJECT, "nx.dev/nx-api/nx/documents"},
    {"nx run-many",
     "mixed "
     NX
     " -t,--target,--targets=@task -p,--projects= --all --graph?=W",
     ".*", EFFECT_PROJECT, "nx.dev/nx-api/nx/documents"},
    {"nx serve", "=nx build", "", 0, "nx.dev/nx-api/nx/documents"},
    {"nx show",
     "mixed %--help --json --affected --base= --head= --with-target= --type= --web?=",
     ".*", EFFECT_PROJECT, "nx.dev/nx-api/nx/documents"},
    {"nx test",
     "mixed "
     NX
     " --watch --coverage --testFile= --testNamePattern,-t=",
     ".*", EFFECT_PROJECT, "nx.dev/nx-api/nx/documents"},
    {"nx typecheck", "=nx build", "", 0, "nx.dev/nx-api/nx/documents"},
    {"oxlint",
     "mixed %-h,--help %-V,--version -c,--config=R --tsconfig=R -A,--allow= -W,--warn= -D,--deny= "
     "--fix --fix-suggestions --ignore-path=R --ignore-pattern= --no-ignore --quiet "
     "--deny-warnings --max-warnings= -f,--format= --silent --threads= --print-config --rules "
     "--react-plugin --jest-plugin --vitest-plugin --import-plugin --type-aware",
     "R*", EFFECT_PROJECT, "oxc.rs/docs/guide/usage/linter/cli",
     .starts_from = JS_FILES,
     .runs_no_source = true},
    {"playwright", "%-h,--help %-V,--version", "sub", 0, "playwright.dev/docs/test-cli",
     .starts_from = JS_FILES},
    {"playwright install",
     "--with-deps --force --dry-run --only-shell",
     ".*", EFFECT_INSTALL | EFFECT_SYSTEM, "playwright.dev/docs/test-cli"},
    {"playwright install-deps", "--dry-run", ".*", EFFECT_INSTALL | EFFECT_SYSTEM,
     "playwright.dev/docs/test-cli"},
    {"playwright show-report", "--host= --port=", "R", EFFECT_PROJECT,
     "playwright.dev/docs/test-cli"},
    {"playwright test",
     "mixed %-h,--help --project= -g,--grep= -gv,--grep-invert= --headed --debug --ui --reporter=R "
     "-j,--workers= --retries= --timeout= --max-failures= -x -c,--config=R -u,--update-snapshots?= "
     "--update-source-method= --list --shard= --trace= --repeat-each= --forbid-only "
     "--fully-parallel --global-timeout= --last-failed --only-changed?= --output=@emptied "
     "--pass-with-no-tests --quiet --no-deps --ignore-snapshots --fail-on-flaky-tests --tsconfig=R "
     "--test-list=R",
     "R*", EFFECT_PROJECT, "playwright.dev/docs/test-cli"},
    {"prettier",
     "mixed %-h,--help %-v,--version -c,--check -l,--list-different -w,--write "
     PRETTY
     " --config=R --no-config --config-precedence= --no-editorconfig --find-config-path=R "
     "--file-info=R --support-info --ignore-path=R --plugin=R --no-plugin-search --parser= "
     "--stdin-filepath= --log-level,--loglevel= --color --no-color --cache --cache-location=W "
     "--cache-strategy= --no-error-on-unmatched-pattern --ignore-unknown,-u --with-node-modules "
     "--check-ignore-pragma --require-pragma --insert-pragma --range-start= --range-end=",
     "R*", EFFECT_PROJECT, "prettier.io/docs/cli", .fronted = true,
     .starts_from = JS_FILES,
     .runs_no_source = true},
    {"prisma", "%-h,--help %-v,--version", "sub", 0,
     "prisma.io/docs/orm/reference/prisma-cli-reference",
     .starts_from = JS_FILES},
    {"prisma db", "%-h,--help", "sub", 0, "prisma.io/docs/orm/reference/prisma-cli-reference"},
    {"prisma db pull",
     "--schema=R --force --print",
     "none", EFFECT_PROJECT | EFFECT_FETCH, "prisma.io/docs/orm/reference/prisma-cli-reference"},
    {"prisma db push",
     "--schema=R --accept-data-loss --force-reset --skip-generate",
     "none", EFFECT_PROJECT | EFFECT_SEND | EFFECT_LOSS,
     "prisma.io/docs/orm/reference/prisma-cli-reference"},
    {"prisma db seed", "", "none", EFFECT_PROJECT | EFFECT_SEND,
     "prisma.io/docs/orm/reference/prisma-cli-reference"},
    {"prisma format",
     "--schema=R --check",
     "none", EFFECT_PROJECT, "prisma.io/docs/orm/reference/prisma-cli-reference"},
    {"prisma generate",
     "--schema=R --generator= --no-engine --no-hints --watch --sql --data-proxy",
     "none", EFFECT_PROJECT, "prisma.io/docs/orm/reference/prisma-cli-reference"},
    {"prisma migrate", "%-h,--help", "sub", 0, "prisma.io/docs/orm/reference/prisma-cli-reference"},
    {"prisma migrate deploy",
     "--schema=R",
     "none", EFFECT_PROJECT | EFFECT_SEND, "prisma.io/docs/orm/reference/prisma-cli-reference"},
    {"prisma migrate dev",
     "--schema=R -n,--name= --create-only --skip-generate --skip-seed",
     "none", EFFECT_PROJECT | EFFECT_SEND | EFFECT_LOSS,
     "prisma.io/docs/orm/reference/prisma-cli-reference"},
    {"prisma migrate reset",
     "--schema=R -f,--force --skip-generate --skip-seed",
     "none", EFFECT_PROJECT | EFFECT_SEND | EFFECT_LOSS,
     "prisma.io/docs/orm/reference/prisma-cli-reference"},
    {"prisma migrate status",
     "--schema=R",
     "none", EFFECT_PROJECT | EFFECT_FETCH, "prisma.io/docs/orm/reference/prisma-cli-reference"},
    {"prisma validate", "--schema=R", "none", EFFECT_PROJECT,
     "prisma.io/docs/orm/reference/prisma-cli-reference"},
    {"prisma version", "--json", "none", EFFECT_PROJECT,
     "prisma.io/docs/orm/reference/prisma-cli-reference"},
    {"rollup",
     "mixed %-h,--help %-v,--version -c,--config?=R -i,--input=@file -o,--file=W -d,--dir=W "
     "-f,--format= -n,--name=@text -m,--sourcemap?= -w,--watch --silent --environment= "
     "--no-treeshake "
     "--bundleConfigAsCjs --failAfterWarnings -e,--external=",
     "@file*", EFFECT_PROJECT, "rollupjs.org/command-line-interface",
     .starts_from = JS_FILES},
    {"stylelint",
     "mixed %-h,--help %-v,--version --fix?= -c,--config=R --config-basedir=R -f,--formatter= "
     "--custom-formatter=R -q,--quiet --max-warnings,--mw= -o,--output-file=W --ignore-path,-i=R "
     "--ignore-pattern,--ip= --custom-syntax=R --allow-empty-input,--aei --cache "
     "--cache-location=W --cache-strategy= --color --no-color --stdin --stdin-filename= "
     "--report-needless-disables,--rd",
     "{--cache} R* | --cache-location=WD R*", EFFECT_PROJECT, "stylelint.io/user-guide/cli",
     .starts_from = JS_FILES},
    {"svelte-check",
     "%-h,--help %--version --workspace=P --output= --tsconfig=R --no-tsconfig --ignore= "
     "--fail-on-warnings --threshold= --watch --preserveWatchOutput --compiler-warnings= "
     "--incremental",
     "none", EFFECT_PROJECT, "npmjs.com/package/svelte-check",
     .starts_from = JS_FILES},
    {"ts-node",
     "%-h,--help %-v,--version -e,--eval=X -p,--print=X -r,--require=F -P,--project=R "
     "-T,--transpile-only,--transpileOnly --files --esm --swc -s,--script-mode "
     "--skip-project,--skipProject --cwd=P",
     "{-e,-p} .* | {0} ^code none | Z .*", 0, "typestrong.org/ts-node/docs/options, tsx.is/usage",
     .launches = ""},
    {"tsc", TSC, "{--noEmit,--outDir,--outFile,--emitDeclarationOnly} @input* | @emitted*",
     EFFECT_PROJECT, "typescriptlang.org/docs/handbook/compiler-options",
     .starts_from = JS_FILES,
     .runs_no_source = true},
    {"tsserver", "", ".*", EFFECT_PROJECT, "github.com/terraform-linters/tflint"},
    {"tsup",
     "mixed %-h,--help %-v,--version --config=R --no-config --format= --dts --minify --clean "
     "--watch?= --target= -d,--out-dir=W --sourcemap?= --splitting --no-splitting --external= "
     "--tsconfig=R --silent --treeshake",
     "{--clean} -d=@emptied R* | R*", EFFECT_PROJECT, "tsup.egoist.dev",
     .starts_from = JS_FILES},
    {"tsx",
     "%-h,--help %-v,--version -e,--eval=X -p,--print=X -r,--require,--import=F --env-file=F "
     "--tsconfig=R --no-cache --no-warnings --test --test-name-pattern= --test-reporter=R",
     "{-e,-p} .* | {--test} ^project R* | {0} ^code none | Z .*", 0, "tsx.is/usage", .launches = "",
     .starts_from = JS_FILES},
    {"tsx watch", "--clear-screen?= --ignore= --include= --tsconfig=R", "F .*", EFFECT_CODE,
     "tsx.is/usage"},
    {"turbo", "global %-h,--help %--version --cwd=P", "sub", 0, "turborepo.com/docs/reference/run",
     .starts_from = JS_FILES, .shares_scripts = SCRIPT_RUNNERS},
    {"turbo build", "=turbo run", "", 0, "turborepo.com/docs/reference/run"},
    {"turbo check", "=turbo run", "", 0, "turborepo.com/docs/reference/run"},
    {"turbo check-types", "=turbo run", "", 0, "turborepo.com/docs/reference/run"},
    {"turbo dev", "=turbo run", "", 0, "turborepo.com/docs/reference/run"},
    {"turbo lint", "=turbo run", "", 0, "turborepo.com/docs/reference/run"},
    {"turbo ls", "mixed --filter,-F= --affected --output=", ".*", EFFECT_PROJECT,
     "turborepo.com/docs/reference/run"},
    {"turbo query", "", ".", EFFECT_PROJECT, "turborepo.com/docs/reference/run"},
    {"turbo run",
     "mixed %-h,--help --filter,-F= --force?= --no-cache --parallel --concurrency= --dry?= "
     "--dry-run?= --graph?=W --only --continue?= --output-logs= --log-order= --log-prefix= "
     "--summarize?= --ui= --env-mode?= --cache-dir=W --cache= --affected --no-daemon --daemon "
     "--no-color --color --verbosity?= -v --framework-inference= --global-deps= "
     "--no-update-notifier",
     "@task*", EFFECT_PROJECT, "turborepo.com/docs/reference/run", .task_by_task = true},
    {"turbo test", "=turbo run", "", 0, "turborepo.com/docs/reference/run"},
    {"turbo typecheck", "=turbo run", "", 0, "turborepo.com/docs/reference/run"},
    {"vite", VITE " %-v,--version", "R", EFFECT_PROJECT, "vite.dev/guide/cli",
     .starts_from = JS_FILES},
    {"vite build",
     VITE
     " --target= --outDir=@emptied --assetsDir=@naming --assetsInlineLimit= --ssr?= --sourcemap?= "
     "--minify?= --manifest?=@naming --ssrManifest?=@naming -w,--watch --app --profile",
     "R", EFFECT_PROJECT, "vite.dev/guide/cli"},
    {"vite dev", VITE, "R", EFFECT_PROJECT, "vite.dev/guide/cli"},
    {"vite preview", VITE " --outDir=R", "R", EFFECT_PROJECT, "vite.dev/guide/cli"},
    {"vite serve", "=vite dev", "", 0, "vite.dev/guide/cli"},
    {"vitest", VITEST, "R*", EFFECT_PROJECT, "vitest.dev/guide/cli",
     .starts_from = JS_FILES},
    {"vitest bench", VITEST " --compare=R --outputJson=W", "R*", EFFECT_PROJECT,
     "vitest.dev/guide/cli"},
    {"vitest list", VITEST " --json?=W --filesOnly", "R*", EFFECT_PROJECT, "vitest.dev/guide/cli"},
    {"vitest related", VITEST, "R*", EFFECT_PROJECT, "vitest.dev/guide/cli"},
    {"vitest run", VITEST, "R*", EFFECT_PROJECT, "vitest.dev/guide/cli"},
    {"vitest watch", VITEST, "R*", EFFECT_PROJECT, "vitest.dev/guide/cli"},
    {"vue-tsc", TSC, "{--noEmit,--outDir,--outFile,--emitDeclarationOnly} @input* | @emitted*",
     EFFECT_PROJECT, "github.com/vuejs/language-tools vue-tsc",
     .starts_from = JS_FILES,
     .runs_no_source = true},
    {"webpack",
     "mixed %-h,--help %-v,--version -c,--config=R --config-name= -m,--merge --mode= --env= "
     "--node-env= --progress?= -w,--watch --watch-options-stdin -o,--output-path=W --entry=R "
     "-t,--target= -d,--devtool= --analyze --stats?= -j,--json?=W --color --no-color "
     "--fail-on-warnings --disable-interpret --name= --hot",
     "{-j,--json} RW* | R*", EFFECT_PROJECT, "webpack.js.org/api/cli; the word after --json may be the file that it writes"},
};
/* clang-format on */

extern const struct program_file rows_web;
const struct program_file rows_web = {"programs/rows/web.c", rows, COUNT(rows)};
