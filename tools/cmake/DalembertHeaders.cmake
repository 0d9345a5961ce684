# Which headers there are for users: those that the doors below lead to, and no others. Decision 0032 says why.
cmake_policy(VERSION 3.22)  # scripts include this, too
set(dalembert_doors dalembert/dalembert.h           # everything a user of dalembert::dalembert needs
                    dalembert/problem/catalogue.h   # dalembert::catalogue: problems by name
                    dalembert/boundary/solve_boundary.h dalembert/boundary/boundary_problem.h)

# The headers that these include, directly or not, and themselves; relative to the root and sorted.
function(dalembert_include_closure root result)
  set(found "")
  set(open ${ARGN})
  while(open)
    list(POP_FRONT open header)
    if(NOT header IN_LIST found)
      list(APPEND found ${header})
      file(STRINGS ${root}/${header} lines REGEX "^#include \"")
      foreach(line ${lines})
        string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" included ${line})
        list(APPEND open ${included})
      endforeach()
    endif()
  endwhile()
  list(SORT found)
  set(${result} ${found} PARENT_SCOPE)
endfunction()

function(dalembert_public_headers root result)
  dalembert_include_closure(${root} found ${dalembert_doors})
  set(${result} ${found} PARENT_SCOPE)
endfunction()
