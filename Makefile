# The front door. Everything here only calls tools/setup and CMake; CMakePresets.json says what each preset is.
PRESET ?= dev
PREFIX ?= /usr/local
JOBS   ?= $(shell nproc)
FUZZ_SECONDS ?= 60

all: setup ; @$(MAKE) --no-print-directory build
setup:     ; @tools/setup
build:     ; @cmake --preset $(PRESET) >/dev/null && cmake --build --preset $(PRESET) -j $(JOBS)

run: all           ; @tools/demo build/$(PRESET)/warder
test: all          ; @ctest --preset $(PRESET) -j $(JOBS)
asan tsan coverage:; @$(MAKE) --no-print-directory PRESET=$@ test
release:           ; @$(MAKE) --no-print-directory PRESET=$@ all
fuzz:              ; @$(MAKE) --no-print-directory PRESET=fuzz all && tools/fuzz build/fuzz $(FUZZ_SECONDS)
bench: release     ; @tools/bench build/release
lint: all          ; @tools/lint build/$(PRESET)
format:            ; @git ls-files '*.[ch]' | xargs clang-format -i
install: release   ; @cmake --install build/release --prefix $(PREFIX)
clean:             ; @rm -rf build

.PHONY: all setup build run test asan tsan coverage release fuzz bench lint format install clean
