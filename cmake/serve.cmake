# warder-serve, which `warder serve` executes. A separate program, because its libraries would slow down every other
# start of `warder`, which runs for each call of an agent.

pkg_check_modules(OPENSSL REQUIRED IMPORTED_TARGET openssl)
find_library(EV_LIBRARY ev REQUIRED)
set(serve_libraries PkgConfig::OPENSSL ${EV_LIBRARY} Threads::Threads)

target_link_libraries(room_serve PRIVATE ${serve_libraries})
target_compile_definitions(room_serve PRIVATE WARDER_OPENSSL) # its headers use names that banned.h bans
add_executable(warder-serve $<TARGET_OBJECTS:room_serve>)
target_link_libraries(warder-serve PRIVATE warder_flags warder_edge ${serve_libraries})
install(TARGETS warder-serve RUNTIME DESTINATION bin)
