// The simulator: a scene that moves.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "rigor/report.h"
#include "rigor/scene.h"
#include "rigor/solver.h"
#include "rigor/state.h"

namespace rigor {

struct SimulatorOptions {
  std::optional<double> tolerance = {};  ///< ε of the judge, in place of the scene's accuracy
  int max_halvings = 8;       ///< a refused step is retried as two of half the length, at most this deep; 0: never
  SolverFactory solver = {};  ///< makes your own contact solver, in place of the scene's; empty: none
  /// Islands of many contacts are solved on this many threads, at least 1; results do not depend on it. Your own solver is
  /// made once for each.
  int threads = 1;
  /// Once it is raised, a step under way is given up soon (StepStatus::kInterrupted), and so is every other until it is taken
  /// back; null: never. Must outlive the simulator and its forks.
  const StopFlag* stop = nullptr;
};

/// The contact problem of a step and what was found. Islands that do not touch each other stand one after the other.
struct SolvedProblem {
  ContactProblem problem;
  SolveStatus status = SolveStatus::kSolved;
  std::vector<double> impulse;      ///< [m]
  std::vector<double> certificate;  ///< [m] with kNoSolution (ContactSolution::certificate), else empty
  int place = 1, of = 1;            ///< which, from 1, of how many the step solved; told with ReportParts::problem
};

class Simulator {
 public:
  /// Checks the scene, moves interpenetrating bodies apart, closes loops and own constraints and takes away velocities that
  /// would open them (see warnings()). Throws Error if one cannot be closed, or an own term is unsound (own_terms.h).
  explicit Simulator(const Scene& scene, const SimulatorOptions& options = {});
  Simulator(const Simulator& other);  ///< a fork: same bits, own life
  Simulator(Simulator&&) noexcept;
  ~Simulator();

  const StepReport& step();               ///< one step of dt; a refused step leaves the state as it was
  const StepReport& run(double seconds);  ///< steps until done or refused
  const StepReport& report() const;
  /// What reports must hold from the next step on: all of it unless changed. The rest may be left out to save time; the
  /// judge's numbers never are.
  ReportParts& wanted();

  /// What the last step solved last: the end of an accepted step, or where a refused one gave up; where bodies that cannot
  /// meet stepped on their own, of the last of them. If wanted().problem was set, an accepted step has the largest one: a
  /// sub-step after an impact may have nothing to solve any more. Empty if no constraint was near, and after node().
  SolvedProblem lastProblem() const;

  const Scene& scene() const;
  const State& state() const;
  /// The state does not follow from a step: the start, or since the last step a reset, setState or restore.
  bool isFresh() const;
  /// Velocity, energies, momentum and torques at the current time: what the next step's report will call its start. Finds
  /// the forces that act now. Refused if these cannot be found: its velocity and energy are then those of the last step; the state stays.
  const StepReport& node();
  Eigen::VectorXd velocity();  ///< node velocity at the current time
  /// Time stays; loops and own constraints that q leaves open are closed as at the start. Overlap is not removed: it does not
  /// get deeper, or the next step is refused. Throws Error for what is wholly inside a closed mesh of triangles or under a height
  /// field.
  void setState(const Eigen::VectorXd& q, const Eigen::VectorXd& node_velocity);
  Pose pose(int body) const;  ///< X_WB now
  /// Acts in every step until changed: tau and wrenches besides those of the scene, ctrl in place of its targets. Not part
  /// of a snapshot. A step throws Error, and changes nothing, if sizes are wrong or a target is not finite.
  Input& input();
  /// Called before every step with the state; may change the input. An exception in it leaves the state untouched.
  void setController(std::function<void(const State&, Input&)> controller);

  Snapshot save() const;
  void restore(const Snapshot& snapshot);
  std::vector<Warning> warnings() const;  ///< scene and start-up

 private:
  friend class StepDerivatives;
  friend class InverseDynamics;  // its steps are those of the simulator
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace rigor
