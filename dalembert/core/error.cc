#include "dalembert/core/error.h"

#include <algorithm>
#include <cstddef>

namespace dalembert {

namespace {

std::size_t distance(const std::string& a, const std::string& b) {
  const std::size_t n = a.size(), m = b.size();
  std::vector<std::vector<std::size_t>> d(n + 1, std::vector<std::size_t>(m + 1));
  for (std::size_t i = 0; i <= n; ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= m; ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= n; ++i)
    for (std::size_t j = 1; j <= m; ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[n][m];
}

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

}  // namespace

std::string nearest(const std::string& misspelt, const std::vector<std::string>& known) {
  std::string best;
  std::size_t least = std::max<std::size_t>(2, misspelt.size() / 3) + 1;
  for (const auto& name : known) {
    const bool begins = misspelt.size() >= 3 && name.rfind(misspelt, 0) == 0;
    const std::size_t d = lower(name) == lower(misspelt) ? 0 : begins ? 1 : distance(misspelt, name);
    if (d < least) {
      least = d;
      best = name;
    }
  }
  return best;
}

Error unknown(const std::string& what, const std::string& name, const std::vector<std::string>& known) {
  const std::string near = nearest(name, known);
  if (!near.empty()) return Error("unknown " + what + " '" + name + "'", "did you mean '" + near + "'?");
  std::string all;
  std::vector<std::string> named;  // a name may stand for several, which differ in what they are made for
  for (const auto& k : known)
    if (std::find(named.begin(), named.end(), k) == named.end()) named.push_back(k);
  for (const auto& k : named) all += (all.empty() ? "" : ", ") + k;
  return Error("unknown " + what + " '" + name + "'", known.empty() ? "there are none" : "known are: " + all);
}

}  // namespace dalembert
