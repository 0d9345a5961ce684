#include "app/picture_png.h"

#include "app/module.h"

namespace dalembert::app {

bool has_png() {
#ifdef DALEMBERT_HAS_CAIRO
  return true;
#else
  return false;
#endif
}

void write_png(const std::string& file, const Drawing& drawing) {
  using Write = void(const std::string&, const Drawing&);
  reinterpret_cast<Write*>(find_in_module(
      "png", "dalembert_write_png", "install cairo with `tools/setup plots` and build again"))(file, drawing);
}

}  // namespace dalembert::app
