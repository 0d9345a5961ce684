// What is remembered from step to step, written down or put back by one and the same function:
//
//   void remember(Memory& memory) { memory(order_, step_, differences_); }
//
// so that what was written is what is read, in the same order. Numbers keep all their bits. Something that cannot say what it
// remembers has no such function, or returns false from it: nothing is ever written down in part.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "dalembert/core/error.h"
#include "dalembert/core/layout.h"
#include "dalembert/core/vector.h"

namespace dalembert {

/// Bytes, in the order in which things were named.
class Memory {
 public:
  /// Writes down.
  Memory() = default;
  /// Puts back what another one has written down.
  explicit Memory(std::string written) : bytes_(std::move(written)), reading_(true) {}

  bool reading() const { return reading_; }
  const std::string& bytes() const { return bytes_; }
  /// Everything that was written has been read.
  bool empty() const { return place_ == bytes_.size(); }

  [[noreturn]] static void refuse() {
    throw Error("what was remembered of the run does not fit", "it is damaged, or of another version");
  }

  template <class... Things>
  void operator()(Things&... things) {
    (visit(things), ...);
  }

 private:
  template <class T>
  static constexpr bool plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

  void copy_bytes(void* thing, std::size_t size) {
    if (!reading_) {
      bytes_.append(static_cast<const char*>(thing), size);
      return;
    }
    if (bytes_.size() - place_ < size) refuse();
    if (size > 0) std::memcpy(thing, bytes_.data() + place_, size);
    place_ += size;
  }
  /// Of something with as many parts.
  std::size_t count(std::size_t now) {
    std::uint64_t number = now;
    copy_bytes(&number, sizeof number);
    if (reading_ && number > bytes_.size()) refuse();
    return static_cast<std::size_t>(number);
  }

  template <class T>
  void visit(T& thing) {
    if constexpr (plain<T>)
      copy_bytes(&thing, sizeof thing);
    else
      thing.remember(*this);
  }
  void visit(State& state) { (*this)(state.t, state.y); }
  void visit(std::string& text) {
    text.resize(count(text.size()));
    copy_bytes(text.data(), text.size());
  }
  void visit(Vector& vector) {
    vector.resize(static_cast<Eigen::Index>(count(static_cast<std::size_t>(vector.size()))));
    copy_bytes(vector.data(), sizeof(double) * static_cast<std::size_t>(vector.size()));
  }
  void visit(Matrix& matrix) {
    const auto rows = static_cast<Eigen::Index>(count(static_cast<std::size_t>(matrix.rows())));
    matrix.resize(rows, static_cast<Eigen::Index>(count(static_cast<std::size_t>(matrix.cols()))));
    copy_bytes(matrix.data(), sizeof(double) * static_cast<std::size_t>(matrix.size()));
  }
  template <class T>
  void visit(std::optional<T>& thing) {
    bool there = thing.has_value();
    visit(there);
    if constexpr (std::is_default_constructible_v<T>) {
      if (there && !thing) thing.emplace();
      if (!there) thing.reset();
    } else if (there != thing.has_value()) {
      refuse();
    }
    if (thing) visit(*thing);
  }
  template <class T>
  void visit(std::vector<T>& things) {
    const std::size_t size = count(things.size());
    if constexpr (std::is_default_constructible_v<T>)
      things.resize(size);
    else if (size != things.size())
      refuse();
    if constexpr (std::is_same_v<T, bool>) {
      for (std::size_t i = 0; i < things.size(); ++i) {
        bool one = things[i];
        visit(one);
        things[i] = one;
      }
    } else {
      for (T& thing : things) visit(thing);
    }
  }
  template <class T, std::size_t n>
  void visit(std::array<T, n>& things) {
    for (T& thing : things) visit(thing);
  }
  template <class T, std::size_t n>
  void visit(T (&things)[n]) {
    for (T& thing : things) visit(thing);
  }

  std::string bytes_;
  std::size_t place_ = 0;
  bool reading_ = false;
};

}  // namespace dalembert
