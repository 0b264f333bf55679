# warder-cell: runs one command in a sandbox. Small, static and without policy: base/, proxy/, the reader of the user database
# and its own room. It is built like warder-hook (hook.cmake), with the kernel's headers behind those of musl, which has none.
if(WARDER_HOOK_REASON)
  message(STATUS "no warder-cell: ${WARDER_HOOK_REASON}")
  return()
endif()

file(GLOB cell_sources CONFIGURE_DEPENDS src/prog/cell/*.c src/prog/proxy/*.c src/core/base/*.c)
list(FILTER cell_sources EXCLUDE REGEX "/base/sha256")
list(APPEND cell_sources src/edge/machine/passwd.c)
add_executable(warder-cell ${cell_sources})
add_dependencies(warder-cell image_build)
target_link_libraries(warder-cell PRIVATE warder_hook_flags)
target_compile_options(warder-cell PRIVATE "SHELL:-idirafter /usr/include"
  "SHELL:-idirafter /usr/include/${CMAKE_C_LIBRARY_ARCHITECTURE}")
set_target_properties(warder-cell PROPERTIES POSITION_INDEPENDENT_CODE OFF)
install(TARGETS warder-cell RUNTIME DESTINATION bin)
