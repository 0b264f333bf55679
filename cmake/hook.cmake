# warder-hook: the core and as much of the edge as a hook needs, linked statically with musl. Two programs of one build
# share policy images, so both must see the same sources (tools/build-id).
find_program(MUSL_GCC musl-gcc)
set(WARDER_HOOK_REASON "")
if(NOT MUSL_GCC)
  set(WARDER_HOOK_REASON "there is no musl-gcc (package musl-tools)")
elseif(NOT CMAKE_C_COMPILER_ID STREQUAL "GNU")
  set(WARDER_HOOK_REASON "musl-gcc is a wrapper around gcc, and this build uses ${CMAKE_C_COMPILER_ID}")
else()
  # The wrapper only adds a specs file; named directly, CMake can use its own compiler, with ccache and all.
  file(READ ${MUSL_GCC} wrapper)
  if(NOT wrapper MATCHES "-specs \"([^\"]+)\"")
    set(WARDER_HOOK_REASON "${MUSL_GCC} names no specs file")
  endif()
  set(musl_specs ${CMAKE_MATCH_1})
endif()

if(WARDER_HOOK_REASON)
  message(STATUS "no warder-hook: ${WARDER_HOOK_REASON}")
  return()
endif()

# Of the rooms, what needs no library and nothing that only glibc has; the linker takes what is used. Where src/hook/ has
# its own version of a function, that one counts: policy files are not read, nobody is asked.
file(GLOB hook_parts CONFIGURE_DEPENDS src/core/*/*.c src/core/programs/*/*.c src/edge/machine/*.c src/edge/client/*.c src/edge/ask/*.c
  src/edge/record/*.c src/edge/engine/*.c src/edge/report/*.c src/edge/connect/*.c src/edge/policy/format.c
  src/edge/policy/image.c src/edge/policy/state.c)
list(FILTER hook_parts EXCLUDE REGEX "/machine/process\\.c$")
file(GLOB headers CONFIGURE_DEPENDS src/*/*/*.h src/core/programs/*/*.h)
set(libraries "^#include <(yaml|pcre2|sqlite3|sodium|libpq|libwebsockets|ev)")
foreach(header ${headers})
  file(STRINGS ${header} found REGEX "${libraries}")
  if(found AND NOT header MATCHES "/banned\\.h$")
    string(REGEX REPLACE ".*/src/[a-z]+/" "" name ${header})
    string(APPEND libraries "|^#include \"${name}\"")
  endif()
endforeach()
foreach(part ${hook_parts})
  file(STRINGS ${part} found REGEX "${libraries}")
  if(found)
    list(REMOVE_ITEM hook_parts ${part})
  endif()
endforeach()

# -O2 although all of it runs once: small functions that are called for each byte are better in place.
add_library(warder_hook_flags INTERFACE)
target_include_directories(warder_hook_flags INTERFACE src/core src/edge src/prog include ${CMAKE_BINARY_DIR}/generated)
target_compile_definitions(warder_hook_flags INTERFACE _GNU_SOURCE WARDER_VERSION="${PROJECT_VERSION}")
target_compile_options(warder_hook_flags INTERFACE ${warder_warnings} -specs=${musl_specs} -fno-pie -ffunction-sections
  -fdata-sections $<$<CONFIG:Release>:-O2> "SHELL:-include ${CMAKE_SOURCE_DIR}/src/core/base/banned.h")
# Code and constants in one segment: each is a mapping to be made and taken down. Large arrays before small variables,
# so that these share a page.
target_link_options(warder_hook_flags INTERFACE -specs=${musl_specs} -static -no-pie -Wl,--gc-sections -Wl,-z,norelro
  -Wl,-z,noexecstack -Wl,-z,noseparate-code -Wl,--sort-section=alignment)

add_library(warder_hook_parts STATIC ${hook_parts} src/prog/cli/hook_process.c src/prog/cli/output.c)
file(GLOB hook_sources CONFIGURE_DEPENDS src/prog/hook/*.c)
# The compiler knows that malloc() and memset() are calloc(), and would have calloc() call itself.
set_source_files_properties(src/prog/hook/memory.c src/prog/hook/bytes.c PROPERTIES COMPILE_OPTIONS -fno-builtin)
add_executable(warder-hook ${hook_sources})
add_dependencies(warder_hook_parts program_index path_class_index redact_index shell_names image_build)
add_dependencies(warder-hook image_build)
target_link_libraries(warder_hook_parts PRIVATE warder_hook_flags)
target_link_libraries(warder-hook PRIVATE warder_hook_flags warder_hook_parts)
# At a fixed address: a position-independent program would relocate its tables at every start, page by page.
set_target_properties(warder-hook warder_hook_parts PROPERTIES POSITION_INDEPENDENT_CODE OFF)
install(TARGETS warder-hook RUNTIME DESTINATION bin)
