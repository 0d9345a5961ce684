#include "dalembert/method/half_explicit/dense_pieces.h"

#include <algorithm>
#include <cmath>

namespace dalembert {

namespace {

const double edge = 0.5 - std::sqrt(0.125);  // Chebyshev nodes
constexpr Eigen::Index points = 5;
constexpr double caution = 10;           // of how much two degrees more gain
constexpr double shortest = 1.0 / 1024;  // of the step; a piece that is still wrong then stays so
constexpr double fits_easily =
    1.0 / 256;  // the next piece may be twice as long: degree 7 gains 2^8 by halving

double node(Eigen::Index k) {
  const double of[points] = {0, edge, 0.5, 1 - edge, 1};
  return of[k];
}

}  // namespace

void DensePieces::bind(Eigen::Index n, StepInside inside) {
  n_ = n;
  inside_ = std::move(inside);
  seven_.points = {0, 1, 3, 4};
  five_.points = {0, 2, 4};
  whole_.bind(n, {node(0), node(1), node(2), node(3), node(4)});
  for (Fewer* fewer : {&seven_, &five_}) {
    std::vector<double> nodes;
    for (const Eigen::Index k : fewer->points) nodes.push_back(node(k));
    fewer->Y = fewer->D = Matrix::Zero(n, static_cast<Eigen::Index>(nodes.size()));
    fewer->through.bind(n, std::move(nodes));
  }
  Y_ = D_ = Matrix::Zero(n, points);
  for (Vector* v : {&first_, &last_, &y_, &finer_, &coarser_}) *v = Vector::Zero(n);
  pieces_.assign(1, {0, 1, whole_});
  used_ = 0;
}

void DensePieces::build(double t0, double h, In y0, In y1) {
  t0_ = t0;
  h_ = h;
  first_ = y0;
  last_ = y1;
  used_ = 0;
  double begin = 0, length = 1;
  while (begin < 1) {
    double end = begin + 1.01 * length >= 1 ? 1 : begin + length;
    fill(begin, end);
    const double wrong = misfit();
    if (!(wrong <= 1) && end - begin > shortest) {  // what is no number may be one nearer to the begin
      length = (end - begin) / 2;
      continue;
    }
    if (std::isnan(wrong)) end = 1;  // there is nothing to go on from
    if (used_ == pieces_.size()) pieces_.push_back(pieces_.back());
    Piece& piece = pieces_[used_++];
    piece.begin = begin, piece.end = end, piece.through = whole_;
    first_ = Y_.col(points - 1);
    begin = end;
    if (wrong < fits_easily) length *= 2;
  }
  if (used_ == 1 || arrives()) return;
  // The way leads elsewhere than the step: what it met (a short push) shall be seen by those who judge the step by its inside.
  first_ = y0;
  fill(0, 1);
  used_ = 1;
  pieces_[0].begin = 0, pieces_[0].end = 1, pieces_[0].through = whole_;
}

/// Does the last way lead to the end of the step?
bool DensePieces::arrives() {
  const Piece& piece = pieces_[used_ - 1];
  const double before = piece.begin + node(points - 2) * (piece.end - piece.begin);
  y_ = Y_.col(points - 2);
  if (inside_.advance(t0_ + before * h_, (1 - before) * h_, y_) != Outcome::ok) return false;
  y_ -= last_;
  return inside_.size(y_, last_) <= 1;
}

/// Values and slopes from first_ on.
void DensePieces::fill(double begin, double end) {
  double before = begin;
  y_ = first_;
  for (Eigen::Index k = 0; k < points; ++k) {
    const double theta = k + 1 == points ? end : begin + node(k) * (end - begin);
    if (theta == 1)
      y_ = last_;
    else if (k > 0 && inside_.advance(t0_ + before * h_, (theta - before) * h_, y_) != Outcome::ok)
      y_.setConstant(not_a_number);
    before = theta;
    Y_.col(k) = y_;
    if (inside_.slope(t0_ + theta * h_, y_, D_.col(k)) != Outcome::ok) D_.col(k).setConstant(not_a_number);
  }
  D_ *= (end - begin) * h_;
  whole_.build(Y_, D_);
}

double DensePieces::misfit() {
  const double seven = apart(seven_), five = apart(five_);
  return caution * seven < five ? seven * (caution * seven / five) : seven;
}

/// At two points beside the middle, so that neither an even nor an odd difference is missed.
double DensePieces::apart(Fewer& fewer) {
  for (Eigen::Index k = 0; k < fewer.Y.cols(); ++k) {
    fewer.Y.col(k) = Y_.col(fewer.points[static_cast<std::size_t>(k)]);
    fewer.D.col(k) = D_.col(fewer.points[static_cast<std::size_t>(k)]);
  }
  fewer.through.build(fewer.Y, fewer.D);
  double largest = 0;
  for (const double theta : {0.35, 0.65}) {
    whole_(theta, finer_);
    fewer.through(theta, coarser_);
    coarser_ -= finer_;
    const double size = inside_.size(coarser_, finer_);
    if (!(size <= largest)) largest = size;
  }
  return largest;
}

void DensePieces::operator()(double theta, Out y) const {
  const auto end = pieces_.begin() + static_cast<std::ptrdiff_t>(used_);
  const auto piece = std::find_if(pieces_.begin(), end - 1, [&](const Piece& p) { return theta <= p.end; });
  piece->through((theta - piece->begin) / (piece->end - piece->begin), y);
}

}  // namespace dalembert
