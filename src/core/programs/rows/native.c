/* native.c - C and C++: compilers, build systems, binary tools; shell linters.
 *
 * Compilers read their sources and write what -o says, but a few options make them run other
 * programs (-wrapper, -fplugin, -B, -specs, -Wl,... and @file): those are left out, which is to say
 * unknown. A variable given to make may hold $(shell ...). objdump -S prints any file that the
 * debug information names. */
#include "programs/reading.h"

/* clang-format off */
#define BAZEL_HOSTS "MODULE.bazel WORKSPACE"
#define BAZEL \
    "mixed --help -c,--compilation_mode= -k,--keep_going --nokeep_going --config= --test_output= " \
    "--test_filter= --test_tag_filters= --test_timeout= --test_size_filters= --build_tests_only " \
    "--runs_per_test= --nocache_test_results --cache_test_results= -s,--subcommands " \
    "--verbose_failures --jobs,-j= --color= --curses= --noshow_progress --announce_rc " \
    "--platforms= --output= --show_result= --ui_event_filters= --nobuild --flaky_test_attempts= " \
    "--test_summary= --collect_code_coverage --instrumentation_filter= --build_tag_filters= " \
    "--features= --noimplicit_deps --notool_deps --keep_state_after_build"
#define CC \
    "+long mixed versions %--help %--version %-dumpversion %-dumpmachine %-print-search-dirs " \
    "%-print-libgcc-file-name %-print-multiarch %-print-sysroot %-print-resource-dir " \
    "%-print-target-triple -v -### -c,-compile -S,-assemble -E,-preprocess -o,-output=W -x= " \
    "-std= -ansi -O?= -g -g0 -g1 -g2 -g3 -ggdb?= -gdwarf?= -gline-tables-only -gsplit-dwarf -w " \
    "-s -p -pg -pipe -pthread -pedantic -pedantic-errors -shared -static -static-libgcc " \
    "-static-libstdc++ -rdynamic -pie -no-pie -nostdlib -nodefaultlibs -nostdinc -nostdinc++ " \
    "-nostartfiles -ffreestanding -fhosted -D= -U= -I= -iquote= -isystem= -idirafter= -L= -l= " \
    "-include=@header -C -P -H -dM -M -MM -MD -MMD -MP -MG -MF=W -MT=@rule -MQ=@rule -W -Wall " \
    "-Wextra -Wpedantic -Werror?= -Wno-?= -Warray-bounds -Waddress -Wattributes -Wassign-enum " \
    "-Wpointer-arith -Wpacked -Wpadded -Wpessimizing-move -Wlogical-op -Wlong-long " \
    "-Wbad-function-cast -Wcast-?= -Wconversion -Wconditional-uninitialized -Wcomma -Wdate-time " \
    "-Wdeprecated?= -Wdisabled-optimization -Wdouble-promotion -Wduplicated-?= -Wdocumentation " \
    "-Weverything -Weffc++ -Wenum-?= -Wempty-body -Wextra-semi -Wfatal-errors -Wfloat-?= " \
    "-Wformat?= -Wframe-larger-than= -Wimplicit?= -Winit-self -Winline -Wint-?= -Winvalid-pch " \
    "-Wjump-misses-init -Wmissing-?= -Wmain -Wnested-externs -Wnull-dereference " \
    "-Wnon-virtual-dtor -Wold-style-?= -Woverlength-strings -Woverloaded-virtual -Woverflow " \
    "-Wredundant-?= -Wreturn-type -Wrestrict -Wreorder -Wshadow?= -Wsign-?= -Wstack-usage= " \
    "-Wstack-protector -Wstrict-?= -Wstringop-?= -Wsuggest-?= -Wswitch?= -Wsync-nand " \
    "-Wtrampolines -Wtype-limits -Wthread-safety -Wundef -Wuninitialized -Wunreachable-code " \
    "-Wunsafe-loop-optimizations -Wunused?= -Wuseless-cast -Wvariadic-macros -Wvla?= " \
    "-Wvolatile-register-var -Wwrite-strings -Wzero-?= -fPIC -fpic -fPIE -fpie -fno-?= " \
    "-wrapper=X -specs=F -fsanitize= -fsanitize-?= -fstack-?= -fvisibility= -fvisibility-inlines-hidden -fopenmp " \
    "-fcoverage-mapping -fprofile-arcs -ftest-coverage -fprofile-instr-generate " \
    "-fdiagnostics-color?= -fdiagnostics-show-?= -fdiagnostics-format= -fdiagnostics-urls= " \
    "-fdiagnostics-plain-output -fdiagnostics-absolute-paths -fdiagnostics-parseable-fixits " \
    "-fdiagnostics-generate-patch -fdiagnostics-column-?= -fdiagnostics-path-format= -ffast-math " \
    "-fcommon -funroll-loops -fsyntax-only -fanalyzer -flto?= -fomit-frame-pointer -fwrapv " \
    "-ftrapv -fstrict-?= -fshort-?= -fexceptions -frtti -fpermissive -fmax-errors= " \
    "-ferror-limit= -ftime-report -fsigned-char -funsigned-char -ffunction-sections " \
    "-fdata-sections -fcolor-diagnostics -fconcepts -fcoroutines -fms-extensions " \
    "-fcf-protection?= -ftemplate-depth= -fconstexpr-?= -fanalyzer-?= -fblocks " \
    "-fdelete-null-pointer-checks -finline-?= -fipa-?= -ftree-?= -falign-?= -march= -mtune= " \
    "-mcpu= -m32 -m64 -mx32 -msse?= -mavx?= -mfpu= -mfloat-abi= -mabi= -mthumb -marm -mno-?= " \
    "-mcmodel= -mpopcnt -mbmi?= -maes -mfma -mrdrnd -mpclmul -target= --target= -arch= -coverage " \
    "--coverage --std="
