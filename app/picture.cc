#include "app/picture.h"

#include "app/picture_png.h"
#include "dalembert/core/error.h"

namespace dalembert::app {

Output picture_output(const std::string& option, const std::string& file) {
  if (!file.ends_with(".png")) return {option, file, ".svg", has_png() ? ".png" : ""};
  if (!has_png())
    throw Error(option + " '" + file + "': this program was built without cairo, which writes .png files",
                "end the name in .svg");
  return {option, file, ".png"};
}

void write_picture(const std::string& file, const std::vector<Panel>& panels) {
  write_picture(file, plot(panels));
}

void write_picture(const std::string& file, const Drawing& drawing) {
  if (file.ends_with(".png"))
    write_png(file, drawing);
  else
    write_text(file, svg(drawing));
}

}  // namespace dalembert::app
