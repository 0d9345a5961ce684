#include "app/paint.h"

#include <algorithm>
#include <sstream>

#include "dalembert/core/wrap.h"

namespace dalembert::app {

namespace {

/// "steps        56" and "  --rtol R    relative tolerance": where the label ends, and where the text begins.
struct Label {
  std::size_t begin = 0, end = 0, text = 0;
  bool found() const { return text > 0; }
};

constexpr std::size_t widest_label = 34;

Label find_label(const std::string& line) {
  Label label;
  label.begin = std::min(line.find_first_not_of(' '), line.size());
  label.end = line.find("  ", label.begin);
  if (label.begin == line.size() || label.end == std::string::npos) return label;
  const std::size_t text = line.find_first_not_of(' ', label.end);
  if (text != std::string::npos && columns(line.substr(0, text)) <= widest_label) label.text = text;
  return label;
}

/// Under which column a long line goes on.
std::size_t hanging(const std::string& line) {
  const Label label = find_label(line);
  if (label.found()) return columns(line.substr(0, label.text));
  constexpr std::size_t deep = 8;  // what begins there goes on from a line before
  return label.begin < deep ? label.begin + 2 : label.begin;
}

bool is_rule(const std::string& line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first != std::string::npos && line.find_first_not_of('-', first) == std::string::npos;
}

std::vector<std::string> lines(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> all;
  for (std::string line; std::getline(stream, line);) all.push_back(line);
  return all;
}

Colour of_outcome(const std::string& text) {
  return text.starts_with("ok") || text.starts_with("event") ? Colour::good : Colour::bad;
}

void paint_labelled(const std::string& line, const Label& label, std::vector<Stroke>& all) {
  const std::string name = line.substr(0, label.end), text = line.substr(label.end);
  if (name == "warning") {
    all.push_back({line, Colour::doubtful});
  } else if (name == "outcome") {
    const std::size_t comma = std::min(line.find(','), line.size());
    all.push_back({name, Colour::strong});
    all.push_back({line.substr(label.end, comma - label.end), of_outcome(line.substr(label.text))});
    all.push_back({line.substr(comma), Colour::none});
  } else {
    all.push_back({name, label.begin == 0 ? Colour::strong : Colour::none});
    all.push_back({text, Colour::none});
  }
}

/// "crank.toml:3:1: error: ..." and "dalembert: ..."
bool paint_message(const std::string& line, std::vector<Stroke>& all) {
  for (const auto& [word, colour] : {std::pair{"dalembert: ", Colour::bad},
                                     {": error: ", Colour::bad},
                                     {": warning: ", Colour::doubtful}}) {
    const std::size_t at = line.find(word);
    if (at == std::string::npos || (word[0] == 'd' && at != 0)) continue;
    const std::size_t end = at + std::string_view(word).size();
    all.push_back({line.substr(0, at), Colour::none});
    all.push_back({line.substr(at, end - at), colour});
    all.push_back({line.substr(end), Colour::none});
    return true;
  }
  return false;
}

}  // namespace

std::string fitted(const std::string& text, std::size_t width) {
  std::string all;
  for (const auto& line : lines(text)) {
    if (columns(line) <= width) {
      all += line + "\n";
      continue;
    }
    const std::size_t indent = std::min(hanging(line), width / 2);
    const std::string first = wrapped(line, width).front();
    all += first + "\n";
    std::string rest = line.substr(first.size());
    rest.erase(0, std::min(rest.find_first_not_of(' '), rest.size()));
    if (rest.empty()) continue;
    for (const auto& part : wrapped(rest, width - indent)) all += std::string(indent, ' ') + part + "\n";
  }
  return text.ends_with('\n') || all.empty() ? all : all.substr(0, all.size() - 1);
}

std::string_view begin(Colour colour) {
  switch (colour) {
    case Colour::none:
      return "";
    case Colour::strong:
      return "\033[1m";
    case Colour::faint:
      return "\033[2m";
    case Colour::good:
      return "\033[32m";
    case Colour::doubtful:
      return "\033[33m";
    case Colour::bad:
      return "\033[31m";
  }
  return "";
}

std::string_view end(Colour colour) {
  return colour == Colour::none ? "" : "\033[0m";
}

std::vector<Stroke> painted(const std::string& text) {
  const std::vector<std::string> all = lines(text);
  std::vector<Stroke> strokes;
  bool table = false;  // the first cells of its rows are no labels
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string& line = all[i];
    const Label label = find_label(line);
    table = is_rule(line) || (table && !line.empty());
    if (i + 1 < all.size() && is_rule(all[i + 1]))
      strokes.push_back({line, Colour::strong});
    else if (is_rule(line))
      strokes.push_back({line, Colour::faint});
    else if (!paint_message(line, strokes)) {
      if (label.found() && !table)
        paint_labelled(line, label, strokes);
      else
        strokes.push_back({line, Colour::none});
    }
    strokes.push_back({"\n", Colour::none});
  }
  return strokes;
}

}  // namespace dalembert::app
