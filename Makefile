# Shortcuts: everything here only calls CMake and tools/; CMakePresets.json defines the presets. NEED is the group of
# Debian packages (tools/packages.txt) that a target needs in addition to those for building. Many tests wait for something,
# so more of them run at a time than there are processors.
PRESET ?= dev
PREFIX ?= /usr/local
JOBS   ?= $(shell nproc)
TEST_JOBS ?= $(shell expr 2 '*' $(JOBS))
FUZZ_SECONDS ?= 60
export FUZZ_RUNS FUZZ_SEEDS FUZZ_MAX_LEN
THREAD_CHECKS ?= 10000000
CRASHES ?= 200
REVIEWS ?= 10000
TEXTS ?= 100000
SEED ?= 2
RUNS ?= 300
LINES ?= 20000
SPELLINGS ?= 50000
MECHANISMS ?= outputs handed-on variables links
COUNT ?= 1000000
DECISIONS ?= 10000000
RECORDS ?= 1000000
SOCKETS ?= 1000
SOAK ?= 600
EVENTS ?= 2000
MAKE_IN = $(MAKE) --no-print-directory

all: setup ; @$(MAKE_IN) build
setup:     ; @tools/setup $(NEED)
build:     ; @cmake --preset $(PRESET) >/dev/null && cmake --build --preset $(PRESET) -j $(JOBS)

test: NEED = test
lint: NEED = lint
format: NEED = lint
console bench-console console-shots: NEED = console
run: NEED = $(if $(CONSOLE),console)

run: all         ; @tools/demo build/$(PRESET)/warder$(if $(CONSOLE), && node build/$(PRESET)/console/dev/demo.mjs build/$(PRESET)/warder)
console: setup   ; @rm -f build/$(PRESET)/console/built && $(MAKE_IN) build
bench-console: all ; @WARDER_BUILD=$(CURDIR)/build/$(PRESET) node build/$(PRESET)/console/test/bench.mjs || [ $$? = 77 ]
console-shots: all ; @WARDER_BUILD=$(CURDIR)/build/$(PRESET) node build/$(PRESET)/console/test/shots.mjs docs/console || [ $$? = 77 ]
test: all        ; @ctest --preset $(PRESET) -j $(TEST_JOBS)
test-clients: build
	@for judge in doctor live quiet day always subagents undo contained; do tests/judges/clients/$$judge.py build/$(PRESET)/warder || [ $$? = 77 ] || exit; done
	@for judge in rewrite run; do tests/judges/clients/$$judge.py build/$(PRESET)/warder --update docs/clients.md || [ $$? = 77 ] || exit; done
test-sdk: build ; @tests/judges/sdk/run.sh $(CURDIR)/build/$(PRESET) || [ $$? = 77 ]
test-service: all ; @WARDER_BUILD=build/$(PRESET) CRASHES=$(CRASHES) REVIEWS=$(REVIEWS) RECORDS=$(RECORDS) SOCKETS=$(SOCKETS) SOAK=$(SOAK) \
	python3 -B tests/service/chaos.py $(PARTS)
test-hook: build  ; @WARDER_BUILD=$(CURDIR)/build/$(PRESET) WARDER_SOURCE=$(CURDIR) tests/judges/hook/compare.py $(EVENTS) || [ $$? = 77 ]
test-python: build ; @python3 -B tests/judges/python/compare.py build/$(PRESET)/tests/text_reader $(TEXTS) $(SEED)
test-javascript: build ; @node --expose-internals tests/judges/javascript/compare.js build/$(PRESET)/tests/text_reader $(TEXTS) $(SEED) $(RUNS)
test-programs: build ; @tools/program-exec --build build/$(PRESET) --count $(LINES) --seed $(SEED) && $(MAKE_IN) test-mechanisms
test-mechanisms: build ; @for m in $(MECHANISMS); do echo $$m && tools/program-exec --mechanism $$m --build build/$(PRESET) --count $(LINES) --seed $(SEED) || exit; done
test-denied: build ; @tools/denied-exec --build build/$(PRESET) --count $(LINES) --seed $(SEED)
test-respelled: build ; @tools/respell --build build/$(PRESET) --count $(SPELLINGS) --seed $(SEED) || [ $$? = 77 ]
test-git: build ; @for mode in default acceptEdits; do tools/git-exec --build build/$(PRESET) --count $(LINES) --seed $(SEED) --mode $$mode || [ $$? = 77 ] || exit; done
test-model: build ; @node tests/model/run.js build/$(PRESET)/warder --decisions $(DECISIONS) --seed $(SEED) --jobs $(JOBS) && { node tests/model/live.js build/$(PRESET) --steps 200000 --seed $(SEED) || [ $$? = 77 ]; }
test-model-mutants: build ; @node tests/model/run.js build/$(PRESET)/warder --mutants --decisions 200000 --seed $(SEED) --jobs $(JOBS)
test-contained: build ; @python3 -B tests/cell/corpora.py build/$(PRESET)/warder
test-work: build ; @tests/cell/work.sh build/$(PRESET)/warder
test-attacks: build ; @ctest --preset $(PRESET) -j $(JOBS) -L attacks && tools/attacks --build build/$(PRESET) --left-out M9c || [ $$? = 77 ]
test-texts: build ; @for mode in default acceptEdits; do tools/program-exec --texts --build build/$(PRESET) --count $(LINES) --seed $(SEED) --mode $$mode || exit; done
test-words: build ; @tools/shell-words --build build/$(PRESET) --count $(COUNT) --seed $(SEED) || [ $$? = 77 ]
test-blind:       ; @$(MAKE_IN) PRESET=asan all && sed -n 's/^[A-Z]* *Bash //p' tests/cases/*.case tests/cases/*/*.case > build/asan/blind.txt && \
	build/asan/tests/blind_analysis $(COUNT) $(SEED) 96 build/asan/blind.txt
