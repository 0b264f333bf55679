# The console (console/, docs/console.md): npm and esbuild fill ${CONSOLE_DIST}, which becomes part of warder-serve. Node is
# needed to build it and never to run it; without it, or without console/, the directory is empty and nothing else changes.
# ${CONSOLE_STAMP} is newer than everything in ${CONSOLE_DIST}: what reads the directory depends on it.

option(WARDER_CONSOLE "build the console into the service (needs node and npm)" ON)
set(CONSOLE_WORK ${CMAKE_BINARY_DIR}/console)
set(CONSOLE_DIST ${CONSOLE_WORK}/dist)
set(CONSOLE_STAMP ${CONSOLE_WORK}/built)

find_program(NODE_PROGRAM node)
find_program(NPM_PROGRAM npm)
set(console_source ${CMAKE_SOURCE_DIR}/console)
set(console_built OFF)
if(NOT WARDER_CONSOLE)
  message(STATUS "console: left out (WARDER_CONSOLE=OFF)")
elseif(NOT EXISTS ${console_source}/package.json)
  message(STATUS "console: left out, there is no console/")
elseif(NOT NODE_PROGRAM OR NOT NPM_PROGRAM)
  message(NOTICE "console: left out, node or npm is missing; everything else is built (docs/console.md)")
else()
  set(console_built ON)
endif()

file(MAKE_DIRECTORY ${CONSOLE_DIST})
if(console_built)
  file(GLOB_RECURSE console_files CONFIGURE_DEPENDS ${console_source}/src/* ${console_source}/public/*
    ${console_source}/dev/* ${console_source}/test/*)
  set(console_omits "")
  if(NOT WARDER_TESTS)
    set(console_omits --omit=dev)
  endif()
  add_custom_command(OUTPUT ${CONSOLE_STAMP}
    COMMAND ${CMAKE_SOURCE_DIR}/tools/console-build ${console_source} ${CONSOLE_WORK} ${CONSOLE_STAMP} ${console_omits}
    DEPENDS ${console_files} ${console_source}/package.json ${console_source}/package-lock.json
      ${console_source}/.npmrc ${console_source}/tsconfig.json ${console_source}/build.mjs tools/console-build
    COMMENT "console" VERBATIM)
else()
  add_custom_command(OUTPUT ${CONSOLE_STAMP}
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${CONSOLE_DIST}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CONSOLE_DIST}
    COMMAND ${CMAKE_COMMAND} -E touch ${CONSOLE_STAMP}
    VERBATIM)
endif()
add_custom_target(console ALL DEPENDS ${CONSOLE_STAMP})
