/* langs.c - JVM, .NET, BEAM, Haskell, Dart and other compiled languages. */
#include "programs/reading.h"
#include "programs/rows/starts_from.h"

/* clang-format off */
#define CABAL_HOSTS "cabal.project"
#define DART_HOSTS "pubspec.yaml pubspec.lock"
#define STACK_HOSTS "stack.yaml"
#define CABAL \
    "mixed %-h,--help -v,--verbose?= -j,--jobs?= --enable-tests --disable-tests " \
    "--enable-benchmarks --disable-benchmarks --offline --dry-run --only-dependencies " \
    "--keep-going --enable-coverage --test-show-details= --ghc-options=X --project-file=@file " \
    "--builddir=W -O?= --enable-optimization?= --disable-optimization"
#define DOTNET \
    "mixed %-h,--help,-? -c,--configuration,-f,--framework,-r,--runtime,-a,--arch,--os=@plain " \
    "-v,--verbosity=@plain --no-build --no-restore --no-dependencies --no-incremental " \
    "--nologo,-nologo " \
    "--interactive --force --self-contained?= --sc --no-self-contained -o,--output=W " \
    "--artifacts-path=W --version-suffix= --tl?= --disable-build-servers --use-current-runtime " \
    "--ucr"
#define DUNE \
    "mixed %--help --release -p,--for-release-of-packages= --profile= -j= --display= -f,--force " \
    "-w,--watch --root=P --build-dir=W --verbose --no-print-directory --ignore-promoted-rules " \
    "--auto-promote --no-buffer"
#define GRADLE \
    "mixed -h,-?,--help -v,--version -q,--quiet -i,--info -d,--debug -w,--warn -s,--stacktrace " \
    "-S,--full-stacktrace --no-daemon --daemon --offline --continue --rerun-tasks --rerun " \
    "--parallel --no-parallel --build-cache --no-build-cache --configuration-cache " \
    "--no-configuration-cache --configure-on-demand --console= --tests= -x,--exclude-task= " \
    "-m,--dry-run -p,--project-dir=P --configuration= --dependency= --warning-mode= " \
    "--refresh-dependencies --profile --max-workers= --all --group= -a,--no-rebuild --fail-fast " \
    "--priority= --watch-fs --no-watch-fs -t ^send--scan -I,--init-script=F " \
    "-b,--build-file,-c,--settings-file=@file --status --stop"
#define STACK \
    "mixed %-h,--help --fast --pedantic --test --no-test --bench --no-run-tests " \
    "--no-run-benchmarks --haddock --dry-run --only-dependencies --only-snapshot --file-watch " \
    "--coverage --flag= -j,--jobs= --ta,--test-arguments= --resolver= --stack-yaml=@file " \
    "--system-ghc --no-install-ghc --keep-going --copy-bins --exec=X --ghc-options=X"

