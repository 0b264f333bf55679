# warder-serve, which `warder serve` executes. A separate program, because its libraries would slow down every other
# start of `warder`, which runs for each call of an agent.

pkg_check_modules(OPENSSL REQUIRED IMPORTED_TARGET openssl)
find_library(EV_LIBRARY ev REQUIRED)
set(serve_libraries PkgConfig::OPENSSL ${EV_LIBRARY} Threads::Threads)

# The files of the console become a table in the program. cmake/console.cmake fills the directory, if it is there.
if(NOT CONSOLE_DIST)
  set(CONSOLE_DIST ${CMAKE_BINARY_DIR}/console/dist)
endif()
set(console_table ${CMAKE_BINARY_DIR}/generated/console.inc)
add_executable(make_console tools/gen/make_console.c $<TARGET_OBJECTS:room_base>)
target_link_libraries(make_console PRIVATE warder_flags) # its objects are instrumented where ours are
add_custom_command(OUTPUT ${console_table} COMMAND make_console ${CONSOLE_DIST} > ${console_table}
  DEPENDS make_console ${CONSOLE_STAMP} VERBATIM)
add_custom_target(console_table DEPENDS ${console_table})
target_sources(room_serve PRIVATE ${console_table})
target_include_directories(room_serve PRIVATE ${CMAKE_BINARY_DIR}/generated)

target_link_libraries(room_serve PRIVATE ${serve_libraries})
target_compile_definitions(room_serve PRIVATE WARDER_OPENSSL) # its headers use names that banned.h bans
add_executable(warder-serve $<TARGET_OBJECTS:room_serve>)
target_link_libraries(warder-serve PRIVATE warder_flags warder_edge ${serve_libraries})
install(TARGETS warder-serve RUNTIME DESTINATION bin)
