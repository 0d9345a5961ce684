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

# Headers that nearly every file includes, read by the compiler once per target instead of once per file (half of the
# time of a build): the standard library, Eigen, and what `...` names besides. Files name what they use all the same, and
# tests compile every header without this.
function(dalembert_precompile target)
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <cmath> <functional> <map> <memory> <optional>
                            <string> <vector> "${PROJECT_SOURCE_DIR}/dalembert/linear/decompositions.h" ${ARGN})
endfunction()
