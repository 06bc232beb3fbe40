// How the time of a run grows with the size of what is simulated: the best of several rounds for each size, on one core.
#pragma once

#include <functional>
#include <vector>

#include "experiments/counted_steps.h"

namespace rigor::experiments {

/// One size.
struct SizeTime {
  double size = 0.0;
  double seconds = 0.0;     ///< processor time of all steps, the best round
  double contacts = 0.0;    ///< most that touched at once
  double iterations = 0.0;  ///< of contact solvers, per step in the mean
  double passes = 0.0;      ///< Newton steps of the motion, per step in the mean
  double deepest = 0.0;     ///< [m] below the ground
  double gap = 0.0;         ///< [m or rad] widest opening of a loop
  double residual = 0.0;    ///< most that a step left of its equations; NaN: a witness could judge none
  bool refused = false;
};

/// Sees every step of a run that is looked at, and says what is left of its equations.
using Witness = std::function<std::optional<double>(const Simulator&)>;

struct ScalingCase {
  std::string name;
  std::vector<int> sizes;
  std::function<Scene(int size)> make;
  std::int64_t steps;  ///< of each run
  int rounds;          ///< that are timed, besides one that is looked at
  double tolerance;
  std::function<Witness(const Scene&)> summon = {};  ///< a witness for each run; none: residuals are not looked for
};

struct ScalingCurve {
  std::string name;
  std::int64_t steps = 0;
  bool witnessed = false;
  std::vector<SizeTime> sizes = {};
  bool left_out = false;  ///< a run took so long that larger sizes were not tried

  double growth() const;  ///< power of the size (growthOf)
  double deepest() const;
  double gap() const;
  double residual() const;
  bool refused() const;
};

ScalingCurve measureScaling(const ScalingCase& one, CountedSteps& steps);
std::vector<ScalingCurve> measureScaling(const std::vector<ScalingCase>& cases, CountedSteps& steps);

/// A power of the growth up to this is called linear: caches and shared machines add a little.
inline constexpr double kLinear = 1.15;

/// What every setting says of `growth` and of what is called linear.
inline constexpr const char* kGrowthTold =
    "The growth is the power of the size that fits from a fifth of the largest size on; up to 1.15 is called linear.";

/// Steps of all rounds, for a progress bar.
std::int64_t countScaling(const std::vector<ScalingCase>& cases);

/// Table, curves on logarithmic axes and files of all cases: NAME.csv and NAME.svg.
void tellScaling(const std::vector<ScalingCurve>& curves, const std::string& title, const std::string& size_label,
                 const std::string& folder, const std::string& name, Outcome& outcome);

/// "time ∝ n^1.02, … s at the largest": what a linear law says of a curve.
Finding linearFinding(const std::string& paper, const ScalingCurve& curve, bool quick);

}  // namespace rigor::experiments
