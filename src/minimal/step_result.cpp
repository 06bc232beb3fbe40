#include "minimal/step_result.h"

#include <algorithm>
#include <cmath>

#include "geometry/convert.h"
#include "minimal/row_kinds.h"
#include "minimal/smooth_step.h"
#include "minimal/surface_rows.h"

namespace rigor {
namespace {

constexpr double kStill = 1e-10;   // [m/s] a contact inside its cone that slips less does not slip
constexpr double kLeaving = 1e-6;  // [m/s] a contact that separates faster after an impact is open in the next step

/// What the contact did. Solvers end in a set, and on the border between two sets either one gives the answer; so does friction of
/// sliding that stops a contact just at the end of the step, where that of rest would hold it. Impulses of rows without friction do
/// nothing and may be whatever the cone has room for: they are not looked at.
ContactMode modeOf(const Constraint& c, const ContactDetail& detail, const double* impulse, const double* u,
                   ContactMode solved) {
  if (impulse[0] <= 0.0) return ContactMode::kOpen;
  double square = 0.0, speed = 0.0;
  for (int r = 1; r < c.rows; ++r)
    if (!detail.scaled || detail.scale[r] > 0.0) square += impulse[r] * impulse[r], speed += u[r] * u[r];
  const double force = std::sqrt(square), radius = c.block.mu * impulse[0];
  const bool slips = speed >= kStill * kStill;
  if (!slips && (force < radius || detail.slides)) return ContactMode::kStick;
  if (slips && force >= (1.0 - 1e-9) * radius) return ContactMode::kSlip;
  return solved == ContactMode::kOpen ? ContactMode::kSlip : solved;
}

void copyGiven(const StepContext& context, Eigen::VectorXd& tau) {
  tau.resize(context.topology.nv);
  context.part.forEachDof([&](int j) { tau[j] = context.input.tau[j]; });
}

}  // namespace

void carryOver(const Memory& before, Memory& after) {
  after.controller = before.controller;
  after.random = before.random;
  after.blocks.clear();
  after.last_step.resize(before.last_step.size());
  after.increments.resize(before.increments.size());
  for (int k = 0; k < 3; ++k) after.rates[k].resize(before.rates[k].size());
}

void sortById(std::vector<BlockMemory>& blocks) {
  const auto earlier = [](const BlockMemory& a, const BlockMemory& b) { return a.id < b.id; };
  if (!std::is_sorted(blocks.begin(), blocks.end(), earlier)) std::sort(blocks.begin(), blocks.end(), earlier);
}

void beginReport(double time, double h, StepReport& report) {
  report.time = time;
  report.dt = h;
  report.substeps = report.solves = report.passes = report.iterations = report.impacts = 0;
  report.unmet_bounces = report.impacts_cut = report.fallbacks = 0, report.step_error = 0.0;
  report.events.clear();
  report.theta = 1.0;
  report.stage = "";
  report.algebra = LinearAlgebra::kTree;
  report.complaint.clear();
  report.own_trouble.clear();
  report.law = report.law_gap = report.equation = report.step = report.floor = report.penetration = 0.0;
  report.loop_gap = report.mean_velocity_gap = report.energy_gain = 0.0;
  report.smooth = true;
  report.by_floor = false;
  report.position_rounding = 0.0;
  report.kinetic = report.potential = 0.0;
  report.momentum.setZero();
  report.contacts.clear();
  report.nanoseconds = {};
}

void refuseReport(double law, StepReport& report) {
  report.law = law;
  report.equation = report.step = report.floor = report.penetration = 0.0;
  report.loop_gap = report.mean_velocity_gap = report.kinetic = report.potential = report.energy_gain = 0.0;
  report.substeps = report.impacts = report.unmet_bounces = report.impacts_cut = report.fallbacks = 0,
  report.step_error = 0.0;
  report.events.clear();
  report.theta = 1.0;
  report.by_floor = false;
  report.position_rounding = 0.0;
  report.momentum.setZero();
  report.velocity.resize(0);
  report.tau.resize(0);
  report.contacts.clear();
}

Contact makeContact(const StepContext& context, const ConstraintSet& set, const Constraint& c,
                    const ContactDetail& detail, ContactMode solved) {
  const FeaturePair& pair = detail.pair;
  const std::vector<ModelShape>& shapes = context.tables.model.shapes();
  const double *impulse = &set.impulse[c.first_row], *u = &set.velocity[c.first_row];
  Contact contact;
  contact.id = c.id;
  contact.shape_1 = pair.shape[0], contact.shape_2 = pair.shape[1];
  contact.body_1 = shapes[pair.shape[0]].body, contact.body_2 = shapes[pair.shape[1]].body;
  contact.point = toEigen(detail.start.point);
  contact.normal = toEigen(detail.start.normal);
  contact.gap = c.gap, contact.gap_end = detail.end.gap;
  if (detail.scaled) {
    const ContactImpulse total = impulseOf(c, detail, impulse);
    contact.impulse = toEigen(total.force), contact.torque = toEigen(total.torque);
    contact.slip = toEigen(slipOf(c, detail, set));
  } else {
    contact.impulse =
        toEigen(impulse[0] * detail.start.normal + impulse[1] * detail.tangent_1 + impulse[2] * detail.tangent_2);
    contact.torque.setZero();
    contact.slip = toEigen(u[1] * detail.tangent_1 + u[2] * detail.tangent_2);
  }
  contact.mode = modeOf(c, detail, impulse, u, solved);
  return contact;
}

bool hasImpact(const ConstraintSet& set) {
  return std::any_of(set.active.begin(), set.active.end(), [&](int slot) {
    const Constraint& c = set.slots[slot];
    return !c.closed && set.impulse[c.first_row] > 0.0;
  });
}

void remember(const Part& part, const Memory& before, const FreeMotion& motion, const ConstraintSet& set,
              const Islands& islands, const double* change, Memory& after) {
  carryOver(before, after);
  for (int k = 2; k > 0; --k) copyFreedoms(part, before.rates[k - 1], after.rates[k]);
  part.forEachDof([&](int j) { after.rates[0][j] = change[j] / motion.kick[j]; });
  const bool impact = hasImpact(set);
  for (const int tree : part.trees) {
    // rates of steps of another length, or from before an impact, do not extrapolate
    const bool same_step = before.last_step[tree] == motion.h;
    after.increments[tree] = impact ? 0 : (same_step ? std::min(before.increments[tree] + 1, 3) : 1);
    after.last_step[tree] = motion.h;
  }
  forEachMode(set, islands, [&](const Constraint& c, ContactMode mode) {
    BlockMemory block;
    block.id = c.id;
    block.rows = c.rows;
    block.mode = mode;
    block.impact = !c.touching && set.impulse[c.first_row] > 0.0;
    std::copy_n(&set.impulse[c.first_row], c.rows, block.impulse);
    after.blocks.push_back(block);
  });
  sortById(after.blocks);
}

void rememberImpact(const Part& part, const Memory& before, const ConstraintSet& set, const Islands& islands,
                    Memory& after) {
  carryOver(before, after);
  for (int k = 0; k < 3; ++k) copyFreedoms(part, before.rates[k], after.rates[k]);
  for (const int tree : part.trees) {
    after.increments[tree] = 0;
    after.last_step[tree] = 0.0;
  }
  forEachMode(set, islands, [&](const Constraint& c, ContactMode mode) {
    const bool leaves = c.can_open && set.velocity[c.first_row] > kLeaving;
    after.blocks.push_back({.id = c.id, .rows = c.rows, .mode = leaves ? ContactMode::kOpen : mode});
  });
  sortById(after.blocks);
}

void computeNodeVelocity(const StepContext& context, const FreeMotion& motion, const double* v_end,
                         Eigen::VectorXd& node) {
  node.resize(context.topology.nv);
  const double of_length_0 = hasKick(context.part, motion.h) ? 0.0 : 1.0;  // a half kick, or an impact
  for (const Run& run : context.part.runs) {
    const double after_node = motion.h > 0.0 ? motion.h / (run.last_step + motion.h) : of_length_0;
    for (int j = run.trees.first_dof; j < run.trees.end_dof; ++j)
      node[j] = v_end[j] - after_node * (v_end[j] - context.v[j]);
  }
  for (const int j : motion.prescribed) node[j] = motion.told_at_node[j];
}

void computeActuatorTorques(const StepContext& context, const FreeMotion& motion, const ConstraintSet& set,
                            const double* v_end, Eigen::VectorXd& tau) {
  copyGiven(context, tau);
  for (const Run& run : context.part.runs)
    for (const Drive& drive : within(context.input.drives, run.trees)) {
      if (motion.saturated[drive.dof] && motion.kick[drive.dof] > 0.0) continue;
      const double held = drive.torqueAtEnd(motion.h, context.q[drive.q_index], v_end[drive.dof]);
      tau[drive.dof] += std::clamp(held, -drive.effort, drive.effort);
    }
  addMotorTorques(set, motion, tau);
}

void computeTorquesAtNode(const StepContext& context, const Eigen::VectorXd& node_velocity, Eigen::VectorXd& tau) {
  copyGiven(context, tau);
  for (const Drive& drive : context.input.drives)
    tau[drive.dof] +=
        std::clamp(drive.torque(context.q[drive.q_index], node_velocity[drive.dof]), -drive.effort, drive.effort);
}

void addContacts(const StepContext& context, const ConstraintSet& set, const Islands& islands, double h,
                 ReportedContacts& reported, StepReport& report) {
  const std::size_t before = report.contacts.size();
  if (before == 0 && reported.known > 0) reported.place.clear(), reported.known = 0;
  for (; reported.known < before; ++reported.known)
    reported.place[report.contacts[reported.known].id] = static_cast<int>(reported.known);
  forEachMode(set, islands, [&](const Constraint& c, ContactMode mode) {
    const ContactDetail* detail = contactOf(c, set);
    if (!detail) return;
    Contact contact = makeContact(context, set, c, *detail, mode);
    // slip is the mean over the whole step; a contact that is open does not slip
    contact.slip *= contact.mode == ContactMode::kOpen || h == 0.0 ? 0.0 : h / report.dt;
    const int place = before == 0 ? -1 : reported.place.find(c.id);
    if (place < 0) {
      report.contacts.push_back(contact);
      return;
    }
    Contact& same = report.contacts[place];
    same.impulse += contact.impulse;
    same.torque += contact.torque;
    same.slip += contact.slip;
    same.gap_end = contact.gap_end;
    same.mode = std::max(same.mode, contact.mode);
  });
}

}  // namespace rigor
