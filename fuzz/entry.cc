// The entry point that libFuzzer and AFL++ look for; compiled once per target.
#include "fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  dalembert::fuzz::DALEMBERT_FUZZ_TARGET(data, size);
  return 0;
}
