// Work space of something that several threads use at once: each thread has its own.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

namespace dalembert {

/// One T for each thread that asks, made when it first does and kept as long as this lives. A thread that begins after
/// another one ended may inherit what that one left: T must not mind.
template <class T>
class PerThread {
 public:
  explicit PerThread(std::function<std::unique_ptr<T>()> make) : make_(std::move(make)) {}

  T& mine() {
    const std::lock_guard lock(guard_);
    auto& place = all_[std::this_thread::get_id()];
    if (!place) place = make_();
    return *place;
  }

 private:
  std::function<std::unique_ptr<T>()> make_;
  std::mutex guard_;
  std::map<std::thread::id, std::unique_ptr<T>> all_;
};

}  // namespace dalembert
