#include "dalembert/problem/function_checks.h"

#include <cmath>
#include <string>

#include "dalembert/core/error.h"
#include "dalembert/core/text.h"

namespace dalembert {

void refuse_unwritten(const char* name, Eigen::Index size, const std::function<void(Out)>& write) {
  Vector zeros = Vector::Zero(size), ones = Vector::Ones(size);
  try {
    write(zeros);
    write(ones);
  } catch (const std::bad_function_call&) {
    throw Error(std::string("the function ") + name + " is empty", "give one that writes its result");
  }
  for (Eigen::Index i = 0; i < size; ++i)
    if (std::isfinite(zeros[i]) && zeros[i] != ones[i])
      throw Error(std::string("entry ") + std::to_string(i) + " of the result of " + name + " is not written",
                  "write all " + std::to_string(size) + " of them");
}

void refuse_resized(const Matrix& written, Eigen::Index rows, Eigen::Index columns, const char* name) {
  if (written.rows() != rows || written.cols() != columns)
    throw Error(std::string("the function of the ") + name + " gives a matrix of " +
                    std::to_string(written.rows()) + " x " + std::to_string(written.cols()) +
                    " where it was given one of " + std::to_string(rows) + " x " + std::to_string(columns),
                "write its entries and leave its size");
}

// Second differences have about four digits, so two of them are asked for.
void refuse_wrong(const char* name, const Matrix& given, const Matrix& found) {
  if (!found.allFinite()) return;
  const double size = 1 + found.cwiseAbs().maxCoeff();
  Eigen::Index row = 0, column = 0;
  const double most = (given - found).cwiseAbs().maxCoeff(&row, &column);
  if (most <= 1e-2 * size) return;
  const std::string place = given.cols() == 1
                                ? std::to_string(row)
                                : "(" + std::to_string(row) + ", " + std::to_string(column) + ")";
  throw Error(std::string("the function of the ") + name + " does not fit g: its entry " + place + " is " +
                  short_number(given(row, column)) + " at the start, and differentiating g gives " +
                  short_number(found(row, column)),
              "correct it, or leave it out: then g is differentiated");
}

}  // namespace dalembert
