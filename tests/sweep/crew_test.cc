// A crew of threads that send each other letters: rows are those of a sweep alone, and all are sent home.
#include "dalembert/sweep/crew.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "dalembert/core/error.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/sweep/sweep.h"

namespace dalembert {
namespace {

/// What all of them have in common.
struct Post {
  std::mutex mutex;
  std::condition_variable delivered;
  std::vector<std::deque<Crew::Letter>> boxes;
};

class ThreadCrew final : public Crew {
 public:
  ThreadCrew(Post& post, int number) : post_(post), number_(number) {}
  int size() const override { return static_cast<int>(post_.boxes.size()); }
  int number() const override { return number_; }
  void send(int to, const std::string& bytes) override {
    const std::lock_guard lock(post_.mutex);
    post_.boxes[static_cast<std::size_t>(to)].push_back({number_, bytes});
    post_.delivered.notify_all();
  }
  std::optional<Letter> receive(Wait wait) override {
    std::unique_lock lock(post_.mutex);
    auto& box = post_.boxes[static_cast<std::size_t>(number_)];
    if (wait == Wait::yes) post_.delivered.wait(lock, [&] { return !box.empty(); });
    if (box.empty()) return {};
    const Letter letter = box.front();
    box.pop_front();
    return letter;
  }

 private:
  Post& post_;
  int number_;
};

SweepTask pendulums() {
  SweepTask task;
  task.makers = [] {
    return [](const Values& varied) { return SweepProblem{make_problem("pendulum", varied)}; };
  };
  task.quantities = {read_quantity("max(lambda.bar)"), read_quantity("q.x")};
  task.design = latin_hypercube({read_variation("l=-0.2:2"), read_variation("m=1:3")}, 30, 1);
  task.threads = 1;
  return task;
}

TEST(Crew, MakesTheRowsOfASweepAlone) {
  std::vector<SweepRow> alone, together;
  sweep(pendulums(), [&](const SweepRow& row) { alone.push_back(row); });

  Post post;
  post.boxes.resize(3);
  {
    std::vector<std::jthread> others;
    for (int k = 1; k < 3; ++k)
      others.emplace_back([&post, k] {
        ThreadCrew crew(post, k);
        SweepTask task = pendulums();
        task.crew = &crew;
        follow(task);
      });
    ThreadCrew crew(post, 0);
    SweepTask task = pendulums();
    task.crew = &crew;
    sweep(task, [&](const SweepRow& row) { together.push_back(row); });
  }  // who was not sent home would be waited for here

  ASSERT_EQ(together.size(), alone.size());
  for (std::size_t i = 0; i < alone.size(); ++i) {
    EXPECT_EQ(together[i].number, i);
    EXPECT_EQ(together[i].outcome, alone[i].outcome);
    EXPECT_EQ(together[i].message, alone[i].message);
    EXPECT_EQ(together[i].steps, alone[i].steps);
    if (alone[i].good()) EXPECT_EQ(together[i].values, alone[i].values);
  }
}

// What the caller throws ends the sweep, and everybody goes home.
TEST(Crew, GoesHomeWhereTheLeaderFails) {
  Post post;
  post.boxes.resize(2);
  std::jthread other([&post] {
    ThreadCrew crew(post, 1);
    SweepTask task = pendulums();
    task.crew = &crew;
    follow(task);
  });
  ThreadCrew crew(post, 0);
  SweepTask task = pendulums();
  task.crew = &crew;
  EXPECT_THROW(sweep(task,
                     [](const SweepRow& row) {
                       if (row.number == 5) throw Error("the disk is full");
                     }),
               Error);
}

}  // namespace
}  // namespace dalembert
