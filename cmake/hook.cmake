# warder-hook: the core and the parts of the edge that a hook needs, linked statically with musl. It shares policy images
# with warder, so both must be built from the same sources (tools/build-id).
find_program(MUSL_GCC musl-gcc)
set(WARDER_HOOK_REASON "")
if(NOT MUSL_GCC)
  set(WARDER_HOOK_REASON "musl-gcc is missing (package musl-tools)")
elseif(NOT CMAKE_C_COMPILER_ID STREQUAL "GNU")
  set(WARDER_HOOK_REASON "musl-gcc is a wrapper around gcc, and this build uses ${CMAKE_C_COMPILER_ID}")
else()
  # The wrapper only adds a specs file. Naming that file directly lets CMake use its own compiler, and ccache.
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

# All of the core, and these files of the edge: what an event needs, without libraries. engine/edges.h and connect/hook.h
# name what is left out; src/prog/hook/edges.c fills those tables.
file(GLOB_RECURSE hook_core CONFIGURE_DEPENDS src/core/*.c)
set(hook_edge
  ask/approval.c ask/approval_digest.c ask/approval_file.c ask/asked.c ask/bound.c ask/cell_ends.c ask/cell_prove.c ask/cells.c ask/hook_call.c ask/pause.c ask/race.c ask/race_run.c
  ask/service.c ask/session_approvals.c ask/session_file.c ask/session_later.c
  client/answer.c client/clients.c client/doubt.c client/read.c
  connect/event.c connect/event_put.c connect/honoured.c connect/hook.c connect/ran.c connect/variables.c
  engine/approval.c engine/bounds.c engine/call_value.c engine/cell.c engine/cell_hidden.c engine/cell_network.c engine/cell_outside.c engine/cell_plan.c engine/cell_rules.c engine/cell_search.c engine/check.c engine/decision.c engine/engine.c engine/error.c engine/options.c engine/own.c
  engine/losses.c engine/policy_read.c engine/record.c engine/remote.c engine/resolve.c engine/resolve_rules.c engine/resolve_session.c engine/session_memory.c engine/snapshot.c
  engine/thread_cache.c
  machine/age.c machine/brief.c machine/clock.c machine/compiled.c machine/digest.c machine/disk.c machine/disk_memory.c machine/drivers.c
  machine/entries.c
  machine/gitdir.c machine/guard.c machine/ignored.c machine/local.c machine/own.c machine/passwd.c machine/plain.c machine/proc.c machine/refs.c machine/shelf.c
  machine/tokens.c machine/worktree.c machine/world.c
  undo/beneath.c undo/content.c undo/end.c undo/foresee.c undo/git_index.c undo/git_objects.c undo/journal.c undo/restore.c undo/save.c undo/stand_in.c undo/store.c
  undo/known.c undo/take_back.c undo/tracked.c undo/watch.c undo/whole.c
  policy/format.c policy/hold.c policy/image.c policy/kept_look.c policy/managed.c policy/state.c
  record/chain.c record/decision.c record/journal.c record/keyed.c record/redact.c record/redact_argv.c
  record/redact_json.c record/redact_key.c record/redact_memory.c record/redact_plain.c record/redact_random.c
  record/redact_rows.c record/redact_scan.c record/redact_shapes.c record/segment.c machine/stamp.c)
list(TRANSFORM hook_edge PREPEND src/edge/)
set(hook_program src/prog/cli/output.c)
foreach(part bytes clock edges hand_over main memory policy processor user)
  list(APPEND hook_program src/prog/hook/${part}.c)
endforeach()
# Last: the buffer for a home and the stack for signals, which are seldom touched, come after the memory that every event uses.
list(APPEND hook_program src/prog/cli/hook_environment.c src/prog/cli/hook_process.c)

# -O2 although everything runs only once: small functions that are called per byte must be inlined.
add_library(warder_hook_flags INTERFACE)
target_include_directories(warder_hook_flags INTERFACE src/core src/edge src/prog include ${CMAKE_BINARY_DIR}/generated)
target_compile_definitions(warder_hook_flags INTERFACE _GNU_SOURCE WARDER_VERSION="${PROJECT_VERSION}")
target_compile_options(warder_hook_flags INTERFACE ${warder_warnings} -specs=${musl_specs} -fno-pie -ffunction-sections
  -fdata-sections $<$<CONFIG:Release>:-O2> "SHELL:-include ${CMAKE_SOURCE_DIR}/src/core/base/banned.h")
# Code and constants in one segment, because each mapping costs time at start and exit. Small variables before large
# arrays, which have the least alignment: initialised ones, the others and the first memory share two pages.
target_link_options(warder_hook_flags INTERFACE -specs=${musl_specs} -static -no-pie -Wl,--gc-sections -Wl,-z,norelro
  -Wl,-z,noexecstack -Wl,-z,noseparate-code -Wl,--sort-section=alignment)

add_executable(warder-hook ${hook_core} ${hook_edge} ${hook_program})
# Without this the compiler turns malloc() + memset() into calloc(), and calloc() would call itself.
set_source_files_properties(src/prog/hook/memory.c src/prog/hook/bytes.c PROPERTIES COMPILE_OPTIONS -fno-builtin)
add_dependencies(warder-hook program_index path_class_index redact_index shell_names image_build)
target_compile_definitions(warder-hook PRIVATE SHA256_PROBE=processor_has_sha256)
target_link_libraries(warder-hook PRIVATE warder_hook_flags)
set(hook_layout ${CMAKE_SOURCE_DIR}/src/prog/hook/whole.ld)
target_link_options(warder-hook PRIVATE -Wl,-T,${hook_layout})
set_target_properties(warder-hook PROPERTIES LINK_DEPENDS ${hook_layout})
# At a fixed address: a position-independent program would relocate its tables at every start, page by page.
set_target_properties(warder-hook PROPERTIES POSITION_INDEPENDENT_CODE OFF)
install(TARGETS warder-hook RUNTIME DESTINATION bin)

# A `bash` for PATH, which does nothing but start the hook; alone in its directory, since an agent searches all of it.
add_executable(warder-launch src/prog/launch/main.c)
target_link_libraries(warder-launch PRIVATE warder_hook_flags)
add_dependencies(warder-launch image_build)
set_target_properties(warder-launch PROPERTIES POSITION_INDEPENDENT_CODE OFF OUTPUT_NAME bash
  RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/libexec/warder)
install(TARGETS warder-launch RUNTIME DESTINATION libexec/warder)
