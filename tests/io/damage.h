// Random damage for files. RIGOR_FUZZ_SECONDS=600 goes on with every kind of file for so long.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <random>

#include "files.h"

namespace rigor {

inline double fuzzSeconds() {
  const char* seconds = std::getenv("RIGOR_FUZZ_SECONDS");
  return seconds ? std::atof(seconds) : 0.0;
}

// Flips, overwrites, removes or doubles up to eight pieces of the text.
inline std::string damage(std::string text, std::mt19937_64& random) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const char* const snippets[] = {"\"", "<", ">", "/>", "-", "nan", "1e999", "[", "]", "{", "=", "\n", "\xff", "inf"};
  for (std::size_t count = 1 + below(8); count > 0 && !text.empty(); --count) {
    const std::size_t at = below(text.size());
    switch (below(4)) {
      case 0:
        text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 1:
        text.insert(at, snippets[below(std::size(snippets))]);
        break;
      case 2:
        text.erase(at, 1 + below(20));
        break;
      default:
        text.insert(at, text.substr(at, 1 + below(200)));
    }
  }
  return text;
}

template <class Action>
void expectErrorOrSuccess(const std::string& text, const std::string& name, int rounds, const TemporaryFolder& folder,
                          Action action) {
  std::mt19937_64 random(20240229);
  int refused = 0, round = 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(fuzzSeconds());
  for (; round < rounds || std::chrono::steady_clock::now() < end; ++round) {
    const std::string file = folder.write(name, damage(text, random));
    try {
      action(file);
    } catch (const Error& error) {
      ++refused;
      ASSERT_FALSE(std::string(error.what()).empty()) << "round " << round;
    } catch (const std::exception& error) {
      FAIL() << "round " << round << ": " << error.what();
    }
  }
  EXPECT_GT(refused, round / 10);  // the damage is felt
  EXPECT_LT(refused, round);       // and sometimes harmless
}

}  // namespace rigor
