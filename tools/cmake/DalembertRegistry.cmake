# One file adds one thing: every source file in a folder (or a list of folders) that ends with a function
#   std::vector<Entry> <what>_in_<file>();
# is registered by a generated function all_<what>(), in namespace dalembert unless another one is named last. Static
# registrar objects would vanish from static libraries.
function(dalembert_registry what folder entry header result)
  set(namespace dalembert)
  if(ARGC GREATER 5)
    set(namespace ${ARGV5})
  endif()
  list(TRANSFORM folder REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/\\1/*.cc" OUTPUT_VARIABLE patterns)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${patterns})
  set(declarations "")
  set(calls "")
  list(TRANSFORM files REPLACE "^(.*/)([^/]+)$" "\\2|\\1")  # by name: moving a file to another folder changes no order
  list(SORT files)
  foreach(named ${files})
    string(REGEX REPLACE "^([^|]+)[|](.*)$" "\\2\\1" file ${named})
    get_filename_component(stem ${file} NAME_WE)
    file(STRINGS ${file} found REGEX "std::vector<${entry}> ${what}_in_${stem}\\(\\)")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    if(found)
      string(APPEND declarations "std::vector<${entry}> ${what}_in_${stem}();\n")
      string(APPEND calls "    append(${what}_in_${stem}());\n")
    endif()
  endforeach()
  set(registry ${CMAKE_CURRENT_BINARY_DIR}/registry/${what}.cc)
  configure_file(${PROJECT_SOURCE_DIR}/tools/cmake/registry.cc.in ${registry} @ONLY)
  set(${result} ${registry} PARENT_SCOPE)
endfunction()
