// Problems from functions, without a class of their own:
//
//   ode(0, Vector{{1, 0}}, [](auto, const auto& y, auto&& dy) { dy << y[1], -y[0]; }, {.end = 10})
//
// Functions write their result into their last argument. Those that have to be differentiated are so exactly if they are
// written with `auto`, by differences if they are written for doubles (differentiable.h). Matrices are dense: a large
// problem, and one with rotations, first-order states or velocity-level rows, is better a class of its own.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dalembert/problem/automatic.h"
#include "dalembert/problem/differences.h"
#include "dalembert/problem/differentiable.h"
#include "dalembert/problem/events.h"
#include "dalembert/problem/hessenberg.h"
#include "dalembert/problem/mechanical.h"
#include "dalembert/problem/ode.h"

namespace dalembert {

/// An event whose value is a function of the complete state; it happens where the value crosses zero.
struct EventFunction {
  std::string name;                           ///< in reports
  std::function<double(const State&)> value;  ///< what crosses zero
  Direction direction = Direction::either;    ///< of the crossings that count
  /// Called at the crossing; may change the state and must then answer `restart`. None: the event is only noted.
  std::function<EventResponse(State&)> respond{};
  bool multipliers = false;  ///< does the value look at multipliers? Otherwise they are not computed for it.
};

/// What an ordinary or a Hessenberg problem from functions may say besides.
struct ProblemOptions {
  std::optional<double> end{};  ///< where runs stop unless told otherwise; one unit of time after the start
  std::vector<std::string> names{}, units{};  ///< one per entry of the state
  std::function<Vector(double t)>
      exact{};  ///< the solution, where it is known; NaN marks entries that are not
  std::vector<EventFunction> events{};
};

/// y' = f(t,y), y(t0) = y0, with f(t, y, dy).
std::shared_ptr<const Ode> ode(double t0, Vector y0, Differentiable f, ProblemOptions = {});

/// What hessenberg() makes: f is a function of t and (y,z).
std::shared_ptr<const Hessenberg> hessenberg_of(double t0, Vector y0, Vector z0, Differentiable f,
                                                Differentiable g, ProblemOptions);

/// y' = f(t,y,z), 0 = g(t,y), of index 2, with f(t, y, z, dy) and g(t, y, residual). The algebraic entries z0 need only be
/// a guess. Names and units are those of y, then of z.
template <class F>
std::shared_ptr<const Hessenberg> hessenberg(double t0, Vector y0, Vector z0, F f, Differentiable g,
                                             ProblemOptions options = {}) {
  const Eigen::Index n = y0.size();
  auto joined = [ f = std::move(f), n ](const auto& t, const auto& yz, auto&& dy) requires requires {
    f(t, yz.head(n), yz.tail(n), dy);
  }
  { f(t, yz.head(n), yz.tail(yz.size() - n), dy); };
  return hessenberg_of(t0, std::move(y0), std::move(z0), Differentiable(std::move(joined)), std::move(g),
                       std::move(options));
}

/// What an implicit problem from a function may say besides.
struct ImplicitOptions {
  std::optional<double> end{};  ///< where runs stop unless told otherwise; one unit of time after the start
  /// Names, units, and for each block its role and index: 1 unless it costs differentiations, 2 or 3 if it does. One block
  /// of differential entries of index 1 unless given.
  Layout layout{};
  std::function<Vector(double t)>
      exact{};  ///< the solution, where it is known; NaN marks entries that are not
  std::vector<EventFunction> events{};
  Vector typical_sizes{};  ///< of the entries, for differences; all are 1 unless given
};

/// What F(t,y,y') = 0 has besides F.
class ImplicitFrame : public Implicit {
 public:
  ImplicitFrame(double t0, Vector y0, ImplicitOptions);
  ~ImplicitFrame() override;
  Layout layout() const override { return options_.layout; }
  State start() const override { return start_; }
  double end() const override { return *options_.end; }
  std::optional<State> exact(double t) const override;
  const Events* events() const override { return events_.get(); }
  Vector typical_sizes() const { return options_.typical_sizes; }
  void check() const;  ///< throws Error if F does not write all of its residual

