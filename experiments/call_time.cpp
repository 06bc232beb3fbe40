#include "experiments/call_time.h"

#include <algorithm>
#include <ctime>

namespace rigor {
namespace {

constexpr double kRound = 5e-4;  // [s] rounds longer than a scheduler slice measure the neighbours

}  // namespace

double processorSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void CallTimer::runRound() {
  const int calls = std::max(1, static_cast<int>(kRound / best_));
  const double begin = processorSeconds();
  for (int i = 0; i < calls; ++i) call_();
  best_ = std::min(best_, (processorSeconds() - begin) / calls);
}

double timeCall(const std::function<void()>& call) {
  CallTimer timer(call);
  timer.runRound();
  const double begin = processorSeconds();
  for (int round = 0; round < 200; ++round) {
    timer.runRound();
    if (round >= 4 && processorSeconds() - begin > 1.0) break;
  }
  return timer.best();
}

}  // namespace rigor
