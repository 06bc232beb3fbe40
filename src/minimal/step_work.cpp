#include "minimal/step_work.h"

#include <algorithm>

#include "contact/judge.h"

namespace rigor {

void Verdict::add(const Residuals& found, double tolerance) {
  law = std::max(law, found.law);
  floor = std::max(floor, found.floor);
  by_floor = by_floor || needsFloor(found, tolerance);
}

void place(const StepTables& tables, const Eigen::VectorXd& q, KnownPose& known) {
  place(tables.topology, tables.parameters, tables.collision, q.data(), known.pose);
  known.q = q;
}

StepWork::StepWork(const StepTables& tables, const TimeStepperOptions& options)
    : smooth(tables.model, options.integrator),
      node_velocity(tables.topology.nv),
      change(tables.topology.nv),
      V(tables.topology.links),
      levels(options.max_halvings + 1) {
  const Topology& topology = tables.topology;
  start.pose.kin.resize(topology);
  end.pose.kin.resize(topology);
  start.q.setConstant(topology.nq, std::numeric_limits<double>::quiet_NaN());  // equals no pose
  motion.resize(topology, tables.parameters);
  set.prepare(tables);
  momentum.resize(topology);
  for (HalvingLevel& level : levels)  // a step that is halved or hits something for the first time allocates nothing
    for (Snapshot* part : {&level.middle, &level.landed, &level.closed, &level.struck[0], &level.struck[1]}) {
      part->state.q.resize(topology.nq);
      part->state.v.resize(topology.nv);
      for (Eigen::VectorXd& rate : part->memory.rates) rate.resize(topology.nv);
      part->memory.blocks.reserve(64);
      part->memory.controller.reserve(8);
    }
}

}  // namespace rigor
