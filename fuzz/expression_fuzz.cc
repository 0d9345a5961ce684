// Any bytes as an expression: refused with a place inside the text, or evaluated alike in all three ways.
#include <cmath>
#include <string_view>

#include "dalembert/model/expression/expression.h"
#include "fuzz/targets.h"

namespace dalembert::fuzz {

namespace {

bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

Expression::Names names() {
  return {.variables = {"t", "x", "rate", "a", "b", "c"},
          .constant = [](const std::string& name) -> std::optional<double> {
            if (name == "zero") return 0;
            if (name == "l1") return .15;
            return std::nullopt;
          },
          .known = {"zero", "l1"}};
}

void evaluate(std::string_view text) {
  static const Expression::Names all = names();
  const Expression expression = Expression::parse(text, all);
  const Law law = expression.law();
  for (const double at : {0., .5, -2., 1e300}) {
    const double x[] = {at, 1, -at, .3, at * at, 7};
    double slopes[6];
    const double f = expression(x);
    promise(same(f, law(x)) && same(f, law(x, slopes)), "a law has the value of its expression");
    if (expression.constant()) {
      promise(std::isfinite(f), "constants are finite");
      for (const double slope : slopes) promise(slope == 0, "constants have no slope");
    }
  }
}

void evaluate_in_time(std::string_view text) {
  static const Expression::Names time{.variables = {"t"}};
  const Expression expression = Expression::parse(text, time);
  const Motion motion = expression.motion();
  const Law law = expression.law();
  for (const double t : {0., .7, -3.}) {
    double slope = 0;
    const Motion::Value value = motion(t);
    promise(same(value.f, law(&t, &slope)) && same(value.rate, slope), "a motion has the slope of its law");
  }
}

}  // namespace

void expression(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const auto& each : {evaluate, evaluate_in_time}) {
    try {
      each(text);
    } catch (const ExpressionError& error) {
      promise(error.offset + error.length <= size, "mistakes are inside of the text");
      promise(error.what()[0] != '\0' && !error.hint().empty(), "mistakes are explained");
      promise(error.sentence().size() < 500, "sentences are short");
    }
  }
}

}  // namespace dalembert::fuzz
