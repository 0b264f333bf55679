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

file(GLOB hook_sources CONFIGURE_DEPENDS src/hook/*.c src/record/redact*.c)
foreach(room base call rule shell programs layer decide client)
  file(GLOB sources CONFIGURE_DEPENDS src/${room}/*.c)
  list(APPEND hook_sources ${sources})
endforeach()
set(hook_edge
  ask/approval ask/approval_digest ask/hook_call ask/race ask/race_run ask/session_file
  cli/hook_process cli/output
  lib/approve lib/check lib/decision lib/engine lib/error lib/gitdir lib/hook lib/options lib/record lib/reload
  lib/resolve lib/snapshot lib/world
  policy/format policy/image policy/state
  record/chain record/decision record/journal record/keyed record/segment record/stamp)
list(TRANSFORM hook_edge REPLACE "(.+)" "src/\\1.c")

add_executable(warder-hook ${hook_sources} ${hook_edge})
add_dependencies(warder-hook program_index place_index image_build)
target_include_directories(warder-hook PRIVATE src include ${CMAKE_BINARY_DIR}/generated)
target_compile_definitions(warder-hook PRIVATE _GNU_SOURCE WARDER_VERSION="${PROJECT_VERSION}")
# At a fixed address: a position-independent program would relocate its tables at every start, page by page.
set_target_properties(warder-hook PROPERTIES POSITION_INDEPENDENT_CODE OFF)
target_compile_options(warder-hook PRIVATE ${warder_warnings} -specs=${musl_specs} -fno-pie -ffunction-sections
  -fdata-sections "SHELL:-include ${CMAKE_SOURCE_DIR}/src/base/banned.h")
target_link_options(warder-hook PRIVATE -specs=${musl_specs} -static -no-pie -Wl,--gc-sections -Wl,-z,norelro
  -Wl,-z,noexecstack)
install(TARGETS warder-hook RUNTIME DESTINATION bin)
