// The numbers a crossing decides by, each with its reason. D is the time until the position, H the length of a singular
// step, h that of the method's, tol the tolerance, sigma the smallest singular value of the scaled rows A.
//
//   D_noise = sqrt(eps_g |w| / (|sigma'| tol))    nearer than this, rounding of g exceeds the tolerance: an error eps_g in g
//                                                 is eps_g/sigma in q and eps_g/(sigma D) in v, with sigma = |sigma'| D
//   |sigma(A) - sigma(B)| <= |A - B|              [HornJohnson2013, 7.3.5]: no check is needed while A moves by less
#pragma once

#include <Eigen/Core>

namespace dalembert::singular {

// Seeing a position come.
inline constexpr double on_it =
    1e-4;  ///< sigma of unit rows that may be zero: the position itself, or nearly
inline constexpr double dependent =
    1e-8;  ///< sigma .01 further on: still zero there, so it is zero everywhere
inline constexpr double moved_little = .4;  ///< |A - A_checked| < .4 sigma leaves sigma above .6 of itself
inline constexpr double moved_nearly =
    .85;                                 ///< the same as long as the step is short against D, see `foreseen`
inline constexpr double foreseen = .15;  ///< of D: so far sigma + sigma' t is trusted
inline constexpr double in_sight =
    1;  ///< D pace: farther away A changes by its own size before, and sigma + sigma' t says nothing
inline constexpr double turned = .7;    ///< |A - B| per piece of a step that turns A without losing rank
inline constexpr int most_pieces = 16;  ///< checks inside one step
inline constexpr double meeting_margin = 1.2;  ///< two predictions from both sides miss each other by O(D^2)
inline constexpr double not_told_apart =
    .02;  ///< of tol in q: a motion nearer to dependent rows is decided by errors

inline constexpr int most_failures =
    3;  ///< of the method in one place, next to a position: then a singular step begins here
inline constexpr double in_the_way = .3;  ///< |D| pace, ahead or behind: near enough to explain them

// The length of a singular step. Gauss's formula with s nodes has order 2s, and 1/pace is the time in which A changes by
// its own size: easily H = .4 tol^(1/(2s+1))/pace.
inline constexpr double easy_share = .4;
inline constexpr double longer_than_method =
    1.5;  ///< H >= 1.5 h: nearer, the method's own equations are ill-conditioned
inline constexpr double tight = 3e-11;  ///< tol below which 8 nodes do with longer steps what 6 do above
inline constexpr int nodes = 6, nodes_if_tight = 8;
inline constexpr double centred =
    .55;  ///< D <= .55 H: H = 2 D puts the position into the gap between the middle nodes
inline constexpr double centrable = .3;  ///< D > .3 H: below, 2 D would be too short a step
inline constexpr double lengths_from = .5,
                        lengths_step = .0125;  ///< of H: other lengths are tried up to 1.25 H
inline constexpr int lengths = 60;
inline constexpr double just_behind =
    .1;  ///< of H: a position so little behind is crossed once more, from where it is
inline constexpr double watch_ahead =
    3;  ///< times (H/2 + h): a position nearer than this is checked at every step
inline constexpr double turning_step =
    .3;                                ///< of D: the longest step where the motion turns before the position
inline constexpr double crumb = 1e-2;  ///< of a time that is waited: what is left is no step of its own
inline constexpr double turning_time = 1.5;  ///< of H behind the position: until then no crossing is tried

// Judging a try. Errors are in units of tol.
inline constexpr double shorten = .6;    ///< H after a failure; the nodes of the next try lie elsewhere
inline constexpr double lengthen = 1.3;  ///< of what is tried at once, after a success
inline constexpr double most_error =
    1e-7;  ///< the estimate is optimistic: of 1, .1, 1e-3, 1e-5, 1e-7, 1e-9 this one left
           ///< the errors of runs to the method and still let every crossing through
inline constexpr double most_error_of_shortest = .1;  ///< where a shorter step would meet D_noise
inline constexpr double most_drift = 1;               ///< of the end from the constraints
inline constexpr double projection_near = .05;  ///< D < .05 H: projection divides by sigma and would do harm
inline constexpr double near_a_node =
    .6;  ///< of the middle gap: nearer to a node than planned, another length is tried
inline constexpr int corrections = 3;  ///< of a badly predicted position, before the step is judged as it is
inline constexpr int most_proposals = 8, most_tries = 40;  ///< from one place

// Do the rows meet? `gap` is the residual that cannot be removed, eps_g the rounding of g.
inline constexpr double meets = 30;    ///< gap <= 30 eps_g: the branches cross
inline constexpr double misses = 1e4;  ///< gap >= max(1e4 eps_g, tol^2): the motion turns; between, undecided
inline constexpr double same_gap =
    2;  ///< a true gap stays within this factor as H shrinks; interpolation's does not
inline constexpr int same_gaps = 2, most_gaps = 12;
inline constexpr Eigen::Index cheap_rows = 100;  ///< up to here the decomposition costs less than another try

}  // namespace dalembert::singular
