# Tests of the house itself: layers, references, documents, tables, the installed package.
foreach(name layering_test references_test documents_test)
  target_compile_definitions(${name} PRIVATE DALEMBERT_SOURCE="${PROJECT_SOURCE_DIR}")
endforeach()
if(TARGET dalembert_app)
  target_compile_definitions(documents_test PRIVATE DALEMBERT_PROGRAM="$<TARGET_FILE:dalembert_app>")
  add_dependencies(documents_test dalembert_app)
endif()

# The targets of the fuzzers, compiled as they are.
target_sources(fuzz_replay_test PRIVATE ${PROJECT_SOURCE_DIR}/fuzz/expression_fuzz.cc
                                        ${PROJECT_SOURCE_DIR}/fuzz/model_fuzz.cc)
target_compile_definitions(fuzz_replay_test PRIVATE DALEMBERT_FUZZ_FOLDER="${PROJECT_SOURCE_DIR}/fuzz")

# Runs the program; what the program was built without is skipped.
target_compile_definitions(convert_test PRIVATE DALEMBERT_APP="$<TARGET_FILE:dalembert_app>"
                           DALEMBERT_CONVERT_FOLDER="${CMAKE_CURRENT_SOURCE_DIR}/convert"
                           $<FILTER:$<TARGET_PROPERTY:dalembert_app,COMPILE_DEFINITIONS>,INCLUDE,^DALEMBERT_HAS_>)
add_dependencies(convert_test dalembert_app)

add_executable(docs_tables ${PROJECT_SOURCE_DIR}/tools/docs_tables.cc)
target_link_libraries(docs_tables PRIVATE dalembert dalembert_catalogue dalembert_papers fmt::fmt dalembert_flags)
foreach(table methods formulations problems papers elements)
  add_test(NAME tables.${table}
           COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DPROGRAM=$<TARGET_FILE:docs_tables> -DTABLE=${table}
                   -P ${CMAKE_CURRENT_SOURCE_DIR}/tables.cmake)
endforeach()

if(TARGET dalembert_app)
  add_test(NAME tables.schema
           COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:dalembert_app> -DTABLE=schema
                   -DFILE=${PROJECT_SOURCE_DIR}/docs/model.schema.json -P ${CMAKE_CURRENT_SOURCE_DIR}/tables.cmake)
endif()

add_test(NAME package
         COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DBUILD=${PROJECT_BINARY_DIR}
                 -DGENERATOR=${CMAKE_GENERATOR} -DCOMPILER=${CMAKE_CXX_COMPILER} -DFLAGS=${CMAKE_CXX_FLAGS}
                 -P ${CMAKE_CURRENT_SOURCE_DIR}/package.cmake)
set_tests_properties(package PROPERTIES TIMEOUT 600)
