#include "dalembert/core/layout.h"

#include "dalembert/core/error.h"

namespace dalembert {

Layout& Layout::add(std::string name, Eigen::Index size, Role role, int index, Words labels, Words units) {
  const auto count = static_cast<std::size_t>(size);
  if (labels.empty()) {
    std::vector<std::string> numbered;
    for (std::size_t i = 1; i <= count; ++i) numbered.push_back(name + std::to_string(i));
    labels = std::move(numbered);
  }
  if (units.size() != count) {
    std::vector<std::string> known = units;
    known.resize(count);
    units = std::move(known);
  }
  if (labels.size() != count)
    throw Error("block '" + name + "' has " + std::to_string(count) + " entries but " +
                std::to_string(labels.size()) + " labels");
  blocks_.push_back({std::move(name), role, index, size_, size, std::move(labels), std::move(units)});
  size_ += size;
  return *this;
}

const Block* Layout::find(std::string_view name) const {
  for (const auto& block : blocks_)
    if (block.name == name) return &block;
  return nullptr;
}

const Block& Layout::operator[](std::string_view name) const {
  if (const Block* block = find(name)) return *block;
  std::vector<std::string> known;
  for (const auto& block : blocks_) known.push_back(block.name);
  throw unknown("state block", std::string(name), known);
}

std::string Layout::label(Eigen::Index entry) const {
  for (const auto& block : blocks_)
    if (entry >= block.offset && entry < block.offset + block.size)
      return block.name + "." + block.labels[static_cast<std::size_t>(entry - block.offset)];
  return "?";
}

}  // namespace dalembert
