// Parts of the program that are loaded when they are wanted: libraries behind them would take longer to load than most runs take.
#pragma once

#include <string>

namespace dalembert::app {

/// A function of dalembert-NAME.so, which lies beside the program where it was built, else where it is installed. Stays for as
/// long as the program runs. Throws Error, with the hint if there is no such module.
void* find_in_module(const std::string& name, const char* function, const std::string& hint);

}  // namespace dalembert::app