#define CMAKE \
    "+long -h,-help,--help,-H --version,-version,--help-full,--help-command-list -B=W -S=R -G= " \
    "-A= -T= -Wdev -Wno-dev -Werror= -Wno-error= -Wdeprecated -Wno-deprecated --fresh --preset= " \
    "--list-presets?= --log-level= --log-context --debug-output --debug-find --trace " \
    "--trace-expand --warn-uninitialized --no-warn-unused-cli -L -LA -LH -LAH -N --graphviz=W " \
    "--install-prefix= --toolchain=F -C=F --compile-no-warning-as-error -D=@define --build=R " \
    "--target,-t=@task --config= --clean-first --verbose,-v --parallel?= -j?= --use-stderr " \
    "--resolve-package-references= --install=R --component= --prefix=W --strip " \
    "--default-directory-permissions= --open=X -P=F --find-package --workflow"

/* cmake and ctest write their help and version into the file that is named after them. */
static const struct program_row rows[] = {
    {"ar", "%--help %--version", "sub", 0, "binutils ar(1)", .brings = BRINGS_ARCHIVE},
    {"ar cr", "=ar rcs", "", 0, "binutils ar(1)"},
    {"ar crs", "=ar rcs", "", 0, "binutils ar(1)"},
    {"ar d", "=ar rcs", "", 0, "binutils ar(1)"},
    {"ar p", "=ar t", "", 0, "binutils ar(1)"},
    {"ar q", "=ar rcs", "", 0, "binutils ar(1)"},
    {"ar qc", "=ar rcs", "", 0, "binutils ar(1)"},
    {"ar r", "=ar rcs", "", 0, "binutils ar(1)"},
    {"ar rc", "=ar rcs", "", 0, "binutils ar(1)"},
    {"ar rcs", "mixed", "@archive @input*", 0, "binutils ar(1)"},
    {"ar rs", "=ar rcs", "", 0, "binutils ar(1)"},
    {"ar s", "=ar rcs", "", 0, "binutils ar(1)"},
    {"ar t", "mixed", "@input*", 0, "binutils ar(1)"},
    {"ar tv", "=ar t", "", 0, "binutils ar(1)"},
    {"bats",
     "mixed %-h,--help %-v,--version -c,--count --code-quote-style= -f,--filter= --filter-status= "
     "--filter-tags= -F,--formatter,--report-formatter=@plain --gather-test-outputs-in=W -j,--jobs= "
     "--no-tempdir-cleanup --no-parallelize-across-files --no-parallelize-within-files "
     "-o,--output=W -p,--pretty --print-output-on-failure -r,--recursive "
     "--show-output-of-passing-tests -t,--tap -T,--timing -x,--trace --verbose-run --abort",
     "R*", EFFECT_PROJECT, "bats 1.8 --help"},
    {"bazel", "--help --version", "sub", EFFECT_PROJECT,
     "bazel.build/reference/command-line-reference",
     .starts_from = ".bazelrc .bazelversion BUILD* MODULE.bazel WORKSPACE*", .also = "bazelisk"},
    {"bazel aquery", BAZEL, "@label*", EFFECT_PROJECT,
     "bazel.build/reference/command-line-reference"},
    {"bazel build", BAZEL, "@label*", EFFECT_PROJECT,
     "bazel.build/reference/command-line-reference"},
    {"bazel clean", "--expunge --async", "none", EFFECT_PROJECT,
     "bazel.build/reference/command-line-reference"},
    {"bazel coverage", "=bazel build", "", 0, "bazel.build/reference/command-line-reference"},
    {"bazel cquery", "=bazel aquery", "", 0, "bazel.build/reference/command-line-reference"},
    {"bazel help", "", ".*", EFFECT_PROJECT, "bazel.build/reference/command-line-reference"},
    {"bazel info", "", ".*", EFFECT_PROJECT, "bazel.build/reference/command-line-reference"},
    {"bazel mod",
     "mixed --output= --depth=",
     ".*", EFFECT_PROJECT | EFFECT_FETCH, "bazel.build/reference/command-line-reference",
     .hosts_in = BAZEL_HOSTS},
    {"bazel query", "=bazel aquery", "", 0, "bazel.build/reference/command-line-reference"},
    {"bazel run", BAZEL, "@task @arg*", EFFECT_PROJECT,
     "bazel.build/reference/command-line-reference"},
    {"bazel shutdown", "", "none", EFFECT_PROJECT, "bazel.build/reference/command-line-reference"},
    {"bazel test", BAZEL " --test_arg=@arg", "@label*", EFFECT_PROJECT,
     "bazel.build/reference/command-line-reference"},
    {"bazel version", "", "none", EFFECT_PROJECT, "bazel.build/reference/command-line-reference"},
    {"bazelisk", "=bazel", "", 0, "bazel.build/reference/command-line-reference"},
    {"bmake", "=", "", 0, "bmake(1)", .also = "make", .task_by_task = true},
    {"c++", "=gcc", "", 0, "gcc(1), clang 14 --help"},
    {"cc", "=gcc", "", 0, "gcc(1), clang 14 --help"},
    {"clang", "=gcc", "", 0, "gcc(1), clang 14 --help"},
    {"clang++", "=gcc", "", 0, "gcc(1), clang 14 --help"},
    {"clang-format",
     "+long mixed versions %-help,--help %--version -Werror -Wno-error= -assume-filename= -cursor= "
     "-n,-dry-run -dump-config -fallback-style= -ferror-limit= !-files=R -i -length= -lines= "
     "-offset= -output-replacements-xml -qualifier-alignment= -sort-includes -style=@style "
     "-verbose -fail-on-incomplete-format",
     "@input*", EFFECT_PROJECT, "clang-format 14 --help",
     .runs_no_source = true, .names_in = "-files"},
    {"clang-tidy",
     "+long mixed versions %-help,--help %--version -checks= -config=@inline -config-file=R "
     "-dump-config -enable-check-profile -explain-config -export-fixes=W -fix -fix-errors "
     "-fix-notes -format-style=@style -header-filter= -line-filter= -list-checks -p=R -quiet "
     "-system-headers -use-color -warnings-as-errors= -verify-config -allow-no-checks "
     "-extra-arg,-extra-arg-before=X -load=X -plugin=X",
     "@input*", EFFECT_PROJECT, "clang-format 14 --help"},
    {"cmake",
     "mixed "
     CMAKE,
     "{-P} .* | {--open} none | {--build} ^project @number* | {--install} ^project^system none | "
     "{--version} {0} none | {--version} W | {-h} .* | {-N} ^project R* | {--list-presets} "
     "^project none | {--preset} ^project R* | {-B} ^project R* | {-S} ^project R* cwd=W | "
     "{bare} ^project none | ^project R* cwd=W",
     0, "cmake 3.25 --help; --version FILE writes it. Without -B it writes where it is called",
     .starts_from = "CMakeLists.txt CMakePresets.json CMakeUserPresets.json"},
    {"cmake -E", "", "sub", 0, "cmake 3.25 --help"},
    {"cmake -E capabilities", "", "none", 0, "cmake 3.25 --help"},
    {"cmake -E cat", "", "R*", 0, "cmake 3.25 --help"},
    {"cmake -E compare_files", "--ignore-eol", "R R", 0, "cmake 3.25 --help"},
    {"cmake -E copy", "", "R+ W", 0, "cmake 3.25 --help"},
    {"cmake -E copy_directory", "", "r+ w", 0, "cmake 3.25 --help", .follows = "*"},
    {"cmake -E copy_if_different", "", "R+ W", 0, "cmake 3.25 --help"},
    {"cmake -E echo", "", ".*", 0, "cmake 3.25 --help"},
    {"cmake -E environment", "", "none", EFFECT_SECRETS, "cmake 3.25 --help"},
    {"cmake -E make_directory", "", "W*", 0, "cmake 3.25 --help"},
    {"cmake -E md5sum", "", "R*", 0, "cmake 3.25 --help"},
    {"cmake -E remove", "-f", "D*", 0, "cmake 3.25 --help"},
    {"cmake -E remove_directory", "", "d*", 0, "cmake 3.25 --help"},
    {"cmake -E rm", "-r -R -f", "d*", 0, "cmake 3.25 --help"},
    {"cmake -E sha256sum", "", "R*", 0, "cmake 3.25 --help"},
    {"cmake -E sleep", "", ".*", 0, "cmake 3.25 --help"},
    {"cmake -E touch", "", "W*", 0, "cmake 3.25 --help"},
    {"cmake -E true", "", "none", 0, "cmake 3.25 --help"},
    {"cppcheck",
     "mixed %-h,--help %--version %--errorlist %--doc --addon=X --addon-python=X --clang?=X "
     "--cppcheck-build-dir=W --check-config --check-level= --check-library --config-exclude= "
     "--config-excludes-file=R --disable= -D= --force,-f -E --enable= --error-exitcode= "
     "--exitcode-suppressions=R --file-filter= !--file-list=R -I=R --includes-file=R --include=R "
     "-i= --inconclusive --inline-suppr -j= -l= --language,-x= --library= --max-configs= "
     "--max-ctu-depth= --output-file=W --platform= --plist-output=W ^project--project=R "
     "--project-configuration= -q,--quiet --relative-paths,-rp?= --report-progress --std= "
     "--suppress= --suppressions-list=R --suppress-xml=R --template,--template-location=@text -U= "
     "-v,--verbose --xml --xml-version=",
     "R*", 0, "cppcheck 2.10 --help",
     .runs_no_source = true},
    {"ctest",
     "+long mixed -help,-h,-H -version -preset= --list-presets -C,--build-config= --progress "
     "-V,--verbose -VV,--extra-verbose --debug --output-on-failure --stop-on-failure "
     "--test-output-size-passed= --test-output-size-failed= --test-output-truncation= -F -j?= "
     "--parallel?= --resource-spec-file=R -Q,--quiet -O,--output-log=W --output-junit=W -N "
     "-show-only?= -L,--label-regex= -R,--tests-regex= -E,--exclude-regex= -LE,--label-exclude= "
     "-FA,--fixture-exclude-any= -FS,--fixture-exclude-setup= -FC,--fixture-exclude-cleanup= "
     "-S,-SP,-script=X -I= -U --rerun-failed --repeat= --repeat-until-fail= --max-width= "
     "--no-label-summary --no-subproject-summary --test-dir=R --schedule-random --timeout= "
     "--stop-time= --no-tests= --tests-from-file=R --print-labels --interactive-debug-mode=",
     "{-help,-version} W* | ^project @number*", 0, "ctest 3.25 --help",
     .starts_from = "CTestTestfile.cmake CMakePresets.json CMakeUserPresets.json"},
    {"g++", "=gcc", "", 0, "cc(1)"},
    /* -E and -S make whatever text -D says of a source, and -o a file of it */
    {"gcc", CC, "{-dM} @input* | {-E,-S} {-D} {-o} ^unknown @code* | @code*", EFFECT_PROJECT,
     "cc(1)",
     .runs_no_source = true, .compiles = true, .also = "cc", .options_in = "@"},
    {"gmake", "=make", "", 0, "golangci-lint.run/docs/configuration/cli"},
    {"ld",
     "+long mixed %-help %-v,-version,-V -o,-output=W -shared -static -r -s -S -L= -l= -m= "
     "-e,-entry= -dynamic-linker= -soname,-h= -rpath= -z= -pie -no-pie -gc-sections -as-needed "
     "-no-as-needed -whole-archive -no-whole-archive -build-id?= -Map=W -plugin=X",
     "@input*", EFFECT_PROJECT, "binutils ld(1)",
     .runs_no_source = true, .same = "-shared,-Bshareable -pie,--pic-executable -dn,-Bstatic -non_shared,-Bstatic -static,-Bstatic -dc,-dp -dT,--default-script -dy,-Bdynamic -call_shared,-Bdynamic -i,-r"},
    {"ldd",
     "%--help %--version -v,--verbose -u,--unused -d,--data-relocs -r,--function-relocs",
     "F*", 0, "ldd(1): may run the program"},
    {"lldb", "%-h,--help %-v,--version", "X*", EFFECT_CODE | EFFECT_PROCESS, "gdb(1), lldb(1)"},
    {"make",
     "abbrev mixed %-h,--help %-v,--version -b -B,--always-make -C,--directory=P -d --debug?= "
     "-e,--environment-overrides -E,--eval=X -f,--file,--makefile=@file -i,--ignore-errors "
     "-I,--include-dir=R -j,--jobs?= -k,--keep-going -l,--load-average,--max-load?= "
     "-L,--check-symlink-times -n,--just-print,--dry-run,--recon -o,--old-file,--assume-old= "
     "-O,--output-sync?= ^secrets-p,--print-data-base -q,--question -r,--no-builtin-rules "
     "-R,--no-builtin-variables -s,--silent,--quiet,--no-silent -S,--no-keep-going,--stop "
     "-t,--touch --trace -w,--print-directory --no-print-directory "
     "-W,--what-if,--new-file,--assume-new= --warn-undefined-variables --shuffle?=",
     "@target*", EFFECT_PROJECT, "GNU make 4.3 --help", .danger = DANGER_CODE,
     .starts_from = "GNUmakefile Makefile makefile", .same = "-m,-b", .also = "gmake,remake,bmake", .set_by = "MAKEFLAGS GNUMAKEFLAGS MFLAGS", .task_by_task = true},
    {"meson", "%-h,--help %-v,--version", "sub", 0, "mesonbuild.com/Commands.html",
     .starts_from = "meson.build meson.options meson_options.txt"},
    {"meson compile",
     "mixed %-h,--help -C=P -j,--jobs= -l,--load-average= -v,--verbose --clean",
     "@task*", EFFECT_PROJECT, "mesonbuild.com/Commands.html", .task_by_task = true},
    {"meson configure",
     "mixed %-h,--help -D=@define --buildtype= --clearcache --no-pager",
     "R", EFFECT_PROJECT, "mesonbuild.com/Commands.html"},
    {"meson dist",
     "mixed -C=P --formats= --no-tests --allow-dirty",
     "none", EFFECT_PROJECT, "mesonbuild.com/Commands.html"},
    {"meson format",
     "mixed -q,--check-only -i,--inplace -r,--recursive -c,--configuration=R -e,--editor-config "
     "-o,--output=W",
     "R*", EFFECT_PROJECT, "mesonbuild.com/Commands.html"},
    {"meson install",
     "mixed -C=P --no-rebuild -n,--dry-run --destdir=W",
     "none", EFFECT_PROJECT | EFFECT_SYSTEM, "mesonbuild.com/Commands.html"},
    {"meson introspect",
     "mixed -a,--all -i,--indent -f,--force-object-output --ast --benchmarks --buildoptions "
     "--buildsystem-files --compilers --dependencies --scan-dependencies --installed "
     "--install-plan --projectinfo --targets --tests",
     "R", EFFECT_PROJECT, "mesonbuild.com/Commands.html"},
    {"meson setup",
     "mixed %-h,--help --buildtype= --prefix= --reconfigure --wipe --debug --optimization= "
     "--warnlevel= --werror --default-library= -D=@define --backend= --vsenv "
     "--native-file,--cross-file=F",
     "{0} none | W R", EFFECT_PROJECT, "mesonbuild.com/Commands.html"},
    {"meson test",
     "mixed %-h,--help -C=P --list -v,--verbose -q,--quiet -t,--timeout-multiplier= --no-rebuild "
     "--repeat= --num-processes,-j= --suite= --no-suite= --print-errorlogs --benchmark --maxfail= "
     "--no-stdsplit --logbase=@naming --gdb --gdb-path=X --wrapper,--wrap=X --test-args=X",
     ".*", EFFECT_PROJECT, "mesonbuild.com/Commands.html"},
    {"ninja",
     "mixed %--help %-h %--version -v,--verbose --quiet -C=P -f=@file -j= -k= -l= -n -d= -w= !-t=",
     "@task*", EFFECT_PROJECT, "ninja 1.11 --help",
     .starts_from = "build.ninja", .task_by_task = true},
    {"nm",
     "abbrev mixed %-h,--help %-V,--version -a,--debug-syms -A,--print-file-name,-o -B "
     "-C,--demangle?= --no-demangle --recurse-limit --no-recurse-limit -D,--dynamic -e "
     "-f,--format= -g,--extern-only --ifunc-chars= -j,--just-symbols -l,--line-numbers "
     "-n,-v,--numeric-sort -p,--no-sort -P,--portability -r,--reverse-sort --plugin=X "
     "-S,--print-size -s,--print-armap --quiet --size-sort --special-syms --synthetic -t,--radix= "
     "--target= -u,--undefined-only -U,--defined-only --unicode= -W,--no-weak "
     "--with-symbol-versions -X=",
     "@input*", 0, "binutils nm(1), objdump(1), readelf(1), size(1), strip(1)"},
    {"objdump",
     "abbrev mixed %-H,--help %-v,--version %-i,--info -a,--archive-headers -f,--file-headers "
     "-p,--private-headers -P,--private= -h,--headers,--section-headers -x,--all-headers "
     "-d,--disassemble?= -D,--disassemble-all !-S,--source !--source-comment?= -s,--full-contents "
     "-g,--debugging -e,--debugging-tags -G,--stabs -W?= --dwarf?= -t,--syms -T,--dynamic-syms "
     "-r,--reloc -R,--dynamic-reloc -b,--target= -m,--architecture= -j,--section= "
     "-M,--disassembler-options= --endian= -EB -EL --file-start-context -l,--line-numbers "
     "-F,--file-offsets -C,--demangle?= --no-recurse-limit --recurse-limit -w,--wide "
     "-z,--disassemble-zeroes --start-address= --stop-address= --no-addresses --prefix-addresses "
     "--no-show-raw-insn --show-raw-insn --insn-width= --adjust-vma= --special-syms --inlines "
     "--dwarf-depth= --dwarf-start= --visualize-jumps?= --disassembler-color= --show-all-symbols "
     "--ctf?= --unicode=",
     "@input*", 0, "binutils nm(1), objdump(1), readelf(1), size(1), strip(1)"},
    {"readelf",
     "abbrev mixed %-H,--help %-v,--version -a,--all -h,--file-header "
     "-l,--program-headers,--segments -S,--section-headers,--sections -g,--section-groups "
     "-t,--section-details -e,--headers -s,--syms,--symbols --dyn-syms --lto-syms --sym-base= "
     "-C,--demangle?= --no-demangle --recurse-limit --no-recurse-limit --unicode= -n,--notes "
     "-r,--relocs -u,--unwind -d,--dynamic -V,--version-info -A,--arch-specific -c,--archive-index "
     "-D,--use-dynamic -L,--lint,--enable-checks -x,--hex-dump= -p,--string-dump= "
     "-R,--relocated-dump= -z,--decompress -w?= --debug-dump?= -I,--histogram -W,--wide "
     "-T,--silent-truncation --got-contents",
     "@input*", 0, "binutils nm(1), objdump(1), readelf(1), size(1), strip(1)"},
    {"remake", "=", "", 0, "remake(1)", .also = "make", .task_by_task = true},
    {"shellcheck",
     "mixed %--help %-V,--version !-a,--check-sourced -C,--color?= -i,--include= -e,--exclude= "
     "--extended-analysis= -f,--format= %--list-optional --norc --rcfile=R -o,--enable= "
     "-P,--source-path=R -s,--shell= -S,--severity= -W,--wiki-link-count= -x,--external-sources",
     "R*", 0, "shellcheck 0.9 --help"},
    {"shfmt",
     "+long %-h,-help %-version -l,-list -w,-write -d,-diff -s,-simplify -mn,-minify "
     "-ln,-language-dialect= -p,-posix -filename= -i,-indent= -bn,-binary-next-line "
     "-ci,-case-indent -sr,-space-redirects -kp,-keep-padding -fn,-func-next-line -f,-find "
     "-to-json,-tojson -from-json -apply-ignore",
     "R*", EFFECT_PROJECT, "shellcheck 0.9 --help",
     .runs_no_source = true},
    {"size",
     "mixed %-h,--help %-V,--version -A -B -G -d -o -x --format= --radix= --common -t,--totals "
     "--target=",
     "@input*", 0, "shellcheck 0.9 --help"},
    {"strip",
     "mixed %-h,--help %-V,--version -s,--strip-all -g,-S,-d,--strip-debug --strip-dwo "
     "--strip-unneeded --only-keep-debug -K,--keep-symbol= -N,--strip-symbol= -R,--remove-section= "
     "-x,--discard-all -X,--discard-locals -p,--preserve-dates -D,--enable-deterministic-archives "
     "-U,--disable-deterministic-archives -w,--wildcard -v,--verbose -o=W --keep-file-symbols",
     "{-o} @input | @archive*", 0, "binutils strip(1)"},
};
/* clang-format on */

extern const struct program_file rows_native;
const struct program_file rows_native = {"programs/rows/native.c", rows, COUNT(rows)};
