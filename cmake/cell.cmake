# warder-cell: runs one command in a sandbox. Small, static and without policy: base/, proxy/, undo/ with what it needs of
# the machine, and its own room. It is built like warder-hook (hook.cmake), with the kernel's headers behind those of musl, which has none.
if(WARDER_HOOK_REASON)
  message(STATUS "no warder-cell: ${WARDER_HOOK_REASON}")
  return()
endif()

file(GLOB cell_sources CONFIGURE_DEPENDS src/prog/cell/*.c src/prog/proxy/*.c src/core/base/*.c)
set(cell_undo beneath content end git_index git_objects journal known save stand_in store take_back tracked whole)
list(TRANSFORM cell_undo PREPEND src/edge/undo/)
list(TRANSFORM cell_undo APPEND .c)
list(APPEND cell_sources ${cell_undo} src/edge/policy/state.c)
foreach(part brief clock entries ignored own passwd plain stamp)
  list(APPEND cell_sources src/edge/machine/${part}.c)
endforeach()
add_executable(warder-cell ${cell_sources})
add_dependencies(warder-cell image_build)
target_compile_definitions(warder-cell PRIVATE SHA256_PROBE=cell_has_sha256)
target_link_libraries(warder-cell PRIVATE warder_hook_flags)
target_compile_options(warder-cell PRIVATE "SHELL:-idirafter /usr/include"
  "SHELL:-idirafter /usr/include/${CMAKE_C_LIBRARY_ARCHITECTURE}")
set_target_properties(warder-cell PROPERTIES POSITION_INDEPENDENT_CODE OFF)
install(TARGETS warder-cell RUNTIME DESTINATION bin)
