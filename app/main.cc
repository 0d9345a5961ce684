// dalembert: constrained dynamics from the command line.
#include <csignal>
#include <filesystem>
#include <iostream>

#include "app/commands.h"
#include "app/memory.h"
#include "app/screen.h"
#include "dalembert/core/error.h"
#include "dalembert/model/model.h"

namespace {

using namespace dalembert;

/// Obeys, and says what went wrong.
app::Status answer(int argc, char** argv) try {
  return app::obey(argc, argv);
} catch (const ModelError& error) {
  // one line each, beginning with the place, as editors expect it
  for (const auto& complaint : error.complaints()) std::cerr << complaint.sentence() << "\n";
  return app::wrong_call;
} catch (const Error& error) {
  std::cerr << "dalembert: " << error.sentence() << "\n";
  return app::wrong_call;
} catch (const std::filesystem::filesystem_error& error) {
  std::cerr << "dalembert: cannot use '" << error.path1().string().substr(0, 100)
            << "': " << error.code().message() << "\n";
  return app::wrong_call;
} catch (const std::exception& error) {
  std::cerr << "dalembert: " << error.what() << "; this should not happen, please report it\n";
  return app::wrong_call;
}

}  // namespace

int main(int argc, char** argv) {
  app::end_without_memory();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is a mistake to be told, like a full disk
  const app::Screen screen;
  const app::Status status = answer(argc, argv);
  if (std::cout.flush()) return status;
  std::cerr << "dalembert: cannot write to standard output\n";
  return app::ended_early;
}
