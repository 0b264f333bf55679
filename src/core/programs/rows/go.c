/* go.c - Go, Rust, Swift, Zig.
 *
 * cargo +NAME is known for the names of official toolchains only: rustup takes a directory there,
 * too. */
#include "programs/reading.h"
#include "programs/rows/starts_from.h"

/* clang-format off */
#define CARGO_HOSTS "Cargo.toml Cargo.lock .cargo/config.toml .cargo/config"
#define GO_HOSTS "go.mod go.sum go.work"
#define GO_BUILD \
    "-C=P -a -n -p= -race -msan -asan -cover -covermode= -coverpkg= -v -work -x -buildmode= " \
    "-buildvcs?= -compiler= -mod= -modcacherw -modfile=R -overlay=F -pgo= -pkgdir=W -tags= " \
    "-trimpath -installsuffix= -linkshared -json -toolexec=X -gcflags,-ldflags=@goflags " \
    "-asmflags,-gccgoflags=X"
#define GO_TEST \
    "-args -c -exec=X -o=W -bench= -benchmem -benchtime= -blockprofile=W -blockprofilerate= " \
    "-count= -coverprofile=W -cpu= -cpuprofile=W -failfast -fullpath -fuzz= -fuzztime= " \
    "-fuzzminimizetime= -list= -memprofile=W -memprofilerate= -mutexprofile=W " \
    "-mutexprofilefraction= -outputdir=W -parallel= -run= -short -shuffle= -skip= -timeout= " \
    "-trace=W -vet= -i -artifacts -update -golden"
#define GCL \
    "mixed %-h,--help -v,--verbose --color= -c,--config=R --no-config"
#define CARGO \
    "%-h,--help -v,-vv,--verbose -q,--quiet --color= --locked --offline --frozen --config=X -C=P " \
    "--manifest-path=R --lockfile-path=R"
#define CARGO_BUILD \
    "mixed --future-incompat-report --message-format= -p,--package= --workspace --exclude= --all " \
    "--lib --bins --bin= --examples --example= --tests --test= --benches --bench= --all-targets " \
    "--doc -F,--features= --all-features --no-default-features -r,--release --profile= " \
    "-j,--jobs= --keep-going --target= --target-dir=W --artifact-dir,--out-dir=W --unit-graph " \
    "--timings?= --ignore-rust-version"
#define SWIFT \
    "mixed %-h,--help %--version -c,--configuration= --package-path=P --cache-path=W " \
    "--config-path=R --security-path=R --scratch-path,--build-path=W -v,--verbose " \
    "--very-verbose,--vv -q,--quiet -j,--jobs= --product= --target= --build-tests " \
    "--show-bin-path --enable-code-coverage --disable-code-coverage --force-resolved-versions " \
    "--disable-automatic-resolution --skip-update --static-swift-stdlib --sanitize= --arch= " \
    "--triple= --enable-testable-imports --parallel --no-parallel --num-workers= --filter= " \
    "--skip= --skip-build --xunit-output=W --list-tests,-l --enable-xctest --disable-xctest " \
    "--enable-swift-testing --disable-swift-testing --explicit-target-dependency-import-check="

