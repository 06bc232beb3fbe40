// What a run did, in numbers: added up step by step, told in a few lines at the end.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rigor/missing_contact.h"
#include "rigor/report.h"
#include "rigor/run.h"

namespace rigor {

/// Three digits with the unit that people would take: 850 ns, 12.5 µs, 1.03 ms, 2 s.
std::string durationText(double seconds);

/// How fast contacts creep that should not move at all.
struct Creep {
  double speed = 0.0;  ///< largest |Σ slip·dt| / T of one contact [m/s]; 0 without such a contact
  int contacts = 0;    ///< how many contacts stuck in every step of the window
};

/// The sticking contacts of the last second. Drift is a vector sum, so a contact that only trembles does not creep.
class StickWindow {
 public:
  static constexpr double kLength = 1.0;  ///< [s]

  void add(const StepReport& report);
  Creep creep() const;  ///< of contacts that stuck in every step of a full window; none if the run was shorter

 private:
  struct Step {
    double time, dt;
    int sticks;  // how many entries of sticks_ belong to this step
  };
  struct Stick {
    RowId id;
    Eigen::Vector3d drift;  // slip · dt [m]
  };
  void forgetBefore(double time);

  // Queues in plain vectors: the live part begins at the head, and the dead part is cut off when it is the longer one.
  std::vector<Step> steps_;
  std::vector<Stick> sticks_;
  std::size_t step_head_ = 0, stick_head_ = 0;
};

/// Counts how contacts change from one step to the next. One that is not listed in a step is open there.
class ContactEvents {
 public:
  void add(const std::vector<Contact>& contacts);

  std::int64_t sticks = 0;       ///< began to stick: from open, or from slipping
  std::int64_t slips = 0;        ///< began to slip: from open, or from sticking
  std::int64_t separations = 0;  ///< let go

 private:
  struct Seen {
    RowId id;
    ContactMode mode;
  };
  std::vector<Seen> before_, now_;  // closed contacts, by id
};

/// Sums and extremes over the steps of a run. All steps have the same dt. Extremes are over accepted steps, and a NaN
/// among them stays visible.
struct RunSummary {
  std::int64_t steps = 0;         ///< tried: accepted and refused
  std::int64_t failed_steps = 0;  ///< refused
  std::int64_t substeps = 0;      ///< parts taken instead of whole steps
  std::int64_t smooth_steps = 0;  ///< accepted steps in which no constraint was near
  double dt = 0.0;                ///< [s]
  double wall_time = 0.0;         ///< real time of the whole run, set by the Summarizer [s]
  double step_time = 0.0;         ///< real time inside the steps alone, set by the Summarizer [s]
  double tolerance = 1e-10;       ///< limit of the judge, for text()
  bool approximate_law = false;   ///< the scene has another law than Coulomb's, for text()
  PhaseTimes nanoseconds;         ///< summed over the steps

  RunStatus status = RunStatus::kDone;        ///< set by the Summarizer
  int ignored_pairs = 0, ignored_shapes = 0;  ///< see MissingContact; set by the Summarizer
  std::string missing_contact;                ///< the same in words

  std::int64_t iterations = 0, passes = 0;  ///< summed
  int iterations_max = 0, passes_max = 0, contacts_max = 0;
  double law = 0.0, equation = 0.0, step = 0.0;  ///< worst residuals, in units of the limit's scale
  double law_gap_max = 0.0;  ///< worst law residual by Coulomb's law; tells how far the scene's law is from it
  double law_gap_sum = 0.0;  ///< of all accepted steps with constraints
  double floor_max = 0.0;    ///< largest residual that the rounding of impulses excused, same unit
  std::int64_t accepted_by_floor = 0;  ///< steps with such a residual
  double position_rounding_max = 0.0;  ///< what positions of contacts are known to [m]; harmless below 1e-11
  std::int64_t impacts = 0;            ///< summed
  std::int64_t unmet_bounces = 0, impacts_cut = 0;  ///< summed (StepReport)
  std::int64_t settled = 0, fallbacks = 0;          ///< stepper event: bounces that ended, stretches of time stepping
  double step_error = 0.0;                          ///< stepper event: estimated errors of all pieces, in sum
  double theta_min = 1.0;                           ///< smallest factor of the energy guard on a bounce
  double energy_gain_max = 0.0;  ///< largest rise above an earlier node while nothing drove the system [J]
  double penetration_max = 0.0;  ///< [m]
  std::optional<double> true_penetration_max;  ///< [m] by separate code, where a GeometryWatch looked
  double loop_gap_max = 0.0;                   ///< widest opening of a loop [m or rad]
  double energy_start = 0.0;                   ///< kinetic + potential at the start of the first accepted step [J]
  double energy_end = 0.0;                     ///< at the last node seen; the Summarizer looks one step further [J]

  /// Why the last node's velocity was not found: energy and velocity there are those of the last step. Empty: it was found.
  std::string last_node_missed;

  struct Stage {
    std::string name;
    std::int64_t steps = 0;
  };
  /// The first step that was refused.
  struct Failure {
    std::int64_t step = 0;
    StepStatus status = StepStatus::kNotSolved;
    std::string stage;                     ///< solver stage that came farthest
    double residual = 0.0;                 ///< worst of the three
    std::vector<double> certificate = {};  ///< [m] proof that its contact problem has no solution; empty without one
    std::string fastest = {};              ///< StepReport::fastest
  };
  std::optional<Failure> first_failure;
  std::vector<Stage> stages;  ///< which solver stage decided how many steps; steps without contact are not counted
  LinearAlgebra algebra = LinearAlgebra::kTree;  ///< the last in its order that any step used
  StickWindow sticking;
  ContactEvents events;

  /// Does not allocate once it has seen a second of contacts and every stage.
  void add(const StepReport& report);

  std::int64_t accepted() const { return steps - failed_steps; }
  double simTime() const { return static_cast<double>(accepted()) * dt; }  ///< [s]
  double meanIterations() const;
  double meanLawGap() const;  ///< over accepted steps with constraints
  double meanPasses() const;
  double microsecondsPerStep() const;                            ///< of `step_time`
  double microsecondsPerStep(double PhaseTimes::* phase) const;  ///< of one phase

  std::string text()
      const;  ///< the verdict: six lines (more with loops or a GeometryWatch), or one if no step was accepted; no final newline
};

/// Adds up the run that it watches, and finds what contact was missing in it.
class Summarizer final : public RunObserver {
 public:
  const RunSummary& summary() const { return summary_; }  ///< whole when the run has ended

  ReportParts wants() const override { return {.contacts = true, .energy = true, .timing = true}; }
  void begin(const Simulator& simulator, std::int64_t steps) override;
  void see(const Simulator& simulator, const RunStep& step) override;
  void end(Simulator& simulator, const RunOutcome& outcome) override;

 private:
  RunSummary summary_;
  std::optional<MissingContact> missing_;
};

}  // namespace rigor
