# libwarder, shared and static, with headers, pkg-config file and CMake package.
#
# The library exports only what the public headers declare. The shared one has a version script; the static one is a
# single object in which all other names are local, because an embedder may have its own fail().

set(library_objects ${core_objects} ${edge_objects})

# Before 1.0 a minor version may change the interface, so it is part of the name that programs load.
set(library_soversion ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
if(PROJECT_VERSION_MAJOR GREATER 0)
  set(library_soversion ${PROJECT_VERSION_MAJOR})
endif()

add_library(libwarder SHARED ${library_objects})
set_target_properties(libwarder PROPERTIES
  OUTPUT_NAME warder
  EXPORT_NAME warder
  VERSION ${PROJECT_VERSION}
  SOVERSION ${library_soversion}
  LINK_DEPENDS ${CMAKE_SOURCE_DIR}/src/edge/engine/warder.map)
target_link_libraries(libwarder PRIVATE warder_flags ${edge_libraries})
target_link_options(libwarder PRIVATE -Wl,--version-script=${CMAKE_SOURCE_DIR}/src/edge/engine/warder.map
  -Wl,--no-undefined-version)
target_link_options(libwarder PRIVATE -Wl,-z,nodelete) # its signal handlers stay: machine/guard.h
if(NOT WARDER_SANITIZE) # only the program links the sanitizer runtime
  target_link_options(libwarder PRIVATE -Wl,-z,defs)
endif()
target_include_directories(libwarder INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

set(static_library ${CMAKE_BINARY_DIR}/libwarder.a)
add_custom_command(OUTPUT ${static_library}
  COMMAND ${CMAKE_LINKER} -r -o libwarder.o ${library_objects}
  COMMAND ${CMAKE_OBJCOPY} --localize-hidden libwarder.o
  COMMAND ${CMAKE_COMMAND} -E rm -f ${static_library}
  COMMAND ${CMAKE_AR} rcs ${static_library} libwarder.o
  COMMAND ${CMAKE_COMMAND} -E rm -f libwarder.o
  DEPENDS ${library_objects}
  WORKING_DIRECTORY ${CMAKE_BINARY_DIR}
  COMMAND_EXPAND_LISTS VERBATIM)
add_custom_target(libwarder_static ALL DEPENDS ${static_library})

install(TARGETS libwarder EXPORT warderTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${static_library} DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/warder.h include/warder_admin.h include/warder_service.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# The prefix relative to the file, so that the installed tree can be moved.
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH prefix_from_pkgconfig /${pkgconfig_dir} /)
string(REGEX REPLACE "/$" "" prefix_from_pkgconfig ${prefix_from_pkgconfig})
configure_file(cmake/warder.pc.in warder.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/warder.pc DESTINATION ${pkgconfig_dir})

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/warder)
configure_package_config_file(cmake/warderConfig.cmake.in warderConfig.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/warderConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT warderTargets NAMESPACE warder:: DESTINATION ${package_dir})
install(FILES ${CMAKE_BINARY_DIR}/warderConfig.cmake ${CMAKE_BINARY_DIR}/warderConfigVersion.cmake
  DESTINATION ${package_dir})
