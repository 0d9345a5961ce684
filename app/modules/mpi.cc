// Processes started by mpirun, as the crew of a sweep.
#include <mpi.h>

#include <vector>

#include "dalembert/core/error.h"
#include "dalembert/sweep/crew.h"

namespace dalembert::app {

namespace {

void check(int status, const char* what) {
  if (status != MPI_SUCCESS) throw Error(std::string("MPI cannot ") + what, "see what mpirun prints");
}

class MpiCrew final : public Crew {
 public:
  MpiCrew() {
    int provided = 0;  // threads make runs; only the main one sends and receives
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "begin");
    check(MPI_Comm_size(MPI_COMM_WORLD, &size_), "count the processes");
    check(MPI_Comm_rank(MPI_COMM_WORLD, &number_), "count the processes");
    home_.assign(static_cast<std::size_t>(size_), false);
  }
  /// Whoever still waits for the one that leads, which may have met an error, is sent home.
  ~MpiCrew() override {
    if (leads())
      for (std::size_t k = 1; k < home_.size(); ++k)
        if (!home_[k]) MPI_Send(nullptr, 0, MPI_BYTE, static_cast<int>(k), 0, MPI_COMM_WORLD);
    MPI_Finalize();
  }

  int size() const override { return size_; }
  int number() const override { return number_; }

  void send(int to, const std::string& bytes) override {
    home_[static_cast<std::size_t>(to)] = bytes.empty();
    check(MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, 0, MPI_COMM_WORLD), "send");
  }

  std::optional<Letter> receive(Wait wait) override {
    MPI_Status status;
    int there = 1;
    if (wait == Wait::yes)
      check(MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status), "receive");
    else
      check(MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status), "receive");
    if (there == 0) return {};
    int count = 0;
    check(MPI_Get_count(&status, MPI_BYTE, &count), "receive");
    Letter letter{status.MPI_SOURCE, std::string(static_cast<std::size_t>(count), '\0')};
    check(MPI_Recv(letter.bytes.data(), count, MPI_BYTE, letter.from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
          "receive");
    return letter;
  }

 private:
  int size_ = 1, number_ = 0;
  std::vector<bool> home_;  // who was sent there
};

}  // namespace

extern "C" Crew* dalembert_crew() {
  static MpiCrew crew;
  return &crew;
}

}  // namespace dalembert::app
