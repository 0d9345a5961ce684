// Inside of a step that may be long for any one polynomial: of degree 9 through values and slopes at five points of a piece
// of the step, each computed from the one before.
//
//   misfit = d_7 min(1, 10 d_7/d_5),   d_k = |u_9 - u_k|: above what it may be, the piece is made shorter
//
// u_7 is without the middle point, u_5 without the two beside it. Where the motion is resolved, two degrees more gain about d_7/d_5;
// where it is not, all of them are wrong by about that much.
//
// A drive without freedom has steps of many turns, which are right at their ends and say nothing of the way.
#pragma once

#include <functional>
#include <vector>

#include "dalembert/core/outcome.h"
#include "dalembert/method/dense_output.h"

namespace dalembert {

/// What pieces are made of.
struct StepInside {
  std::function<Outcome(double t, double h, Vector& y)> advance;  ///< y at t becomes y at t + h
  std::function<Outcome(double t, In y, Out dy)> slope;
  std::function<double(In misfit, In y)> size;  ///< 1: as large as a misfit may be
};

class DensePieces {
 public:
  void bind(Eigen::Index n, StepInside inside);
  void build(double t0, double h, In y0, In y1);
  void operator()(double theta, Out y) const;

 private:
  struct Piece {
    double begin = 0, end = 1;
    HermiteOutput through;
  };

  void fill(double begin, double end);
  bool arrives();
  double misfit();

  Eigen::Index n_ = 0;
  StepInside inside_;
  double t0_ = 0, h_ = 0;
  std::vector<Piece> pieces_;
  std::size_t used_ = 0;
  /// Through some of the points of the piece in work.
  struct Fewer {
    std::vector<Eigen::Index> points;
    Matrix Y, D;
    HermiteOutput through;
  };
  double apart(Fewer&);  ///< d_k

  HermiteOutput whole_;
  Fewer seven_, five_;
  Matrix Y_, D_;
  Vector first_, last_, y_, finer_, coarser_;
};

}  // namespace dalembert
