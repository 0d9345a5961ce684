#include "dalembert/control/reporter.h"

#include <algorithm>

namespace dalembert {

State reported(const State& original, const Layout& layout, const Layout& report) {
  State out{original.t, Vector::Constant(report.size(), not_a_number)};
  for (const auto& block : report.blocks()) {
    const Block* found = layout.find(block.name);
    if (found == nullptr) continue;
    if (found->size == block.size) {
      out[block] = original[*found];
      continue;
    }
    for (std::size_t i = 0; i < block.labels.size(); ++i) {  // a mode with some of the rows
      const auto same = std::find(found->labels.begin(), found->labels.end(), block.labels[i]);
      if (same != found->labels.end())
        out.y[block.offset + static_cast<Eigen::Index>(i)] =
            original.y[found->offset + (same - found->labels.begin())];
    }
  }
  return out;
}

State Reporter::operator()(const State& of_mode) const {
  State shown = reported(of_mode, layout_, report_);
  mode_->complete(shown);
  return first_ ? reported(shown, report_, *first_) : shown;
}

}  // namespace dalembert
