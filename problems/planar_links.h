// Bars in the plane, joined at their ends: three coordinates x, y, phi per bar, those of its centre of mass.
//
//   m x'' = -J'lambda,  m y'' = -m g - J'lambda,  I phi'' = -J'lambda
//   0 = sum over the bars of a row: sign (x + s cos phi) - c   or   sign (y + s sin phi) - c
//
// s is the distance of the joint from the centre along the bar.
#pragma once

#include <string>
#include <vector>

#include "dalembert/core/trigonometry.h"
#include "dalembert/problem/drawable.h"
#include "dalembert/problem/mechanical.h"

namespace dalembert {

class PlanarLinks : public Mechanical, public Drawable {
 public:
  Sizes sizes() const override {
    return {.q = 3 * count(), .v = 3 * count(), .holonomic = static_cast<Eigen::Index>(rows_.size())};
  }
  Layout layout() const override {
    Names names;
    for (const Link& link : links_)
      for (const std::string& what : {std::string("x"), std::string("y"), std::string("phi")}) {
        const bool angle = what == "phi";
        names.q.push_back(link.name + "." + what);
        names.v.push_back(link.name + "." + what + "'");
        names.q_units.emplace_back(angle ? "rad" : "m");
        names.v_units.emplace_back(angle ? "rad/s" : "m/s");
      }
    for (const Row& row : rows_) {
      names.lambda.push_back(row.name);
      names.lambda_units.emplace_back("N");
    }
    return mechanical_layout(std::move(names));
  }

  std::unique_ptr<Placement> placement() const override {
    auto at = std::make_unique<Angles>();
    at->of.resize(links_.size());
    return at;
  }
  void place(Placement& at) const override {
    auto& angles = static_cast<Angles&>(at).of;
    const double* of_link = at.q.data() + 2;
    std::size_t i = 0;
    for (; i + 4 <= links_.size(); i += 4, of_link += 12) {
      const auto four = sin_cos(of_link[0], of_link[3], of_link[6], of_link[9]);
      std::copy(four.begin(), four.end(), angles.begin() + static_cast<std::ptrdiff_t>(i));
    }
    for (; i < links_.size(); ++i, of_link += 3) angles[i] = sin_cos(*of_link);
  }

