# What every target of ours is compiled with; it does not leak to users of the installed package.
add_library(dalembert_flags INTERFACE)
target_compile_options(dalembert_flags INTERFACE -Wall -Wextra -Wconversion -Wshadow -Wno-psabi -Wno-restrict)
if(DALEMBERT_WERROR)
  target_compile_options(dalembert_flags INTERFACE -Werror)
endif()

# ccache, where it is there. It must be told that precompiled headers are no secret.
find_program(ccache ccache)
if(ccache AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${ccache})
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(dalembert_flags INTERFACE -fpch-preprocess)
  endif()
endif()

# What reads files and arguments, and runs once per call: mistakes in it end the program instead of being used.
function(dalembert_harden target)
  target_compile_options(${target} PRIVATE -fstack-protector-strong)
  if(NOT CMAKE_BUILD_TYPE STREQUAL Debug AND NOT CMAKE_CXX_FLAGS MATCHES "fsanitize")
    target_compile_definitions(${target} PRIVATE _FORTIFY_SOURCE=2)  # needs optimisation, and blinds sanitizers
  endif()
endfunction()

# Headers that nearly every file includes, read by the compiler once per target.
function(dalembert_precompile target header)
  target_precompile_headers(${target} PRIVATE ${PROJECT_SOURCE_DIR}/${header})
endfunction()

# Compiles the files of a folder as one unit, which takes less time: most of it goes into templates that all of them
# use. A file that defines a name which another one of the unit has, too, is compiled by itself, and so are registries, which
# tests replace, and files given after the target.
function(dalembert_units target)
  if(NOT DALEMBERT_UNITS)
    return()
  endif()
  get_target_property(files ${target} SOURCES)
  list(FILTER files INCLUDE REGEX "[.]cc$")
  list(FILTER files EXCLUDE REGEX "/registry/")
  foreach(file ${files})
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${file})
    get_filename_component(folder ${name} DIRECTORY)
    string(MAKE_C_IDENTIFIER ${folder} unit)
    dalembert_names(${file} names)
    set(shared ${names})
    list(REMOVE_ITEM shared ${names_in_${unit}} "")
    list(LENGTH names all)
    list(LENGTH shared fresh)
    if(all EQUAL fresh AND NOT name IN_LIST ARGN)
      list(APPEND names_in_${unit} ${names})
      set_source_files_properties(${file} PROPERTIES UNITY_GROUP ${unit})
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# What a source file defines at the beginning of a line: types, functions that are no members, constants.
function(dalembert_names file result)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  string(REGEX MATCHALL "\n[A-Za-z][A-Za-z0-9_:<>,&* ]*" beginnings "${text}")
  set(names "")
  foreach(beginning ${beginnings})
    if(beginning MATCHES "^\n(class|struct|enum class|enum) ([A-Za-z0-9_]+)")
      list(APPEND names ${CMAKE_MATCH_2})
    elseif(NOT beginning MATCHES "^\nnamespace " AND beginning MATCHES "[ &*>]([A-Za-z0-9_]+) *$")
      list(APPEND names ${CMAKE_MATCH_1})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES names)
  set(${result} ${names} PARENT_SCOPE)
endfunction()

# What a shared object shows to the outside. A static library shows nothing: a module that links it keeps it to itself. The
# shared library shows the names of namespace dalembert, and not what it has instantiated of Eigen and the standard library.
function(dalembert_visibility target)
  if(NOT DALEMBERT_SHARED)
    set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  elseif(target STREQUAL dalembert AND NOT APPLE)
    target_link_options(dalembert PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/tools/cmake/exports.map)
    set_property(TARGET dalembert APPEND PROPERTY LINK_DEPENDS ${PROJECT_SOURCE_DIR}/tools/cmake/exports.map)
  endif()
endfunction()
