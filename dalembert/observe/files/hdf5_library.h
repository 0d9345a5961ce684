// The HDF5 library, loaded when the first file is opened: with all that it needs itself it takes longer to load than most runs take.
#pragma once

#include <hdf5.h>

// Its macros would open it at every use of a constant.
#undef H5CHECK
#define H5CHECK
#undef H5OPEN
#define H5OPEN

// X(name) for every function and variable that is used.
#define DALEMBERT_HDF5(X)        \
  X(H5Aclose)                    \
  X(H5Acreate2)                  \
  X(H5Adelete)                   \
  X(H5Aexists)                   \
  X(H5Aopen)                     \
  X(H5Aread)                     \
  X(H5Awrite)                    \
  X(H5Dclose)                    \
  X(H5Dcreate2)                  \
  X(H5Dget_space)                \
  X(H5Dopen2)                    \
  X(H5Dread)                     \
  X(H5Dset_extent)               \
  X(H5Dwrite)                    \
  X(H5Eget_auto2)                \
  X(H5Eset_auto2)                \
  X(H5Ewalk2)                    \
  X(H5Fclose)                    \
  X(H5Fcreate)                   \
  X(H5Fopen)                     \
  X(H5Gclose)                    \
  X(H5Gcreate2)                  \
  X(H5Gopen2)                    \
  X(H5Ldelete)                   \
  X(H5Lexists)                   \
  X(H5Pclose)                    \
  X(H5Pcreate)                   \
  X(H5Pset_chunk)                \
  X(H5Sclose)                    \
  X(H5Screate)                   \
  X(H5Screate_simple)            \
  X(H5Sget_simple_extent_dims)   \
  X(H5Sselect_hyperslab)         \
  X(H5Tclose)                    \
  X(H5Tcopy)                     \
  X(H5Tset_cset)                 \
  X(H5Tset_size)                 \
  X(H5dont_atexit)               \
  X(H5free_memory)               \
  X(H5open)                      \
  X(H5P_CLS_DATASET_CREATE_ID_g) \
  X(H5T_C_S1_g)                  \
  X(H5T_IEEE_F64LE_g)            \
  X(H5T_NATIVE_DOUBLE_g)         \
  X(H5T_NATIVE_LLONG_g)          \
  X(H5T_NATIVE_UINT8_g)          \
  X(H5T_STD_U8LE_g)

namespace dalembert::hdf5 {

struct Library {
#define X(name) decltype(&::name) name;
  DALEMBERT_HDF5(X)
#undef X
};

/// Throws Error if it is not there.
const Library& h5();

}  // namespace dalembert::hdf5
