#include "dalembert/model/complaints.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "dalembert/model/model_sections.h"

namespace dalembert {

namespace {

std::string sentences(const std::vector<Complaint>& all) {
  std::string text;
  for (const Complaint& one : all) text += (text.empty() ? "" : "\n") + one.sentence();
  return text;
}

Complaint complaint(const Document& document, const Spot& spot, const std::string& what,
                    const std::string& hint) {
  return {{document.name(), static_cast<int>(spot.line), static_cast<int>(spot.column)},
          document.excerpt(spot),
          what,
          hint};
}

}  // namespace

std::string Complaint::sentence() const {
  std::string where = place.file;
  if (place.line > 0) where += ":" + std::to_string(place.line);
  if (place.column > 0) where += ":" + std::to_string(place.column);
  return where + ": " + what + (hint.empty() ? "" : "; " + hint);
}

ModelError::ModelError(std::vector<Complaint> complaints)
    : Error(sentences(complaints)), complaints_(std::move(complaints)) {}

void Complaints::add(Complaint complaint) {
  all_.push_back(std::move(complaint));
  if (all_.size() == most) settle();
}

void Complaints::add(const Document& document, const Spot& spot, const std::string& what,
                     const std::string& hint) {
  add(complaint(document, spot, what, hint));
}

void Complaints::remark(const Document& document, const Spot& spot, const std::string& what,
                        const std::string& hint) {
  if (remarks_.size() < most) remarks_.push_back(complaint(document, spot, what, hint));
}

void Complaints::add_in_text(const Document& document, const Value& value, std::size_t byte,
                             std::size_t length, const std::string& what, const std::string& hint) {
  const auto column = static_cast<int>(document.column_in_text(value, byte));
  add({{document.name(), static_cast<int>(value.spot.line), column},
       byte < value.text.size() ? value.text.substr(byte, length) : value.text,
       what,
       hint});
}

void Complaints::add_unknown(const Document& document, const Spot& spot, const std::string& what,
                             const std::string& name, const std::vector<std::string>& known) {
  const auto& head = section_keys("");
  const bool of_the_file =
      std::any_of(head.begin(), head.end(), [&](const Key& key) { return key.name == name; });
  const Error error =
      known.empty() ? Error("unknown " + what + " '" + name + "'", "there is none")
      : of_the_file ? Error("unknown " + what + " '" + name + "'",
                            name +
                                " belongs to the whole file, so put it above the first line in brackets: "
                                "what follows such a line is part of its section")
                    : unknown(what, name, known);
  add(document, spot, error.what(), error.hint());
}

void Complaints::settle() {
  if (all_.empty()) return;
  // Files in the order they were read, each from its top to its bottom.
  std::vector<std::string> files;
  const auto rank = [&](const Complaint& c) {
    const auto found = std::find(files.begin(), files.end(), c.place.file);
    if (found != files.end()) return found - files.begin();
    files.push_back(c.place.file);
    return static_cast<std::ptrdiff_t>(files.size()) - 1;
  };
  for (const Complaint& complaint : all_) rank(complaint);
  std::stable_sort(all_.begin(), all_.end(), [&](const Complaint& a, const Complaint& b) {
    return std::tuple(rank(a), a.place.line, a.place.column) <
           std::tuple(rank(b), b.place.line, b.place.column);
  });
  throw ModelError(std::exchange(all_, {}));
}

}  // namespace dalembert