.PHONY: test-rows
test-rows: build ; @tools/prove-rows --build build/$(PRESET) || [ $$? = 77 ]
test-mutants: COUNT = 100
test-mutants: setup ; @tools/mutants --count $(COUNT) --seed $(SEED) $(if $(ROOMS),--rooms $(ROOMS)) || [ $$? = 77 ]
test-faults: all ; @for user in 0 12345; do build/$(PRESET)/tests/cell_faults $(CURDIR)/build/$(PRESET)/warder-cell $$user namespaces 4 || exit 1; done ; python3 -B tests/faults/calls.py build/$(PRESET) --all
.PHONY: test-kernel
test-kernel: all  ; @tests/cell/kernel.sh $(CURDIR)/build/$(PRESET)/warder-cell $(KERNEL) || [ $$? = 77 ]
test-crash: all  ; @WARDER_CRASHES=$(CRASHES) build/$(PRESET)/tests/test_crash && WARDER_CRASHES=$(CRASHES) build/$(PRESET)/tests/test_undo_killed && \
	python3 -B tests/cell/killed.py build/$(PRESET)/warder --rounds $(CRASHES)
test-undo: all   ; @$(if $(FILE_SYSTEMS),tools/file-systems "$(FILE_SYSTEMS)") env WARDER_UNDO_RUNS=$(RUNS) WARDER_SEED=$(SEED) build/$(PRESET)/tests/test_undone || [ $$? = 77 ]
	@python3 -B tests/judges/git/undo.py build/$(PRESET)/warder
asan tsan:       ; @$(MAKE_IN) PRESET=$@ test
tsan-threads:    ; @$(MAKE_IN) PRESET=tsan all && WARDER_CHECKS=$(THREAD_CHECKS) build/tsan/tests/test_threads
coverage:        ; @$(MAKE_IN) PRESET=coverage NEED=test all && tools/coverage build/coverage $(JOBS)
release:         ; @$(MAKE_IN) PRESET=release all
fuzz:            ; @$(MAKE_IN) PRESET=fuzz NEED=fuzz all && tools/fuzz build/fuzz $(FUZZ_SECONDS) $(TARGETS)
bench: release   ; @tools/bench build/release $(PLOT)
bench-undo: release ; @tools/bench-undo build/release && tools/bench-recorded build/release
bench-serve: release ; @tools/bench-serve build/release
bench-check: release ; @tools/bench-check build/release
lint: all        ; @tools/lint build/$(PRESET)
messages:        ; @tools/messages > docs/messages.md
format: setup    ; @git ls-files '*.[ch]' | xargs clang-format -i
install: release ; @cmake --install build/release --prefix $(PREFIX)
clean:           ; @rm -rf build

.PHONY: all setup build run console bench-console console-shots test test-clients test-sdk test-hook test-python test-javascript test-programs test-mechanisms test-contained test-work test-attacks test-git test-model test-model-mutants test-denied test-respelled test-texts test-words test-blind test-crash test-undo test-mutants test-faults test-service asan tsan tsan-threads coverage release fuzz bench bench-check bench-serve lint messages format install clean
