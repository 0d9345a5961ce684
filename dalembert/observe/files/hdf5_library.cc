#ifdef DALEMBERT_HAS_HDF5

#include "dalembert/observe/files/hdf5_library.h"

#include <dlfcn.h>

#include <string>

#include "dalembert/core/error.h"

namespace dalembert::hdf5 {

namespace {

Library load() {
  // As the linker would have named it.
  void* const loaded = dlopen(DALEMBERT_HDF5_LIBRARY, RTLD_LAZY | RTLD_LOCAL);
  if (loaded == nullptr)
    throw Error(std::string("cannot load the HDF5 library: ") + dlerror(),
                "install it, or write a .csv file");
  Library found{};
#define X(name)                                                              \
  found.name = reinterpret_cast<decltype(found.name)>(dlsym(loaded, #name)); \
  if (found.name == nullptr) throw Error(std::string("the HDF5 library has no ") + #name);
  DALEMBERT_HDF5(X)
#undef X
  found.H5open();
  return found;
}

}  // namespace

const Library& h5() {
  static const Library found = load();
  return found;
}

}  // namespace dalembert::hdf5

#endif
