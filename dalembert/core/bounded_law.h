// Laws that know their bounds over a range of their arguments: what is narrow can be found without being met.
#pragma once

#include <cstddef>
#include <vector>

namespace dalembert {

/// All numbers from low to high; either may be infinite.
struct Range {
  double low = 0, high = 0;

  bool holds(double x) const { return low <= x && x <= high; }
  void widen(double x) {
    if (x < low) low = x;
    if (x > high) high = x;
  }
};

/// A function of a few numbers that can be bounded without evaluating it everywhere.
class BoundedLaw {
 public:
  virtual ~BoundedLaw() = default;
  virtual std::size_t arguments() const = 0;
  /// Does it depend on this argument?
  virtual bool uses(std::size_t argument) const = 0;
  virtual double at(const double* x) const = 0;
  /// What rounding may have changed of that value.
  virtual double noise(const double* x) const = 0;
  /// Holds every value that it has while its arguments are in these ranges, and often a bit more [Moore1966].
  virtual Range over(const Range* x) const = 0;
};

/// The bounded laws of some equations, in the order of their evaluation, each with its arguments.
class LawRecord {
 public:
  /// While one lives, laws that are evaluated on its thread write themselves into a record.
  class Listening {
   public:
    explicit Listening(LawRecord& record) : outer_(current_) {
      record.laws_.clear();
      record.arguments_.clear();
      current_ = &record;
    }
    ~Listening() { current_ = outer_; }
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;

   private:
    LawRecord* outer_;
  };

  static LawRecord* current() { return current_; }
  void note(const BoundedLaw& law, const double* x) {
    laws_.push_back({&law, arguments_.size()});
    arguments_.insert(arguments_.end(), x, x + law.arguments());
  }

  std::size_t size() const { return laws_.size(); }
  const BoundedLaw& law(std::size_t k) const { return *laws_[k].law; }
  const double* arguments(std::size_t k) const { return arguments_.data() + laws_[k].first; }

 private:
  static inline thread_local LawRecord* current_ = nullptr;
  struct Entry {
    const BoundedLaw* law;
    std::size_t first;  // of its arguments
  };
  std::vector<Entry> laws_;
  std::vector<double> arguments_;
};

}  // namespace dalembert
