// Pendulum chains in Cartesian coordinates: equal point masses m on massless links of length l from the
// origin, let go from the horizontal at rest.
//
//   m r_i'' = (0, -m g) - lambda_i (r_i - r_{i-1}) + lambda_{i+1} (r_{i+1} - r_i),  0 = (|r_i - r_{i-1}|^2 -
//   l^2)/2
//
// lambda_i is the tension of link i over its length. The digits in exact() are ours: Radau IIA of order 9 in
// extended precision, two tolerances alike to 15 digits. Chaotic: digits are lost quickly for t > 5.
//
// "chain" has n links, "chain-cut" is the same one cut into two fields at a link, which becomes their interface.
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/drawable.h"
#include "dalembert/problem/partitioned.h"
#include "problems/reference.h"

namespace dalembert {
namespace {

const std::vector<Parameter> parameters = {
    {"g", 9.81, "m/s^2", "gravity"}, {"l", 1, "m", "length of each link"}, {"m", 1, "kg", "each mass"}};

class PendulumChain : public Mechanical, public Drawable {
 public:
  PendulumChain(const Parameters& p, Eigen::Index links, double end = 5)
      : n_(links),
        end_(end),
        g_(p["g"]),
        l_(p.positive("l")),
        m_(p.positive("m")),
        published_(links == 3 && defaults(p, parameters)) {}

  Sizes sizes() const override { return {.q = 2 * n_, .v = 2 * n_, .holonomic = n_}; }
  Layout layout() const override;
  State start() const override {
    State state{0, Vector::Zero(5 * n_)};  // nothing pulls at rest on the horizontal: lambda = 0
    for (Eigen::Index i = 0; i < n_; ++i) state.y[2 * i] = l_ * static_cast<double>(i + 1);
    return state;
  }
  double end() const override { return end_; }
  std::optional<State> exact(double t) const override;

  void mass(const Placement&, Entries& M) const override {
    M.begin();
    for (Eigen::Index i = 0; i < 2 * n_; ++i) M.add(i, i, m_);
    M.end();
  }
  void force(const Placement&, In /*v*/, In /*s*/, Out f) const override {
    for (Eigen::Index i = 0; i < n_; ++i) {
      f[2 * i] = 0;
      f[2 * i + 1] = -m_ * g_;
    }
  }
  void g(const Placement& at, Out residual) const override {
    for (Eigen::Index i = 0; i < n_; ++i) residual[i] = (along(at.q, i).squaredNorm() - l_ * l_) / 2;
  }
  void jacobian(const Placement& at, Entries& J) const override { write_rows(at.q, J); }
  void bias(const Placement&, In v, Out bias) const override {
    for (Eigen::Index i = 0; i < n_; ++i) bias[i] = along(v, i).squaredNorm();
  }
  std::optional<double> energy(const Placement& at, In v, In /*s*/) const override {
    double height = 0;
    for (Eigen::Index i = 0; i < n_; ++i) height += at.q[2 * i + 1];
    return m_ * (v.squaredNorm() / 2 + g_ * height);
  }
  void derivatives(const Placement&, In v, In /*s*/, In /*a*/, In l, Derivatives& d) const override {
    d.K.begin();
    for (Eigen::Index i = 0; i < 2 * n_; ++i) {
      const Eigen::Index link = i / 2;  // this one and the next pull at the mass
      const double next = link + 1 < n_ ? l[link + 1] : 0;
      if (link > 0) d.K.add(i, i - 2, -l[link]);
      d.K.add(i, i, l[link] + next);
      if (link + 1 < n_) d.K.add(i, i + 2, -next);
    }
    d.K.end();
    write_rows(v, d.B);
  }
  Sketch sketch() const override {
    Sketch all{.points = {"O"}, .parts = {{Sketch::Kind::support, "ground", {0}}}};
    for (int i = 1; i <= static_cast<int>(n_); ++i) {
      all.points.push_back("mass" + std::to_string(i));
      all.parts.push_back({Sketch::Kind::rope, "link" + std::to_string(i), {i - 1, i}});
    }
    for (int i = 1; i <= static_cast<int>(n_); ++i)
      all.parts.push_back({Sketch::Kind::ball, "mass" + std::to_string(i), {i}});
    return all;
  }
  Eigen::Matrix3Xd sketch_points(const State& state) const override {
    std::vector<Eigen::Vector2d> points = {{0, 0}};
    for (Eigen::Index i = 0; i < n_; ++i) points.emplace_back(state.y.segment<2>(2 * i));
    return in_plane(points);
  }

