// Where the time of a step goes: one counter reading per phase change.
#pragma once

#include <chrono>

#include "rigor/report.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace rigor {

/// Ticks of a counter that costs a few nanoseconds to read.
inline unsigned long long readTicks() {
#if defined(__x86_64__)
  return __rdtsc();
#else
  return static_cast<unsigned long long>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

double nanosecondsPerTick();  ///< measured once per process

/// Adds the time since the last call to one phase, if the report wants to know.
class PhaseClock {
 public:
  explicit PhaseClock(StepReport& report) : times_(report.nanoseconds), runs_(report.wanted.timing) {
    if (!runs_) return;
    scale_ = nanosecondsPerTick();
    last_ = readTicks();
  }
  void finish(double PhaseTimes::* phase) {
    if (!runs_) return;
    const unsigned long long now = readTicks();
    times_.*phase += static_cast<double>(now - last_) * scale_;
    last_ = now;
  }

 private:
  PhaseTimes& times_;
  bool runs_;
  double scale_ = 0.0;  ///< [ns] per tick
  unsigned long long last_ = 0;
};

}  // namespace rigor
