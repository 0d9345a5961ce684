# Tests that need more than their own files: the program, the fuzzers, the tables, the installed package.
foreach(room app house)  # run the program
  add_dependencies(${room}_tests dalembert_app)
endforeach()

# The targets of the fuzzers, compiled as they are.
target_sources(model_tests PRIVATE ${PROJECT_SOURCE_DIR}/fuzz/expression_fuzz.cc ${PROJECT_SOURCE_DIR}/fuzz/model_fuzz.cc
               ${PROJECT_SOURCE_DIR}/fuzz/arguments_fuzz.cc ${PROJECT_SOURCE_DIR}/app/arguments.cc ${PROJECT_SOURCE_DIR}/app/text.cc)

# The files of docs/add-one-thing.md, registered beside those of the library. A registry that is linked directly comes before
# the one in the library, as long as that is a static one.
if(NOT DALEMBERT_SHARED)
  file(GLOB newcomers CONFIGURE_DEPENDS newcomer/*.cc)
  dalembert_registry(methods "dalembert/method;tests/newcomer" MethodEntry dalembert/method/method.h with_methods)
  dalembert_registry(formulations "dalembert/formulation;tests/newcomer" FormulationEntry
                     dalembert/formulation/formulation.h with_formulations)
  dalembert_registry(elements "dalembert/model/elements;tests/newcomer" ElementEntry dalembert/model/element_entry.h
                     with_elements)
  dalembert_registry(papers "papers;tests/newcomer" PaperEntry papers/paper.h with_papers)
  target_sources(newcomer_tests PRIVATE ${newcomers} ${with_methods} ${with_formulations} ${with_elements} ${with_papers})
endif()

add_executable(docs_tables ${PROJECT_SOURCE_DIR}/tools/docs_tables.cc)
target_link_libraries(docs_tables PRIVATE dalembert dalembert_catalogue dalembert_papers fmt::fmt dalembert_flags)
foreach(table methods formulations problems papers elements units)
  add_test(NAME tables.${table}
           COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DPROGRAM=$<TARGET_FILE:docs_tables> -DTABLE=${table}
                   -P ${CMAKE_CURRENT_SOURCE_DIR}/house/tables.cmake)
endforeach()
# What the documents show of the sources themselves.
add_executable(docs_house ${PROJECT_SOURCE_DIR}/tools/docs_house.cc)
target_include_directories(docs_house PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(docs_house PRIVATE fmt::fmt dalembert_flags)
foreach(page "picture;docs/images/rooms.svg" "rooms;docs/tables/rooms.md" "tests;tests/README.md")
  list(GET page 0 what)
  list(GET page 1 file)
  add_test(NAME tables.${what}
           COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:docs_house> "-DTABLE=${what};${PROJECT_SOURCE_DIR}"
                   -DFILE=${PROJECT_SOURCE_DIR}/${file} -P ${CMAKE_CURRENT_SOURCE_DIR}/house/tables.cmake)
endforeach()

add_test(NAME tables.schema
         COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:dalembert_app> -DTABLE=schema
                 -DFILE=${PROJECT_SOURCE_DIR}/docs/model.schema.json -P ${CMAKE_CURRENT_SOURCE_DIR}/house/tables.cmake)

add_test(NAME package
         COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DBUILD=${PROJECT_BINARY_DIR}
                 -DGENERATOR=${CMAKE_GENERATOR} -DCOMPILER=${CMAKE_CXX_COMPILER} -DFLAGS=${CMAKE_CXX_FLAGS}
                 -P ${CMAKE_CURRENT_SOURCE_DIR}/house/package.cmake)
set_tests_properties(package PROPERTIES TIMEOUT 600 COST 50)

add_test(NAME deb COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -P ${CMAKE_CURRENT_SOURCE_DIR}/house/deb.cmake)
set_tests_properties(deb PROPERTIES TIMEOUT 600 SKIP_REGULAR_EXPRESSION "there is no dpkg-dev")

get_target_property(eigen Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
set(shares 4)
foreach(share RANGE ${shares})
  add_test(NAME headers.${share}
           COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DWORK=${PROJECT_BINARY_DIR}/headers -DSHARE=${share}
                   -DSHARES=${shares} -DCOMPILER=${CMAKE_CXX_COMPILER}
                   "-DFLAGS=-I${eigen} -I${KLU_INCLUDE_DIR} -I${GMP_INCLUDE_DIR} -I${HDF5_INCLUDE_DIR}"
                   -P ${CMAKE_CURRENT_SOURCE_DIR}/house/headers.cmake)
  set_tests_properties(headers.${share} PROPERTIES TIMEOUT 1200 COST 100 FIXTURES_REQUIRED headers)
endforeach()
set_tests_properties(headers.0 PROPERTIES FIXTURES_REQUIRED "" FIXTURES_SETUP headers)
add_test(NAME api
         COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUTPUT=${PROJECT_BINARY_DIR}/api/check
                 -DDOXYGEN=${DALEMBERT_DOXYGEN} -DVERSION=${PROJECT_VERSION} -DCHECK=ON
                 -P ${PROJECT_SOURCE_DIR}/tools/cmake/api.cmake)
set_tests_properties(api PROPERTIES SKIP_REGULAR_EXPRESSION "there is no doxygen")

# Pages of runs, looked at by a browser.
find_program(DALEMBERT_CHROMIUM NAMES chromium-headless-shell chromium chromium-browser google-chrome)
if(DALEMBERT_NODE)
  add_test(NAME page.browser
           COMMAND ${DALEMBERT_NODE} ${CMAKE_CURRENT_SOURCE_DIR}/page/browser.mjs $<TARGET_FILE:dalembert_app> ${PROJECT_SOURCE_DIR}
                   ${PROJECT_BINARY_DIR}/page ${DALEMBERT_CHROMIUM})
else()
  add_test(NAME page.browser COMMAND ${CMAKE_COMMAND} -E echo "skipped: there is no Node here (tools/setup tests)")
endif()
set_tests_properties(page.browser PROPERTIES LABELS page TIMEOUT 900 COST 200 SKIP_RETURN_CODE 77 SKIP_REGULAR_EXPRESSION "^skipped:")

# The Python package as it lies in the build folder, by its own tests.
if(TARGET dalembert_python)
  file(GLOB questions CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/tests/test_*.py)
  foreach(file ${questions})
    get_filename_component(name ${file} NAME_WE)
    string(REPLACE test_ python. name ${name})
    list(APPEND python_tests ${name})
    add_test(NAME ${name}
             COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${PROJECT_BINARY_DIR}/python PYTHONDONTWRITEBYTECODE=1
                     ${Python_EXECUTABLE} -m pytest -q -p no:cacheprovider ${file}
             WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
  endforeach()
else()
  set(python_tests python)
  add_test(NAME python COMMAND ${CMAKE_COMMAND} -E echo "skipped: the Python package is not built (tools/setup python)")
endif()
set_tests_properties(${python_tests} PROPERTIES LABELS python TIMEOUT 900 COST 100 SKIP_REGULAR_EXPRESSION "^skipped:|No module named pytest")

# Instructions of standard runs, in the build that people use.
if(CMAKE_BUILD_TYPE STREQUAL Release AND PROJECT_BINARY_DIR STREQUAL "${PROJECT_SOURCE_DIR}/build/release")
  add_test(NAME instructions COMMAND ${PROJECT_SOURCE_DIR}/tools/instructions --check)
  set_tests_properties(instructions PROPERTIES TIMEOUT 600 COST 60 SKIP_REGULAR_EXPRESSION "^skipped:")
endif()

# Random mechanisms against tight runs of other families, and against themselves written in another way.
file(GLOB attackers CONFIGURE_DEPENDS attack/*.cc)
add_executable(attack ${attackers})
target_link_libraries(attack PRIVATE test_support)
target_precompile_headers(attack REUSE_FROM test_support)
add_test(NAME attack COMMAND attack --runs 200 --pairs 50 --seed 1)
add_test(NAME attack.sees COMMAND attack --runs 24 --pairs 0 --seed 1 --loosen 1e5)  # what is far too loose
set_tests_properties(attack attack.sees PROPERTIES TIMEOUT 600 COST 50)
set_tests_properties(attack.sees PROPERTIES WILL_FAIL ON)
