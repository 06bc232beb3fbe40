#include "derivatives/linearise.h"

#include <cmath>
#include <limits>

#include "contact/judge.h"
#include "derivatives/row_terms_of.h"
#include "dynamics/integrate.h"
#include "math/rotation.h"
#include "minimal/closing.h"
#include "minimal/contact_rows.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

/// What no derivatives are known of, whatever its constraints; null: nothing.
const char* findUnknown(const StepWork& work) {
  if (work.motion.isDiscrete()) return "stepper maximal";
  if (work.verdict.smooth) return "another integrator than the leapfrog";
  if (!work.part.whole) return "bodies that step apart from others";
  if (!work.motion.prescribed.empty()) return "kinematic bodies";
  if (!work.motion.own.forces.empty()) return "own potentials";
  if (work.verdict.theta < 1.0) return "a bounce that was shortened to keep energy, or left out";
  if (work.islands.count > 0 && work.islands.list[0].problem.law != Law::kCoulomb) return "another law than Coulomb's";
  return nullptr;
}

void tell(double velocity, const RowId& id, SwitchMargin& margin) {
  if (velocity < margin.velocity) margin.velocity = velocity, margin.id = id;
}

bool bounces(const ConstraintSet& set, const Constraint& c, const FreeMotion& motion) {
  const bool strikes = motion.h == 0.0 && motion.kick[0] == 0.0;
  return strikes && c.restitution > 0.0 && rateOfGap(set, c) < -c.threshold;
}

constexpr double kStill =
    1e-10;  // [m/s] as of the report: friction at the border of its cone holds what slips no faster

/// Rows of a gap or of equations; 0: it is open.
int countRows(RowTerms terms, const ConstraintSet& set, const Constraint& c, double bias, BoundRows& bound,
              SwitchMargin& margin) {
  const double *impulse = &set.impulse[c.first_row], *u = &set.velocity[c.first_row];
  if (!c.can_open && terms != RowTerms::kSpeed) return c.rows;
  const double w = bound.scale, opens = u[0] + bias, presses = w * impulse[0];
  if (terms == RowTerms::kSpeed) {
    const double moves = std::fabs(u[0] + bias + c.compliance * impulse[0]);
    const double free = w * std::min(impulse[0] - c.block.lo, c.block.hi - impulse[0]);
    bound.at_bound = !(free > moves);
    tell(std::fabs(free - moves), c.id, margin);
    return 1;
  }
  tell(std::fabs(presses - opens), c.id, margin);
  if (!(presses > opens)) return 0;
  if (terms != RowTerms::kContact || c.block.mu == 0.0) return 1;
  const double speed = std::hypot(u[1], u[2]),
               room = w * (c.block.mu * impulse[0] - std::hypot(impulse[1], impulse[2]));
  bound.slips = speed > room && speed > kStill;
  tell(std::fabs(speed - room), c.id, margin);
  return 3;
}

/// False for a motor whose torque no velocity changes, a box of one number, that is less than its bound.
bool isAtEffort(const StepContext& context, const Constraint& c, const FreeMotion& motion) {
  const int drive = context.input.drive_of[c.index];
  return drive < 0 ||
         std::fabs(c.block.hi) >= (1.0 - 1e-12) * motion.kick[c.index] * context.input.drives[drive].effort;
}

/// exp(hω)ᵀ and Jr(hω) of every quaternion.
void carryQuaternions(const Topology& topology, SubstepSystem& system) {
  for (int link = 0; link < topology.links && system.h > 0.0; ++link) {
    if (topology.joint[link].rotation != Rotation::kAll) continue;
    const int j = topology.v_index[link] + topology.dofs[link] - 3;
    const Vec turn{system.h * system.v_end[j], system.h * system.v_end[j + 1], system.h * system.v_end[j + 2]};
    const Mat3<double> R = toMatrix(expQuat(turn)), Jl = leftJacobian(turn, expCoefficients(dot(turn, turn)));
    QuaternionCarry& one = system.quaternions.emplace_back();
    one.dof = j;
    one.carry << columnOf(R.x).transpose(), columnOf(R.y).transpose(), columnOf(R.z).transpose();
    one.turn << columnOf(Jl.x).transpose(), columnOf(Jl.y).transpose(), columnOf(Jl.z).transpose();
  }
}

}  // namespace

