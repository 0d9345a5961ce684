# KLU from SuiteSparse (Debian: libsuitesparse-dev), as the target KLU::KLU.
find_path(KLU_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse)
foreach(part klu amd colamd btf suitesparseconfig)
  find_library(KLU_${part}_LIBRARY ${part})
  list(APPEND KLU_LIBRARIES ${KLU_${part}_LIBRARY})
endforeach()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(KLU REQUIRED_VARS KLU_INCLUDE_DIR KLU_klu_LIBRARY KLU_amd_LIBRARY
                                  KLU_colamd_LIBRARY KLU_btf_LIBRARY KLU_suitesparseconfig_LIBRARY)
if(KLU_FOUND AND NOT TARGET KLU::KLU)
  add_library(KLU::KLU INTERFACE IMPORTED)
  target_include_directories(KLU::KLU SYSTEM INTERFACE ${KLU_INCLUDE_DIR})
  target_link_libraries(KLU::KLU INTERFACE ${KLU_LIBRARIES})
endif()
