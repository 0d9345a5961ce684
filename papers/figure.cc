#include "papers/figure.h"

#include <fstream>

#include "dalembert/core/error.h"

namespace dalembert {

void write_figure(const PaperOptions& options, const std::string& name, const std::string& csv,
                  const std::vector<Panel>& panels, std::vector<std::filesystem::path>& written,
                  Arrangement arrangement) {
  if (options.out.empty()) return;
  std::error_code failure;
  std::filesystem::create_directories(options.out, failure);
  if (failure) throw Error("cannot make directory '" + options.out.string() + "': " + failure.message());
  const auto data = options.out / (name + ".csv"), picture = options.out / (name + ".svg");
  std::ofstream file(data);
  file << csv;
  file.close();
  if (!file) throw Error("cannot write '" + data.string() + "'");
  write_plot(picture, panels, arrangement);
  written.push_back(data);
  written.push_back(picture);
}

}  // namespace dalembert
