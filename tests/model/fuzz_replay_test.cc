// The corpus of the fuzzers and thousands of its mutations, for machines without libFuzzer. The same ones every time: a
// crash here is a crash there.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "fuzz/targets.h"

namespace dalembert {
namespace {

namespace fs = std::filesystem;
using Target = void (*)(const std::uint8_t*, std::size_t);

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Sorted, so that mutations are the same wherever the folder lies.
std::vector<std::string> corpus(const std::string& target) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(fs::path(DALEMBERT_SOURCE) / "fuzz" / "corpus" / target))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const auto& path : paths) texts.push_back(content(path));
  return texts;
}

/// The quoted words of a dictionary, with \" and \xNN.
std::vector<std::string> dictionary(const std::string& target) {
  std::ifstream file(fs::path(DALEMBERT_SOURCE) / "fuzz" / (target + ".dict"));
  std::vector<std::string> words;
  for (std::string line; std::getline(file, line);) {
    std::string word;
    for (std::size_t i = 1; i + 1 < line.size(); ++i) {
      if (line[i] != '\\') {
        word += line[i];
      } else if (line[i + 1] == 'x') {
        word += static_cast<char>(std::stoi(line.substr(i + 2, 2), nullptr, 16));
        i += 3;
      } else {
        word += line[++i];
      }
    }
    words.push_back(word);
  }
  return words;
}

class Mutations {
 public:
  Mutations(std::vector<std::string> texts, std::vector<std::string> words)
      : texts_(std::move(texts)), words_(std::move(words)) {}

  std::string next() {
    std::string text = any(texts_);
    for (std::size_t n = 1 + below(6); n > 0; --n) mutate(text);
    return text;
  }

 private:
  void mutate(std::string& text) {
    const std::size_t at = below(text.size() + 1),
                      length = below(std::min<std::size_t>(text.size() - at, 30) + 1);
    switch (below(7)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(at, length));
        break;
      case 3:
        text.insert(at, any(words_));
        break;
      case 4:
        text.replace(at, length, any(words_));
        break;
      case 5: {  // a piece of another one
        const std::string& other = any(texts_);
        text.insert(at, other.substr(below(other.size() + 1), 200));
        break;
      }
      default:  // other digits
        for (std::size_t i = at; i < text.size(); ++i)
          if (text[i] >= '0' && text[i] <= '9') {
            text[i] = static_cast<char>('0' + below(10));
            break;
          }
    }
  }
  // Not std::uniform_int_distribution, whose numbers differ between libraries.
  std::size_t below(std::size_t n) { return random_() % n; }
  const std::string& any(const std::vector<std::string>& list) { return list[below(list.size())]; }

  std::vector<std::string> texts_, words_;
  std::mt19937_64 random_{1743};
};

void feed(Target target, const std::string& text) {
  const auto begin = std::chrono::steady_clock::now();
  target(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(spent.count(), 5) << text;
}

void replay(Target target, const std::string& name, int mutations) {
  const std::vector<std::string> texts = corpus(name);
  ASSERT_GE(texts.size(), 5U);
  for (const auto& text : texts) feed(target, text);
  Mutations mutated(texts, dictionary(name));
  for (int i = 0; i < mutations; ++i) {
    const std::string text = mutated.next();
    SCOPED_TRACE(text);
    feed(target, text);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(FuzzReplay, Arguments) {
  replay(fuzz::arguments, "arguments", 4000);
}
TEST(FuzzReplay, Expression) {
  replay(fuzz::expression, "expression", 40000);
}
TEST(FuzzReplay, Model) {
  replay(fuzz::model, "model", 4000);
}

}  // namespace
}  // namespace dalembert
