# The installable package: find_package(dalembert) gives dalembert::dalembert and dalembert::catalogue.
install(TARGETS dalembert dalembert_catalogue EXPORT dalembertTargets)
install(DIRECTORY dalembert DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT dalembertTargets NAMESPACE dalembert:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dalembert)
include(CMakePackageConfigHelpers)
configure_package_config_file(tools/cmake/dalembertConfig.cmake.in dalembertConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dalembert)
write_basic_package_version_file(dalembertConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/dalembertConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/dalembertConfigVersion.cmake
              tools/cmake/FindKLU.cmake tools/cmake/FindGMP.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dalembert)
