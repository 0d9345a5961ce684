#include "dalembert/observe/drawing.h"

#include <fmt/format.h>

namespace dalembert {

namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (static_cast<unsigned char>(c) >= ' ')
      out += c;
  }
  return out;
}

std::string path(const std::vector<Dot>& dots) {
  std::string text;
  for (const Dot& dot : dots) text += fmt::format("{}{:.1f} {:.1f}", text.empty() ? "M" : "L", dot.x, dot.y);
  return text;
}

std::string line(const Mark& mark) {
  const std::string dash =
      mark.dash.empty() ? "" : fmt::format(" stroke-dasharray='{}'", fmt::join(mark.dash, " "));
  return fmt::format("<path d='{}' fill='none' stroke='{}' stroke-width='{}' stroke-linejoin='round'{}/>\n",
                     path(mark.dots), mark.colour, mark.width, dash);
}

std::string words(const Mark& mark) {
  const Dot& at = mark.dots.front();
  const char* anchor = mark.anchor == Mark::Anchor::begin    ? ""
                       : mark.anchor == Mark::Anchor::middle ? " text-anchor='middle'"
                                                             : " text-anchor='end'";
  const std::string place = mark.way == Mark::Way::across
                                ? fmt::format("x='{:.1f}' y='{:.1f}'", at.x, at.y)
                                : fmt::format("transform='translate({:.1f} {:.1f}) rotate(-90)'", at.x, at.y);
  return fmt::format("<text {}{}{} fill='{}'>{}</text>\n", place, anchor,
                     mark.weight == Mark::Weight::bold ? " font-weight='bold'" : "", mark.colour,
                     escaped(mark.text));
}

}  // namespace

std::string svg(const Drawing& drawing) {
  std::string out = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0:.0f} {1:.0f}' width='{0:.0f}' "
      "height='{1:.0f}' font-family='sans-serif' font-size='{2}'>\n<rect width='{0:.0f}' height='{1:.0f}' "
      "fill='white'/>\n",
      drawing.width, drawing.height, letter_size);
  for (const Mark& mark : drawing.marks) {
    if (mark.dots.empty()) continue;
    if (mark.is == Mark::Is::text)
      out += words(mark);
    else if (mark.is == Mark::Is::line)
      out += line(mark);
    else
      out += fmt::format("<path d='{}Z' fill='{}'/>\n", path(mark.dots), mark.colour);
  }
  return out + "</svg>\n";
}

}  // namespace dalembert
