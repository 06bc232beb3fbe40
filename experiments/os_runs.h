// Runs of OS's table I: pendulums of n links in minimal and in redundant coordinates, by time and by events.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "experiments/counted_steps.h"

namespace rigor::experiments {

struct OsPaperTime {
  int links;
  double minimal, redundant;  ///< [s] table I
};

inline constexpr double kOsFrictions[] = {0.0, 0.5};
inline constexpr double kOsRunSeconds = 5.0, kOsQuickSeconds = 0.1;  // [s]

/// A stepper, and the steps or the accuracy that it takes.
struct OsWay {
  const char* name;  ///< for people: "by time", "by events"
  const char* stepper;
  double dt;        ///< [s]
  double accuracy;  ///< [per second]
  /// A run is given up once, at its rate so far, it would take more than this part of the paper's time, or than `longest`.
  double part = std::numeric_limits<double>::infinity(), longest = std::numeric_limits<double>::infinity();  // [s]

  std::int64_t steps(bool quick) const;
};
inline constexpr OsWay kOsByTime{"by time", "minimal", 1e-4, 0.0};
inline constexpr OsWay kOsByEvents{"by events", "event", 0.01, 1e-8, 0.2, 60.0};

/// One run.
struct OsRun {
  double seconds = 0.0;  ///< [s] of the processor; of a run that was given up all that it would take at its rate so far
  double until = 0.0;    ///< [s] how far it came
  double deepest = 0.0, gap = 0.0;  ///< [m]; [m] of loops
  std::int64_t impacts = 0, fallbacks = 0;
  double first_fallback = 0.0;  ///< [s]
  bool refused = false, given_up = false;

  bool done() const { return !refused && !given_up; }
};

/// Both coordinates of one pendulum.
struct OsRow {
  const OsWay* way;
  OsPaperTime paper;
  double friction;
  OsRun minimal, redundant;

  std::string name() const;  ///< "12 links, mu 0.5, by events"
};

std::vector<OsPaperTime> listOsSizes(bool quick);
/// All rows: every way, every friction, every size.
std::vector<OsRow> measureOs(bool quick, CountedSteps& steps);
std::int64_t countOsSteps(bool quick);

}  // namespace rigor::experiments