static const struct program_row rows[] = {
    {"cargo",
     "global "
     CARGO
     " -V,--version --list --explain=",
     "sub", EFFECT_PROJECT, "doc.rust-lang.org/rustc, rustc 1.95 --help",
     .starts_from = CARGO_FILES, .kit = "crates", .set_by = "CARGO_* HOME"},
    {"cargo +beta", "=cargo", "", 0, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo +nightly", "=cargo", "", 0, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo +stable", "=cargo", "", 0, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo add",
     "mixed -p,--package= --dev --build --target= -F,--features= --no-default-features --optional "
     "--rename= --path= --git= --branch= --tag= --rev= --registry= -n,--dry-run",
     ".*", EFFECT_INSTALL, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo audit",
     "mixed --json -n,--no-fetch --stale -D,--deny= --ignore= -f,--file=R",
     "none", EFFECT_PROJECT | EFFECT_FETCH, "doc.rust-lang.org/rustc, rustc 1.95 --help",
     .hosts_in = CARGO_HOSTS},
    {"cargo b", "=cargo build", "", 0, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo bench",
     CARGO_BUILD
     " --no-run --no-fail-fast",
     "@arg*", EFFECT_PROJECT, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo build", CARGO_BUILD, "none", EFFECT_PROJECT, "doc.rust-lang.org/rustc, rustc 1.95 "
     "--help", .also = "cargo b"},
    {"cargo c", "=cargo check", "", 0, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo check", CARGO_BUILD, "none", EFFECT_PROJECT, "doc.rust-lang.org/rustc, rustc 1.95 "
     "--help", .also = "cargo c"},
    {"cargo clean",
     "mixed -p,--package= --doc -r,--release --profile= --target= --target-dir=d -n,--dry-run "
     "--workspace",
     "none", EFFECT_PROJECT, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo clippy",
     CARGO_BUILD
     " --no-deps --fix --allow-dirty --allow-staged --allow-no-vcs %--explain=",
     "@rustc*", EFFECT_PROJECT, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo d", "=cargo doc", "", 0, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo deny", "", "sub", 0, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo deny check",
     "mixed --hide-inclusion-graph -W= -A= -D= -c,--config=R",
     ".*", EFFECT_PROJECT | EFFECT_FETCH, "doc.rust-lang.org/rustc, rustc 1.95 --help",
     .hosts_in = CARGO_HOSTS},
    {"cargo doc",
     CARGO_BUILD
     " --no-deps --document-private-items !--open",
     "none", EFFECT_PROJECT, "doc.rust-lang.org/rustc, rustc 1.95 --help", .also = "cargo d"},
    {"cargo expand",
     CARGO_BUILD
     " --ugly --theme=",
     ".*", EFFECT_PROJECT, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo fetch", "mixed --target=", "none", EFFECT_PROJECT | EFFECT_FETCH,
     "doc.rust-lang.org/rustc, rustc 1.95 "
     "--help",
     .hosts_in = CARGO_HOSTS},
    {"cargo fix",
     CARGO_BUILD
     " --broken-code --edition --edition-idioms --allow-dirty --allow-staged --allow-no-vcs",
     "none", EFFECT_PROJECT, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo fmt",
     "mixed %-h,--help --check --all -p,--package= --message-format=",
     "@rustfmt*", EFFECT_PROJECT, "doc.rust-lang.org/rustc, rustc 1.95 --help",
     .runs_no_source = true},
    {"cargo fuzz", "", "sub", 0, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo fuzz list", "--fuzz-dir=R", "none", EFFECT_PROJECT, "doc.rust-lang.org/rustc, rustc "
     "1.95 --help"},
    {"cargo generate-lockfile",
     "",
     "none", EFFECT_PROJECT | EFFECT_FETCH, "doc.rust-lang.org/rustc, rustc 1.95 --help",
     .hosts_in = CARGO_HOSTS},
    {"cargo help", "", ".*", EFFECT_PROJECT, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo info",
     "mixed --registry= --index=N",
     "@package", EFFECT_PROJECT | EFFECT_FETCH, "doc.rust-lang.org/rustc, rustc 1.95 --help",
     .hosts_in = CARGO_HOSTS},
    {"cargo init",
     "mixed --bin --lib --name= --edition= --vcs=",
     "W cwd", EFFECT_PROJECT, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo install",
     "mixed --list --path= --git= --branch= --tag= --rev= --root=W -f,--force --version= "
     "--features,-F= --no-default-features --all-features --bin= --debug --target= -j,--jobs= "
     "--no-track --registry= --index=N",
     "{--list} none | ^install .*", 0, "doc.rust-lang.org/rustc, rustc 1.95 --help", .kit = ""},
    {"cargo llvm-cov",
     CARGO_BUILD
     " --lcov --json --html --text --summary-only --output-path=W --output-dir=W --open "
     "--no-report --ignore-filename-regex= --fail-under-lines= --no-clean --ignore-run-fail "
     "--cobertura --codecov --branch",
     "@arg*", EFFECT_PROJECT, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo llvm-cov nextest", "=cargo nextest run", "", 0, "doc.rust-lang.org/rustc, rustc 1.95 "
     "--help"},
    {"cargo locate-project",
     "mixed --workspace --message-format=",
     "none", EFFECT_PROJECT, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo machete",
     "mixed --with-metadata --skip-target-dir --fix",
     "R*", EFFECT_PROJECT, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo metadata",
     "mixed --filter-platform= --no-deps --format-version= -F,--features= --all-features "
     "--no-default-features",
     "none", EFFECT_PROJECT | EFFECT_FETCH, "doc.rust-lang.org/rustc, rustc 1.95 --help",
     .hosts_in = CARGO_HOSTS,
     .runs_no_source = true},
    {"cargo miri", "", "sub", 0, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo miri test", "=cargo test", "", 0, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo new", "mixed --bin --lib --name= --edition= --vcs=", "W", EFFECT_PROJECT,
     "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo nextest", "", "sub", 0, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo nextest list",
     CARGO_BUILD
     " -E,--filter-expr,--filterset= -T= --run-ignored= --list-type=",
     ".*", EFFECT_PROJECT, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo nextest run",
     CARGO_BUILD
     " -E,--filter-expr,--filterset= -P= --no-fail-fast --fail-fast,--ff --max-fail= --retries= "
     "--test-threads= --no-capture,--nocapture --success-output= --failure-output= --status-level= "
     "--final-status-level= --run-ignored= --partition= --no-run --no-tests= --hide-progress-bar "
     "--cargo-profile= --lcov --output-path=W --html --summary-only --cargo-quiet",
     "@arg*", EFFECT_PROJECT, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo outdated",
     "mixed -R,--root-deps-only -w,--workspace -d,--depth= --format= --exit-code=",
     "none", EFFECT_PROJECT | EFFECT_FETCH, "doc.rust-lang.org/rustc, rustc 1.95 --help",
     .hosts_in = CARGO_HOSTS},
    {"cargo owner", "", ".*", EFFECT_SEND, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo package",
     CARGO_BUILD
     " -l,--list --no-verify --no-metadata --allow-dirty",
     "none", EFFECT_PROJECT, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo pkgid", "", ".", EFFECT_PROJECT, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo publish",
     CARGO_BUILD
     " -n,--dry-run --no-verify --allow-dirty --registry= --index=N --token=",
     "none", EFFECT_SEND | EFFECT_PROJECT, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo r", "=cargo run", "", 0, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo read-manifest", "", "none", EFFECT_PROJECT,
     "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo remove",
     "mixed -p,--package= --dev --build --target= -n,--dry-run",
     ".*", EFFECT_INSTALL, "doc.rust-lang.org/rustc, rustc 1.95 --help", .also = "cargo rm"},
    {"cargo rm", "=cargo remove", "", 0, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo run",
     "--message-format= -p,--package= --bin= --example= -F,--features= --all-features "
     "--no-default-features -r,--release --profile= -j,--jobs= --keep-going --target= "
     "--target-dir=W --unit-graph --timings?= --ignore-rust-version",
     "--bin=@task --example=@task @arg*", EFFECT_PROJECT,
     "doc.rust-lang.org/rustc, rustc 1.95 --help", .also = "cargo r"},
    {"cargo search",
     "mixed --limit= --registry= --index=N",
     ".*", EFFECT_PROJECT | EFFECT_FETCH, "doc.rust-lang.org/rustc, rustc 1.95 --help",
     .hosts_in = CARGO_HOSTS},
    {"cargo semver-checks",
     CARGO_BUILD
     " --baseline-rev= --baseline-version= --release-type=",
     "none", EFFECT_PROJECT | EFFECT_FETCH, "doc.rust-lang.org/rustc, rustc 1.95 --help",
     .hosts_in = CARGO_HOSTS},
    {"cargo t", "=cargo test", "", 0, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo test",
     CARGO_BUILD
     " --no-run --no-fail-fast",
     "@arg*", EFFECT_PROJECT, "doc.rust-lang.org/rustc, rustc 1.95 --help", .also = "cargo t"},
    {"cargo tree",
     "mixed -e,--edges= -i,--invert?= --prune= --depth= --prefix= --no-dedupe -d,--duplicates "
     "--charset= -f,--format= -p,--package= --workspace --exclude= -F,--features= --all-features "
     "--no-default-features --target= --all --no-indent",
     ".", EFFECT_PROJECT | EFFECT_FETCH, "doc.rust-lang.org/rustc, rustc 1.95 --help",
     .hosts_in = CARGO_HOSTS,
     .runs_no_source = true},
    {"cargo udeps", CARGO_BUILD, "none", EFFECT_PROJECT, "doc.rust-lang.org/rustc, rustc 1.95 "
     "--help"},
    {"cargo uninstall",
     "mixed --root=W --bin= -p,--package=",
     ".*", EFFECT_INSTALL, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo update",
     "mixed -p,--package= --recursive --aggressive --precise= -w,--workspace -n,--dry-run",
     ".*", EFFECT_PROJECT | EFFECT_FETCH, "doc.rust-lang.org/rustc, rustc 1.95 --help",
     .hosts_in = CARGO_HOSTS},
    {"cargo vendor",
     "mixed --no-delete -s,--sync=R --respect-source-config --versioned-dirs",
     "W cwd", EFFECT_PROJECT | EFFECT_FETCH, "doc.rust-lang.org/rustc, rustc 1.95 --help",
     .hosts_in = CARGO_HOSTS},
    {"cargo verify-project", "", "none", EFFECT_PROJECT,
     "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo version", "", "none", EFFECT_PROJECT, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"cargo yank", "", ".*", EFFECT_SEND, "doc.rust-lang.org/rustc, rustc 1.95 --help"},
    {"go", "+long %-h,-help", "sub", 0, "go help (go 1.22), pkg.go.dev/cmd/go",
     .starts_from = "go.mod go.work", .kit = "go", .set_by = "GOFLAGS"},
    {"go build", "+long %-h,-help " GO_BUILD " -o=W", "R*", EFFECT_PROJECT, "go help (go 1.22), "
     "pkg.go.dev/cmd/go",
     .runs_no_source = true, .compiles = true},
    {"go clean",
     "+long -i -r -n -x -cache -testcache -fuzzcache ^loss-modcache",
     "R*", EFFECT_PROJECT, "go help (go 1.22), pkg.go.dev/cmd/go"},
    {"go doc", "+long -all -c -cmd -short -src -u -C=P", ".*", EFFECT_PROJECT | EFFECT_FETCH,
     "go help (go 1.22), pkg.go.dev/cmd/go",
     .runs_no_source = true},
    {"go env", "+long -json -changed -w -u", "{-w,-u} ^system^code .* | .*", 0, "go help (go "
     "1.22), pkg.go.dev/cmd/go"},
    {"go fix", "+long " GO_BUILD " -diff", "R*", EFFECT_PROJECT, "go help (go 1.22), "
     "pkg.go.dev/cmd/go"},
    {"go fmt", "+long -n -x -mod=", "R*", EFFECT_PROJECT, "go help (go 1.22), pkg.go.dev/cmd/go",
     .runs_no_source = true},
    {"go generate", "+long " GO_BUILD " -run= -skip=", "R*", EFFECT_PROJECT, "go help (go 1.22), "
     "pkg.go.dev/cmd/go"},
    {"go get", "+long " GO_BUILD " -t -u?= -d -tool", ".*", EFFECT_INSTALL, "go help (go 1.22), "
     "pkg.go.dev/cmd/go"},
    {"go help", "", ".*", 0, "go help (go 1.22), pkg.go.dev/cmd/go"},
    {"go install", "+long " GO_BUILD, ".*", EFFECT_INSTALL, "go help (go 1.22), pkg.go.dev/cmd/go", .kit = ""},
    {"go list",
     "+long "
     GO_BUILD
     " -f= -compiled -deps -e -export -find -m -u -versions -retracted -reuse=R -test",
     "{-versions} ^network .* | @gomod*", EFFECT_PROJECT | EFFECT_FETCH, "go help (go 1.22), "
     "pkg.go.dev/cmd/go",
     .runs_no_source = true},
    {"go mod", "", "sub", 0, "go help (go 1.22), pkg.go.dev/cmd/go"},
    {"go mod download",
     "+long -json -modcacherw -x -reuse=R",
     "{0} none | ^network .*", EFFECT_PROJECT | EFFECT_FETCH,
     "go help (go 1.22), pkg.go.dev/cmd/go",
     .hosts_in = GO_HOSTS},
    {"go mod edit",
     "+long -json -print -fmt -module= -go= ^install-toolchain= ^install-require= -droprequire= "
     "-exclude= -dropexclude= -replace=@goreplace -dropreplace= -retract= -dropretract= "
     "^install-tool= -droptool= -godebug= -dropgodebug=",
     "{-json,-print} R | cwd=W R", 0, "go help (go 1.24), pkg.go.dev/cmd/go"},
    {"go mod graph", "+long -go= -x", "none", EFFECT_PROJECT | EFFECT_FETCH,
     "go help (go 1.22), pkg.go.dev/cmd/go",
     .hosts_in = GO_HOSTS,
     .runs_no_source = true},
    {"go mod init", "", ". cwd=W", 0, "go help (go 1.22), pkg.go.dev/cmd/go"},
    {"go mod tidy",
     "+long -e -v -x -go= -compat= -diff",
     "none", EFFECT_PROJECT | EFFECT_FETCH, "go help (go 1.22), pkg.go.dev/cmd/go",
     .runs_no_source = true},
    {"go mod vendor",
     "+long -e -v -o=W",
     "none", EFFECT_PROJECT | EFFECT_FETCH, "go help (go 1.22), pkg.go.dev/cmd/go"},
    {"go mod verify", "", "none", EFFECT_PROJECT | EFFECT_FETCH,
     "go help (go 1.22), pkg.go.dev/cmd/go",
     .hosts_in = GO_HOSTS},
    {"go mod why", "+long -m -vendor", ".*", EFFECT_PROJECT | EFFECT_FETCH,
     "go help (go 1.22), pkg.go.dev/cmd/go",
     .hosts_in = GO_HOSTS,
     .runs_no_source = true},
    {"go run", "+long " GO_BUILD " -exec=X", "@gopackage @arg*", 0, "go help (go 1.22), "
     "pkg.go.dev/cmd/go"},
    {"go telemetry", "", "none", 0, "go help (go 1.22), pkg.go.dev/cmd/go"},
    {"go test",
     "+long mixed %-h,-help "
     GO_BUILD
     " "
     GO_TEST,
     "R*", EFFECT_PROJECT, "go help (go 1.22), pkg.go.dev/cmd/go"},
    {"go tool", "+long", "{0} none | sub", 0, "go help (go 1.22), pkg.go.dev/cmd/go"},
    {"go tool cover", "+long -func=R -html=R -o=W -mode=", "R", 0, "go help (go 1.22), "
     "pkg.go.dev/cmd/go"},
    {"go tool dist", "", "sub", 0, "go help (go 1.22), pkg.go.dev/cmd/go"},
    {"go tool dist list", "-json", "none", 0, "go help (go 1.22), pkg.go.dev/cmd/go"},
    {"go tool nm", "+long -n -size -sort= -type", "R", 0, "go help (go 1.22), pkg.go.dev/cmd/go"},
    {"go tool objdump", "+long -s= !-S -gnu", "R .*", 0, "go help (go 1.22), pkg.go.dev/cmd/go; -S "
     "as for objdump"},
    {"go tool trace", "+long -pprof= -d=", "{-pprof,-d} R*", 0, "go help (go 1.22), "
     "pkg.go.dev/cmd/go"},
    {"go version", "+long -m -v -json", "R*", EFFECT_PROJECT,
     "go help (go 1.22), pkg.go.dev/cmd/go",
     .runs_no_source = true},
    {"go vet",
     "+long mixed "
     GO_BUILD
     " -vettool=X -c= -fix -diff -printf?= -shadow?= -copylocks?= -composites?= -structtag?= "
     "-unreachable?=",
     "R*", EFFECT_PROJECT, "go help (go 1.22), pkg.go.dev/cmd/go",
     .runs_no_source = true},
    {"go work", "", "sub", 0, "go help (go 1.22), pkg.go.dev/cmd/go"},
    {"go work edit",
     "+long -json -print -fmt -go= ^install-toolchain= -use=F -dropuse= -replace=@goreplace "
     "-dropreplace= -godebug= -dropgodebug=",
     "{-json,-print} R | cwd=W R", 0, "go help (go 1.24), pkg.go.dev/cmd/go"},
    {"go work init", "", "F* cwd=W", 0, "go help (go 1.22), pkg.go.dev/cmd/go"},
    {"go work sync", "", "none", EFFECT_PROJECT | EFFECT_FETCH, "go help (go 1.22), "
     "pkg.go.dev/cmd/go"},
    {"go work use", "-r", "F* cwd=W", 0, "go help (go 1.22), pkg.go.dev/cmd/go"},
    {"gofmt", "+long %-h,-help -d -e -l -s -w -cpuprofile=W", "R*", EFFECT_PROJECT,
     "go doc cmd/gofmt",
     .starts_from = "",
     .runs_no_source = true},
    {"gofumpt",
     "+long %-h,-help %-version -d -e -l -w -extra -lang= -modpath=",
     "R*", EFFECT_PROJECT, "go doc cmd/gofmt",
     .starts_from = "",
     .runs_no_source = true},
    {"goimports",
     "+long %-h,-help -d -e -l -w -v -local= -format-only -srcdir=",
     "R*", EFFECT_PROJECT, "go doc cmd/gofmt",
     .starts_from = "",
     .runs_no_source = true},
    {"golangci-lint", GCL " %--version", "sub", 0, "golangci-lint.run/docs/configuration/cli",
     .starts_from = "go.mod go.work .golangci.*"},
    {"golangci-lint cache", "", "sub", 0, "golangci-lint.run/docs/configuration/cli"},
    {"golangci-lint cache clean", GCL, "none", EFFECT_PROJECT,
     "golangci-lint.run/docs/configuration/cli"},
    {"golangci-lint cache status", GCL, "none", 0, "golangci-lint.run/docs/configuration/cli"},
    {"golangci-lint config", "", "sub", 0, "golangci-lint.run/docs/configuration/cli"},
    {"golangci-lint config path", GCL " --json", "none", 0,
     "golangci-lint.run/docs/configuration/cli"},
    {"golangci-lint config verify", GCL, "none", EFFECT_FETCH,
     "golangci-lint.run/docs/configuration/cli"},
    {"golangci-lint fmt",
     GCL
     " -d,--diff --diff-colored -E,--enable= --stdin",
     "R*", EFFECT_PROJECT, "golangci-lint.run/docs/configuration/cli",
     .runs_no_source = true},
    {"golangci-lint formatters", GCL " --json", "none", EFFECT_PROJECT,
     "golangci-lint.run/docs/configuration/cli"},
    {"golangci-lint help", GCL " --json", ".*", 0, "golangci-lint.run/docs/configuration/cli"},
    {"golangci-lint linters",
     GCL
     " --json -E,--enable= -D,--disable= --default= --enable-only= --fast-only --disable-all "
     "--enable-all -p,--presets= --fast",
     "none", EFFECT_PROJECT, "golangci-lint.run/docs/configuration/cli"},
    {"golangci-lint run",
     GCL
     " -j,--concurrency= --modules-download-mode= --issues-exit-code= --build-tags= --timeout= "
     "--tests?= --allow-parallel-runners --allow-serial-runners --print-resources-usage --default= "
     "-D,--disable= --disable-all -E,--enable= --enable-all --enable-only= --fast?= --fast-only "
     "-p,--presets= --max-issues-per-linter= --max-same-issues= --uniq-by-line?= --new,-n?= "
     "--new-from-rev= --new-from-merge-base= --new-from-patch=R --whole-files --fix?= --path-mode= "
     "--path-prefix=@text --show-stats?= --skip-dirs= --skip-files= --exclude= -e= "
     "--exclude-use-default?= --exclude-dirs= --out-format=@plain --print-issued-lines?= "
     "--print-linter-name?= --sort-results --go= "
     "--cpu-profile-path,--mem-profile-path,--trace-path=W "
     "--output.text.path,--output.json.path,--output.tab.path,--output.html.path=W "
     "--output.checkstyle.path,--output.code-climate.path,--output.junit-xml.path,--output.sarif.path=W "
     "--output.text.colors?= --output.text.print-issued-lines?= --output.text.print-linter-name?=",
     "R*", EFFECT_PROJECT, "golangci-lint.run/docs/configuration/cli",
     .runs_no_source = true},
    {"golangci-lint version",
     GCL
     " --json --short --debug --format=",
     "none", 0, "golangci-lint.run/docs/configuration/cli"},
    {"gopls", "+long %-h,-help", "sub", 0, "go doc golang.org/x/tools/gopls",
     .starts_from = "go.mod go.work"},
    {"gopls check", "+long -severity=", "R*", EFFECT_PROJECT, "go doc golang.org/x/tools/gopls"},
    {"gopls definition", "+long -json -markdown", ".", EFFECT_PROJECT, "go doc "
     "golang.org/x/tools/gopls"},
    {"gopls references", "+long -d,-declaration", ".", EFFECT_PROJECT, "go doc "
     "golang.org/x/tools/gopls"},
    {"gopls symbols", "", "R", EFFECT_PROJECT, "go doc golang.org/x/tools/gopls"},
    {"gopls version", "", "none", 0, "go doc golang.org/x/tools/gopls"},
    {"gopls workspace_symbol", "+long -matcher=", ".", EFFECT_PROJECT, "go doc "
     "golang.org/x/tools/gopls"},
    {"rustc",
     "%-h,--help %-V,--version,-vV %--print=@name %--explain= -v,--verbose --cfg= --check-cfg= -L= "
     "-l= --crate-type= --crate-name= --edition= --emit=@plain -g -O -o=W --out-dir=W --test "
     "--target= -A,--allow= -W,--warn= -D,--deny= -F,--forbid= --cap-lints= --color= "
     "--error-format=",
     "@code*", EFFECT_PROJECT, "doc.rust-lang.org/rustc, rustc 1.95 --help", .fronted = true,
     .starts_from = CARGO_FILES, .compiles = true},
    {"rustfmt",
     "mixed %-h,--help %-V,--version --check --emit= --edition= --style-edition= --config= "
     "--config-path=R --color= -l,--files-with-diff -q,--quiet -v,--verbose --backup "
     "--print-config=.,W",
     "R*", EFFECT_PROJECT, "doc.rust-lang.org/rustc, rustc 1.95 --help", .fronted = true,
     .starts_from = CARGO_FILES,
     .runs_no_source = true},
    {"rustup",
     "%-h,--help %-V,--version -v,--verbose -q,--quiet",
     "sub", 0, "rust-lang.github.io/rustup, rustup --help"},
    {"rustup check", "", "none", EFFECT_PROJECT | EFFECT_FETCH,
     "rust-lang.github.io/rustup, rustup --help"},
    {"rustup completions", "", ".*", 0, "rust-lang.github.io/rustup, rustup --help"},
    {"rustup component", "", "sub", 0, "rust-lang.github.io/rustup, rustup --help"},
    {"rustup component add",
     "mixed --toolchain= --target=",
     ".*", EFFECT_INSTALL, "rust-lang.github.io/rustup, rustup --help"},
    {"rustup component list",
     "mixed --toolchain= --installed",
     "none", EFFECT_PROJECT | EFFECT_FETCH, "rust-lang.github.io/rustup, rustup --help"},
    {"rustup component remove",
     "mixed --toolchain= --target=",
     ".*", EFFECT_INSTALL, "rust-lang.github.io/rustup, rustup --help"},
    {"rustup default", "", "{0} none | ^install^system .", 0, "rust-lang.github.io/rustup, rustup "
     "--help"},
    {"rustup install", "=rustup toolchain install", "", 0, "rust-lang.github.io/rustup, rustup "
     "--help"},
    {"rustup override", "", "sub", 0, "rust-lang.github.io/rustup, rustup --help"},
    {"rustup override list", "", "none", 0, "rust-lang.github.io/rustup, rustup --help"},
    {"rustup override set",
     "mixed --path=",
     ".", EFFECT_INSTALL | EFFECT_SYSTEM, "rust-lang.github.io/rustup, rustup --help"},
    {"rustup override unset", "", ".*", EFFECT_SYSTEM, "rust-lang.github.io/rustup, rustup --help"},
    {"rustup run", "^install--install", "@name I", 0, "rust-lang.github.io/rustup, rustup --help", .waits = true},
    {"rustup show", "-v,--verbose", ".*", EFFECT_PROJECT,
     "rust-lang.github.io/rustup, rustup --help"},
    {"rustup target", "", "sub", 0, "rust-lang.github.io/rustup, rustup --help"},
    {"rustup target add", "mixed --toolchain=", ".*", EFFECT_INSTALL, "rust-lang.github.io/rustup, "
     "rustup --help"},
    {"rustup target list",
     "mixed --toolchain= --installed -q,--quiet",
     "none", 0, "rust-lang.github.io/rustup, rustup --help"},
    {"rustup target remove", "mixed --toolchain=", ".*", EFFECT_INSTALL,
     "rust-lang.github.io/rustup, rustup --help"},
    {"rustup toolchain", "", "sub", 0, "rust-lang.github.io/rustup, rustup --help"},
    {"rustup toolchain install",
     "mixed --profile= -c,--component= -t,--target= --no-self-update --force --allow-downgrade",
     ".*", EFFECT_INSTALL, "rust-lang.github.io/rustup, rustup --help", .also = "rustup install"},
    {"rustup toolchain link", "", ".*", EFFECT_CODE | EFFECT_SYSTEM, "rust-lang.github.io/rustup, "
     "rustup --help"},
    {"rustup toolchain list", "-v,--verbose", "none", 0, "rust-lang.github.io/rustup, rustup --help"
     },
    {"rustup toolchain uninstall", "", ".*", EFFECT_INSTALL, "rust-lang.github.io/rustup, rustup "
     "--help"},
    {"rustup update",
     "mixed --no-self-update --force",
     ".*", EFFECT_INSTALL, "rust-lang.github.io/rustup, rustup --help"},
    {"rustup which", "mixed --toolchain=", ".", 0, "rust-lang.github.io/rustup, rustup --help"},
    {"staticcheck",
     "+long %-h,-help %-version -checks= -f= -fail= -go= -tags= -tests?= -show-ignored -explain= "
     "-list-checks",
     "R*", EFFECT_PROJECT, "staticcheck.dev/docs",
     .starts_from = "go.mod go.work",
     .runs_no_source = true},
    {"swift",
     "%-h,--help,-help %--version,-version",
     "{0} ^code none | F .*", 0, "swift.org/documentation, swift build --help", .fronted = true,
     .starts_from = "Package.swift"},
    {"swift build", SWIFT, "none", EFFECT_PROJECT, "swift.org/documentation, swift build --help"},
    {"swift format",
     "mixed %-h,--help -i,--in-place -r,--recursive -p,--parallel -s,--strict --configuration=R",
     "R*", EFFECT_PROJECT, "swift.org/documentation, swift build --help",
     .runs_no_source = true},
    {"swift format lint", "=swift format", "", 0, "swift.org/documentation, swift build --help"},
    {"swift package", SWIFT, "sub", 0, "swift.org/documentation, swift build --help"},
    {"swift package clean", SWIFT, "--scratch-path=d none", EFFECT_PROJECT,
     "swift.org/documentation, swift build --help"},
    {"swift package describe", SWIFT " --type=", "none", EFFECT_PROJECT, "swift.org/documentation, "
     "swift build --help"},
    {"swift package dump-package", SWIFT, "none", EFFECT_PROJECT, "swift.org/documentation, swift "
     "build --help"},
    {"swift package resolve", SWIFT, ".*", EFFECT_INSTALL, "swift.org/documentation, swift build "
     "--help"},
    {"swift package show-dependencies",
     SWIFT
     " --format=",
     "none", EFFECT_PROJECT, "swift.org/documentation, swift build --help"},
    {"swift package update", SWIFT, ".*", EFFECT_INSTALL, "swift.org/documentation, swift build "
     "--help"},
    {"swift run",
     "%-h,--help -c,--configuration= --package-path=P -v,--verbose -q,--quiet --skip-build "
     "--product=@task",
     "@task @arg*", EFFECT_PROJECT, "swift.org/documentation, swift build --help"},
    {"swift test", SWIFT, "none", EFFECT_PROJECT, "swift.org/documentation, swift build --help"},
    {"swiftc", "%-h,--help,-help %--version", "R*", EFFECT_PROJECT, "swift.org/documentation, "
     "swift build --help", .fronted = true,
     .runs_no_source = true, .compiles = true},
    {"swiftformat",
     "mixed %--help %--version --lint --dryrun --config=R --swiftversion= --verbose --quiet",
     "R*", EFFECT_PROJECT, "swift.org/documentation, swift build --help",
     .runs_no_source = true},
    {"swiftlint",
     "mixed %-h,--help %--version --fix --strict --quiet --config=R --reporter=",
     "R*", EFFECT_PROJECT, "swift.org/documentation, swift build --help",
     .runs_no_source = true},
    {"swiftlint lint", "=swiftlint", "", 0, "swift.org/documentation, swift build --help"},
    {"xcodebuild",
     "+long mixed %-help,-h %-version %-showsdks %-license -list -json -quiet -verbose -project=R "
     "-workspace=R -scheme= -target= -alltargets -configuration= -destination= -sdk= -arch= "
     "-derivedDataPath=W -resultBundlePath=W -testPlan= -only-testing?= -skip-testing?= "
     "-parallel-testing-enabled= -enableCodeCoverage= -showBuildSettings -showdestinations -jobs= "
     "-skipPackagePluginValidation -dry-run",
     "@target*", EFFECT_PROJECT, "developer.apple.com/library/archive/technotes/tn2339, xcodebuild "
     "-help", .task_by_task = true},
    {"zig", "%-h,--help", "sub", 0, "ziglang.org/documentation, zig --help",
     .starts_from = "build.zig build.zig.zon"},
    {"zig ast-check", "--color=", "R", 0, "ziglang.org/documentation, zig --help"},
    {"zig build",
     "+long %-h,-help -l,-list-steps -p,-prefix=W -summary= -release?= -freference-trace?= "
     "-fincremental -j?= -color= -verbose -Doptimize= -Dtarget= -Dcpu= -watch",
     "@target*", EFFECT_PROJECT, "ziglang.org/documentation, zig --help"},
    {"zig env", "", "none", EFFECT_PROJECT, "ziglang.org/documentation, zig --help"},
    {"zig fmt",
     "mixed %-h,--help --check --ast-check --stdin --color= --exclude=",
     "R*", EFFECT_PROJECT, "ziglang.org/documentation, zig --help",
     .runs_no_source = true},
    {"zig targets", "", "none", EFFECT_PROJECT, "ziglang.org/documentation, zig --help"},
    {"zig test",
     "+long mixed %-h,-help -target= -O= -lc -test-filter= -freference-trace?=",
     "R", EFFECT_PROJECT, "ziglang.org/documentation, zig --help"},
    {"zig version", "", "none", EFFECT_PROJECT, "ziglang.org/documentation, zig --help"},
    {"zig zen", "", "none", 0, "ziglang.org/documentation, zig --help"},
};
/* clang-format on */

extern const struct program_file rows_go;
const struct program_file rows_go = {"programs/rows/go.c", rows, COUNT(rows)};
