# What is installed, in two parts: the program, and the library with its headers, where find_package(dalembert) gives dalembert::dalembert and dalembert::catalogue.
install(TARGETS dalembert dalembert_catalogue EXPORT dalembertTargets COMPONENT development)
# The public headers, found when they are installed: what they include may have changed since the last configuration.
install(CODE "
  include(\"${CMAKE_CURRENT_LIST_DIR}/DalembertHeaders.cmake\")
  dalembert_public_headers(\"${PROJECT_SOURCE_DIR}\" headers)
  foreach(header \${headers})
    get_filename_component(folder \${header} DIRECTORY)
    file(INSTALL \"${PROJECT_SOURCE_DIR}/\${header}\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}/\${folder}\")
  endforeach()" COMPONENT development)
install(EXPORT dalembertTargets NAMESPACE dalembert:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dalembert
        COMPONENT development)
include(CMakePackageConfigHelpers)
configure_package_config_file(tools/cmake/dalembertConfig.cmake.in dalembertConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dalembert)
write_basic_package_version_file(dalembertConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/dalembertConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/dalembertConfigVersion.cmake
              tools/cmake/FindKLU.cmake tools/cmake/FindGMP.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dalembert COMPONENT development)

# Debian packages of both: cpack -G DEB, in the build folder. Dependencies are what the program links to, by dpkg-shlibdeps, and
# the package of the HDF5 library, which it loads.
if(top_level)
  set(CPACK_PACKAGE_VENDOR "Dalembert")
  set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The authors of Dalembert <noreply@example.org>")
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_COMPONENTS_ALL program development)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME dalembert)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
  find_program(DPKG_QUERY dpkg-query)
  if(DPKG_QUERY AND hdf5_file)
    execute_process(COMMAND ${DPKG_QUERY} --search ${hdf5_file} OUTPUT_VARIABLE hdf5_package ERROR_QUIET)
    if(hdf5_package MATCHES "^([^:]+):")
      set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS ${CMAKE_MATCH_1})
    endif()
  endif()
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libdalembert-dev)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libeigen3-dev, libfmt-dev, libsuitesparse-dev, libgmp-dev")
  set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "${PROJECT_DESCRIPTION}")
  set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "${PROJECT_DESCRIPTION}: the library and its headers")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_STRIP_FILES ON)
  set(CPACK_VERBATIM_VARIABLES ON)
  include(CPack)
endif()