 private:
  /// The difference of mass i to the one before it (the origin before the first).
  static Eigen::Vector2d along(In x, Eigen::Index i) {
    if (i == 0) return x.head<2>();
    return x.segment<2>(2 * i) - x.segment<2>(2 * i - 2);
  }

  /// J at the positions x; as the rows are quadratic, d(J v)/dq is J at x = v.
  void write_rows(In x, Entries& rows) const {
    rows.begin();
    for (Eigen::Index i = 0; i < n_; ++i) {
      const Eigen::Vector2d d = along(x, i);
      for (Eigen::Index k = 0; k < 2; ++k) {
        if (i > 0) rows.add(i, 2 * i - 2 + k, -d[k]);
        rows.add(i, 2 * i + k, d[k]);
      }
    }
    rows.end();
  }

  Eigen::Index n_;
  double end_, g_, l_, m_;
  bool published_;  // the reference digits hold for these parameters
};

Layout PendulumChain::layout() const {
  const auto size = static_cast<std::size_t>(n_);
  Names names;
  for (Eigen::Index i = 1; i <= n_; ++i) {
    const std::string number = std::to_string(i);
    for (const std::string axis : {"x", "y"}) {
      names.q.push_back(axis + number);
      names.v.push_back(axis + number + "'");
    }
    names.lambda.push_back("link" + number);
  }
  names.q_units.assign(2 * size, "m");
  names.v_units.assign(2 * size, "m/s");
  names.lambda_units.assign(size, "N/m");
  return mechanical_layout(std::move(names));
}

std::optional<State> PendulumChain::exact(double t) const {
  if (!published_) return {};
  constexpr double none = not_a_number;
  return digits_at(
      t, {{1,
           {-0.141615433602796, -0.989921748910232, -0.304864029424576, -1.97650671532834, -1.06283214052639,
            -2.62879832385381, none, none, none, none, none, none, 57.7270252131161, 44.5853702226131,
            25.6857189178898}},
          {2,
           {-0.969212515083052, -0.246225710693227, -1.96443281842506, -0.148570460881197, -2.91920589971030,
            -0.445905899826968, none, none, none, none, none, none, 21.5663819550184, 13.0926246161381,
            6.40534708059640}},
          {3,
           {0.474333668139864, -0.880345143264266, 1.37990352589871, -1.30454230581799, 2.36582975018161,
            -1.47172328640869, none, none, none, none, none, none, none, none, none}},
          {5,
           {-0.972533571175210, -0.232762653656450, -1.81303174503541, -0.774577031222855, -2.68071684876190,
            -0.277462798102196, -0.254505817896501, 1.06338129453136, -1.54652250372628, 3.06764273534878,
            -1.49440019207235, 3.15861931654622, 11.9101187220900, 8.93579675474359, 2.06048026338216}}});
}

const Parameter links = {"n", 20, "", "number of links"};
constexpr int most_links = 100000;
constexpr double chain_end = 1;  // the free end of a long chain is soon chaotic

std::vector<Parameter> parameters_and(std::vector<Parameter> more) {
  more.insert(more.begin(), parameters.begin(), parameters.end());
  return more;
}

std::shared_ptr<const Mechanical> make_chain(const Parameters& p) {
  return std::make_shared<const PendulumChain>(p, p.count("n", 1, most_links), chain_end);
}

}  // namespace

std::vector<ProblemEntry> problems_in_triple_pendulum() {
  return {
      {"chain", "n masses on n links in Cartesian coordinates", Kind::mechanical, "HairerWanner1996",
       parameters_and({links}), make_chain},
      {"chain-cut", "chain cut into two fields, held together by one link", Kind::partitioned,
       "WangHouModnak2011", parameters_and({links, {"cut", 10, "", "number of masses in the first field"}}),
       [](const Parameters& p) {
         return cut_in_two(make_chain(p), 2 * p.count("cut", 1, p.count("n", 2, most_links) - 1));
       }},
      {"double-pendulum", "two masses on two links in Cartesian coordinates", Kind::mechanical,
       "HairerWanner1996", parameters,
       [](const Parameters& p) { return std::make_shared<const PendulumChain>(p, 2); }},
      {"triple-pendulum", "three masses on three links in Cartesian coordinates", Kind::mechanical,
       "HairerWanner1996", parameters,
       [](const Parameters& p) { return std::make_shared<const PendulumChain>(p, 3); }}};
}

}  // namespace dalembert
