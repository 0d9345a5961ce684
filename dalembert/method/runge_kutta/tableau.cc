#include "dalembert/method/runge_kutta/tableau.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <mutex>

#include "dalembert/core/error.h"

namespace dalembert {

std::vector<CoefficientTerm> coefficient_terms(std::string_view text) {
  std::vector<CoefficientTerm> terms;
  std::size_t at = 0;
  const auto fail = [&]() {
    return Error("'" + std::string(text) + "' is not a coefficient", "as in 2/5-1/10r");
  };
  const auto number = [&]() {
    const std::size_t begin = at;
    while (at < text.size() && (std::isdigit(static_cast<unsigned char>(text[at])) || text[at] == '.')) ++at;
    if (at == begin) throw fail();
    return std::string(text.substr(begin, at - begin));
  };
  while (at < text.size()) {
    CoefficientTerm term;
    if (text[at] == '-' || text[at] == '+')
      term.negative = text[at++] == '-';
    else if (!terms.empty())
      throw fail();
    term.numerator = number();
    term.denominator = "1";
    if (at < text.size() && text[at] == '/') {
      ++at;
      term.denominator = number();
    }
    if (at < text.size() && text[at] == 'r') {
      term.times_r = true;
      ++at;
    }
    terms.push_back(std::move(term));
  }
  if (terms.empty()) throw fail();
  return terms;
}

namespace {

/// Digits, of which there may be more than an integer has.
long double whole(const std::string& digits) {
  long double value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

}  // namespace

double coefficient(std::string_view text) {
  // Most are decimal numbers, which are read at once.
  const bool negative = text.starts_with('-');
  const std::string_view digits = text.substr(negative || text.starts_with('+') ? 1 : 0);
  if (!digits.empty() && digits.find_first_not_of("0123456789.") == digits.npos) {
    double value = 0;
    const auto [end, trouble] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (trouble == std::errc() && end == digits.data() + digits.size()) return negative ? -value : value;
  }
  long double sum = 0;
  for (const auto& term : coefficient_terms(text)) {
    const long double value = whole(term.numerator) / whole(term.denominator);
    sum += (term.negative ? -value : value) * (term.times_r ? std::sqrt(6.0L) : 1.0L);
  }
  return static_cast<double>(sum);
}

const Tableau& Tableau::of(const char* picture) {
  static std::mutex guard;
  static std::map<const char*, Tableau> known;
  const std::lock_guard lock(guard);
  const auto found = known.find(picture);
  return found != known.end() ? found->second : known.emplace(picture, parse(picture)).first->second;
}

Tableau Tableau::parse(std::string_view picture) {
  Tableau t;
  bool weights = false;
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  const auto words = [&](std::string_view s) {
    std::vector<std::string> all;
    for (auto at = std::find_if_not(s.begin(), s.end(), blank); at != s.end();) {
      const auto end = std::find_if(at, s.end(), blank);
      all.emplace_back(at, end);
      at = std::find_if_not(end, s.end(), blank);
    }
    return all;
  };
  for (std::size_t begin = 0, end = 0; begin < picture.size(); begin = end + 1) {
    end = std::min(picture.find('\n', begin), picture.size());
    const std::string_view line = picture.substr(begin, end - begin);
    if (std::all_of(line.begin(), line.end(), blank)) continue;
    if (line.find("-+") != line.npos) {
      weights = true;
      continue;
    }
    const auto bar = line.find('|');
    if (bar == line.npos) throw Error("tableau line without '|': " + std::string(line));
    const auto left = words(line.substr(0, bar));
    auto right = words(line.substr(bar + 1));
    if (weights) {
      (t.b_text.empty() ? t.b_text : t.embedded_text) = std::move(right);
      continue;
    }
    if (left.size() != 1 || right.size() != t.A_text.size())
      throw Error("tableau row " + std::to_string(t.A_text.size() + 1) +
                  " must read c | a_i1 .. a_i,i-1: " + std::string(line));
    t.c_text.push_back(left[0]);
    t.A_text.push_back(std::move(right));
  }
  const std::size_t s = t.A_text.size();
  if (s == 0 || t.b_text.size() != s || (!t.embedded_text.empty() && t.embedded_text.size() != s))
    throw Error("a tableau of " + std::to_string(s) + " stages needs as many weights");

  t.stages = static_cast<Eigen::Index>(s);
  t.A = Matrix::Zero(t.stages, t.stages);
  const auto read = [](const std::vector<std::string>& texts) {
    Vector values(static_cast<Eigen::Index>(texts.size()));
    for (std::size_t i = 0; i < texts.size(); ++i)
      values[static_cast<Eigen::Index>(i)] = coefficient(texts[i]);
    return values;
  };
  for (std::size_t i = 0; i < s; ++i)
    t.A.row(static_cast<Eigen::Index>(i)).head(static_cast<Eigen::Index>(i)) = read(t.A_text[i]).transpose();
  t.b = read(t.b_text);
  t.c = read(t.c_text);
  if (!t.embedded_text.empty()) t.embedded = read(t.embedded_text);
  for (Eigen::Index i = 0; i < t.stages; ++i)
    if (std::abs(t.A.row(i).sum() - t.c[i]) > 1e-13 * (1 + t.A.row(i).cwiseAbs().sum()))
      throw Error("tableau row " + std::to_string(i + 1) + " does not sum to its node");
  return t;
}

}  // namespace dalembert
