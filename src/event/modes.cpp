#include "event/modes.h"

#include <algorithm>
#include <cmath>

#include "event/friction_modes.h"
#include "minimal/contact_rows.h"
#include "minimal/loop_rows.h"
#include "minimal/surface_rows.h"

namespace rigor {
namespace {

constexpr double kBorder = 1e-6;     // of the largest force: nearer to the border of a mode an event decides
constexpr double kStillness = 1e-8;  // of the largest acceleration without contact: what slips faster does
constexpr int kRounds = 8;           // problems in which contacts that begin to slip get their kinetic friction

bool endedBy(const std::vector<Watch>& events, Watched what, const RowId& id) {
  return std::any_of(events.begin(), events.end(), [&](const Watch& e) { return e.what == what && e.id == id; });
}

Held startOf(const Constraint& c, int slot) {
  Held held;
  held.source = c.source, held.id = c.id, held.slot = slot, held.index = c.index;
  return held;
}

/// A contact that touches and neither opens nor closes.
Held holdContact(const StepContext& context, const FrictionPolygon* polygon, const ConstraintSet& set, int slot) {
  const Constraint& c = set.slots[slot];
  const ContactDetail& detail = set.contacts[c.detail];
  const ContactMaterial& surface = context.tables.collision.surfaceOf(detail.pair);
  Held held = startOf(c, slot);
  held.pair = detail.pair;
  held.target = std::max(c.gap, 0.0);
  held.axis = tangentAxis(detail.start.normal);
  held.tangent_1 = detail.tangent_1, held.tangent_2 = detail.tangent_2;
  double rates[3] = {};
  for (int r = 1; r < 3; ++r) rates[r] = rateOfRow(set, c, set.sidesOf(c), r, context.v);
  if (c.runs) addBelt(c, set, rates);
  const Eigen::Vector2d slip(rates[1], rates[2]);
  const double speed = slip.norm();
  const bool slips = speed > kRest || !(surface.friction_static > 0.0);  // without friction nothing sticks
  held.mu = slips ? surface.friction : surface.friction_static;
  if (held.mu > 0.0) held.polygon = polygon;
  held.how = slips ? Hold::kSlip : Hold::kStick, held.rows = slips ? 1 : 3;
  if (!slips) return held;
  held.direction = detail.tangent_1;
  if (speed > kRest) held.direction = (1.0 / speed) * (slip[0] * detail.tangent_1 + slip[1] * detail.tangent_2);
  if (held.polygon) slipOnPolygon(slip, held);
  return held;
}

void addCandidates(const StepContext& context, const FrictionPolygon* polygon, const ConstraintSet& set,
                   std::vector<Held>& candidates) {
  candidates.clear();
  for (const int slot : set.active) {
    const Constraint& c = set.slots[slot];
    if (c.can_open && (!c.touching || std::fabs(rateOfGap(set, c)) > kRest)) continue;
    if (contactOf(c, set)) {
      candidates.push_back(holdContact(context, polygon, set, slot));
      continue;
    }
    Held held = startOf(c, slot);
    if (held.isStop()) {
      held.sign = set.joints[c.detail].sign,
      held.target = set.joints[c.detail].bound + held.sign * std::max(c.gap, 0.0);
    } else if (held.isLoop()) {
      held.rows = c.rows;
    } else if (!held.rubs() || std::fabs(context.v[c.index]) > kRest) {
      continue;
    } else {
      held.bound = context.parameters.dry_friction[c.index];
    }
    candidates.push_back(held);
  }
}

/// Nearer to the border of a mode than this an event decides: of the largest force, or of one that accelerates as much as the rest does [N].
double borderOf(const Held& held, const HeldMotion& motion, double largest) {
  const double mobility = std::fabs(motion.mobility(held.first));
  const double moves =
      mobility > 0.0 ? std::max(motion.problemVelocity().lpNorm<Eigen::Infinity>(), kModeScale) / mobility : 0.0;
  return kBorder * std::max(largest, moves);
}

/// Friction holds it no longer. True if the coefficient changes with that: which way it slips depends on it, so the problem is solved once
/// more before that is said.
bool letSlip(const StepContext& context, const double* force, const double* rate, double border, Held& held) {
  if (held.how == Hold::kEdge) {
    leaveEdge(force[1], held);
    return false;
  }
  const ContactMaterial& surface = context.tables.collision.surfaceOf(held.pair);
  if (surface.friction != held.mu) {
    held.mu = surface.friction;
    return true;
  }
  beginSlip({force[1], force[2]}, {rate[1], rate[2]}, border, held);
  return false;
}

/// Takes the modes of the solution over: drops what opens, lets slip what slips. True if a friction changed with that, so that the problem
/// is another one.
bool takeModes(const StepContext& context, const std::vector<Watch>& events, const ModeProblem& scratch,
               HeldMotion& motion) {
  const ContactSolution& solution = scratch.solution;
  double largest = 0.0;
  for (const double force : solution.impulse) largest = std::max(largest, std::fabs(force));
  const double still = kStillness * std::max(scratch.b.lpNorm<Eigen::Infinity>(), kModeScale);
  std::vector<Held> stays;
  std::vector<double> forces;
  bool changed = false;
  for (std::size_t k = 0; k < motion.held.size(); ++k) {
    Held held = motion.held[k];
    const int row = scratch.problem.blocks[k].row;
    const double *force = &solution.impulse[row], *rate = &solution.velocity[row];
    const double border = borderOf(held, motion, largest);
    if (held.canOpen() && (solution.modes[k] == ContactMode::kOpen || !(force[0] > 0.0))) continue;
    if (held.canOpen() && endedBy(events, Watched::kPush, held.id) && force[0] <= border) continue;
    // at its bound and moving: it rubs from now on
    if (held.rubs() && solution.modes[k] == ContactMode::kSlip) {
      motion.beginRub(held.index, force[0]);
      continue;
    }
    const bool stuck = held.how == Hold::kStick;
    // near the border the solver's sets may say either; the acceleration does not
    if (stuck || held.how == Hold::kEdge) {
      const double slipping = stuck ? std::hypot(rate[1], rate[2]) : std::fabs(rate[1]);
      const Watched border_of = stuck ? Watched::kCone : Watched::kEdge;
      if (slipping > still || (frictionRoom(held, force) <= border && endedBy(events, border_of, held.id)))
        changed = letSlip(context, force, rate, border, held) || changed;
    }
    stays.push_back(held);
    forces.insert(forces.end(), force, force + held.rows);
    if (stuck && held.how == Hold::kEdge) forces.back() = acrossEdge(held).dot(Eigen::Vector2d(force[1], force[2]));
  }
  motion.held = std::move(stays);
  motion.numberRows();
  motion.reference = Eigen::Map<const Eigen::VectorXd>(forces.data(), static_cast<Eigen::Index>(forces.size()));
  return changed;
}

/// True if the law allows the forces of the reference in the modes that are held; `with_room`: and none is near the border of its mode.
bool isAllowed(const HeldMotion& motion, bool with_room) {
  const double largest = motion.reference.lpNorm<Eigen::Infinity>();
  return std::all_of(motion.held.begin(), motion.held.end(), [&](const Held& held) {
    const double* force = &motion.reference[held.first];
    const double border = with_room ? borderOf(held, motion, largest) : 0.0;
    if (held.isLoop()) return true;
    if ((held.rubs() || held.how == Hold::kStick || held.how == Hold::kEdge) && !(frictionRoom(held, force) >= border))
      return false;
    return held.rubs() || force[0] >= border;
  });
}

/// The forces that go with the modes and are nearest to the reference, as a new reference.
void shareAnew(const StepContext& context, HeldMotion& motion, Eigen::VectorXd& acceleration) {
  acceleration.resize(context.topology.nv);
  motion.evaluate(context.q, context.v, acceleration.data());
  motion.reference = motion.forces();
}

/// Those nearest to the forces of the last piece, if the law allows them: where contacts share a load in several ways the share stays as it
/// was, and where nothing was known it is the smallest.
bool keepsShares(const StepContext& context, ModeProblem& scratch, HeldMotion& motion) {
  scratch.found = motion.reference;
  motion.reference.setZero();
  for (const Held& held : motion.held)
    if (const BlockMemory* block = findBlock(context.memory, held.id))
      for (int r = 0; r < std::min(held.rows, block->rows); ++r) motion.reference[held.first + r] = block->impulse[r];
  shareAnew(context, motion, scratch.acceleration);
  if (isAllowed(motion, false)) return true;
  motion.reference = scratch.found;
  return false;
}

/// The smallest ones, if they are well within what the law allows: an event that came of another share is none.
bool sharesWithRoom(const StepContext& context, HeldMotion& motion, Eigen::VectorXd& acceleration) {
  motion.reference.setZero();
  shareAnew(context, motion, acceleration);
  return isAllowed(motion, true);
}

/// True if what touches is what was held before, in the same modes.
bool isAsBefore(const Memory& memory, const std::vector<Held>& candidates) {
  if (candidates.size() != memory.blocks.size()) return false;
  return std::all_of(candidates.begin(), candidates.end(), [&](const Held& held) {
    const BlockMemory* block = findBlock(memory, held.id);
    return block && block->rows == held.rows && (block->mode == ContactMode::kSlip) == held.slips();
  });
}

/// Without a search for modes: all that touches is held, if the judge accepts what that leads to.
bool holdsAll(const StepTask& task, ModeProblem& scratch, HeldMotion& motion) {
  writeModeProblem(task, motion, scratch);
  ContactSolution& solution = scratch.solution;
  scratch.velocity = scratch.b;
  scratch.velocity.noalias() += scratch.W * motion.reference;
  for (int r = 0; r < motion.rows(); ++r) {
    solution.impulse[scratch.row_of[r]] = motion.reference[r];
    solution.velocity[scratch.row_of[r]] = scratch.velocity[r];
  }
  const Residuals residuals = judge(scratch.problem, solution, task.options.tolerance);
  if (!accepts(residuals, task.options.tolerance)) return false;
  task.work.verdict.add(residuals, task.options.tolerance);
  return true;
}

/// What the forces that are held do to the problem that their modes were taken from: contacts that begin to slip with both rows of their
/// friction, those that opened with none.
void writeAnswer(const HeldMotion& motion, const Eigen::VectorXd& forces, ModeProblem& scratch) {
  ContactSolution& solution = scratch.solution;
  std::fill(solution.impulse.begin(), solution.impulse.end(), 0.0);
  for (std::size_t k = 0; k < scratch.asked.size(); ++k) {
    const Held& asked = scratch.asked[k];
    const int row = scratch.problem.blocks[k].row;
    const auto now =
        std::find_if(motion.held.begin(), motion.held.end(), [&](const Held& one) { return one.id == asked.id; });
    if (now == motion.held.end()) {
      if (asked.rubs()) solution.impulse[row] = motion.rubbing(asked.index);
      continue;
    }
    const double* force = &forces[now->first];
    std::copy_n(force, std::min(now->rows, asked.rows), &solution.impulse[row]);
    if (!now->slips() || now->how == asked.how) continue;
    const Eigen::Vector2d friction = frictionAtStart(*now, force);
    if (asked.how == Hold::kEdge) {
      solution.impulse[row + 1] = acrossEdge(asked).dot(friction);
    } else {
      solution.impulse[row + 1] = friction[0], solution.impulse[row + 2] = friction[1];
    }
  }
  scratch.problem.W.multiplyAdd(solution.impulse.data(), scratch.problem.b.data(), solution.velocity.data());
}

/// True, and told, if the judge accepts the forces that the piece will begin with. Where an event decided they may be off by as much as is
/// near the border of a mode; what is told is then how well the problem was solved.
bool isRight(const StepTask& task, bool event_decides, const HeldMotion& motion, const Eigen::VectorXd& forces,
             ModeProblem& scratch) {
  const double tolerance = task.options.tolerance;
  const Residuals solved = scratch.solution.residuals;
  writeAnswer(motion, forces, scratch);
  const Residuals residuals = judge(scratch.problem, scratch.solution, tolerance);
  const bool strictly = accepts(residuals, tolerance);
  if (!strictly && !(event_decides && accepts(judge(scratch.problem, scratch.solution, kBorder), kBorder)))
    return false;
  task.work.verdict.add(strictly ? residuals : solved, tolerance);
  return true;
}

/// The share of the last piece, or that of the solver.
StepStatus settleShares(const StepTask& task, const StepContext& context, bool event_decides, ModeProblem& scratch,
                        HeldMotion& motion) {
  const auto right = [&](const Eigen::VectorXd& forces) {
    return isRight(task, event_decides, motion, forces, scratch);
  };
  if (motion.rows() == 0) return right({}) ? StepStatus::kAccepted : StepStatus::kNotSolved;
  if (keepsShares(context, scratch, motion) && right(motion.reference)) return StepStatus::kAccepted;
  motion.reference = scratch.found;
  shareAnew(context, motion, scratch.acceleration);
  return right(motion.reference) ? StepStatus::kAccepted : StepStatus::kNotSolved;
}

}  // namespace

StepStatus chooseModes(const StepTask& task, const StepContext& context, const std::vector<Watch>& events,
                       ModeProblem& scratch, HeldMotion& motion) {
  motion.use(context.input, context.v);
  const FrictionPolygon* polygon = task.options.law == Law::kPyramid ? &polygonOf(task.options.directions) : nullptr;
  addCandidates(context, polygon, task.work.set, motion.held);
  motion.numberRows();
  if (motion.rows() == 0) {
    writeModeProblem(task, motion, scratch);
    scratch.solution = {};
    return StepStatus::kAccepted;
  }
  const bool as_before =
      events.empty() && isAsBefore(context.memory, motion.held) && keepsShares(context, scratch, motion);
  if ((as_before || sharesWithRoom(context, motion, scratch.acceleration)) && holdsAll(task, scratch, motion))
    return StepStatus::kAccepted;
  motion.reference.setZero();
  for (int round = 0; motion.rows() > 0; ++round) {
    const StepStatus status = solveModes(task, context, scratch, motion);
    if (status != StepStatus::kAccepted) return status;
    scratch.asked = motion.held;
    if (!takeModes(context, events, scratch, motion)) {
      return settleShares(task, context, !events.empty(), scratch, motion);
    }
    if (round == kRounds) return StepStatus::kNotSolved;
  }
  return StepStatus::kAccepted;
}

}  // namespace rigor