SwitchMargin::SwitchMargin() : velocity(std::numeric_limits<double>::infinity()) {}

Lineariser::Lineariser(const StepTables& tables, const std::vector<StepParameter>& parameters)
    : parameters_(parameters), weightless_(tables.parameters) {
  weightless_.gravity = {};
  rnea_.resize(tables.topology);
  rnea_derivatives_.resize(tables.topology);
  external_.resize(tables.topology.links);
  V_.resize(tables.topology.links);
  for (auto* vector : {&v_end_, &acceleration_, &mean_, &torque_}) vector->setZero(tables.topology.nv);
}

const char* Lineariser::findBoundRows(const StepContext& context, const StepWork& work, SwitchMargin& margin) {
  bound_.clear();
  int rows = 0;
  for (int i = 0; i < work.islands.count; ++i) {
    const Island& island = work.islands.list[i];
    for (std::size_t k = 0; k < island.constraints.size(); ++k) {
      const Constraint& c = work.set.slots[island.constraints[k]];
      BoundRows bound{.slot = island.constraints[k], .first = rows};
      const char* why = nullptr;
      const bool known = hasPairTerms(context, c, work.set, why);
      if (bounces(work.set, c, work.motion)) {
        if (c.impact != ImpactLaw::kNewton) return "an impact by Poisson's or Stronge's law";
        bound.bounce = c.restitution;
      }
      bound.mu = c.block.mu;
      bound.scale = blockScale(island.problem, island.problem.blocks[k]);
      const double bias = bound.bounce > 0.0 ? bound.bounce * rateOfGap(work.set, c) : c.bias;
      bound.rows = countRows(termsOf(context, c), work.set, c, bias, bound, margin);
      if (bound.rows == 0) continue;
      if (!known) return why;
      if (c.block.lo == c.block.hi && bound.at_bound && !isAtEffort(context, c, work.motion))
        return "a motor without damping that acts at a node";
      rows += bound.rows;
      bound_.push_back(bound);
    }
  }
  for (const Drive& drive : context.input.drives) {
    const double kick = work.motion.kick[drive.dof];
    if (work.motion.saturated[drive.dof] || !std::isfinite(drive.effort) || !(kick > 0.0)) continue;
    const double torque =
        drive.torqueAtEnd(work.motion.h, context.q[drive.q_index], context.v[drive.dof] + work.change[drive.dof]);
    // as a velocity: what that torque would change at the joint, were the others held
    const double w = 1.0 / work.motion.mass.pivot(context.topology, drive.dof);
    tell(w * kick * std::fabs(drive.effort - std::fabs(torque)), rowId(RowSource::kMotor, drive.dof), margin);
  }
  return nullptr;
}

const char* Lineariser::linearise(const StepContext& context, const StepWork& work, SubstepSystem& system,
                                  SwitchMargin& margin) {
  if (const char* why = findUnknown(work)) return why;
  system.resize(context.topology.nv, static_cast<int>(context.input.drives.size()),
                static_cast<int>(parameters_.size()));
  system.h = work.motion.h;
  system.topology = &context.topology;
  if (const char* why = findBoundRows(context, work, margin)) return why;
  differentiateMomentum(context, work, system);
  carryQuaternions(context.topology, system);
  system.rows = bound_.empty() ? 0 : bound_.back().first + bound_.back().rows;
  differentiateRows(context, work, system);
  if (!findLanding(context, work, system)) return "an impact of faces, edges or round sides";
  system.finish(free_rows_, inverter_, scratch_);
  return nullptr;
}

}  // namespace rigor
