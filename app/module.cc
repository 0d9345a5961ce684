#include "app/module.h"

#include <dlfcn.h>

#include <filesystem>

#include "dalembert/core/error.h"

namespace dalembert::app {

namespace fs = std::filesystem;

void* find_in_module(const std::string& name, const char* function, const std::string& hint) {
  std::error_code none;
  const fs::path program = fs::read_symlink("/proc/self/exe", none).parent_path();
  for (const fs::path& folder : {program / "modules", program / DALEMBERT_MODULES_FOLDER}) {
    const fs::path module = folder / ("dalembert-" + name + ".so");
    if (!fs::exists(module, none)) continue;
    void* loaded = dlopen(module.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* found = loaded == nullptr ? nullptr : dlsym(loaded, function);
    if (found == nullptr)
      throw Error("cannot load " + module.string() + ": " + dlerror(), "install the library that it needs");
    return found;
  }
  throw Error("this program was built without " + name, hint);
}

}  // namespace dalembert::app
