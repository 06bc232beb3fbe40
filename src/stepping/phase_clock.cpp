#include "stepping/phase_clock.h"

namespace rigor {
namespace {

double calibrate() {
  const auto begin = std::chrono::steady_clock::now();
  const unsigned long long ticks = readTicks();
  auto now = begin;
  while (now - begin < std::chrono::milliseconds(2)) now = std::chrono::steady_clock::now();
  const auto elapsed = std::chrono::duration<double, std::nano>(now - begin).count();
  return elapsed / static_cast<double>(readTicks() - ticks);
}

}  // namespace

double nanosecondsPerTick() {
  static const double measured = calibrate();
  return measured;
}

}  // namespace rigor
