// How long does it take to swing a chain of n links for a second, with positions right to 1e-5: ours, IDA, Simbody?
//
//   chain_runs [--error E] [N ...]
//
// Each contender is run with smaller and smaller tolerances until max |x - reference| over all link centres at the end is
// below the error asked for; its time is the processor time of that whole call, the model's construction left out.
#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bench/chain_case.h"
#include "bench/standing.h"
#include "dalembert/core/text.h"

int main(int count, char** words) {
  using namespace dalembert::bench;
  double error = 1e-5;
  std::vector<int> sizes;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--error" && i + 1 < count)
      error = dalembert::number_in(words[++i]).value();
    else
      sizes.push_back(std::stoi(word));
  }
  if (sizes.empty()) sizes = {100, 1000};
  for (const int n : sizes) {
    Chain chain;
    chain.n = n;
    print(chain_standings(chain, error));
  }
}
