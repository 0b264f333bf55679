# The packages for other languages, which load the library of the prefix that they are installed in.
install(DIRECTORY bindings/python/warder DESTINATION lib/python3/dist-packages
  FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
