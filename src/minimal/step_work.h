// The memory that steps are computed in: one per thread, nothing in it decides what a step does.
#pragma once

#include <functional>
#include <limits>

#include "minimal/closing.h"
#include "minimal/contact_work.h"
#include "minimal/decompression.h"
#include "minimal/momentum_judge.h"
#include "minimal/smooth_step.h"
#include "minimal/solver_crew.h"
#include "minimal/step_result.h"
#include "stepping/phase_clock.h"

namespace rigor {

struct TimeStepperOptions {
  double tolerance = 1e-10;  ///< ε of the judge
  Law law = Law::kCoulomb;   ///< of contacts
  int directions = kUsualDirections;
  int max_halvings = 8;
  int impact_stops = 4;                           ///< see Crowds::most_stops
  bool sequential_impacts = false;                ///< one contact after the other (strike.h)
  bool bounces_always = false;                    ///< no impact is too slow for its restitution (stepper event)
  const StopFlag* stop = nullptr;                 ///< raised: the step is given up
  Integrator integrator = Integrator::kLeapfrog;  ///< of steps in which no constraint is near
  Formulation formulation = Formulation::kMinimal;
  /// Mean depth of a tree's freedoms from which on a variational step has its rows on links (row_space.h).
  double link_rows_from = 85.0;
  /// Its problems keep a dense matrix while they have no more rows than this times ∛links: until then the cube of the rows is cheaper
  /// than to eliminate along the links (chains of 40 to 300 links with contacts).
  double dense_rows = 15.0;
  OwnTerms own = {};  ///< potentials and constraints of a user
};

/// What the judge said of the last attempt; joins the report when the attempt is accepted.
struct StepVerdict {
  double law = 0.0, floor = 0.0, equation = 0.0, balance = 0.0;
  double law_gap = 0.0;  ///< `law` by Coulomb's law
  bool by_floor = false;
  bool smooth = false;  ///< taken by the chosen integrator
  double theta = 1.0;   ///< of an impact: share of the restitution that energy allowed

  /// The law on (λ, u) as the judge found it.
  void add(const Residuals& law_found, double tolerance);
};

/// Snapshots of one level of halving.
struct HalvingLevel {
  Snapshot middle;          ///< between the two halves
  Snapshot landed, closed;  ///< before an impact: in the middle of the step that led to it, at its node
  Snapshot struck[2];       ///< after it, in turn
  Snapshot compressed;      ///< between the two phases of it
  Snapshot blows[2];        ///< between the contacts of one that strike one after the other
};

/// A pose that is remembered by its coordinates: a step often begins where the last one ended.
struct KnownPose {
  PlacedModel pose;
  Eigen::VectorXd q;
};

/// Links and features of a part at q, computed anew.
void place(const StepTables& tables, const Part& part, const Eigen::VectorXd& q, KnownPose& pose);
/// True if the part is at q already.
bool isAt(const Part& part, const Eigen::VectorXd& q, const KnownPose& pose);

/// How far features move at most [m].
struct Ways {
  std::vector<double> balls;   ///< [balls] their centres
  std::vector<double> solids;  ///< [shapes] any point of a solid

  void resize(const StepTables& tables) {
    balls.resize(tables.collision.ball_link.size());
    solids.resize(tables.collision.solids.size());
  }
  void setZero() {
    std::fill(balls.begin(), balls.end(), 0.0);
    std::fill(solids.begin(), solids.end(), 0.0);
  }
};

/// How a world is cut into parts (split_step.h).
struct Split {
  TreeGroups groups;                 ///< who stays together
  std::vector<char> troubled;        ///< [trees] must step on their own
  std::vector<char> group_troubled;  ///< [trees] the same, by the first tree of a group
  std::vector<int> trees;            ///< scratch: those without trouble
  std::vector<int> members;          ///< those of groups with trouble, group by group
  Ways way;                          ///< that they went in this step at most
  Ways reach;                        ///< that they would go with the velocities at its start
  Snapshot end;                      ///< where a part ends

  void resize(const StepTables& tables);
};

struct StepWork {
  StepWork(const StepTables& tables, const TimeStepperOptions& options);

  Part part;  ///< who steps
  KnownPose start, end;
  FreeMotion motion;
  ConstraintSet set;
  Islands islands;
  Crowds crowds;
  Decompression decompression;
  SmoothStep smooth;
  MomentumScratch momentum;
  ContactWorkScratch contact_work;
  Eigen::VectorXd node_velocity;     ///< [nv] of a smooth step
  std::vector<double> change;        ///< [nv] v′ − v
  std::vector<Motion<double>> V;     ///< [links] scratch
  std::vector<HalvingLevel> levels;  ///< [max_halvings + 1]
  Split split;
  StepVerdict verdict;                ///< of the last attempt
  const double* attempted = nullptr;  ///< [nv] v′ that it looked at last
  Closing closing;                    ///< its first impact
  ReportedContacts reported;
  double refused_law = 0.0;  ///< residual at which the last attempt gave up
};

/// Told of every accepted sub-step while its last pass is still there: rows, factors, sets and problems in the work.
using SubstepObserver = std::function<void(const StepContext& context, const StepWork& work)>;

/// One step that is being taken: what it is made of, where it works, whom it tells.
struct StepTask {
  const StepTables& tables;
  const TimeStepperOptions& options;
  SolverCrew& crew;
  const StepInput& input;
  double length;  ///< [s] of the whole step
  StepWork& work;
  StepReport& report;
  const SubstepObserver& observer;  ///< may be empty

  StepContext from(const Snapshot& snapshot) const {
    return makeContext(tables, work.part, input, snapshot.memory, snapshot.state.q.data(), snapshot.state.v.data());
  }
};

inline constexpr double kLeastPart = 1e-5;  ///< of a step: impacts closer together than this are simultaneous

}  // namespace rigor
