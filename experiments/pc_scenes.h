// The four scenes of PC and the solvers that it puts to them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "experiments/experiment.h"
#include "rigor/rigor.h"

namespace rigor::experiments {

struct PcScene {
  const char *name, *file;
  double bisection, pgs;  ///< [s] for 100 000 steps, PC table II
};
constexpr std::array<PcScene, 4> kPcScenes = {{{"trot", "anymal_trot.toml", 1.98, 1.81},
                                               {"hang", "anymal_hang.toml", 2.57, 5.92},
                                               {"drop", "anymal_drop.toml", 2.62, 4.35},
                                               {"random", "anymal_random.toml", 1.90, 2.88}}};
constexpr std::int64_t kPcSteps = 100000;

/// Who solves the contacts of a run, and how well.
struct PcMethod {
  const char *name, *solver, *law;
  double tolerance;
};
constexpr PcMethod kPcBisection{"bisection", "bisection_hybrid", "dissipation", 1e-6};
constexpr PcMethod kPcPgs{"pgs", "pgs", "coulomb", 1e-6};
constexpr PcMethod kCoulombBisection{"bisection, Coulomb", "bisection", "coulomb", 1e-6};
constexpr PcMethod kOursAtPaper{"auto", "auto", "coulomb", 1e-6};
constexpr PcMethod kOurBisection{"bisection 1e-10", "bisection", "dissipation", 1e-10};
constexpr PcMethod kOurPgs{"pgs 1e-10", "pgs", "coulomb", 1e-10};
constexpr PcMethod kOurs{"auto 1e-10", "auto", "coulomb", 1e-10};

/// What one run left: a number for every step that was taken.
struct PcRun {
  std::vector<double> seconds, iterations, contacts, penetration;
  PhaseTimes nanoseconds;  ///< summed
  std::int64_t refused = 0;
  double highest_energy = 0.0, first_energy = 0.0;  ///< [J] kinetic and potential at nodes
  double lowest_base = 0.0;                         ///< [m] least height of the first body
  Eigen::VectorXd start, end;                       ///< [nq]

  bool touched() const;  ///< something met something
  double total() const;  ///< [s] of all steps
};

/// Steps of one run: what the user asked for, or the paper's.
std::int64_t stepsOf(const Request& request);

/// What every run of these experiments is made with.
SimulatorOptions pcOptions(const Request& request);

/// Throws Stopped if the user wants no more.
void heed(const Watch& watch, std::int64_t steps);

Scene loadPcScene(const Request& request, const PcScene& scene, const PcMethod& method);

/// `dt` 0 leaves the scene's. A refused step is tried again without the memory of earlier ones, and counted. `before` are
/// the steps of the runs that were done earlier.
PcRun runPcScene(const Request& request, const Scene& scene, double tolerance, std::int64_t steps, std::int64_t before,
                 const Watch& watch);
/// [s] of every accepted step of the same run, while nothing is written down.
std::vector<double> timePcScene(const Request& request, const Scene& scene, double tolerance, std::int64_t steps,
                                std::int64_t before, const Watch& watch);

}  // namespace rigor::experiments
