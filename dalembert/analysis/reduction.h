// What linearisation.h describes: M w' = -K u - D w - S x - J'm and the rows, reduced to y' = A y, and how well entries of A are known.
//
// Each entry is a sum, and is wrong by the rounding of its parts. At an equilibrium it is also that of a position next to it, where what vanishes
// at the equilibrium itself (the spin of a rod about its own axis) is as small as the distance, and not zero: how A changes over such
// distances is looked at there.
#pragma once

#include "dalembert/analysis/linearisation.h"
#include "dalembert/analysis/motion_terms.h"

namespace dalembert {

inline constexpr double sum_error = 1e-13;  // of an entry that is evaluated, beside what it is the sum of

/// Of what rows allow: Y of positions, Z of velocities.
/// Columns that span what may be displaced and the velocities that are free, and rows that give their coordinates: Y_left Y = Z_left Z = 1.
struct Bases {
  Matrix Y, Z, Y_left, Z_left;
};
/// Orthonormal.
Bases bases_of(const MotionTerms&);
/// Of displacements that have one coordinate each for themselves: what is light, small or soft is not mixed with what is not, as where a turn of a body of
/// a milligram and the way of a car are orthonormal. For places at which nothing moves.
Bases separate_bases_of(const MotionTerms&);

/// A and what its entries stand for, in the frame X, while J and B change as the rates say.
void reduce(const MotionTerms&, const Bases&, const Matrix& X, const Matrix& J_rate, const Matrix& B_rate,
            Linearisation& out);

/// By so much rounding of what reduce() sums up may have changed entries; rates are known `rates` times worse than the rest.
Matrix doubt_of_entries(const MotionTerms&, const Bases&, const Matrix& X, const Matrix& J_rate,
                        const Matrix& B_rate, double rates, const Linearisation&);
/// By how much entries at an equilibrium change over the distance that it may be off.
Matrix doubt_of_position(const Mechanical&, const MotionTerms& here, const Bases&, const Linearisation&,
                         Time);

}  // namespace dalembert
