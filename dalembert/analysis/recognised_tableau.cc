#include "dalembert/analysis/recognised_tableau.h"

#include <fmt/format.h>

#include <cmath>

namespace dalembert {

namespace {

constexpr double near = 1e-13;
constexpr double collocates =
    1e-10;  // coefficients of nodes that nearly meet are large, and known to fewer digits
constexpr double nodes_near = 1e-11;  // of row sums
constexpr int digits = 60;

ExactVector powers(const Exact& x, std::size_t count) {
  ExactVector all{Exact(1)};
  while (all.size() < count) all.push_back(all.back() * x);
  return all;
}

/// A double by its digits.
Exact as_it_is(double x) {
  return Exact::parse(fmt::format("{:.80f}", x));
}

bool is_collocation(const RungeKuttaForm& form, const Vector& c) {
  const Eigen::Index s = c.size();
  Vector power = Vector::Ones(s);
  for (Eigen::Index k = 1; k <= s; ++k) {
    const Vector next = power.cwiseProduct(c);
    const auto order = static_cast<double>(k);
    if (!((form.A * power - next / order).cwiseAbs().maxCoeff() < collocates)) return false;
    if (!(std::abs(form.b.dot(power) - 1 / order) < collocates)) return false;
    power = next;
  }
  for (Eigen::Index i = 0; i < s; ++i)
    for (Eigen::Index j = 0; j < i; ++j)
      if (std::abs(c[i] - c[j]) < 1e-6) return false;
  return true;
}

/// By ascending powers: prod (x - c_i), if its coefficients are recognised.
std::optional<ExactVector> node_polynomial(const Vector& c) {
  std::vector<long double> coefficients{1};
  for (const double node : c) {
    coefficients.push_back(0);
    for (std::size_t k = coefficients.size() - 1; k > 0; --k)
      coefficients[k] = coefficients[k - 1] - static_cast<long double>(node) * coefficients[k];
    coefficients[0] *= -static_cast<long double>(node);
  }
  ExactVector exact;
  for (const long double each : coefficients) {
    const auto known = recognised(static_cast<double>(each));
    if (!known || !known->is_rational()) return {};
    exact.push_back(*known);
  }
  return exact;
}

/// Newton's iteration in decimals.
Exact refined(double start, const ExactVector& polynomial) {
  Exact x = as_it_is(start);
  for (int round = 0; round < 4; ++round) {
    Exact value, slope;
    for (std::size_t k = polynomial.size(); k-- > 0;) {
      slope = slope * x + value;
      value = value * x + polynomial[k];
    }
    x = (x - value / slope).rounded(digits);
  }
  return x;
}

/// The nodes, and how well they are known.
struct Nodes {
  ExactVector c;
  double tolerance = 0;
};

Nodes exact_nodes(const Vector& c) {
  Nodes nodes;
  for (const double each : c) {
    const auto known = recognised(each, nodes_near);
    if (!known) break;
    nodes.c.push_back(*known);
  }
  if (nodes.c.size() == static_cast<std::size_t>(c.size())) return nodes;
  const auto polynomial = node_polynomial(c);
  if (!polynomial) {  // any other ones: the method with these very nodes
    nodes = {};
    for (const double each : c) {
      const auto known = recognised(each, nodes_near);
      nodes.c.push_back(known ? *known : as_it_is(each));
    }
    return nodes;
  }
  nodes = {.c = {}, .tolerance = 1e-45};
  for (const double each : c) nodes.c.push_back(refined(each, *polynomial));
  return nodes;
}

/// The collocation method with these nodes.
ExactTableau collocation_with(const Nodes& nodes) {
  const std::size_t s = nodes.c.size();
  ExactMatrix vandermonde(s, ExactVector(s));  // sum_j a_ij c_j^{k-1}
  for (std::size_t j = 0; j < s; ++j) {
    const ExactVector power = powers(nodes.c[j], s);
    for (std::size_t k = 0; k < s; ++k) vandermonde[k][j] = power[k];
  }
  const auto weights = [&](const Exact& to) {
    const ExactVector power = powers(to, s + 1);
    ExactVector right;
    for (std::size_t k = 1; k <= s; ++k) right.push_back(power[k] / Exact(static_cast<long>(k)));
    return solve(vandermonde, right, "a collocation method");
  };
  ExactTableau exact;
  for (const Exact& node : nodes.c) exact.A.push_back(weights(node));
  exact.b = weights(Exact(1));
  exact.c = nodes.c;
  exact.tolerance = nodes.tolerance;
  return exact;
}

ExactTableau one_by_one(const RungeKuttaForm& form) {
  ExactTableau exact;
  const auto take = [&](double x) {
    if (const auto known = recognised(x)) return *known;
    exact.tolerance = near;
    return as_it_is(x);
  };
  for (Eigen::Index i = 0; i < form.A.rows(); ++i) {
    exact.A.emplace_back();
    for (Eigen::Index j = 0; j < form.A.cols(); ++j) exact.A.back().push_back(take(form.A(i, j)));
    exact.b.push_back(take(form.b[i]));
  }
  exact.c = exact.A * ExactVector(exact.b.size(), Exact(1));
  return exact;
}

double distance(const ExactTableau& exact, const RungeKuttaForm& form) {
  double most = 0;
  for (Eigen::Index i = 0; i < form.A.rows(); ++i) {
    const auto row = static_cast<std::size_t>(i);
    most = std::max(most, std::abs(exact.b[row].to_double() - form.b[i]));
    for (Eigen::Index j = 0; j < form.A.cols(); ++j)
      most = std::max(most, std::abs(exact.A[row][static_cast<std::size_t>(j)].to_double() - form.A(i, j)));
  }
  return most;
}

}  // namespace

std::optional<Exact> recognised(double x) {
  return recognised(x, near);
}

std::optional<Exact> recognised(double x, double within) {
  const double allowed = within * std::max(1.0, std::abs(x));
  for (long q = 1; q <= 5000; ++q) {
    const double p = std::round(x * static_cast<double>(q));
    if (std::abs(x - p / static_cast<double>(q)) <= allowed) return Exact(static_cast<long>(p)) / Exact(q);
  }
  constexpr long most = 60;
  for (long q = 1; q <= most; ++q)
    for (long m = -most; m <= most; ++m) {
      const double rest = x * static_cast<double>(q) - static_cast<double>(m) * std::sqrt(6.0);
      if (std::abs(rest - std::round(rest)) <= allowed * static_cast<double>(q))
        return (Exact(static_cast<long>(std::round(rest))) + Exact(m) * Exact::root6()) / Exact(q);
    }
  return {};
}

RecognisedTableau recognised(const RungeKuttaForm& form) {
  const Vector c = form.A.rowwise().sum();
  RecognisedTableau found;
  const auto nodes = is_collocation(form, c) ? std::optional(exact_nodes(c)) : std::nullopt;
  if (nodes) {
    found.exact = collocation_with(*nodes);
    found.how = nodes->tolerance == 0
                    ? "those of a collocation method with exact nodes"
                    : "those of a collocation method whose nodes, roots of a rational polynomial, "
                      "were computed to 60 digits";
  } else {
    found.exact = one_by_one(form);
    found.how = found.exact.tolerance == 0 ? "recognised one by one as fractions"
                                           : "taken by the digits of the doubles that hold them";
  }
  found.distance = distance(found.exact, form);
  return found;
}

}  // namespace dalembert