static const struct program_row rows[] = {
    {"ant",
     "+long mixed %-h,-help %-version %-diagnostics -p,-projecthelp -q,-quiet -S,-silent "
     "-v,-verbose -d,-debug -e,-emacs -k,-keep-going -f,-file,-buildfile=@file !-find,-s= -noinput "
     "-nouserlib",
     "@target*", EFFECT_PROJECT, "ant.apache.org/manual/running.html",
     .starts_from = "build.xml", .task_by_task = true},
    {"cabal",
     "%-h,--help %-V,--version %--numeric-version",
     "sub", 0, "cabal.readthedocs.io/en/stable/cabal-commands.html", .fronted = true,
     .starts_from = HASKELL_FILES},
    {"cabal bench", CABAL, ".*", EFFECT_PROJECT,
     "cabal.readthedocs.io/en/stable/cabal-commands.html"},
    {"cabal build", CABAL, ".*", EFFECT_PROJECT,
     "cabal.readthedocs.io/en/stable/cabal-commands.html"},
    {"cabal check", "", "none", 0, "cabal.readthedocs.io/en/stable/cabal-commands.html"},
    {"cabal clean", "", "none", EFFECT_PROJECT, "cabal.readthedocs.io/en/stable/cabal-commands.html"
     },
    {"cabal exec", "", "I", EFFECT_PROJECT, "cabal.readthedocs.io/en/stable/cabal-commands.html", .waits = true},
    {"cabal format", "", "R", EFFECT_PROJECT, "cabal.readthedocs.io/en/stable/cabal-commands.html"},
    {"cabal freeze", CABAL, "none", EFFECT_PROJECT,
     "cabal.readthedocs.io/en/stable/cabal-commands.html"},
    {"cabal haddock", CABAL, ".*", EFFECT_PROJECT,
     "cabal.readthedocs.io/en/stable/cabal-commands.html"},
    {"cabal info", "", ".*", 0, "cabal.readthedocs.io/en/stable/cabal-commands.html"},
    {"cabal install", CABAL, ".*", EFFECT_INSTALL,
     "cabal.readthedocs.io/en/stable/cabal-commands.html"},
    {"cabal list", "mixed --installed --simple-output", ".*", 0,
     "cabal.readthedocs.io/en/stable/cabal-commands.html"},
    {"cabal outdated", "", "none", EFFECT_PROJECT,
     "cabal.readthedocs.io/en/stable/cabal-commands.html"},
    {"cabal run", "-v?=", "@task @arg*", EFFECT_PROJECT,
     "cabal.readthedocs.io/en/stable/cabal-commands.html"},
    {"cabal test", CABAL, ".*", EFFECT_PROJECT, "cabal.readthedocs.io/en/stable/cabal-commands.html"
     },
    {"cabal update", "", "none", EFFECT_PROJECT | EFFECT_FETCH,
     "cabal.readthedocs.io/en/stable/cabal-commands.html"
     ,
     .hosts_in = CABAL_HOSTS},
    {"cabal upload", "", ".*", EFFECT_SEND, "cabal.readthedocs.io/en/stable/cabal-commands.html"},
    {"dart", "%-h,--help %--version -v,--verbose", "{0} none | F .*", 0,
     "dart.dev/tools/dart-tool", .fronted = true,
     .starts_from = DART_FILES},
    {"dart analyze",
     "mixed %-h,--help --fatal-infos --no-fatal-warnings --fatal-warnings --format=",
     "R*", EFFECT_PROJECT, "dart.dev/tools/dart-tool",
     .runs_no_source = true},
    {"dart compile", "", "sub", 0, "dart.dev/tools/dart-tool"},
    {"dart compile exe",
     "mixed -o,--output=W -D,--define= --verbosity=",
     "R", EFFECT_PROJECT, "dart.dev/tools/dart-tool"},
    {"dart compile js", "mixed -o,--output=W -O= --no-source-maps", "R", EFFECT_PROJECT,
     "dart.dev/tools/dart-tool"},
    {"dart doc", "mixed -o,--output=W --validate-links --dry-run", "R", EFFECT_PROJECT,
     "dart.dev/tools/dart-tool"},
    {"dart fix", "mixed -n,--dry-run --apply --code=", "R", EFFECT_PROJECT,
     "dart.dev/tools/dart-tool"},
    {"dart format",
     "mixed %-h,--help -o,--output= --set-exit-if-changed --fix -l,--line-length= --page-width= "
     "--show= --summary=",
     "R*", EFFECT_PROJECT, "dart.dev/tools/dart-tool",
     .runs_no_source = true},
    {"dart info", "", "none", EFFECT_PROJECT, "dart.dev/tools/dart-tool"},
    {"dart pub", "%-h,--help", "sub", 0, "dart.dev/tools/dart-tool"},
    {"dart pub add", "mixed --dev -n,--dry-run --offline", ".*", EFFECT_INSTALL,
     "dart.dev/tools/dart-tool"},
    {"dart pub deps",
     "mixed -s,--style= --json --no-dev --executables",
     "none", EFFECT_PROJECT, "dart.dev/tools/dart-tool"},
    {"dart pub get",
     "mixed --offline -n,--dry-run --enforce-lockfile --precompile",
     "none", EFFECT_INSTALL, "dart.dev/tools/dart-tool"},
    {"dart pub outdated",
     "mixed --json --no-dev-dependencies --show-all --transitive",
     "none", EFFECT_PROJECT | EFFECT_FETCH, "dart.dev/tools/dart-tool",
     .hosts_in = DART_HOSTS},
    {"dart pub publish", "", ".*", EFFECT_SEND | EFFECT_PROJECT, "dart.dev/tools/dart-tool"},
    {"dart pub upgrade",
     "mixed --offline -n,--dry-run --major-versions --tighten",
     ".*", EFFECT_INSTALL, "dart.dev/tools/dart-tool"},
    {"dart run", "", "F .*", EFFECT_CODE, "dart.dev/tools/dart-tool"},
    {"dart run build_runner", "", "sub", 0, "dart.dev/tools/dart-tool"},
    {"dart run build_runner build",
     "-d,--delete-conflicting-outputs",
     "none", EFFECT_PROJECT, "dart.dev/tools/dart-tool"},
    {"dart test",
     "mixed %-h,--help -n,--name= -N,--plain-name= -t,--tags= -x,--exclude-tags= -p,--platform= "
     "-P,--preset= -j,--concurrency= --total-shards= --shard-index= --timeout= --run-skipped "
     "--coverage=W --chain-stack-traces -r,--reporter= --file-reporter=@plain --fail-fast "
     "--no-color --color",
     "R*", EFFECT_PROJECT, "dart.dev/tools/dart-tool"},
    {"dotnet",
     "%-h,--help %--version %--info %--list-sdks %--list-runtimes",
     "{0} none | F .*", 0, "learn.microsoft.com/dotnet/core/tools", .fronted = true,
     .starts_from = DOTNET_FILES, .kit = "nuget"},
    {"dotnet add", "mixed", ".*", EFFECT_INSTALL, "learn.microsoft.com/dotnet/core/tools"},
    {"dotnet build", DOTNET, "@input*", EFFECT_PROJECT, "learn.microsoft.com/dotnet/core/tools"},
    {"dotnet clean", DOTNET, "@input*", EFFECT_PROJECT, "learn.microsoft.com/dotnet/core/tools"},
    {"dotnet ef", "%-h,--help %--version", "sub", 0, "learn.microsoft.com/dotnet/core/tools"},
    {"dotnet ef dbcontext", "", "sub", 0, "learn.microsoft.com/dotnet/core/tools"},
    {"dotnet ef dbcontext info", "", "none", EFFECT_PROJECT, "learn.microsoft.com/dotnet/core/tools"
     },
    {"dotnet ef dbcontext list", "", "none", EFFECT_PROJECT, "learn.microsoft.com/dotnet/core/tools"
     },
    {"dotnet ef migrations", "", "sub", 0, "learn.microsoft.com/dotnet/core/tools"},
    {"dotnet ef migrations list",
     "--no-build --json -p,--project=R -s,--startup-project=R -c,--context=",
     "none", EFFECT_PROJECT | EFFECT_FETCH, "learn.microsoft.com/dotnet/core/tools"},
    {"dotnet format",
     "mixed %-h,--help --diagnostics= --severity= --verify-no-changes --include= --exclude= "
     "--include-generated -v,--verbosity= --no-restore --report=W --binarylog=W",
     "R", EFFECT_PROJECT, "learn.microsoft.com/dotnet/core/tools"},
    {"dotnet format analyzers", "=dotnet format", "", 0, "learn.microsoft.com/dotnet/core/tools"},
    {"dotnet format style", "=dotnet format", "", 0, "learn.microsoft.com/dotnet/core/tools"},
    {"dotnet format whitespace", "=dotnet format", "", 0, "learn.microsoft.com/dotnet/core/tools"},
    {"dotnet help", "", ".*", 0, "learn.microsoft.com/dotnet/core/tools"},
    {"dotnet list",
     "mixed ^fetch--outdated ^fetch--vulnerable ^fetch--deprecated --include-transitive --format= "
     "--framework=",
     ".*", EFFECT_PROJECT, "learn.microsoft.com/dotnet/core/tools"},
    {"dotnet nuget", "", "sub", 0, "learn.microsoft.com/dotnet/core/tools"},
    {"dotnet nuget list", "", ".*", 0, "learn.microsoft.com/dotnet/core/tools"},
    {"dotnet nuget push", "mixed", ".*", EFFECT_SEND, "learn.microsoft.com/dotnet/core/tools"},
    {"dotnet pack",
     DOTNET
     " --include-symbols --include-source -s,--serviceable",
     "R*", EFFECT_PROJECT, "learn.microsoft.com/dotnet/core/tools"},
    {"dotnet publish", DOTNET " --manifest=R", "R*", EFFECT_PROJECT,
     "learn.microsoft.com/dotnet/core/tools"},
    {"dotnet remove", "mixed", ".*", EFFECT_INSTALL, "learn.microsoft.com/dotnet/core/tools"},
    {"dotnet restore",
     "mixed -s,--source=N --force --no-cache --no-http-cache -v,--verbosity= --locked-mode "
     "--use-lock-file --ignore-failed-sources -r,--runtime= --interactive --packages=W",
     "R", EFFECT_INSTALL, "learn.microsoft.com/dotnet/core/tools"},
    {"dotnet run",
     "-c,--configuration,-f,--framework,-r,--runtime,-a,--arch,-v,--verbosity=@plain --no-build "
     "--no-restore --no-launch-profile -lp,--launch-profile= --project=R",
     "@arg*", EFFECT_PROJECT, "learn.microsoft.com/dotnet/core/tools"},
    {"dotnet test",
     DOTNET
     " --filter= -l,--logger=@plain --collect= --results-directory=W -s,--settings=R --blame "
     "--blame-crash --blame-hang --blame-hang-timeout= -t,--list-tests -d,--diag=W "
     "-e,--environment=X --test-adapter-path=R",
     "@input*", EFFECT_PROJECT, "learn.microsoft.com/dotnet/core/tools"},
    {"dotnet tool", "", "sub", 0, "learn.microsoft.com/dotnet/core/tools"},
    {"dotnet tool install", "mixed", ".*", EFFECT_INSTALL, "learn.microsoft.com/dotnet/core/tools"},
    {"dotnet tool list", "mixed -g,--global --local --format=", ".*", 0,
     "learn.microsoft.com/dotnet/core/tools"},
    {"dotnet tool restore", "", "none", EFFECT_INSTALL, "learn.microsoft.com/dotnet/core/tools"},
    {"dotnet tool search",
     "mixed --detail --take= --skip=",
     ".*", EFFECT_PROJECT | EFFECT_FETCH, "learn.microsoft.com/dotnet/core/tools"},
    {"dotnet tool uninstall", "mixed", ".*", EFFECT_INSTALL, "learn.microsoft.com/dotnet/core/tools"
     },
    {"dotnet tool update", "mixed", ".*", EFFECT_INSTALL, "learn.microsoft.com/dotnet/core/tools"},
    {"dotnet workload", "", "sub", 0, "learn.microsoft.com/dotnet/core/tools"},
    {"dotnet workload list", "", "none", 0, "learn.microsoft.com/dotnet/core/tools"},
    {"dune", "%--help %--version", "sub", 0, "dune.readthedocs.io",
     .starts_from = "dune dune-project dune-workspace"},
    {"dune build", DUNE, "@arg*", EFFECT_PROJECT, "dune.readthedocs.io"},
    {"dune runtest", "=dune build", "", 0, "dune.readthedocs.io"},
    {"dune test", "=dune build", "", 0, "dune.readthedocs.io"},
    {"elixir",
     "%-h,--help %-v,--version %--short-version -e,--eval=X -r=F --rpc-eval=X",
     "X*", EFFECT_CODE, "elixir(1), iex(1), mix(1), erl(1), rebar3.org", .fronted = true},
    {"erl", "%-version", "X*", EFFECT_CODE, "elixir(1), iex(1), mix(1), erl(1), rebar3.org",
     .fronted = true},
    {"escript", "", "F .*", EFFECT_CODE, "elixir(1), iex(1), mix(1), erl(1), rebar3.org"},
    {"flutter",
     "%-h,--help %--version -v,--verbose -d,--device-id= --no-color --suppress-analytics",
     "sub", 0, "docs.flutter.dev/reference/flutter-cli", .fronted = true,
     .starts_from = DART_FILES},
    {"flutter analyze",
     "mixed --no-fatal-infos --fatal-infos --no-fatal-warnings --fatal-warnings --no-pub --pub "
     "--watch --current-package --no-preamble --write=W",
     "R*", EFFECT_PROJECT, "docs.flutter.dev/reference/flutter-cli"},
    {"flutter build",
     "mixed %-h,--help --release --debug --profile --no-pub --target-platform= --flavor= "
     "-t,--target=R --split-per-abi --no-codesign --simulator --build-number= --build-name= "
     "--obfuscate --split-debug-info=W --dart-define= --web-renderer= --base-href=@text --wasm",
     ".*", EFFECT_PROJECT, "docs.flutter.dev/reference/flutter-cli"},
    {"flutter clean", "", "none", EFFECT_PROJECT, "docs.flutter.dev/reference/flutter-cli"},
    {"flutter devices", "--machine", "none", EFFECT_PROJECT,
     "docs.flutter.dev/reference/flutter-cli"},
    {"flutter doctor", "-v,--verbose", "none", EFFECT_FETCH,
     "docs.flutter.dev/reference/flutter-cli"},
    {"flutter emulators", "", "none", EFFECT_PROJECT, "docs.flutter.dev/reference/flutter-cli"},
    {"flutter gen-l10n", "mixed", "none", EFFECT_PROJECT, "docs.flutter.dev/reference/flutter-cli"},
    {"flutter pub", "=dart pub", "", 0, "docs.flutter.dev/reference/flutter-cli"},
    {"flutter run",
     "mixed --release --debug --profile -d,--device-id= --flavor= -t,--target=R --no-pub "
     "--dart-define= --web-port= --web-hostname= --hot --no-hot",
     "none", EFFECT_PROJECT, "docs.flutter.dev/reference/flutter-cli"},
    {"flutter test",
     "mixed %-h,--help --name= --plain-name= -t,--tags= -x,--exclude-tags= --coverage "
     "--coverage-path=W --update-goldens --no-pub --pub -j,--concurrency= -r,--reporter= --machine "
     "--no-test-assets --start-paused --run-skipped --test-randomize-ordering-seed= --timeout= "
     "-d,--device-id= --dart-define=",
     "R*", EFFECT_PROJECT, "docs.flutter.dev/reference/flutter-cli"},
    {"ghc",
     "+long versions %-help,-? %-V,-version,-numeric-version -c -O -O0 -O1 -O2 -o=W "
     "-outputdir,-odir,-hidir=W -Wall -Werror -Wextra -w -v0 -fno-code -threaded -rtsopts -i?= "
     "-package= -XOverloadedStrings -e=X",
     "@input*", EFFECT_PROJECT, "downloads.haskell.org/ghc user guide", .fronted = true,
     .compiles = true},
    {"ghci", "%--help %--version", "X*", EFFECT_CODE, "downloads.haskell.org/ghc user guide"},
    {"ghcup", "%-h,--help %-V,--version", "sub", 0, "downloads.haskell.org/ghc user guide"},
    {"ghcup install", "mixed", ".*", EFFECT_INSTALL, "downloads.haskell.org/ghc user guide"},
    {"ghcup list", "mixed -t= -c= -r", ".*", EFFECT_FETCH, "downloads.haskell.org/ghc user guide"},
    {"gradle", GRADLE, "@gradle*", EFFECT_PROJECT,
     "docs.gradle.org/current/userguide/command_line_interface.html",
     .starts_from = "build.gradle* gradle.properties init.gradle* settings.gradle*", .also = "gradlew", .kit = "maven", .set_by = "GRADLE_*", .task_by_task = true},
    {"gradle init",
     GRADLE
     " --type= --dsl= --test-framework= --project-name= --package=",
     "cwd=W none", EFFECT_PROJECT, "docs.gradle.org/current/userguide/command_line_interface.html"},
    {"gradle wrapper",
     GRADLE
     " --gradle-version= --distribution-type= --gradle-distribution-url=N",
     "cwd=W none", EFFECT_PROJECT | EFFECT_INSTALL,
     "docs.gradle.org/current/userguide/command_line_interface.html"},
    {"gradlew", "=gradle", "", 0, "docs.gradle.org/current/userguide/command_line_interface.html"},
    {"iex", "%-h,--help %-v,--version", "X*", EFFECT_CODE, "github.com/hadolint/hadolint",
     .fronted = true},
    {"jar",
     "bundle %-h,--help %--version -t,--list -v,--verbose -f,--file=@input -d,--describe-module",
     "{-t,-d} @input*", 0, "java(1), javac(1), jar(1), javap(1)", .brings = BRINGS_ARCHIVE, .names_in = "@"},
    {"java",
     "+long %-h,-?,-help,--help %-version,--version %-X -jar=F",
     "{-jar} .* | {0} ^code none | F .*", 0, "java(1), javac(1), jar(1), javap(1)",
     .fronted = true},
    {"javac",
     "+long mixed %-help,-? %-version -d=W -h=W -s=W -cp,-classpath,-class-path=R "
     "-sourcepath,-source-path=R -g -g:none -nowarn -verbose -deprecation -parameters -proc:none "
     "-source= -target= -release= -encoding= -Xlint -Xlint:?= -Xmaxerrs= -Xmaxwarns= "
     "-implicit:none -enable-preview -Werror -Xdoclint?= "
     "-processorpath,-processor-path,-processor=X",
     "@input*", EFFECT_PROJECT, "java(1), javac(1), jar(1), javap(1)", .fronted = true,
     .compiles = true, .same = "-bootclasspath,--boot-class-path"},
    {"javap",
     "+long mixed %-help,-h,-? %-version -v,-verbose -l -public -protected -package -p,-private -c "
     "-s -sysinfo -constants -cp,-classpath,-class-path=R -m,-module=",
     ".*", 0, "java(1), javac(1), jar(1), javap(1)"},
    {"jshell", "%-h,--help %--version", "X*", EFFECT_CODE, "java(1), javac(1), jar(1), javap(1)"},
    {"kotlin", "%-version,-help", "X*", EFFECT_CODE, "kotlinlang.org/docs/compiler-reference.html"},
    {"kotlinc",
     "+long mixed %-help,-h %-version -d=W -cp,-classpath=R -include-runtime -jvm-target= "
     "-language-version= -api-version= -nowarn -verbose -Werror -progressive -script=F -Xplugin=X",
     "{-script} .* | ^project @input*", 0, "kotlinlang.org/docs/compiler-reference.html",
     .fronted = true, .compiles = true},
    {"ktlint",
     "mixed %-h,--help %-v,--version -F,--format --relative --color --reporter=@plain "
     "--editorconfig=R "
     "-l,--log-level=",
     "R*", EFFECT_PROJECT, "kotlinlang.org/docs/compiler-reference.html"},
    {"mix", "%-h,--help %-v,--version", "{0} ^project none | sub", 0, "hexdocs.pm/mix",
     .starts_from = ".credo.exs .formatter.exs mix.exs"},
    {"mix compile",
     "mixed --force --warnings-as-errors --all-warnings --no-deps-check --return-errors --verbose "
     "--no-compile --profile=",
     "none", EFFECT_PROJECT, "hexdocs.pm/mix"},
    {"mix credo",
     "mixed --strict --all -a --format= --only= --ignore= --config-file=R --files-included=R -C= "
     "--min-priority=",
     "R*", EFFECT_PROJECT, "hexdocs.pm/mix"},
    {"mix deps", "--all", "none", EFFECT_PROJECT, "hexdocs.pm/mix"},
    {"mix deps.audit", "", "none", EFFECT_PROJECT | EFFECT_FETCH, "hexdocs.pm/mix"},
    {"mix deps.compile", "mixed --force", ".*", EFFECT_INSTALL, "hexdocs.pm/mix"},
    {"mix deps.get", "mixed --only= --check-locked", "none", EFFECT_INSTALL, "hexdocs.pm/mix"},
    {"mix deps.tree", "mixed --only= --exclude= --format=", ".*", EFFECT_PROJECT, "hexdocs.pm/mix"},
    {"mix deps.update", "mixed --all", ".*", EFFECT_INSTALL, "hexdocs.pm/mix"},
    {"mix dialyzer",
     "mixed --format= --no-check --quiet --halt-exit-status --plt",
     "none", EFFECT_PROJECT, "hexdocs.pm/mix"},
    {"mix docs", "", "none", EFFECT_PROJECT, "hexdocs.pm/mix"},
    {"mix ecto.create", "mixed -r= --quiet", "none", EFFECT_PROJECT | EFFECT_SEND,
     "hexdocs.pm/mix"},
    {"mix ecto.drop", "mixed -r= --quiet", "none", EFFECT_PROJECT | EFFECT_SEND | EFFECT_LOSS,
     "hexdocs.pm/mix"},
    {"mix ecto.migrate",
     "mixed -r= --quiet --step,-n= --all --log-sql",
     "none", EFFECT_PROJECT | EFFECT_SEND, "hexdocs.pm/mix"},
    {"mix ecto.migrations", "mixed -r=", "none", EFFECT_PROJECT | EFFECT_FETCH, "hexdocs.pm/mix"},
    {"mix ecto.reset", "=mix ecto.drop", "", 0, "hexdocs.pm/mix"},
    {"mix ecto.rollback", "=mix ecto.drop", "", 0, "hexdocs.pm/mix"},
    {"mix format",
     "mixed --check-formatted --dry-run --no-exit --dot-formatter=R --force --stdin-filename= "
     "--migrate",
     "R*", EFFECT_PROJECT, "hexdocs.pm/mix"},
    {"mix help", "--names", ".*", EFFECT_PROJECT, "hexdocs.pm/mix"},
    {"mix hex.audit", "", "none", EFFECT_PROJECT | EFFECT_FETCH, "hexdocs.pm/mix"},
    {"mix hex.info", "", ".*", EFFECT_FETCH | EFFECT_PROJECT, "hexdocs.pm/mix"},
    {"mix hex.outdated", "mixed --all --within-requirements", ".*", EFFECT_PROJECT | EFFECT_FETCH,
     "hexdocs.pm/mix"},
    {"mix hex.publish", "", ".*", EFFECT_SEND | EFFECT_PROJECT, "hexdocs.pm/mix"},
    {"mix local.hex", "mixed --force --if-missing", ".*", EFFECT_INSTALL, "hexdocs.pm/mix"},
    {"mix local.rebar", "mixed --force --if-missing", ".*", EFFECT_INSTALL, "hexdocs.pm/mix"},
    {"mix phx.routes", "mixed --no-compile", ".*", EFFECT_PROJECT, "hexdocs.pm/mix"},
    {"mix phx.server", "--no-halt", "none", EFFECT_PROJECT, "hexdocs.pm/mix"},
    {"mix sobelow", "mixed --config --exit= --skip", "none", EFFECT_PROJECT, "hexdocs.pm/mix"},
    {"mix test",
     "mixed --color --no-color --cover --exclude= --failed --force --include= --listen-on-stdin "
     "--max-cases= --max-failures= --no-compile --no-start --only= --partitions --preload-modules "
     "--profile-require= --raise --repeat-until-failure= --seed= --slowest= --stale --timeout= "
     "--trace --warnings-as-errors --formatter=",
     "R*", EFFECT_PROJECT, "hexdocs.pm/mix"},
    {"mix xref",
     "mixed --format= --label= --sink= --source= --include-siblings",
     ".*", EFFECT_PROJECT, "hexdocs.pm/mix"},
    {"msbuild",
     "+long %-h,-help,-? %-version,-ver -nologo -restore,-r -m?= -v,-verbosity= -t,-target?=",
     "R", EFFECT_PROJECT, "learn.microsoft.com/visualstudio/msbuild/msbuild-command-line-reference",
     .starts_from = DOTNET_FILES},
    {"mvn",
     "+long mixed -h,-help -v,-version -B,-batch-mode -q,-quiet -e,-errors -X,-debug -o,-offline "
     "-U,-update-snapshots -ntp,-no-transfer-progress -T,-threads= -am,-also-make "
     "-amd,-also-make-dependents -fae,-fail-at-end -ff,-fail-fast -fn,-fail-never "
     "-N,-non-recursive -pl,-projects= -P,-activate-profiles= -rf,-resume-from= -f,-file=@file "
     "-V,-show-version -nsu -C -c -DskipTests?= -DskipITs?= -Dmaven.test.skip?= "
     "-Dmaven.javadoc.skip?= -Dtest= -Dit.test= -DfailIfNoTests= "
     "-Dsurefire.failIfNoSpecifiedTests= -Dstyle.color= -Dcheckstyle.skip?= -Dspotless.check.skip= "
     "-Dgpg.skip?= -Dincludes= -Dverbose?= -Dorg.slf4j.simpleLogger.log.?= "
     "-s,-settings,-gs,-global-settings=F",
     "@maven*", EFFECT_PROJECT, "maven.apache.org/ref/current/maven-embedder/cli.html, mvn 3.8 "
     "--help",
     .starts_from = ".mvn/extensions.xml .mvn/jvm.config .mvn/maven.config pom.xml", .same = "-nsu,--no-snapshot-updates -llr,--legacy-local-repository", .also = "mvnw,mvnd", .kit = "maven", .set_by = "MAVEN_*", .task_by_task = true},
    {"mvnd", "=mvn", "", 0, "maven.apache.org/ref/current/maven-embedder/cli.html, mvn 3.8 --help"},
    {"mvnw", "=mvn", "", 0, "maven.apache.org/ref/current/maven-embedder/cli.html, mvn 3.8 --help"},
    {"nim", "+long %-h,-help %-v,-version", "sub", 0, "nim-lang.org/docs/nimc.html"},
    {"nim c",
     "+long -d?= -o?=W -out?=W -opt?= -mm?= -threads?= -hints?= -warnings?= -verbosity?= "
     "-f,-forceBuild?= -styleCheck?= ^code-r,-run",
     "@input", EFFECT_PROJECT, "nim-lang.org/docs/nimc.html", .compiles = true},
    {"nim check", "+long -hints?= -warnings?= -styleCheck?=", "@input", EFFECT_PROJECT,
     "nim-lang.org/docs/nimc.html"},
    {"nim compile", "=nim c", "", 0, "nim-lang.org/docs/nimc.html"},
    {"nimble", "%-h,--help %-v,--version", "sub", 0, "nim-lang.org/docs/nimc.html",
     .starts_from = "*.nimble"},
    {"nimble build", "mixed -d?= --verbose", ".*", EFFECT_PROJECT, "nim-lang.org/docs/nimc.html"},
    {"nimble install", "mixed", ".*", EFFECT_INSTALL, "nim-lang.org/docs/nimc.html"},
    {"nimble test", "mixed --verbose", ".*", EFFECT_PROJECT, "nim-lang.org/docs/nimc.html"},
    {"rebar3", "%-h,--help %-v,--version", "sub", 0, "ruby.github.io/rake",
     .starts_from = "rebar.config rebar.config.script"},
    {"rebar3 clean", "-a,--all", "none", EFFECT_PROJECT, "ruby.github.io/rake"},
    {"rebar3 compile", "-d", "none", EFFECT_PROJECT, "ruby.github.io/rake"},
    {"rebar3 ct",
     "mixed --suite= --case= --group= --dir=R --verbose -v --cover -c --sname=",
     "none", EFFECT_PROJECT, "ruby.github.io/rake"},
    {"rebar3 deps", "", "none", EFFECT_PROJECT, "ruby.github.io/rake"},
    {"rebar3 dialyzer", "", "none", EFFECT_PROJECT, "ruby.github.io/rake"},
    {"rebar3 do", "", "X*", EFFECT_CODE, "ruby.github.io/rake"},
    {"rebar3 edoc", "", "none", EFFECT_PROJECT, "ruby.github.io/rake"},
    {"rebar3 eunit",
     "mixed -v,--verbose -c,--cover -m,--module= -s,--suite= -t,--test= --app=",
     "none", EFFECT_PROJECT, "ruby.github.io/rake"},
    {"rebar3 fmt", "mixed -c,--check -w,--write", "R*", EFFECT_PROJECT, "ruby.github.io/rake"},
    {"rebar3 get-deps", "", "none", EFFECT_INSTALL, "ruby.github.io/rake"},
    {"rebar3 lint", "", "none", EFFECT_PROJECT, "ruby.github.io/rake"},
    {"rebar3 tree", "-v", "none", EFFECT_PROJECT, "ruby.github.io/rake"},
    {"rebar3 upgrade", "mixed -a,--all", ".*", EFFECT_INSTALL, "ruby.github.io/rake"},
    {"rebar3 xref", "", "none", EFFECT_PROJECT, "ruby.github.io/rake"},
    {"sbt",
     "-h,--help --version --script-version -v --no-colors -batch --client",
     "{-h,--version,--script-version} ^project none | {0} ^code none | sub",
     0, "scala-sbt.org/1.x/docs/Command-Line-Reference.html",
     .starts_from = ".sbtopts build.sbt project/build.properties project/plugins.sbt", .kit = "maven"},
    {"sbt clean", "", "none", EFFECT_PROJECT, "scala-sbt.org/1.x/docs/Command-Line-Reference.html"},
    {"sbt compile", "=sbt clean", "", 0, "scala-sbt.org/1.x/docs/Command-Line-Reference.html"},
    {"sbt doc", "=sbt clean", "", 0, "scala-sbt.org/1.x/docs/Command-Line-Reference.html"},
    {"sbt package", "=sbt clean", "", 0, "scala-sbt.org/1.x/docs/Command-Line-Reference.html"},
    {"sbt run", "=sbt clean", "", 0, "scala-sbt.org/1.x/docs/Command-Line-Reference.html"},
    {"sbt scalafmt", "=sbt clean", "", 0, "scala-sbt.org/1.x/docs/Command-Line-Reference.html"},
    {"sbt scalafmtAll", "=sbt clean", "", 0, "scala-sbt.org/1.x/docs/Command-Line-Reference.html"},
    {"sbt scalafmtCheck", "=sbt clean", "", 0, "scala-sbt.org/1.x/docs/Command-Line-Reference.html"
     },
    {"sbt scalafmtCheckAll", "=sbt clean", "", 0,
     "scala-sbt.org/1.x/docs/Command-Line-Reference.html"},
    {"sbt test", "=sbt clean", "", 0, "scala-sbt.org/1.x/docs/Command-Line-Reference.html"},
    {"sbt update", "", "none", EFFECT_INSTALL, "scala-sbt.org/1.x/docs/Command-Line-Reference.html"
     },
    {"stack",
     "%-h,--help %--version %--numeric-version --stack-yaml=@file -v,--verbose --silent "
     "--no-terminal",
     "sub", 0, "docs.haskellstack.org/en/stable/commands", .fronted = true,
     .starts_from = HASKELL_FILES},
    {"stack build", STACK, ".*", EFFECT_PROJECT, "docs.haskellstack.org/en/stable/commands"},
    {"stack clean", "--full", ".*", EFFECT_PROJECT, "docs.haskellstack.org/en/stable/commands"},
    {"stack exec",
     "--no-ghc-package-path --stack-exe --cwd=P",
     "I", EFFECT_PROJECT, "docs.haskellstack.org/en/stable/commands", .waits = true},
    {"stack haddock", "=stack build", "", 0, "docs.haskellstack.org/en/stable/commands"},
    {"stack install", STACK, ".*", EFFECT_INSTALL, "docs.haskellstack.org/en/stable/commands"},
    {"stack ls", "", ".*", EFFECT_PROJECT, "docs.haskellstack.org/en/stable/commands"},
    {"stack path",
     "mixed --stack-root --project-root --local-bin --local-install-root --bin-path --compiler-exe",
     "none", EFFECT_PROJECT, "docs.haskellstack.org/en/stable/commands"},
    {"stack test", "=stack build", "", 0, "docs.haskellstack.org/en/stable/commands"},
    {"stack update", "", "none", EFFECT_PROJECT | EFFECT_FETCH,
     "docs.haskellstack.org/en/stable/commands",
     .hosts_in = STACK_HOSTS},
};
/* clang-format on */

extern const struct program_file rows_langs;
const struct program_file rows_langs = {"programs/rows/langs.c", rows, COUNT(rows)};