 private:
  State start_;
  ImplicitOptions options_;
  std::unique_ptr<const Events> events_;
};

/// F as a member: for any kind of number, or for doubles.
template <class Function>
class ImplicitFunction : public ImplicitFrame {
 public:
  ImplicitFunction(double t0, Vector y0, Function F, ImplicitOptions options)
      : ImplicitFrame(t0, std::move(y0), std::move(options)), F_(std::move(F)) {}

  template <class Number>
  void residual(double t, const Number* y, const Number* dy, Number* r) const {
    using Whole = VectorOf<Number>;
    const Eigen::Index n = layout().size();
    const Eigen::Map<const Whole> y_map(y, n), dy_map(dy, n);
    const Eigen::Ref<const Whole> y_ref(y_map), dy_ref(dy_map);
    Eigen::Map<Whole> r_map(r, n);
    Eigen::Ref<Whole> r_ref(r_map);
    F_(t, y_ref, dy_ref, r_ref);
  }
  void F(double t, In y, In dy, Out r) const override { F_(t, y, dy, r); }

 private:
  Function F_;
};

/// F(t,y,y') = 0, y(t0) = y0, of index 1 to 3, with F(t, y, dy, residual). The Jacobians are exact if F is written with
/// `auto`, by coloured differences otherwise.
template <class F>
std::shared_ptr<const Implicit> implicit(double t0, Vector y0, F residual, ImplicitOptions options = {}) {
  using Whole = ImplicitFunction<F>;
  using Read = const Eigen::Ref<const VectorOf<Traced>>&;
  using Write = Eigen::Ref<VectorOf<Traced>>&;
  using Made = std::conditional_t<std::invocable<const F&, double, Read, Read, Write>,
                                  AutomaticImplicit<Whole>, DifferencedImplicit<Whole>>;
  auto made = std::make_shared<const Made>(t0, std::move(y0), std::move(residual), std::move(options));
  made->check();
  return made;
}

/// M(t,q): a diagonal, a constant matrix, or a function M(t, q, M) that writes all entries of a square matrix.
using Mass = std::variant<Vector, Matrix, std::function<void(double t, In q, Matrix& M)>>;
/// f(t, q, v, f)
using Force = std::function<void(double t, In q, In v, Out f)>;

/// Where a mechanical problem begins.
struct MechanicalStart {
  double t = 0;
  Vector q, v;
};

/// 0 = g(t,q), with g(t, q, residual).
struct Constraints {
  Eigen::Index rows = 0;
  Differentiable g;
};

/// What a mechanical problem from functions may say besides.
struct MechanicalOptions {
  std::optional<double> end{};  ///< where runs stop unless told otherwise; one unit of time after the start
  std::vector<std::string> names{}, units{};  ///< one per entry of q, then of v, then of lambda
  std::function<Vector(double t)>
      exact{};  ///< (q,v,lambda), where it is known; NaN marks entries that are not
  std::vector<EventFunction> events{};
  std::function<double(double t, In q, In v)> energy{};  ///< kinetic plus potential
  std::function<double(double t, In q, In v)> power{};   ///< of forces that are in no potential
  // Derivatives of g that are known better than differences know them.
  std::function<void(double t, In q, Matrix& G)> jacobian{};   ///< g_q
  std::function<void(double t, In q, Out w)> velocity_bias{};  ///< g_t
  std::function<void(double t, In q, In v, Out bias)> bias{};  ///< g_tt + 2 g_qt v + g_qq(v,v)
};

/// q' = v, M(t,q) v' = f(t,q,v) - G' lambda, 0 = g(t,q) with G = g_q.
std::shared_ptr<const Mechanical> mechanical(MechanicalStart, Mass, Force, Constraints,
                                             MechanicalOptions = {});
/// The same without constraints.
std::shared_ptr<const Mechanical> mechanical(MechanicalStart, Mass, Force, MechanicalOptions = {});

}  // namespace dalembert
