#include "minimal/step_report.h"

#include <algorithm>
#include <cmath>

#include "dynamics/energy.h"
#include "minimal/discrete_motion.h"
#include "minimal/row_kinds.h"
#include "minimal/step_record.h"
#include "minimal/step_result.h"

namespace rigor {
namespace {

/// Velocity and torques of the node, as the last attempt found them.
void computeNode(const StepContext& context, const double* v_end, StepWork& work, StepReport& report) {
  if (work.verdict.smooth)
    report.velocity = work.node_velocity;
  else if (work.motion.isDiscrete() && work.motion.h > 0.0)
    computeDiscreteNodeVelocity(context, work.start.pose.kin, v_end, work.motion, report.velocity);
  else
    computeNodeVelocity(context, work.motion, v_end, report.velocity);
  if (!report.wanted.torques) return;
  if (work.verdict.smooth)
    computeTorquesAtNode(context, work.node_velocity, report.tau);
  else
    computeActuatorTorques(context, work.motion, work.set, v_end, report.tau);
}

/// Of springs that the part has whole: those between bodies step together.
double energyOfSprings(const StepContext& context, const Kinematics<double>& kin) {
  double sum = 0.0;
  for (const SpringPart& spring : context.tables.springs)
    if (SpringRows::takesPart(context, spring)) sum += springEnergy(spring, context.topology, kin);
  return sum;
}

/// Adds the part's energies and momentum at the start pose, from the node velocity in the report.
void computeNodeEnergy(const StepContext& context, StepWork& work, StepReport& report) {
  if (!context.tables.springs.empty()) report.potential += energyOfSprings(context, work.start.pose.kin);
  report.potential += energyOfPotentials(context.tables.own, context.topology, context.part, work.motion.own);
  for (const Run& run : context.part.runs) {
    const auto sum = computeEnergy(run.trees, context.parameters, work.start.pose.kin, work.motion.inertias,
                                   report.velocity.data(), work.V);
    report.kinetic += sum.kinetic;
    report.potential += sum.potential;
    for (int j = run.trees.first_dof; j < run.trees.end_dof; ++j)
      report.potential += 0.5 * context.parameters.stiffness[j] * work.motion.stretch[j] * work.motion.stretch[j];
    report.momentum +=
        Eigen::Vector<double, 6>{sum.linear.x, sum.linear.y, sum.linear.z, sum.angular.x, sum.angular.y, sum.angular.z};
  }
}

/// The error of a velocity that is read from positions is theirs over the length of the step.
double positionRounding(const ConstraintSet& set, double h) {
  double rounding = 0.0;
  for (const int slot : set.active) {
    const Constraint& c = set.slots[slot];
    rounding =
        std::max(rounding, h * set.floor[c.first_row + c.rows - 1]);  // a contact's normal row has μ|ut| in its own
  }
  return rounding;
}

void addConstraints(const StepContext& context, const double* v_end, StepWork& work, StepReport& report) {
  const FreeMotion& motion = work.motion;
  for (const Run& run : context.part.runs)
    if (!work.verdict.smooth && (run.last_step > 0.0 || motion.h > 0.0))
      report.mean_velocity_gap =
          std::max(report.mean_velocity_gap, missedVelocity(run.trees, motion, context.v, v_end));
  if (report.wanted.record && !work.verdict.smooth)
    recordSubstep(context, work.start.pose.kin, motion, work.set, work.islands, v_end, work.verdict.theta,
                  report.record);
  if (report.wanted.contacts) addContacts(context, work.set, work.islands, motion.h, work.reported, report);
  report.penetration = std::max(report.penetration, deepestContact(work.set));
  report.loop_gap = std::max(report.loop_gap, widestLoop(work.set));
  report.position_rounding = std::max(report.position_rounding, positionRounding(work.set, motion.h));
}

}  // namespace

void addToReport(const StepContext& context, const double* v_end, StepWork& work, StepReport& report) {
  const StepVerdict& verdict = work.verdict;
  report.law = std::max(report.law, verdict.law);
  report.law_gap = std::max(report.law_gap, verdict.law_gap);
  report.floor = std::max(report.floor, verdict.floor);
  report.equation = std::max(report.equation, verdict.equation);
  report.step = std::max(report.step, verdict.balance);
  report.by_floor = report.by_floor || verdict.by_floor;
  report.theta = std::min(report.theta, verdict.theta);
  report.smooth = report.smooth && work.set.empty();
  if (!verdict.smooth || !work.set.empty()) addConstraints(context, v_end, work, report);
  if (verdict.smooth && report.wanted.record)
    recordSmoothStep(context, work.set, work.islands, work.node_velocity.data(), work.motion.h, v_end, report.record);
  ++report.substeps;
  if (work.part.reported) return;  // node values belong to the start of the whole step
  work.part.reported = true;
  computeNode(context, v_end, work, report);
  if (report.wanted.energy || report.wanted.momentum) computeNodeEnergy(context, work, report);
}

void readNode(const StepContext& context, StepWork& work, StepReport& report) {
  report.velocity = Eigen::Map<const Eigen::VectorXd>(context.v, context.topology.nv);
  computeNodeEnergy(context, work, report);
}

}  // namespace rigor
