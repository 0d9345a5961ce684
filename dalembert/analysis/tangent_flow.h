// A motion and its neighbours: the flow of a problem on its constraint manifold, and of tangent columns along it.
//
//   z' = F(t,z),   W' = F_z(t,z) W,   0 = h(t,z),   0 = H W,   H = h_z
//
// z is what carries history: y, or (q, v, s), with multipliers eliminated. After each step z is brought back onto h = 0, which
// is (g; J v + w) of a mechanical problem, and the columns off the rows of H. Differentiated along W are the equations as they
// are evaluated: by f_y where the problem is an Ode, by central differences elsewhere.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "dalembert/control/controller.h"
#include "dalembert/core/statistics.h"
#include "dalembert/core/tolerance.h"
#include "dalembert/method/method.h"
#include "dalembert/problem/ode.h"

namespace dalembert {

struct TangentFlowOptions {
  Tolerance tolerance{1e-9, 1e-9};  ///< of z and of columns, which are of unit length now and then
  /// Open: the motion on its constraints, whatever is solved. Named: all of what the formulation makes of the problem, and with
  /// it the eigenvalues that it adds.
  std::string formulation{};
  std::map<std::string, double> options{};  ///< of the formulation
  std::map<std::string, double> start{};    ///< changed initial values, by label ("q.x"); "t" is the time
  const std::atomic<bool>* interrupt = nullptr;
};

class TangentFlow {
 public:
  struct Equations;  ///< z' = F(t,z) and its manifold

  /// Throws Error for problems whose flow has no derivative (events, switches, breaks), those it cannot rewrite, and starts that are
  /// not consistent.
  TangentFlow(std::shared_ptr<const Problem>, const TangentFlowOptions&);
  ~TangentFlow();

  const Layout& layout() const;       ///< of z
  const State& start() const;         ///< z as the problem begins
  Eigen::Index dimension() const;     ///< of the tangent space, there
  void rate(double t, In z, Out dz);  ///< F
  /// The sizes of what moves, one for each entry of z; 1 until they are known. Lengths of columns, right angles between them and absolute tolerances
  /// are those of entries in parts of their sizes.
  void measure_in(const Vector& sizes);
  const Vector& sizes() const;
  /// An orthonormal basis of the tangent space.
  Matrix basis(double t, In z);
  /// Onto the constraints.
  Outcome project(double t, Out z);

  /// Where the flow is from now on.
  void begin(const State& z, const Matrix& columns);
  const State& state() const { return z_; }
  const Matrix& columns() const { return W_; }

  /// Called after each step; may change the columns, and says if it did.
  enum class Columns { kept, changed };
  using OnStep = std::function<Columns(double t, Matrix& columns)>;
  /// Goes on to `end`. Not ok: how far it came is where it is, and message() says why.
  Outcome advance(double end, const OnStep& = {});
  const std::string& message() const { return message_; }
  const Statistics& statistics() const;

 private:
  class Variations;

  void unpack();
  Outcome fail(Outcome, double h);

  TangentFlowOptions options_;
  std::unique_ptr<Equations> equations_;
  std::unique_ptr<Variations> variations_;
  std::unique_ptr<Method> method_;
  Controller controller_{Control::pi};
  State z_, from_, to_;  // from_ and to_: z and the columns in one
  Matrix W_;
  double h_ = 0;  // proposed; 0: none yet
  std::string message_;
};

}  // namespace dalembert
