// Mistakes of the caller: thrown before the first step, with what would be right.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace dalembert {

/// A wrong name, option, file or pair. `hint` says what would be right.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what, std::string hint = {})
      : std::runtime_error(what), hint_(std::move(hint)) {}
  const std::string& hint() const { return hint_; }
  /// "what; hint", as the command line prints it.
  std::string sentence() const { return hint_.empty() ? what() : std::string(what()) + "; " + hint_; }

 private:
  std::string hint_;
};

/// The known name nearest to a misspelt one (Damerau-Levenshtein), or "" if none is near.
std::string nearest(const std::string& misspelt, const std::vector<std::string>& known);

/// An Error "unknown <what> 'name'" whose hint names the nearest one, or the way to list all.
Error unknown(const std::string& what, const std::string& name, const std::vector<std::string>& known);

}  // namespace dalembert
