#include "dalembert/observe/watch.h"

namespace dalembert {

WatchFollower::WatchFollower(std::vector<Watch> watches) {
  for (Watch& watch : watches)
    if (watch.follow) watches_.push_back(std::move(watch));
}

}  // namespace dalembert
