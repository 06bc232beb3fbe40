#include "event/modes.h"

#include <algorithm>
#include <cmath>

#include "geometry/convert.h"
#include "minimal/contact_rows.h"
#include "minimal/loop_rows.h"

namespace rigor {
namespace {

constexpr double kScale = 1.0;       // [m/s²] accelerations below this are judged absolutely
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
Held holdContact(const StepContext& context, const ConstraintSet& set, int slot) {
  const Constraint& c = set.slots[slot];
  const ContactDetail& detail = set.contacts[c.detail];
  const ContactMaterial& surface = context.tables.collision.surfaceOf(detail.pair);
  Held held = startOf(c, slot);
  held.pair = detail.pair;
  held.target = std::max(c.gap, 0.0);
  held.tangent_1 = detail.tangent_1, held.tangent_2 = detail.tangent_2;
  const Vec3<double> slip = rateOfRow(set, c, set.sidesOf(c), 1, context.v) * detail.tangent_1 +
                            rateOfRow(set, c, set.sidesOf(c), 2, context.v) * detail.tangent_2;
  const double speed = norm(slip);
  if (speed > kRest) {
    held.how = Hold::kSlip;
    held.mu = surface.friction;
    held.direction = (1.0 / speed) * slip;
  } else {
    held.how = Hold::kStick, held.rows = 3;
    held.mu = surface.friction_static;
  }
  return held;
}

void addCandidates(const StepContext& context, const ConstraintSet& set, std::vector<Held>& candidates) {
  candidates.clear();
  for (const int slot : set.active) {
    const Constraint& c = set.slots[slot];
    if (c.can_open && (!c.touching || std::fabs(rateOfGap(set, c)) > kRest)) continue;
    if (contactOf(c, set)) {
      candidates.push_back(holdContact(context, set, slot));
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

Block blockOf(const Held& held) {
  Block block{.row = held.first, .size = held.rows, .id = held.id};
  if (held.isLoop()) {
    block.kind = BlockKind::kEqual;
  } else if (held.rubs()) {
    block.kind = BlockKind::kBox, block.lo = -held.bound, block.hi = held.bound;
  } else if (held.how == Hold::kStick) {
    block.kind = BlockKind::kContact, block.mu = held.mu;
  } else {
    block.kind = BlockKind::kAtLeast;
  }
  return block;
}

/// The forces of the last piece, where it knew them.
void recall(const Memory& memory, const std::vector<Held>& held, ContactSolution& solution) {
  for (const Held& one : held) {
    const BlockMemory* block = findBlock(memory, one.id);
    if (!block) continue;
    for (int r = 0; r < std::min(one.rows, block->rows); ++r) solution.impulse[one.first + r] = block->impulse[r];
  }
}

/// The complementarity problem of accelerations, in the form that solvers and the judge know.
void writeProblem(const HeldMotion& motion, RowMatrix& W, ContactProblem& problem) {
  const int rows = motion.rows();
  const Eigen::VectorXd& b = motion.problemVelocity();
  motion.writeMatrix(W);
  problem.law = Law::kCoulomb;
  problem.velocity_scale = kScale;
  problem.blocks.clear();
  for (const Held& one : motion.held) problem.blocks.push_back(blockOf(one));
  problem.W.setZero(rows);
  for (int r = 0; r < rows; ++r) std::copy_n(W.row(r).data(), rows, problem.W.row(r));
  problem.b.assign(b.data(), b.data() + rows);
  problem.bias.assign(rows, 0.0), problem.compliance.assign(rows, 0.0);
}

/// Forces in directions that nothing can move in, as across a planar chain, may be anything: none.
void dropIdle(const std::vector<Held>& held, const ContactProblem& problem, ContactSolution& solution) {
  constexpr double kIdle = 1e-12;  // of the most movable row
  double largest = 0.0;
  for (int r = 0; r < problem.rows(); ++r) largest = std::max(largest, std::fabs(problem.W(r, r)));
  for (const Held& one : held)
    for (int r = one.first + 1; one.how == Hold::kStick && r < one.first + one.rows; ++r)
      if (std::fabs(problem.W(r, r)) <= kIdle * largest) solution.impulse[r] = 0.0;
}

StepStatus solve(const StepTask& task, const StepContext& context, ModeProblem& scratch, HeldMotion& motion) {
  motion.numberRows();
  motion.assemble(context.q, context.v);
  writeProblem(motion, scratch.W, scratch.problem);
  scratch.b = motion.problemVelocity();
  if (!scratch.W.allFinite() || !scratch.b.allFinite()) return StepStatus::kNotFinite;
  ContactSolution& solution = scratch.solution;
  solution.impulse.assign(motion.rows(), 0.0), solution.velocity.assign(motion.rows(), 0.0);
  solution.modes.assign(scratch.problem.blocks.size(), ContactMode::kOpen);
  solution.modes_known = false;
  recall(context.memory, motion.held, solution);
  const double tolerance = task.options.tolerance;
  task.crew.first().solve(scratch.problem, {.tolerance = tolerance, .aim = 0.1 * tolerance, .stop = task.options.stop},
                          solution);
  dropIdle(motion.held, scratch.problem, solution);
  ++task.report.solves;
  task.report.iterations += solution.iterations;
  if (solution.stage[0]) task.report.stage = solution.stage;
  return accepts(solution.residuals, tolerance) ? StepStatus::kAccepted : StepStatus::kNotSolved;
}

/// From now on it slips: against the friction that held it.
void beginSlip(const ContactMaterial& surface, const Eigen::Vector2d& friction, Held& held) {
  const double size = friction.norm();
  const Eigen::Vector2d d = size > 0.0 ? Eigen::Vector2d(-friction / size) : Eigen::Vector2d(1.0, 0.0);
  held.how = Hold::kSlip, held.rows = 1, held.begins = true;
  held.mu = surface.friction;
  held.direction = d[0] * held.tangent_1 + d[1] * held.tangent_2;
}

/// Nearer to the border of a mode than this an event decides: of the largest force, or of one that accelerates as much as the rest does [N].
double borderOf(const Held& held, const HeldMotion& motion, double largest) {
  const double mobility = std::fabs(motion.mobility(held.first));
  const double moves =
      mobility > 0.0 ? std::max(motion.problemVelocity().lpNorm<Eigen::Infinity>(), kScale) / mobility : 0.0;
  return kBorder * std::max(largest, moves);
}

/// Takes the modes of the solution over: drops what opens, lets slip what slips. True if a friction changed with that, so that the problem
/// is another one.
bool takeModes(const StepContext& context, const std::vector<Watch>& events, const ModeProblem& scratch,
               HeldMotion& motion) {
  const ContactSolution& solution = scratch.solution;
  double largest = 0.0;
  for (const double force : solution.impulse) largest = std::max(largest, std::fabs(force));
  const double still = kStillness * std::max(scratch.b.lpNorm<Eigen::Infinity>(), kScale);
  std::vector<Held> stays;
  std::vector<double> forces;
  bool changed = false;
  for (std::size_t k = 0; k < motion.held.size(); ++k) {
    Held held = motion.held[k];
    const double* force = &solution.impulse[held.first];
    const double border = borderOf(held, motion, largest);
    if (held.canOpen() && (solution.modes[k] == ContactMode::kOpen || !(force[0] > 0.0))) continue;
    if (held.canOpen() && endedBy(events, Watched::kPush, held.id) && force[0] <= border) continue;
    // at its bound and moving: it rubs from now on
    if (held.rubs() && solution.modes[k] == ContactMode::kSlip) {
      motion.beginRub(held.index, force[0]);
      continue;
    }
    if (held.how == Hold::kStick) {
      const Eigen::Vector2d friction(force[1], force[2]);
      const bool on_border = held.mu * force[0] - friction.norm() <= border;
      // near the border the solver's sets may say either; the acceleration does not
      const double slipping = std::hypot(solution.velocity[held.first + 1], solution.velocity[held.first + 2]);
      const bool slips = slipping > still || (on_border && endedBy(events, Watched::kCone, held.id));
      if (slips) {
        const ContactMaterial& surface = context.tables.collision.surfaceOf(held.pair);
        changed = changed || surface.friction != held.mu;
        beginSlip(surface, friction, held);
      }
    }
    stays.push_back(held);
    forces.insert(forces.end(), force, force + held.rows);
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
    if (held.rubs()) return std::fabs(force[0]) <= held.bound - border;
    if (held.isLoop()) return true;
    if (held.how == Hold::kStick && std::hypot(force[1], force[2]) > held.mu * force[0] - border) return false;
    return force[0] >= border;
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
bool keepsShares(const StepContext& context, HeldMotion& motion, Eigen::VectorXd& acceleration) {
  const Eigen::VectorXd found = motion.reference;
  motion.reference.setZero();
  for (const Held& held : motion.held)
    if (const BlockMemory* block = findBlock(context.memory, held.id))
      for (int r = 0; r < std::min(held.rows, block->rows); ++r) motion.reference[held.first + r] = block->impulse[r];
  shareAnew(context, motion, acceleration);
  if (isAllowed(motion, false)) return true;
  motion.reference = found;
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
    return block && block->rows == held.rows && (block->mode == ContactMode::kSlip) == (held.how == Hold::kSlip);
  });
}

/// Without a search for modes: all that touches is held, if the judge accepts what that leads to.
bool holdsAll(const StepTask& task, ModeProblem& scratch, HeldMotion& motion) {
  writeProblem(motion, scratch.W, scratch.problem);
  ContactSolution& solution = scratch.solution;
  const Eigen::VectorXd velocity = motion.problemVelocity() + scratch.W * motion.reference;
  solution.impulse.assign(motion.reference.data(), motion.reference.data() + motion.rows());
  solution.velocity.assign(velocity.data(), velocity.data() + motion.rows());
  const Residuals residuals = judge(scratch.problem, solution, task.options.tolerance);
  if (!accepts(residuals, task.options.tolerance)) return false;
  task.work.verdict.add(residuals, task.options.tolerance);
  return true;
}

}  // namespace

StepStatus chooseModes(const StepTask& task, const StepContext& context, const std::vector<Watch>& events,
                       ModeProblem& scratch, HeldMotion& motion) {
  motion.use(context.input, context.v);
  addCandidates(context, task.work.set, motion.held);
  motion.numberRows();
  if (motion.rows() == 0) {
    writeProblem(motion, scratch.W, scratch.problem);
    scratch.solution = {};
    return StepStatus::kAccepted;
  }
  const bool as_before =
      events.empty() && isAsBefore(context.memory, motion.held) && keepsShares(context, motion, scratch.acceleration);
  if ((as_before || sharesWithRoom(context, motion, scratch.acceleration)) && holdsAll(task, scratch, motion))
    return StepStatus::kAccepted;
  motion.reference.setZero();
  for (int round = 0; motion.rows() > 0; ++round) {
    const StepStatus status = solve(task, context, scratch, motion);
    if (status != StepStatus::kAccepted) return status;
    if (!takeModes(context, events, scratch, motion)) {
      task.work.verdict.add(scratch.solution.residuals, task.options.tolerance);
      if (motion.rows() > 0) keepsShares(context, motion, scratch.acceleration);
      return status;
    }
    if (round == kRounds) return StepStatus::kNotSolved;
  }
  return StepStatus::kAccepted;
}

}  // namespace rigor
