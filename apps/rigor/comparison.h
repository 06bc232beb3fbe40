// Runs of one scene that differ in who solves its contacts and by which law, side by side.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "experiments/experiment.h"
#include "rigor/run_summary.h"
#include "rigor/scene.h"
#include "simulate.h"

namespace rigor::app {

/// One run, and how far its poses are from those of the first.
struct ComparedRun {
  Scene scene;
  RunSummary summary;
  double apart_max = 0.0, apart_end = 0.0;  ///< largest |Δq| over the steps that both took, and at the last of them
  std::optional<double> parted;             ///< [s] when |Δq| first exceeded kParted; none: never

  static constexpr double kParted = 1e-6;  ///< [m or rad]
};

/// Keeps the poses of a run, or measures how far another one is from them.
class PoseWatch final : public RunObserver {
 public:
  /// `first` is empty for the run that the others are measured by.
  explicit PoseWatch(std::vector<Eigen::VectorXd>& first) : first_(first), keeps_(first.empty()) {}
  void see(const Simulator& simulator, const RunStep& step) override;
  void fill(ComparedRun& run) const;

 private:
  std::vector<Eigen::VectorXd>& first_;
  const bool keeps_;
  std::size_t steps_ = 0;
  double max_ = 0.0, end_ = 0.0;
  std::optional<double> parted_;
};

/// How far the runs of two steppers are apart with steps of one length.
struct StepperGap {
  double dt = 0.0;
  std::optional<double>
      apart;  ///< largest |Δq| at the nodes that all lengths share; none if a run did not come to its end
  std::optional<double> order;  ///< log₂ of how much larger it was with steps twice as long; none if that tells nothing
  std::int64_t substeps[2] = {0, 0};  ///< of both runs
  std::int64_t impacts = 0;           ///< in either of them
};

/// Two steppers with the scene's step, a half, a quarter and an eighth of it.
std::vector<StepperGap> findConvergence(const Scene& scene, const std::vector<std::string>& steppers,
                                        const InterruptFlag& interrupt);
/// Table, picture (in `folder` unless that is empty) and, where an order is missing, why.
experiments::Outcome describeConvergence(const std::vector<StepperGap>& gaps, const std::vector<std::string>& steppers,
                                         const std::string& folder);

/// Table and pictures of all runs; the pictures and the table as CSV are written to `folder` unless that is empty.
experiments::Outcome describeComparison(const std::vector<ComparedRun>& runs, const std::string& folder);

}  // namespace rigor::app
