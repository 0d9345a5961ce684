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

# Headers that nearly every file includes, read by the compiler once per target.
function(dalembert_precompile target header)
  target_precompile_headers(${target} PRIVATE ${PROJECT_SOURCE_DIR}/${header})
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
