// What happened in a step: numbers first, words on request.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

#include "rigor/contact_problem.h"
#include "rigor/step_record.h"

namespace rigor {

enum class StepStatus : std::uint8_t {
  kAccepted,
  kNotSolved,      ///< the contact solver's answer was refused by the judge
  kNotConverged,   ///< passes did not reach the end-of-step pose
  kNotFinite,      ///< input or state is not finite
  kTooFast,        ///< a joint or a body turns farther within a step than the scheme can follow, after all sub-steps
  kNotIntegrated,  ///< the iteration of an implicit integrator did not converge
  kGivesEnergy,    ///< contact would give energy: it runs farther than the shortest sub-steps can follow
  kLoopSwings,     ///< a loop is pulled so hard that what it holds swings faster than the shortest sub-steps can follow
  kTooManyEvents,  ///< stepper event: events follow each other without end
  kInterrupted,    ///< given up, because a stop was asked for (SimulatorOptions::stop)
};

const char* reasonOf(StepStatus status);  ///< why a step was not accepted, in words

/// Nanoseconds spent in the phases of the step.
struct PhaseTimes {
  double kinematics = 0, free_motion = 0, collide = 0, assemble = 0, solve = 0, judge = 0, integrate = 0;
};

/// Parts of a report that cost time and that not everyone reads.
struct ReportParts {
  bool contacts = false;  ///< StepReport::contacts
  bool energy = false;    ///< kinetic, potential, energy_gain
  bool momentum = false;
  bool torques = false;  ///< tau
  bool record = false;
  bool timing = false;   ///< nanoseconds: a clock reading per phase
  bool problem = false;  ///< Simulator::lastProblem is the largest of a step, not the last; not part of kAllParts
};
inline constexpr ReportParts kAllParts{true, true, true, true, true, true};

/// What the contact problems of a step were solved with, from the cheapest for its size on.
enum class LinearAlgebra : std::uint8_t {
  kTree,   ///< along the joints alone: no constraints, or only such as tie links of long chains to the world
  kDense,  ///< a dense matrix of the rows
  kBody,   ///< over the freedoms of bodies and short trees
  kGraph,  ///< along the graph of links: loops, and contacts between links, of long chains; loops between many small trees
};
const char* algebraName(LinearAlgebra algebra);  ///< tree, dense, body, graph

/// What ended a piece of smooth motion of stepper event, besides impacts.
enum class EventKind : std::uint8_t {
  kSettles,    ///< a bounce too low to go on ended: from here on the contact rests
  kSticks,     ///< slip, or motion against dry friction, came to rest or turned back
  kSlips,      ///< friction reached the border of its cone, or of dry friction
  kSeparates,  ///< a contact or stop pushes no more
  kSlidesOff,  ///< a contact left its face or edge
  kTurns,      ///< slip by law pyramid came to the border between two corners of friction, or left it
};
struct Event {
  double time = 0.0;  ///< [s]; of a bounce that settles: when all that would follow it have ended
  RowId id;           ///< of the contact, stop or joint
  EventKind kind = EventKind::kSettles;
};

struct StepReport {
  ReportParts wanted = kAllParts;  ///< what the stepper must fill in; whatever else is there may be of an earlier step
  StepStatus status = StepStatus::kAccepted;
  std::int64_t index = 0;  ///< number of the step, from 0
  double time = 0.0;       ///< at the start of the step [s]
  double dt = 0.0;
  std::string fastest;  ///< with kTooFast: who turns too far and how fast, e.g. `joint "wheel" turns at 400 rad/s`
  int substeps = 1;     ///< of all parts that stepped on their own; 1: the step was taken whole
  bool smooth = true;   ///< no constraint was near: the integrator took the step alone
  int solves = 0, passes = 0;  ///< summed over sub-steps
  int iterations = 0;
  const char* stage = "";  ///< solver stage that won (worst over islands and passes); "" without contact
  LinearAlgebra algebra = LinearAlgebra::kTree;  ///< the last of them in its order that was used
  std::string complaint;  ///< what your own solver threw, the last time that it did in this step; else empty
  /// Of a refused step: the own potential or constraint that was not finite where it was asked (own_terms.h); else empty.
  std::string own_trouble;
  // Judge: worst over blocks and sub-steps, in units of the block's scale (1e-10 is the default limit). Our own solvers
  // state u = Wλ + b itself, so `equation` is 0 for them.
  double law = 0.0, equation = 0.0, step = 0.0;
  double law_gap = 0.0;   ///< `law` as it would be by Coulomb's law; equal to it unless the scene has another one
  double floor = 0.0;     ///< largest law residual above the limit that the rounding of impulses excused, ≤ 1e-6; or 0
  bool by_floor = false;  ///< there was one
  double position_rounding =
      0.0;             ///< to how much the positions of contacts, limits and loops are known in doubles [m or rad]
  int impacts = 0;     ///< how often something struck something within the step
  double theta = 1.0;  ///< smallest factor of the energy guard on a bounce; 1: no bounce was shortened
  int unmet_bounces =
      0;  ///< islands that bounced by Stronge's law without its work at every contact; theta is then below 1
  int impacts_cut = 0;        ///< sequences of impacts that did not end one by one: what was left struck at once
  std::vector<Event> events;  ///< of stepper event, in their order
  int fallbacks = 0;          ///< of stepper event: stretches of time stepping where it found no smooth motion
  double step_error =
      0.0;  ///< of stepper event: the error of each piece, as it was estimated, in sum [m or rad; velocities of 1 + the fastest]
  double energy_gain =
      0.0;  ///< [J] at `time`, above the lowest node since nothing drives the system; 0 if it is driven
  double penetration = 0.0;        ///< max(0, −φ(q′)) [m]
  double loop_gap = 0.0;           ///< widest opening of a loop or own constraint at the end of a (sub-)step [m or rad]
  double mean_velocity_gap = 0.0;  ///< |v̄ − (v + v′)/2|∞ [rad/s or m/s]
  // Node values at `time`.
  double kinetic = 0.0, potential = 0.0;  ///< [J]; potential of gravity, springs and own potentials
  Eigen::Matrix<double, 6, 1> momentum =
      Eigen::Matrix<double, 6, 1>::Zero();  ///< linear, angular about the world origin
  Eigen::VectorXd velocity;                 ///< [nv] node velocity at `time`
  Eigen::VectorXd tau;                      ///< [nv] actuator torques that acted (first sub-step)
  std::vector<Contact> contacts;            ///< each once: impulses are sums over the sub-steps
  StepRecord record;                        ///< the sub-steps one by one
  PhaseTimes nanoseconds;

  bool accepted() const { return status == StepStatus::kAccepted; }
  std::string explain() const;  ///< two lines for a person
};

}  // namespace rigor
