// Pictures as .png, drawn by cairo.
#include <cairo.h>

#include <charconv>
#include <memory>
#include <string>
#include <string_view>

#include "dalembert/core/error.h"
#include "dalembert/observe/drawing.h"

namespace dalembert::app {

namespace {

constexpr double dots_per_pixel = 2;

using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
using Pen = std::unique_ptr<cairo_t, decltype(&cairo_destroy)>;

/// "#d55e00"
void take(cairo_t* pen, std::string_view colour) {
  unsigned value = 0;
  std::from_chars(colour.data() + 1, colour.data() + colour.size(), value, 16);
  cairo_set_source_rgb(pen, (value >> 16u & 255u) / 255., (value >> 8u & 255u) / 255., (value & 255u) / 255.);
}

void follow(cairo_t* pen, const Mark& mark) {
  cairo_new_path(pen);
  for (const Dot& dot : mark.dots) cairo_line_to(pen, dot.x, dot.y);
}

void write(cairo_t* pen, const Mark& mark) {
  cairo_select_font_face(
      pen, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
      mark.weight == Mark::Weight::bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(pen, letter_size);
  cairo_text_extents_t size;
  cairo_text_extents(pen, mark.text.c_str(), &size);
  const double back = mark.anchor == Mark::Anchor::begin    ? 0
                      : mark.anchor == Mark::Anchor::middle ? size.x_advance / 2
                                                            : size.x_advance;
  cairo_save(pen);
  cairo_translate(pen, mark.dots.front().x, mark.dots.front().y);
  if (mark.way == Mark::Way::up) cairo_rotate(pen, -3.14159265358979 / 2);
  cairo_move_to(pen, -back, 0);
  cairo_show_text(pen, mark.text.c_str());
  cairo_restore(pen);
}

void draw(cairo_t* pen, const Mark& mark) {
  if (mark.dots.empty()) return;
  take(pen, mark.colour);
  switch (mark.is) {
    case Mark::Is::text:
      return write(pen, mark);
    case Mark::Is::area:
      follow(pen, mark);
      return cairo_fill(pen);
    case Mark::Is::line:
      follow(pen, mark);
      cairo_set_line_width(pen, mark.width);
      cairo_set_dash(pen, mark.dash.data(), static_cast<int>(mark.dash.size()), 0);
      return cairo_stroke(pen);
  }
}

void write(const std::string& file, const Drawing& drawing) {
  const Surface surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(dots_per_pixel * drawing.width),
                                 static_cast<int>(dots_per_pixel * drawing.height)),
      cairo_surface_destroy);
  const Pen pen(cairo_create(surface.get()), cairo_destroy);
  cairo_scale(pen.get(), dots_per_pixel, dots_per_pixel);
  cairo_set_line_join(pen.get(), CAIRO_LINE_JOIN_ROUND);
  cairo_set_source_rgb(pen.get(), 1, 1, 1);
  cairo_paint(pen.get());
  for (const Mark& mark : drawing.marks) draw(pen.get(), mark);
  cairo_status_t status = cairo_status(pen.get());
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_write_to_png(surface.get(), file.c_str());
  if (status != CAIRO_STATUS_SUCCESS)
    throw Error("cannot write '" + file + "': " + cairo_status_to_string(status));
}

}  // namespace
}  // namespace dalembert::app

extern "C" void dalembert_write_png(const std::string& file, const dalembert::Drawing& drawing) {
  dalembert::app::write(file, drawing);
}
