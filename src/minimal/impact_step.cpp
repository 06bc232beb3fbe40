// Impacts: the step ends where something touches, the leapfrog is closed there, and the velocity of the node jumps.
//
// Both changes are steps of length 0: rows at q act and are judged at q, on velocities u = J v′.
//   half kick  M̂ (v⁻ − v) = ½h (τ − c) + Jᵀλ     with all that rests, without what strikes
//   impact     M (v⁺ − v⁻) = Jᵀλ,  0 ≤ λn ⟂ un⁺ + e un⁻ ≥ 0, |λt| ≤ μ λn …     with all that touches (Newton's law)
// Newton's law with friction can make energy (OS §IV; a rod's impact multiplies it by 1.6). With λc the answer for e = 0,
// which cannot, the impact takes λ = λc + θ (λe − λc) with the largest θ in [0, 1] that does not raise the energy.
#include <algorithm>
#include <cmath>

#include "contact/judge.h"
#include "minimal/secant.h"
#include "minimal/step_result.h"
#include "minimal/time_stepper.h"

namespace rigor {
namespace {

constexpr int kLandingTries = 40;    // steps of other lengths until one ends where something touches
constexpr int kRefinements = 4;      // solves for what rounding left of an impact
constexpr int kSaturations = 4;      // solves of a half kick in which motors reach their limits
constexpr double kRounding = 1e-13;  // of the energies in an impact, below which a gain is none

/// Change of kinetic energy by the impulses λ of an island that begins with u = b: λ·b + ½ λ·Wλ, and the sum of its
/// terms' sizes.
struct EnergyChange {
  double value = 0.0, size = 0.0;
};

EnergyChange energyChange(const ContactProblem& problem, const double* impulse) {
  const int m = problem.rows();
  EnergyChange change;
  for (int i = 0; i < m; ++i) {
    double product = 0.0;
    for (int j = 0; j < m; ++j) product += problem.W(i, j) * impulse[j];
    change.value += impulse[i] * (problem.b[i] + 0.5 * product);
    change.size += std::fabs(impulse[i] * problem.b[i]) + 0.5 * std::fabs(impulse[i] * product);
  }
  return change;
}

/// Largest θ in [0, 1] for which λc + θ (λe − λc) does not raise the energy; λe is overwritten with that impulse.
double guardEnergy(const ContactProblem& problem, const double* plastic, double* elastic) {
  const EnergyChange whole = energyChange(problem, elastic);
  if (whole.value <= kRounding * whole.size) return 1.0;
  const int m = problem.rows();
  const double first = std::min(energyChange(problem, plastic).value, 0.0);
  double slope = 0.0, curvature = 0.0;  // change(θ) = first + slope·θ + ½ curvature·θ², above 0 at 1
  for (int i = 0; i < m; ++i) {
    double velocity = problem.b[i], bend = 0.0;
    for (int j = 0; j < m; ++j) {
      const double W = problem.W(i, j);
      velocity += W * plastic[j];
      bend += W * (elastic[j] - plastic[j]);
    }
    slope += (elastic[i] - plastic[i]) * velocity;
    curvature += (elastic[i] - plastic[i]) * bend;
  }
  const double root = std::sqrt(std::max(0.0, slope * slope - 2.0 * curvature * first));
  const double theta = slope + root > 0.0 ? std::clamp(-2.0 * first / (slope + root), 0.0, 1.0) : 0.0;
  for (int i = 0; i < m; ++i) elastic[i] = plastic[i] + theta * (elastic[i] - plastic[i]);
  return theta;
}

}  // namespace

/// From `from` to where the impact of closing_ happens, and through it into `struck`.
TimeStepper::Impact TimeStepper::goThroughImpact(const StepInput& input, const Snapshot& from, Level& level,
                                                 Snapshot& struck, StepReport& report) {
  Impact impact{&from, 0.0, false};
  if (closing_.time > motion_.least) {
    if (land(input, from, level.landed, impact.time, report) != StepStatus::kAccepted) return {&from, 0.0, false};
    impact.reached = &level.landed;
  }
  if (impact.reached->memory.last_step > 0.0) {
    if (closeKick(input, *impact.reached, level.closed, report) != StepStatus::kAccepted) return impact;
    impact.reached = &level.closed;
  }
  if (strike(input, *impact.reached, struck, report) != StepStatus::kAccepted) return impact;
  ++report.impacts;
  return {&struck, impact.time, true};
}

/// Looks for the length of a step that ends where the first impact begins: a gap of half kTouching, which no impulse
/// made. Each try knows the gap at its own end and the speed there, so two or three suffice, unless other contacts change
/// their mind on the way: then the interval between a length that is too short and one that is too long is halved.
StepStatus TimeStepper::land(const StepInput& input, const Snapshot& from, Snapshot& to, double& time,
                             StepReport& report) {
  const double begin = motion_.h;
  double shorter = 0.0, longer = begin;
  time = closing_.time;
  for (int attempts = 0; attempts < kLandingTries; ++attempts) {
    const StepStatus status = attempt(input, from, time, false, to, report);
    if (status != StepStatus::kAccepted) return status;
    if (closing_.time == 0.0)
      return StepStatus::kNotConverged;  // an impact at the node, which came up with the new length
    const Closing next = findFirstClosing(makeContext(input, from), motion_, set_, islands_, longer);
    const bool too_long = next.found() && next.pressed;
    const bool at_touch = next.found() && next.gap_end <= kTouching;
    if (!too_long && (at_touch || longer - time <= motion_.least)) {
      accept(input, from, time, to, report);
      return status;
    }
    // pressed once more: others answered to the impulse too, and only a length that is too short can tell
    const double guess = too_long && longer < begin ? next.time - (time - next.time) : next.time;
    (too_long ? longer : shorter) = time;
    time = guess > shorter && guess < longer ? guess : 0.5 * (shorter + longer);
    if (time <= motion_.least) return StepStatus::kNotConverged;
  }
  return StepStatus::kNotConverged;
}

/// Half a kick from the middle of the last step to the node at its end.
StepStatus TimeStepper::closeKick(const StepInput& input, const Snapshot& from, Snapshot& to, StepReport& report) {
  PhaseClock clock(report.nanoseconds);
  const StepContext context = makeContext(input, from);
  startNode(context, from, to, clock);
  for (int solves = 0;; ++solves) {
    const StepStatus status = solveAtNode(context, to, report, clock);
    if (status != StepStatus::kAccepted || !saturateMotors(context, to.state.v.data())) {
      if (status == StepStatus::kAccepted) accept(input, from, 0.0, to, report);
      return status;
    }
    if (solves == kSaturations) return StepStatus::kNotConverged;
  }
}

/// The impact itself: impulses alone.
StepStatus TimeStepper::strike(const StepInput& input, const Snapshot& from, Snapshot& to, StepReport& report) {
  PhaseClock clock(report.nanoseconds);
  const StepContext context = makeContext(input, from);
  startNode(context, from, to, clock);
  StepStatus status = solveAtNode(context, to, report, clock);
  if (status == StepStatus::kAccepted && bounce(context, to, report)) status = judgeNode(context, to.state.v.data());
  if (status == StepStatus::kAccepted) accept(input, from, 0.0, to, report);
  return status;
}

void TimeStepper::startNode(const StepContext& context, const Snapshot& from, Snapshot& to, PhaseClock& clock) {
  verdict_ = {};
  computeStartPose(from.state.q);
  startMotion(context, from, 0.0, clock);
  to.state.q = from.state.q;
  to.state.v = from.state.v;
  islands_.count = 0;
  findTouching(context, start_, motion_, set_);
  computeResponses(topology_, motion_, 0, set_);
  clock.finish(&PhaseTimes::collide);
}

/// Impulses and velocity of a step of length 0, judged. The rates of the velocity that the impulses lead to differ from
/// W λ + b by the rounding of M⁻¹, which long chains magnify: what is left is solved for again.
StepStatus TimeStepper::solveAtNode(const StepContext& context, Snapshot& to, StepReport& report, PhaseClock& clock) {
  double* v_end = to.state.v.data();
  applyImpulses(topology_, motion_, set_, ImpulseChoice::kNone, change_.data());
  for (int j = 0; j < topology_.nv; ++j) v_end[j] = context.v[j] + change_[j];
  useStartRows(context, v_end, motion_, set_);
  computeNodeRates(context, v_end, set_);
  findIslands(topology_, set_, islands_);
  assembleProblems(context, true, v_end);
  clock.finish(&PhaseTimes::assemble);
  Residuals law;
  for (int refinements = 0; refinements <= kRefinements; ++refinements) {
    const bool solved = solveProblems(report);
    clock.finish(&PhaseTimes::solve);
    if (!solved) break;
    applyImpulses(topology_, motion_, set_, ImpulseChoice::kAll, change_.data());
    for (int j = 0; j < topology_.nv; ++j) v_end[j] = context.v[j] + change_[j];
    computeNodeRates(context, v_end, set_);
    law = judgeLawAtEnd();
    clock.finish(&PhaseTimes::judge);
    refused_law_ = law.law;
    if (!law.finite) break;
    if (law.law <= options_.tolerance) {
      verdict_.law = std::max(verdict_.law, law.law);
      verdict_.floor = std::max(verdict_.floor, law.floor);
      verdict_.by_floor = verdict_.by_floor || needsFloor(law, options_.tolerance);
      return judgeNode(context, v_end);
    }
    for (int i = 0; i < islands_.count; ++i) correctFreeVelocity(set_, islands_.list[i]);
  }
  return StepStatus::kNotSolved;
}

StepStatus TimeStepper::judgeNode(const StepContext& context, const double* v_end) {
  verdict_.balance = std::max(verdict_.balance, judgeMomentum(context, start_.kin, motion_, set_, v_end, momentum_));
  return verdict_.balance <= options_.tolerance ? StepStatus::kAccepted : StepStatus::kNotConverged;
}

/// Gives back what restitution demands, island by island, no more than energy allows. An island whose bounce has no
/// solution (a ball that fits its slot) keeps the impulses without it. Returns false if nothing bounces.
bool TimeStepper::bounce(const StepContext& context, Snapshot& to, StepReport& report) {
  bool any = false;
  for (int i = 0; i < islands_.count; ++i) {
    Island& island = islands_.list[i];
    bool bounces = false;
    for (std::size_t k = 0; k < island.constraints.size(); ++k) {
      const Constraint& c = set_.list[island.constraints[k]];
      if (c.source != RowSource::kContact) continue;
      const double before = rateAt(topology_, set_, c, context.v), e = context.contacts.pairs[c.index].restitution;
      if (e == 0.0 || before >= -impactThreshold(context, c)) continue;
      island.problem.bias[island.problem.blocks[k].row] = e * before;
      bounces = true;
    }
    if (!bounces) continue;
    std::vector<double>& elastic = island.solution.impulse;
    island.plastic.assign(elastic.begin(), elastic.end());
    island.plastic_modes = island.solution.modes;
    solver_->solve(island.problem, {.tolerance = options_.tolerance, .aim = 0.1 * options_.tolerance}, island.solution);
    ++report.solves;
    report.iterations += island.solution.iterations;
    double theta = 0.0;
    if (accepts(island.solution.residuals, options_.tolerance)) {
      theta = guardEnergy(island.problem, island.plastic.data(), elastic.data());
      verdict_.law = std::max(verdict_.law, island.solution.residuals.law);
      verdict_.floor = std::max(verdict_.floor, island.solution.residuals.floor);
    } else {
      elastic = island.plastic;
      island.solution.modes = island.plastic_modes;
    }
    verdict_.theta = std::min(verdict_.theta, theta);
    any = any || theta > 0.0;
    for (std::size_t k = 0; k < island.constraints.size(); ++k) {
      const Constraint& c = set_.list[island.constraints[k]];
      std::copy_n(&elastic[island.problem.blocks[k].row], c.rows, &set_.impulse[c.first_row]);
    }
  }
  if (!any) return false;
  applyImpulses(topology_, motion_, set_, ImpulseChoice::kAll, change_.data());
  for (int j = 0; j < topology_.nv; ++j) to.state.v[j] = context.v[j] + change_[j];
  computeNodeRates(context, to.state.v.data(), set_);
  return true;
}

}  // namespace rigor
