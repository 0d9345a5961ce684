# The installable package: find_package(dalembert) gives dalembert::dalembert and dalembert::catalogue.
install(TARGETS dalembert dalembert_catalogue EXPORT dalembertTargets)
# The public headers, found when they are installed: what they include may have changed since the last configuration.
install(CODE "
  include(\"${CMAKE_CURRENT_LIST_DIR}/DalembertHeaders.cmake\")
  dalembert_public_headers(\"${PROJECT_SOURCE_DIR}\" headers)
  foreach(header \${headers})
    get_filename_component(folder \${header} DIRECTORY)
    file(INSTALL \"${PROJECT_SOURCE_DIR}/\${header}\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}/\${folder}\")
  endforeach()")
install(EXPORT dalembertTargets NAMESPACE dalembert:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dalembert)
include(CMakePackageConfigHelpers)
configure_package_config_file(tools/cmake/dalembertConfig.cmake.in dalembertConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dalembert)
write_basic_package_version_file(dalembertConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/dalembertConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/dalembertConfigVersion.cmake
              tools/cmake/FindKLU.cmake tools/cmake/FindGMP.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dalembert)
