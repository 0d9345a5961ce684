#include "dalembert/multibody/forces/cylinder.h"

#include <cmath>
#include <utility>

#include "dalembert/core/error.h"

namespace dalembert {

namespace {

/// Gradient with respect to c, c', pA, pB.
using Number = Dual<4>;

Number variable(double value, std::size_t which) {
  Number x(value);
  x.gradient.d[which] = 1;
  return x;
}

/// Q(d)
Number orifice(const Number& d, double soft) {
  return d / sqrt(sqrt(d * d + soft * soft));
}

}  // namespace

Cylinder::Cylinder(const Constants& constants, Law spool, const Friction::Constants& seal)
    : is_(constants), spool_(std::move(spool)), seal_(seal) {
  const auto positive = [](double value, const char* what) {
    if (!(value > 0))
      throw Error(std::string("the ") + what + " of a cylinder is not positive", "give it in SI units");
  };
  positive(is_.area_a, "area of the piston");
  positive(is_.volume_a, "dead volume of chamber a");
  positive(is_.volume_b, "dead volume of chamber b");
  positive(is_.bulk_modulus, "bulk modulus");
  positive(is_.soft, "pressure where the flow becomes turbulent");
  positive(is_.underlap, "underlap of the valve");
  if (!(is_.area_b >= 0))
    throw Error("an area of a cylinder is negative", "0 leaves a plunger with one chamber");
  if (!(is_.longest > is_.shortest))
    throw Error("a cylinder has no stroke", "give longest a value above shortest");
}

double Cylinder::beyond(double c) const {
  return c > is_.longest ? c - is_.longest : c < is_.shortest ? c - is_.shortest : 0;
}

void Cylinder::respond(const Input& in, Response& out) const {
  const Number c = variable(in.c, 0), rate = variable(in.rate, 1), pA = variable(in.s[0], 2),
               pB = variable(in.s[1], 3);
  const double x[] = {in.t, in.c, in.rate};
  double gradient[3] = {};
  Number u(spool_(x, gradient));
  u.gradient.d = {gradient[1], gradient[2], 0, 0};

  const Number root = sqrt(u * u + is_.underlap * is_.underlap), a = (root + u) / 2, b = (root - u) / 2;
  const Number QA =
                   is_.flow * (a * orifice(is_.supply - pA, is_.soft) - b * orifice(pA - is_.tank, is_.soft)),
               QB =
                   is_.flow * (b * orifice(is_.supply - pB, is_.soft) - a * orifice(pB - is_.tank, is_.soft)),
               across = is_.leak * (pA - pB);
  const Number k[] = {
      is_.bulk_modulus * (QA - is_.area_a * rate - across) / (is_.volume_a + is_.area_a * (c - is_.shortest)),
      is_.bulk_modulus * (QB + is_.area_b * rate + across) / (is_.volume_b + is_.area_b * (is_.longest - c))};
  seal_.respond(in, out);
  out.F += is_.stop * beyond(in.c) - is_.area_a * in.s[0] + is_.area_b * in.s[1];
  out.F_c = beyond(in.c) == 0 ? 0 : is_.stop;
  out.F_s[0] = -is_.area_a;
  out.F_s[1] = is_.area_b;
  for (int i = 0; i < 2; ++i) {
    out.k[i] = k[i].value;
    out.k_c[i] = k[i].gradient.d[0];
    out.k_rate[i] = k[i].gradient.d[1];
    out.k_s[i][0] = k[i].gradient.d[2];
    out.k_s[i][1] = k[i].gradient.d[3];
  }
}

Cylinder::Compression Cylinder::compression(double p) const {
  const double slope = std::expm1(p / is_.bulk_modulus);
  return {is_.bulk_modulus * slope - p, slope};
}

ForceElement::Energy Cylinder::energy(const Input& in) const {
  const double x = beyond(in.c), VA = volume_a(in.c), VB = volume_b(in.c);
  const Compression A = compression(in.s[0]), B = compression(in.s[1]);
  return {.value = is_.stop * x * x / 2 + VA * A.w + VB * B.w,
          .gradient_c = is_.stop * x + is_.area_a * A.w - is_.area_b * B.w,
          .gradient_s = {VA * A.slope, VB * B.slope}};
}

double Cylinder::dissipation(const Input& in) const {
  Response out;
  respond(in, out);
  const double x[] = {in.t, in.c, in.rate};
  double gradient[3] = {};
  const double u = spool_(x, gradient), root = std::hypot(u, is_.underlap), a = (root + u) / 2,
               b = (root - u) / 2;
  const auto flow = [&](double d) { return is_.flow * orifice(Number(d), is_.soft).value; };
  const double from_supply = a * flow(is_.supply - in.s[0]) + b * flow(is_.supply - in.s[1]),
               to_tank = b * flow(in.s[0] - is_.tank) + a * flow(in.s[1] - is_.tank);
  const Energy kept = energy(in);
  const double power =
      (kept.gradient_c - out.F) * in.rate + kept.gradient_s[0] * out.k[0] + kept.gradient_s[1] * out.k[1];
  return is_.supply * from_supply - is_.tank * to_tank - power;
}

}  // namespace dalembert
