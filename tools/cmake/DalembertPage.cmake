# The page of `run --report`: bundled from page/src and compiled in where Node and its packages are there (tools/setup page).
# Without them everything else is built, and the program says what is missing.
function(dalembert_page result)
  set(folder ${PROJECT_SOURCE_DIR}/page)
  find_program(DALEMBERT_NODE NAMES node nodejs)
  if(NOT DALEMBERT_NODE OR NOT EXISTS ${folder}/node_modules/esbuild)
    message(STATUS "run will write no pages: Node or its packages were not found (tools/setup page)")
    set(${result} ${PROJECT_SOURCE_DIR}/tools/cmake/no_page.cc PARENT_SCOPE)
    return()
  endif()
  set(assets ${PROJECT_BINARY_DIR}/registry/page_assets.cc)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/registry)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/src/*)
  add_custom_command(OUTPUT ${assets} COMMAND ${DALEMBERT_NODE} ${folder}/build.mjs ${assets}
                     DEPENDS ${sources} ${folder}/build.mjs ${folder}/package-lock.json COMMENT "bundling the page" VERBATIM)
  set(${result} ${assets} PARENT_SCOPE)
endfunction()
