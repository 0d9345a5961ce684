# Fails if docs/tables/TABLE.md is not what docs_tables prints. Needs SOURCE, PROGRAM, TABLE.
execute_process(COMMAND ${PROGRAM} ${TABLE} OUTPUT_VARIABLE now COMMAND_ERROR_IS_FATAL ANY)
set(file ${SOURCE}/docs/tables/${TABLE}.md)
if(EXISTS ${file})
  file(READ ${file} kept)
endif()
if(NOT kept STREQUAL now)
  message(FATAL_ERROR "${file} differs from the registries; run tools/tables and commit. It should read\n${now}")
endif()
