// A list of integers that is short nearly always: up to as many as a block has unknowns, it needs no memory of its own. A graph of a
// large mechanism is made of hundreds of thousands of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <utility>

namespace dalembert {

class Few {
 public:
  using value_type = int;
  using iterator = int*;
  using const_iterator = const int*;

  Few() = default;
  Few(std::initializer_list<int> all) { append(all.begin(), all.end()); }
  template <std::forward_iterator Iterator>
  Few(Iterator first, Iterator last) {
    append(first, last);
  }
  Few(const Few& other) { append(other.begin(), other.end()); }
  Few(Few&& other) noexcept { take(other); }
  Few& operator=(const Few& other) {
    if (this == &other) return *this;
    size_ = 0;
    append(other.begin(), other.end());
    return *this;
  }
  Few& operator=(Few&& other) noexcept {
    if (this != &other) take(other);
    return *this;
  }
  ~Few() = default;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  iterator begin() { return more_ ? more_.get() : here_; }
  iterator end() { return begin() + size_; }
  const_iterator begin() const { return more_ ? more_.get() : here_; }
  const_iterator end() const { return begin() + size_; }
  int operator[](std::size_t i) const { return begin()[i]; }
  int front() const { return *begin(); }
  int back() const { return *(end() - 1); }

  void reserve(std::size_t room) {
    if (room <= room_) return;
    auto larger = std::make_unique_for_overwrite<int[]>(room);
    std::copy(begin(), end(), larger.get());
    more_ = std::move(larger);
    room_ = room;
  }
  void push_back(int value) {
    if (size_ == room_) reserve(2 * room_);
    begin()[size_++] = value;
  }
  template <std::forward_iterator Iterator>
  void append(Iterator first, Iterator last) {
    reserve(size_ + static_cast<std::size_t>(std::distance(first, last)));
    std::copy(first, last, end());
    size_ += static_cast<std::size_t>(std::distance(first, last));
  }
  void clear() { size_ = 0; }
  /// Nothing is left from there on.
  void end_at(iterator last) { size_ = static_cast<std::size_t>(last - begin()); }
  /// In increasing order, each once.
  void make_set() {
    std::sort(begin(), end());
    end_at(std::unique(begin(), end()));
  }
  friend bool operator==(const Few& a, const Few& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  void take(Few& other) {
    size_ = std::exchange(other.size_, 0);
    if (!other.more_) {
      more_ = nullptr;
      std::copy_n(other.here_, size_, here_);
    } else {
      more_ = std::move(other.more_);
    }
    room_ = std::exchange(other.room_, inside);
  }

  static constexpr std::size_t inside = 6;
  std::size_t size_ = 0, room_ = inside;
  int here_[inside];
  std::unique_ptr<int[]> more_;
};

}  // namespace dalembert
