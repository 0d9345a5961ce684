// Collects what is wrong with a model, so that all of it can be said at once.
#pragma once

#include <string>
#include <vector>

#include "dalembert/model/document.h"

namespace dalembert {

class Complaints {
 public:
  static constexpr std::size_t most = 100;  ///< more are not read by anybody

  /// Throws ModelError when there are too many.
  void add(Complaint);
  void add(const Document&, const Spot&, const std::string& what, const std::string& hint);
  /// About a piece of a text value, which begins at that byte.
  void add_in_text(const Document&, const Value&, std::size_t byte, std::size_t length,
                   const std::string& what, const std::string& hint);
  /// "unknown body 'crnk'; did you mean 'crank'?"
  void add_unknown(const Document&, const Spot&, const std::string& what, const std::string& name,
                   const std::vector<std::string>& known);

  /// Something that can be simulated, but looks like a slip of the pen.
  void remark(const Document&, const Spot&, const std::string& what, const std::string& hint);
  const std::vector<Complaint>& remarks() const { return remarks_; }

  std::size_t count() const { return all_.size(); }
  /// Throws ModelError if there are any.
  void settle();

 private:
  std::vector<Complaint> all_, remarks_;
};

}  // namespace dalembert
