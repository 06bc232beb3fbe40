#include "minimal/step_work.h"

#include <algorithm>

#include "contact/judge.h"

namespace rigor {

void StepVerdict::add(const Residuals& found, double tolerance) {
  law = std::max(law, found.law);
  law_gap = std::max(law_gap, found.law_gap);
  if (needsFloor(found, tolerance)) floor = std::max(floor, found.plain_law), by_floor = true;
}

void place(const StepTables& tables, const Part& part, const Eigen::VectorXd& q, KnownPose& known) {
  if (part.whole) {
    place(tables.topology, tables.parameters, tables.collision, q.data(), known.pose);
    known.q = q;
    return;
  }
  PlacedModel& pose = known.pose;
  for (const Run& run : part.runs) computeKinematics(run.trees, tables.parameters, q.data(), pose.kin);
  const LinkPoses links{pose.kin.X_OL.data(), pose.kin.origin.data(), tables.topology.tree.data()};
  for (const int tree : part.trees) {
    const int first = tables.balls_start[tree], end = tables.balls_start[tree + 1];
    placeFeatures(tables.collision, links, std::span(tables.balls_of_tree).subspan(first, end - first), pose.centres);
    placeSolids(tables.collision, links, tables.collision.shapesOf(tree), pose.solids);
  }
  copyPositions(part, q, known.q);
}

bool isAt(const Part& part, const Eigen::VectorXd& q, const KnownPose& pose) {
  return std::all_of(part.runs.begin(), part.runs.end(), [&](const Run& run) {
    return std::equal(q.data() + run.trees.first_q, q.data() + run.trees.end_q, pose.q.data() + run.trees.first_q);
  });
}

StepWork::StepWork(const StepTables& tables, const TimeStepperOptions& options)
    : smooth(tables, options.integrator),
      node_velocity(tables.topology.nv),
      change(tables.topology.nv),
      V(tables.topology.links),
      levels(options.max_halvings + 1) {
  const Topology& topology = tables.topology;
  start.pose.kin.resize(topology);
  end.pose.kin.resize(topology);
  takeAll(tables, part);
  part.runs.reserve(topology.trees);
  for (KnownPose* pose : {&start, &end}) place(tables, part, tables.model.q0(), *pose);
  motion.resize(topology, tables.parameters, options.formulation);
  motion.discrete.round = tables.collision.round;
  constexpr double kNever = std::numeric_limits<double>::infinity();
  set.prepare(tables, start.pose, options.formulation == Formulation::kMaximal ? options.link_rows_from : kNever);
  set.space.dense_rows = options.dense_rows;
  if (set.space.extended()) {
    motion.discrete.own_points = set.space.on_links;
    TwoPoseMass<double>& mass = motion.mass.editTwoPoses();
    for (auto* places : {&mass.point, &mass.shift}) places->assign(topology.links, {});
  }
  motion.own.resize(tables.own);
  set.deeper *= std::max(1.0, options.tolerance / TimeStepperOptions{}.tolerance);
  momentum.resize(topology);
  contact_work.resize(topology);
  split.resize(tables);
  crowds.met.resize(topology.trees);
  crowds.most_stops = options.impact_stops;
  const auto prepare = [&](Snapshot& kept) {
    kept.state.q.resize(topology.nq);
    kept.state.v.resize(topology.nv);
    for (Eigen::VectorXd& rate : kept.memory.rates) rate.resize(topology.nv);
    if (motion.isDiscrete()) kept.memory.momentum.resize(topology.nv);
    kept.memory.last_step.resize(topology.trees);
    kept.memory.increments.resize(topology.trees);
    kept.memory.blocks.reserve(64);
    kept.memory.controller.reserve(8);
  };
  prepare(split.end);
  for (HalvingLevel& level : levels)  // a step that is halved or hits something for the first time allocates nothing
    for (Snapshot* kept : {&level.middle, &level.landed, &level.closed, &level.struck[0], &level.struck[1]})
      prepare(*kept);
}

}  // namespace rigor
