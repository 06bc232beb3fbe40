#include "event/event_stepper.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/tiny_is_zero.h"
#include "minimal/attempt.h"
#include "minimal/contact_rows.h"
#include "minimal/impact.h"
#include "minimal/loop_rows.h"
#include "minimal/own_trouble.h"
#include "minimal/row_kinds.h"
#include "minimal/secant.h"
#include "minimal/split_step.h"
#include "minimal/step_record.h"
#include "minimal/step_report.h"
#include "minimal/strike.h"
#include "minimal/surface_rows.h"

namespace rigor {
namespace {

constexpr double kLanded = 1e-11;        // [m or rad] a gap that approaches and is no wider strikes now
constexpr double kSimultaneous = 1e-10;  // [s] what closes within this of an impact takes part in it
constexpr int kStuck = 12;               // events at one time before the time stepper takes over
constexpr int kShortPieces = 100;        // in a row before it does so
constexpr double kShortPiece = 1e-4;     // of the step: shorter is short
constexpr double kUnseen = 1e-6;         // [s] for which forces are not looked at, at most
constexpr int kMostEvents = 30000;       // of one step

/// Of a spring or its damper at the node, where its rate is known.
double springForce(const StepContext& context, const ConstraintSet& set, const Constraint& c) {
  const SpringPart& part = context.tables.springs[c.index];
  const SpringDetail& detail = set.springs[c.detail];
  return detail.damps ? -part.damping * set.velocity[c.first_row] : -part.stiffness * detail.stretch;
}

EventKind kindOf(Watched what) {
  switch (what) {
    case Watched::kPush:
      return EventKind::kSeparates;
    case Watched::kCone:
      return EventKind::kSlips;
    case Watched::kSlip:
    case Watched::kRub:
      return EventKind::kSticks;
    case Watched::kOutside:
      return EventKind::kSlidesOff;
    case Watched::kSector:
    case Watched::kEdge:
      return EventKind::kTurns;
    case Watched::kSettling:
    case Watched::kGap:
      break;
  }
  return EventKind::kSettles;
}

}  // namespace

EventStepper::EventStepper(TimeStepper& ground, const PieceOptions& options)
    : ground_(ground), tables_(ground.tables()), piece_(ground.tables(), options) {}

void EventStepper::findNode(const StepInput& input, const Snapshot& from, double h, StepReport& node) {
  ground_.findNode(input, from, h, node);
}

void EventStepper::step(const StepInput& input, const Snapshot& from, double h, Snapshot& to, StepReport& report) {
  const TinyIsZero scope;
  beginReport(from.state.time, h, report);
  startRecord(input, report.record);
  const StepTask task = ground_.makeTask(input, h, report);
  report.status = takeStep(task, from, to);
  if (report.accepted()) return report.own_trouble.clear();
  refuseReport(task.work.refused_law, report);
  startRecord(input, report.record);
}

StepStatus EventStepper::takeStep(const StepTask& task, const Snapshot& from, Snapshot& to) {
  StepWork& work = task.work;
  beginStep(task);
  now_ = from;
  last_.events.clear();
  stuck_ = short_pieces_ = 0;
  piece_.suggested = from.memory.event_step;
  fallback_.begin();
  if (isInFlight(work.part, now_.memory)) {
    const StepStatus status = closeKick(task, now_, next_);
    if (status != StepStatus::kAccepted) return status;
    std::swap(now_, next_);
  }
  const double end = from.state.time + task.length;
  const double rounding = 4.0 * std::numeric_limits<double>::epsilon() * std::max(std::fabs(end), task.length);
  for (int events = 0; end - now_.state.time > rounding; ++events) {
    if (isRaised(task.options.stop)) return StepStatus::kInterrupted;
    if (events > kMostEvents) return StepStatus::kTooManyEvents;
    const double left = end - now_.state.time;
    StepStatus status = prepare(task, now_, left, next_);
    if (status != StepStatus::kAccepted) return status;
    piece_.stiff = false;
    if (stuck_ >= kStuck || short_pieces_ >= kShortPieces)
      status = StepStatus::kNotSolved;
    else
      status = strikes(task) ? strikeNow(task) : goOnSmoothly(task, left);
    if (status == StepStatus::kInterrupted || status == StepStatus::kNotFinite) return status;
    if (status != StepStatus::kAccepted) status = fallBack(task, left);
    if (status != StepStatus::kAccepted) return status;
  }
  if (!work.part.reported) return StepStatus::kNotIntegrated;  // the whole step is shorter than events are told apart
  std::swap(to, now_);
  to.state.time = end;
  to.memory.event_step = piece_.suggested;
  return StepStatus::kAccepted;
}

/// The node: kinematics, contacts that touch or may close within `length`, everything that acts.
StepStatus EventStepper::prepare(const StepTask& task, const Snapshot& at, double length, Snapshot& next) {
  PhaseClock clock(task.report);
  StepWork& work = task.work;
  work.verdict = {};
  startMotion(task, at, length, clock);
  const StepContext context = task.from(at);
  next.state.q.resize(context.topology.nq);
  next.state.v.resize(context.topology.nv);
  if (!potentialsAreFinite(context.tables, work.motion, task.report) || !finitePositions(work.part, at.state.q) ||
      !finiteFreedoms(work.part, work.motion.rhs.data()))
    return StepStatus::kNotFinite;
  searchNear(context, work.start.pose, work.motion, work.set);
  addConstraints(context, work.start.pose, work.motion, work.set);
  clock.finish(&PhaseTimes::collide);
  return constraintsAreFinite(context.tables, work.set, task.report) ? StepStatus::kAccepted : StepStatus::kNotFinite;
}

bool EventStepper::strikes(const StepTask& task) const {
  const ConstraintSet& set = task.work.set;
  return std::any_of(set.active.begin(), set.active.end(), [&](int slot) {
    const Constraint& c = set.slots[slot];
    if (!c.can_open || !c.touching) return false;
    const double rate = rateOfGap(set, c);
    return rate < -kRest && c.gap <= kLanded - 2.0 * kEventTime * rate;
  });
}

/// All that touches strikes; what pressed before it presses on with the force that it had.
StepStatus EventStepper::strikeNow(const StepTask& task) {
  StepWork& work = task.work;
  for (Constraint& c : work.set.slots) {
    const BlockMemory* block = findBlock(now_.memory, c.id);
    c.rested = c.can_open && block && block->impulse[0] > 0.0;
  }
  const StepTask impact{task.tables, task.options, task.crew,    task.input, kSimultaneous / kLeastPart,
                        work,        task.report,  task.observer};
  const StepStatus status = strike(impact, now_, work.levels[0], next_);
  if (status != StepStatus::kAccepted) return status;
  carryForces(now_.memory, next_.memory);
  std::swap(now_, next_);
  last_.events.clear();
  ++stuck_;
  return status;
}

/// Modes, and the motion as long as they hold.
StepStatus EventStepper::goOnSmoothly(const StepTask& task, double longest) {
  task.work.verdict = {};
  StepStatus status = chooseModes(task, task.from(now_), last_.events, problem_, piece_.motion);
  if (status != StepStatus::kAccepted) return status;
  // forces that are shared in several ways may say otherwise than the modes: a little further on they are asked again
  piece_.trusts_forces = stuck_ >= kStuck / 2;
  if (piece_.trusts_forces) longest = std::min(longest, kUnseen);
  last_ = piece_.take(task, task.from(now_), longest);
  if (last_.status != StepStatus::kAccepted) return last_.status;
  stuck_ = piece_.end.length > kEventTime ? 0 : stuck_ + 1;
  short_pieces_ = piece_.end.length > kShortPiece * task.length ? 0 : short_pieces_ + 1;
  if (piece_.end.length > 0.0) commit(task);
  tellEvents(task, last_);
  return StepStatus::kAccepted;
}

/// Time stepping, as far as its error allows.
StepStatus EventStepper::fallBack(const StepTask& task, double left) {
  ++task.report.fallbacks;
  last_.events.clear();
  const double least = short_pieces_ >= kShortPieces ? kShortPieces * kShortPiece * task.length : 0.0;
  stuck_ = short_pieces_ = 0;
  const StepStatus status = fallback_.take(task, now_, left, piece_.accuracy(), least, next_);
  task.report.step_error += fallback_.error();
  std::swap(now_, next_);
  return status;
}

/// Makes the last piece count.
void EventStepper::commit(const StepTask& task) {
  PhaseClock clock(task.report);
  StepWork& work = task.work;
  const StepContext context = task.from(now_);
  const double h = piece_.end.length;
  task.report.step_error += piece_.errorOf(piece_.end);
  work.motion.h = h;
  work.verdict.smooth = true;
  work.node_velocity = now_.state.v;
  place(tables_, work.part, piece_.end.q, work.end);
  writeImpulses(task, context, h);
  next_.state.q = piece_.end.q, next_.state.v = piece_.end.v;
  next_.state.time = now_.state.time + h;
  remember(now_, next_);
  addToReport(context, next_.state.v.data(), work, task.report);
  if (task.observer) task.observer(context, work);
  std::swap(work.start, work.end);
  std::swap(now_, next_);
  clock.finish(&PhaseTimes::integrate);
}

/// Impulses, rates and modes of all that takes part, as a report and a recording tell them: forces at the start times the length.
void EventStepper::writeImpulses(const StepTask& task, const StepContext& context, double h) {
  ConstraintSet& set = task.work.set;
  Islands& islands = task.work.islands;
  islands.made_of.clear(), islands.found = 0;
  islands.count = set.empty() ? 0 : 1;
  if (set.empty()) return;
  if (islands.list.empty()) islands.list.emplace_back();
  Island& island = islands.list[0];
  island.constraints = set.active;
  island.problem = problem_.problem;
  island.solution = problem_.solution;
  island.solution.modes.assign(set.active.size(), ContactMode::kOpen);
  const StepEnd there{task.work.end.pose, piece_.end.q.data(), piece_.end.v.data(), h};
  for (std::size_t k = 0; k < set.active.size(); ++k) {
    Constraint& c = set.slots[set.active[k]];
    std::fill_n(&set.impulse[c.first_row], c.rows, 0.0);
    visitRows(c, [&](auto kind) { kind.secant(context, task.work.start.pose, there, c, set); });
    for (int r = 0; r < c.rows; ++r) set.velocity[c.first_row + r] = rateOfRow(set, c, set.sidesOf(c), r, context.v);
    if (c.runs) addBelt(c, set, &set.velocity[c.first_row]);
    const auto& held = piece_.motion.held;
    const auto one = std::find_if(held.begin(), held.end(), [&](const Held& h) { return h.slot == set.active[k]; });
    if (one == held.end()) {
      if (rubs(c.source)) set.impulse[c.first_row] = h * piece_.motion.rubbing(c.index);
      if (isSpring(c.source)) set.impulse[c.first_row] = h * springForce(context, set, c);
      continue;
    }
    const double* force = &piece_.forces()[one->first];
    for (int r = 0; r < one->rows; ++r) set.impulse[c.first_row + r] = h * force[r];
    island.solution.modes[k] = one->slips() ? ContactMode::kSlip : ContactMode::kStick;
    if (!one->slips()) continue;
    const Eigen::Vector2d friction = frictionAtStart(*one, force);
    for (int r = 0; r < 2; ++r) set.impulse[c.first_row + 1 + r] = h * friction[r];
  }
}

/// What the next node wants to know: forces of what was held, by id. The velocity is that of the node.
void EventStepper::remember(const Snapshot& from, Snapshot& to) {
  rememberNode(from.memory, to.memory);
  for (const Held& held : piece_.motion.held) {
    BlockMemory block{.id = held.id, .rows = held.rows};
    block.mode = held.slips() ? ContactMode::kSlip : ContactMode::kStick;
    std::copy_n(&piece_.forces()[held.first], held.rows, block.impulse);
    to.memory.blocks.push_back(block);
  }
  sortById(to.memory.blocks);
}

/// When the bounces of a contact that was left at the top of one have ended: the rise to a height H took √(2H/a), and from its beginning on
/// this bounce and all that follow take 2/(1 − e) times as long, the sum of a geometric series.
double EventStepper::limitOfBounces(const StepTask& task, int slot, double top) const {
  const ConstraintSet& set = task.work.set;
  const Constraint& c = set.slots[slot];
  const double pull = set.velocity[c.first_row] / piece_.end.length, height = std::max(c.gap_end, 0.0);
  if (!(piece_.end.length > 0.0) || !(c.restitution < 1.0) || !(pull > 0.0)) return top;
  return top + std::sqrt(2.0 * height / pull) * (2.0 / (1.0 - c.restitution) - 1.0);
}

void EventStepper::tellEvents(const StepTask& task, const PieceEnd& end) {
  const double time = now_.state.time;
  for (const Watch& watch : end.events) {
    if (watch.what == Watched::kGap) continue;  // an impact, or a contact that begins at rest
    const bool settles = watch.what == Watched::kSettling;
    task.report.events.push_back(
        {settles ? limitOfBounces(task, watch.index, time) : time, watch.id, kindOf(watch.what)});
  }
}

}  // namespace rigor
