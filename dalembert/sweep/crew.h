// Processes that make the runs of a sweep together: one leads, hands cases out and keeps the rows, the others follow.
#pragma once

#include <optional>
#include <string>

namespace dalembert {

/// Processes that can send each other bytes. Number 0 leads.
class Crew {
 public:
  virtual ~Crew() = default;
  virtual int size() const = 0;    ///< of all processes
  virtual int number() const = 0;  ///< of this one
  bool leads() const { return number() == 0; }

  struct Letter {
    int from = 0;
    std::string bytes{};
  };
  enum class Wait { no, yes };
  /// Throws Error if it cannot be delivered.
  virtual void send(int to, const std::string& bytes) = 0;
  /// The next letter from anyone; nothing if there is none and nobody waits.
  virtual std::optional<Letter> receive(Wait) = 0;
};

}  // namespace dalembert
