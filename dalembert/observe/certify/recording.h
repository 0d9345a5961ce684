// One run of one family at one tolerance, with what it delivers at given times.
#pragma once

#include <vector>

#include "dalembert/control/run.h"
#include "dalembert/observe/certify/families.h"
#include "dalembert/observe/watch.h"

namespace dalembert {

/// The state as it is reported, and after it the watches.
struct Sample {
  double t;
  Vector values;
};

/// A run, and its samples at the output times of its options; the last one is where it ended.
struct Recording {
  Summary summary;
  std::vector<Sample> samples;
  double size(Eigen::Index entry) const;  ///< the median of the magnitudes of an entry: peaks do not count
};

/// A run that takes longer than `limit` seconds ends `interrupted`. Others may watch it too.
Recording record(const std::shared_ptr<const Problem>&, const RunOptions&, const std::vector<Watch>&,
                 double limit, const std::vector<Observer*>& = {});

}  // namespace dalembert
