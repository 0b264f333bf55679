# Packages for other languages. They load the library of the prefix that they are installed in.
install(DIRECTORY bindings/python/warder DESTINATION lib/python3/dist-packages
  FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)

# The Node package needs node_api.h, from Node itself or libnode-dev. Without it, everything else is still built.
find_path(NODE_INCLUDE node_api.h PATH_SUFFIXES node nodejs/src)
if(NODE_INCLUDE)
  add_library(warder_node MODULE bindings/node/addon.c)
  target_include_directories(warder_node SYSTEM PRIVATE ${NODE_INCLUDE})
  target_link_libraries(warder_node PRIVATE warder_flags libwarder)
  # NAPI_MODULE_INIT() defines functions that it does not declare, which clang reports and gcc does not.
  set_source_files_properties(bindings/node/addon.c PROPERTIES COMPILE_OPTIONS -Wno-missing-prototypes)
  # Next to the other files of the package. It searches for the library in its own prefix first.
  set(node_dir lib/node_modules/warder)
  file(RELATIVE_PATH lib_from_node /${node_dir} /${CMAKE_INSTALL_LIBDIR})
  set_target_properties(warder_node PROPERTIES PREFIX "" OUTPUT_NAME warder SUFFIX .node INSTALL_RPATH $ORIGIN/${lib_from_node})
  install(TARGETS warder_node LIBRARY DESTINATION ${node_dir})
  install(FILES bindings/node/index.js bindings/node/index.d.ts bindings/node/package.json DESTINATION ${node_dir})
endif()
