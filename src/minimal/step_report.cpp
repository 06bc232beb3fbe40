// What an accepted part of a step adds to the report of the whole: verdicts, contacts, the record, and the values of the node
// at which the step began.
#include <algorithm>
#include <cmath>

#include "dynamics/energy.h"
#include "minimal/row_kinds.h"
#include "minimal/step_record.h"
#include "minimal/step_result.h"
#include "minimal/time_stepper.h"

namespace rigor {

void TimeStepper::fillReport(const StepContext& context, const double* v_end, StepReport& report) {
  report.law = std::max(report.law, verdict_.law);
  report.floor = std::max(report.floor, verdict_.floor);
  report.equation = std::max(report.equation, verdict_.equation);
  report.step = std::max(report.step, verdict_.balance);
  report.by_floor = report.by_floor || verdict_.by_floor;
  report.theta = std::min(report.theta, verdict_.theta);
  report.smooth = report.smooth && set_.empty();
  if (!verdict_.smooth) {
    for (int j = 0; motion_.kick > 0.0 && j < topology_.nv; ++j)
      report.mean_velocity_gap =
          std::max(report.mean_velocity_gap, std::fabs(motion_.mean_velocity[j] - 0.5 * (context.v[j] + v_end[j])));
    recordSubstep(context, motion_, set_, islands_, v_end, verdict_.theta, report.record);
    addContacts(context, set_, islands_, motion_.h, report);
    report.loop_gap = std::max(report.loop_gap, widestLoop(set_));
  } else {
    recordSmoothStep(context, node_velocity_.data(), motion_.h, v_end, report.record);
  }
  if (report.substeps++ > 0) return;  // node values belong to the start of the whole step
  if (verdict_.smooth) {
    fillSmoothNode(context, report);
  } else {
    computeNodeVelocity(context, motion_, v_end, report.velocity);
    computeActuatorTorques(context, motion_, set_, v_end, report.tau);
  }
  fillEnergy(report);
}

void TimeStepper::fillSmoothNode(const StepContext& context, StepReport& report) {
  report.velocity = node_velocity_;
  report.tau.resize(topology_.nv);
  for (int j = 0; j < topology_.nv; ++j) report.tau[j] = context.input.tau[j];
  for (int link = 0; link < topology_.links; ++link) {
    const int j = topology_.v_index[link];
    if (topology_.dofs[link] == 1)
      report.tau[j] += pdTorque(context.input, j, context.q[topology_.q_index[link]], node_velocity_[j]);
  }
}

/// Node values at the start pose, from the node velocity in the report.
void TimeStepper::fillEnergy(StepReport& report) {
  const auto sum =
      computeEnergy(topology_, parameters_, start_.kin, motion_.inertias, report.velocity.data(), link_velocity_);
  report.kinetic = sum.kinetic;
  report.potential = sum.potential;
  for (int j = 0; j < topology_.nv; ++j)
    report.potential += 0.5 * parameters_.stiffness[j] * motion_.stretch[j] * motion_.stretch[j];
  report.momentum << sum.linear.x, sum.linear.y, sum.linear.z, sum.angular.x, sum.angular.y, sum.angular.z;
}

}  // namespace rigor