  void mass(const Placement&, Entries& M) const override {
    M.begin();
    for (std::size_t i = 0; i < links_.size(); ++i) {
      M.add(3 * index(i), 3 * index(i), links_[i].mass);
      M.add(3 * index(i) + 1, 3 * index(i) + 1, links_[i].mass);
      M.add(3 * index(i) + 2, 3 * index(i) + 2, links_[i].inertia);
    }
    M.end();
  }
  void force(const Placement&, In /*v*/, In /*s*/, Out f) const override {
    f.setZero();
    for (std::size_t i = 0; i < links_.size(); ++i) f[3 * index(i) + 1] = -links_[i].mass * gravity_;
  }
  void g(const Placement& at, Out residual) const override {
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      double sum = -rows_[r].constant;
      for (const End& end : rows_[r].ends) {
        const SinCos& angle = angles(at)[static_cast<std::size_t>(end.link)];
        sum += end.sign * (at.q[3 * end.link + static_cast<int>(rows_[r].axis)] +
                           end.arm * (rows_[r].axis == Axis::horizontal ? angle.cos : angle.sin));
      }
      residual[index(r)] = sum;
    }
  }
  void jacobian(const Placement& at, Entries& J) const override {
    J.begin();
    for (std::size_t r = 0; r < rows_.size(); ++r)
      for (const End& end : rows_[r].ends) {
        const SinCos& angle = angles(at)[static_cast<std::size_t>(end.link)];
        J.add(index(r), 3 * end.link + static_cast<int>(rows_[r].axis), end.sign);
        J.add(index(r), 3 * end.link + 2,
              end.sign * end.arm * (rows_[r].axis == Axis::horizontal ? -angle.sin : angle.cos));
      }
    J.end();
  }
  void bias(const Placement& at, In v, Out bias) const override {
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      double sum = 0;
      for (const End& end : rows_[r].ends) {
        const double w = v[3 * end.link + 2];
        sum += hessian(at, rows_[r], end) * w * w;
      }
      bias[index(r)] = sum;
    }
  }
  std::optional<double> energy(const Placement& at, In v, In /*s*/) const override {
    double sum = 0;
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const Link& link = links_[i];
      const Eigen::Index k = 3 * index(i);
      sum += link.mass * ((v[k] * v[k] + v[k + 1] * v[k + 1]) / 2 + gravity_ * at.q[k + 1]) +
             link.inertia * v[k + 2] * v[k + 2] / 2;
    }
    return sum;
  }
  void derivatives(const Placement& at, In v, In /*s*/, In /*a*/, In l, Derivatives& d) const override {
    d.K.begin();
    for (std::size_t r = 0; r < rows_.size(); ++r)
      for (const End& end : rows_[r].ends)
        d.K.add(3 * end.link + 2, 3 * end.link + 2, hessian(at, rows_[r], end) * l[index(r)]);
    d.K.end();
    d.B.begin();
    for (std::size_t r = 0; r < rows_.size(); ++r)
      for (const End& end : rows_[r].ends)
        d.B.add(index(r), 3 * end.link + 2, hessian(at, rows_[r], end) * v[3 * end.link + 2]);
    d.B.end();
  }

  /// Both ends of each bar; what is pinned to the ground stands on it.
  Sketch sketch() const override {
    Sketch all;
    for (const Link& link : links_) {
      const int first = static_cast<int>(all.points.size());
      all.points.push_back(link.name + " begin");
      all.points.push_back(link.name + " end");
      all.parts.push_back({Sketch::Kind::link, link.name, {first, first + 1}});
    }
    for (const Row& each : rows_)
      if (each.ends.size() == 1) {
        const int end = static_cast<int>(2 * each.ends[0].link) + (each.ends[0].arm > 0 ? 1 : 0);
        const bool pinned = each.name.ends_with(".x");
        if (pinned || !each.name.ends_with(".y"))
          all.parts.push_back({pinned ? Sketch::Kind::support : Sketch::Kind::ball, each.name, {end}});
      }
    return all;
  }
  Eigen::Matrix3Xd sketch_points(const State& state) const override {
    std::vector<Eigen::Vector2d> all;
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const auto q = state.y.segment<3>(3 * index(i));
      const auto [sin, cos] = sin_cos(q[2]);
      for (const double side : {-.5, .5})
        all.emplace_back(q[0] + side * links_[i].length * cos, q[1] + side * links_[i].length * sin);
    }
    return in_plane(all);
  }

 protected:
  enum class Axis { horizontal, vertical };
  struct End {
    Eigen::Index link;
    double arm, sign;
  };
  explicit PlanarLinks(double gravity) : gravity_(gravity) {}

  /// A uniform bar; returns its number.
  Eigen::Index add_link(std::string name, double mass, double length) {
    links_.push_back({std::move(name), mass, mass * length * length / 12, length});
    return count() - 1;
  }
  void add_row(std::string name, Axis axis, std::vector<End> ends, double constant) {
    rows_.push_back({std::move(name), axis, std::move(ends), constant});
  }
  /// Both rows of a pin.
  void add_pin(const std::string& name, const std::vector<End>& ends, double px, double py) {
    add_row(name + ".x", Axis::horizontal, ends, px);
    add_row(name + ".y", Axis::vertical, ends, py);
  }
  double gravity() const { return gravity_; }

 private:
  struct Link {
    std::string name;
    double mass, inertia, length;
  };
  struct Row {
    std::string name;
    Axis axis;
    std::vector<End> ends;
    double constant;
  };
  struct Angles : Placement {
    std::vector<SinCos> of;
  };
  static const std::vector<SinCos>& angles(const Placement& at) { return static_cast<const Angles&>(at).of; }
  static Eigen::Index index(std::size_t i) { return static_cast<Eigen::Index>(i); }
  Eigen::Index count() const { return index(links_.size()); }

  /// The second derivative of a row with respect to the angle of one of its bars.
  static double hessian(const Placement& at, const Row& row, const End& end) {
    const SinCos& angle = angles(at)[static_cast<std::size_t>(end.link)];
    return -end.sign * end.arm * (row.axis == Axis::horizontal ? angle.cos : angle.sin);
  }

  double gravity_;
  std::vector<Link> links_;
  std::vector<Row> rows_;
};

}  // namespace dalembert
