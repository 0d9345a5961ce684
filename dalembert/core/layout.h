// Named blocks of a flat state: the names reach files, plots, error weights and order claims.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dalembert/core/vector.h"

namespace dalembert {

/// What an entry of the state is to the equations.
enum class Role {
  differential,  ///< carries history; enters error estimates
  algebraic,     ///< fixed by the others at each instant (multipliers)
};

/// Words that stay as they are: copies share them, since a large mechanism has millions.
class Words {
 public:
  using value_type = std::string;
  using const_iterator = std::vector<std::string>::const_iterator;
  using iterator = const_iterator;

  Words() = default;
  Words(std::initializer_list<std::string> words) : Words(std::vector<std::string>(words)) {}
  Words(std::vector<std::string> words)
      : words_(std::make_shared<const std::vector<std::string>>(std::move(words))) {}
  operator const std::vector<std::string>&() const { return all(); }
  std::size_t size() const { return words_ == nullptr ? 0 : words_->size(); }
  bool empty() const { return size() == 0; }
  const_iterator begin() const { return all().begin(); }
  const_iterator end() const { return all().end(); }
  const std::string& operator[](std::size_t i) const { return (*words_)[i]; }
  friend bool operator==(const Words& a, const Words& b) {
    return a.words_ == b.words_ || a.all() == b.all();
  }

 private:
  const std::vector<std::string>& all() const {
    static const std::vector<std::string> none;
    return words_ == nullptr ? none : *words_;
  }
  std::shared_ptr<const std::vector<std::string>> words_;
};

/// A run of entries of the state that belong together.
struct Block {
  std::string name;  ///< q, v, s, lambda, mu, y, z
  Role role = Role::differential;
  int index = 0;  ///< differentiation index: multipliers carry weight h^(index-1) in error and Newton tests
  Eigen::Index offset = 0, size = 0;
  Words labels;  ///< one per entry
  Words units;   ///< one per entry; "" where there is none
};

/// The blocks of a state, in order.
class Layout {
 public:
  /// Appends a block; labels default to name1, name2, ... and units to "".
  Layout& add(std::string name, Eigen::Index size, Role role, int index, Words labels = {}, Words units = {});
  Eigen::Index size() const { return size_; }
  const std::vector<Block>& blocks() const { return blocks_; }
  const Block* find(std::string_view name) const;        ///< nullptr if there is none
  const Block& operator[](std::string_view name) const;  ///< throws Error if there is none
  /// "q.beta" for the entry at a flat position.
  std::string label(Eigen::Index entry) const;

 private:
  std::vector<Block> blocks_;
  Eigen::Index size_ = 0;
};

/// A layout that is put together when it is asked for first, by any thread. Copies begin without one: they may be changed.
class KeptLayout {
 public:
  KeptLayout() = default;
  KeptLayout(const KeptLayout&) {}
  KeptLayout& operator=(const KeptLayout&) {
    kept_ = {};
    return *this;
  }
  /// With so many entries; one of another size belongs to what was there before.
  template <class Make>
  Layout get(Eigen::Index size, Make&& make) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (kept_.size() != size) kept_ = make();
    return kept_;
  }

 private:
  mutable std::mutex mutex_;
  mutable Layout kept_;
};

/// A point in time and everything the equations know there, in layout order.
struct State {
  double t = 0;
  Vector y;
  auto operator[](const Block& b) { return y.segment(b.offset, b.size); }
  auto operator[](const Block& b) const { return y.segment(b.offset, b.size); }
};

}  // namespace dalembert
