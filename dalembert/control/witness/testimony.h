// What the witness of a run has to say.
#pragma once

#include <cstdint>
#include <string>

namespace dalembert {

/// Who decides about steps: the witness as well, or the method's own error test alone, as programs do that others have printed
/// numbers of.
enum class Scrutiny { witness, method };

/// What the witness has seen in a run.
struct Testimony {
  double largest =
      0;         ///< of all defects of accepted steps, in units of the tolerance (with fixed steps: relative)
  double t = 0;  ///< where that was
  std::string entry;  ///< and in which entry of the state, or multiplier of the row
  double limit = 0;   ///< L
  enum class Steps { controlled, fixed };
  Steps steps = Steps::controlled;
  std::int64_t looks = 0, rejected = 0;  ///< steps that were looked at, attempts that were thrown away

  enum class Verdict { trusted, doubtful, untrusted };
  Verdict verdict = Verdict::trusted;

  template <class Memory>
  void remember(Memory& memory) {
    memory(largest, t, entry, limit, steps, looks, rejected, verdict);
  }

  /// What later modes, or the other runs of one, saw.
  void add(const Testimony& later);
};

}  // namespace dalembert
