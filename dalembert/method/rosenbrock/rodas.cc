// rodas4, rodas5p: stiffly accurate Rosenbrock methods of order 4 and 5 with embedded ones of order 3 and 4, for stiff equations and
// for those of index 1.
//
//   rodas4   6 stages, gamma = 1/4, L-stable, dense output of order 3     [HairerWanner1996, IV.7 and VI.4, code RODAS]
//   rodas5p  8 stages, L-stable, dense output of order 4                  [Steinebach2023]
//
// rodas853: rodas5p and dop853 by turns.
#include "dalembert/core/error.h"
#include "dalembert/linear/saddle/elimination_order.h"
#include "dalembert/method/rosenbrock/by_turns.h"
#include "dalembert/method/rosenbrock/rosenbrock.h"
#include "dalembert/problem/force_directions.h"
#include "dalembert/problem/mechanical.h"

namespace dalembert {

namespace {

using Rows = std::vector<std::vector<double>>;

/// Rows of growing length, below the diagonal.
Matrix below_diagonal(const Rows& rows) {
  const auto s = static_cast<Eigen::Index>(rows.size());
  Matrix all = Matrix::Zero(s, s);
  for (Eigen::Index i = 0; i < s; ++i) {
    const std::vector<double>& row = rows[static_cast<std::size_t>(i)];
    for (std::size_t j = 0; j < row.size(); ++j) all(i, static_cast<Eigen::Index>(j)) = row[j];
  }
  return all;
}

Matrix full(const Rows& rows) {
  Matrix all(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows[0].size()));
  for (Eigen::Index i = 0; i < all.rows(); ++i)
    for (Eigen::Index j = 0; j < all.cols(); ++j)
      all(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  return all;
}

/// The last row of a is the one before and 1; of rodas5p the last two.
Rows completed(Rows a, std::size_t stages) {
  while (a.size() < stages) {
    a.push_back(a.back());
    a.back().push_back(1);
  }
  return a;
}

RosenbrockTableau make_rodas4() {
  return {"rodas4",
          0.25,
          below_diagonal(
              completed({{},
                         {1.544},
                         {0.9466785280815826, 0.2557011698983284},
                         {3.314825187068521, 2.896124015972201, 0.9986419139977817},
                         {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950}},
                        6)),
          below_diagonal({{},
                          {-5.6688},
                          {-2.430093356833875, -0.2063599157091915},
                          {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
                          {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
                          {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136,
                           -6.058818238834054}}),
          full({{10.12623508344586, -7.487995877610167, -34.80091861555747, -7.992771707568823,
                 1.025137723295662, 0},
                {-0.6762803392801253, 6.087714651680015, 16.43084320892478, 24.76722511418386,
                 -6.594389125716872, 0}}),
          3};
}

RosenbrockTableau make_rodas5p() {
  return {"rodas5p",
          0.21193756319429014,
          below_diagonal(
              completed({{},
                         {3.0},
                         {2.849394379747939, 0.45842242204463923},
                         {-6.954028509809101, 2.489845061869568, -10.358996098473584},
                         {2.8029986275628964, 0.5072464736228206, -0.3988312541770524, -0.04721187230404641},
                         {-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256,
                          0.030198172008377946}},
                        8)),
          below_diagonal({{},
                          {-14.155112264123755},
                          {-17.97296035885952, -2.859693295451294},
                          {147.12150275711716, -1.41221402718213, 71.68940251302358},
                          {165.43517024871676, -0.4592823456491126, 42.90938336958603, -5.961986721573306},
                          {24.854864614690072, -3.0009227002832186, 47.4931110020768, 5.5814197821558125,
                           -0.6610691825249471},
                          {30.91273214028599, -3.1208243349937974, 77.79954646070892, 34.28646028294783,
                           -19.097331116725623, -28.087943162872662},
                          {37.80277123390563, -3.2571969029072276, 112.26918849496327, 66.9347231244047,
                           -40.06618937091002, -54.66780262877968, -9.48861652309627}}),
          full({{25.948786856663858, -2.5579724845846235, 10.433815404888879, -2.3679251022685204,
                 0.524948541321073, 1.1241088310450404, 0.4272876194431874, -0.17202221070155493},
                {-9.91568850695171, -0.9689944594115154, 3.0438037242978453, -24.495224566215796,
                 20.176138334709044, 15.98066361424651, -6.789040303419874, -6.710236069923372},
                {11.419903575922262, 2.8879645146136994, 72.92137995996029, 80.12511834622643,
                 -52.072871366152654, -59.78993625266729, -0.15582684282751913, 4.883087185713722}}),
          4};
}

constexpr double rounding = 1e-12;  // tighter, the witness sees nothing but the rounding of stages
constexpr Strictness strictness_4{0.1, 0, rounding}, strictness_5p{0.3, 0, rounding};

/// A step of rodas5p than one of dop853: 0.65 of its instructions on a chain of 100 links, and a little more for larger errors where
/// fast waves are to be seen.
constexpr double dearer = 0.75;

/// Is it solved before its multipliers are eliminated, with derivatives that it has?
bool is_plain_motion(const Problem& problem) {
  const auto* mechanical = as<Mechanical>(&problem);
  return mechanical != nullptr && mechanical->plain() && mechanical->sizes().s == 0 &&
         as<ForceDirections>(&problem) == nullptr;
}

/// Waves run through mechanisms of many bodies, and the fastest of them limit explicit steps whether or not they are to be seen. The
/// matrix of the linearised motion is worth its price where it is sparse.
bool is_large_and_sparse(const Problem& problem) {
  constexpr Eigen::Index many = 200;  // velocities
  if (!is_plain_motion(problem)) return false;
  const auto* mechanical = as<Mechanical>(&problem);
  const auto n = mechanical->sizes();
  if (n.v < many) return false;
  const State start = mechanical->start();
  const auto at = mechanical->placed_at(start);
  Derivatives d;
  mechanical->derivatives(*at, start.y.segment(n.q, n.v), start.y.segment(n.q + n.v, 0), Vector::Zero(n.v),
                          Vector::Zero(n.rows()), d);
  if (10 * (d.K.size() + d.D.size()) >= static_cast<std::size_t>(n.v * n.v)) return false;
  // Many loops fill its factors, and only symmetric ones have fronts.
  Entries M, J;
  mechanical->mass(*at, M);
  mechanical->jacobian(*at, J);
  return bodies_first_order(blocks_by_joint(static_cast<int>(n.v), static_cast<int>(n.rows()), M, J))
      .has_value();
}

}  // namespace

const RosenbrockTableau& rosenbrock_tableau(const std::string& name) {
  static const RosenbrockTableau rodas4 = make_rodas4(), rodas5p = make_rodas5p();
  if (name == rodas4.name) return rodas4;
  if (name == rodas5p.name) return rodas5p;
  throw unknown("tableau of a Rosenbrock method", name, {rodas4.name, rodas5p.name});
}

std::vector<MethodEntry> methods_in_rodas() {
  return {{.name = "rodas4",
           .summary = "Rosenbrock method of order 4, L-stable and stiffly accurate",
           .cite = "HairerWanner1996",
           .claims = {{Kind::ode, "y", 4}},
           .adaptive = true,
           .dense_order = 3,
           .options = {},
           .make = [] { return std::make_unique<Rosenbrock>(rosenbrock_tableau("rodas4"), strictness_4); }},
          {.name = "rodas5p",
           .summary = "Rosenbrock method of order 5, L-stable and stiffly accurate",
           .cite = "Steinebach2023",
           .claims = {{Kind::ode, "y", 5}},
           .adaptive = true,
           .dense_order = 4,
           .options = {},
           .make = [] { return std::make_unique<Rosenbrock>(rosenbrock_tableau("rodas5p"), strictness_5p); }},
          {.name = "rodas853",
           .summary = "rodas5p and dop853 by turns, whichever takes less work where the motion is",
           .cite = "Steinebach2023 HairerNorsettWanner1993",
           .claims = {{Kind::ode, "y", 5}},
           .adaptive = true,
           .dense_order = 4,
           .options = {},
           .make =
               [] {
                 return std::make_unique<ByTurns>(
                     std::make_unique<Rosenbrock>(rosenbrock_tableau("rodas5p"), strictness_5p),
                     find_method("dop853").make(), dearer);
               },
           // where a motion turns out to be stiff, it goes on with the state that there is
           .preferences = {{.kind = Kind::ode, .weight = 102, .suits = is_large_and_sparse},
                           {.kind = Kind::implicit, .weight = 101, .suits = is_plain_motion}},
           .stiff = true}};
}

}  // namespace dalembert
