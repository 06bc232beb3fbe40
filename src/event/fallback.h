// Time stepping between events, where no smooth motion is found: slip that is too slow for its friction, and states from which no modes
// lead on. Friction is implicit there.
//
// A stretch is taken once whole and once in halves, at first aside: what they differ by tells the error of the halves, of second order,
// and how long the stretch may be for the accuracy. Below the shortest length it is taken whatever its error, which is told.
#pragma once

#include "minimal/step_work.h"

namespace rigor {

class Fallback {
 public:
  /// At the start of a step, which knows nothing of stretches before it.
  void begin() { length_ = 0.0; }
  /// From a node to a node, at most `left` further, and `least` if that is less, whatever its error.
  StepStatus take(const StepTask& task, const Snapshot& from, double left, double accuracy, double least, Snapshot& to);
  double error() const {
    return error_;
  }  ///< of the last stretch, as of pieces [m or rad; velocities of 1 + the fastest]

 private:
  StepStatus go(const StepTask& task, const Snapshot& from, double length, int parts, Snapshot& to);
  bool compare(const StepTask& task, const Snapshot& from, double length);

  double length_ = 0.0, error_ = 0.0;
  Snapshot node_, next_, whole_, halves_;
  StepReport aside_;
  Eigen::VectorXd way_;
};

/// Blocks of stepper event hold forces, which share a load as they did before; those of an impact or of time stepping hold impulses.
void carryForces(const Memory& before, Memory& after);

}  // namespace rigor
