// What a model's steps look things up in: made once per model, never changed, shared by forks.
#pragma once

#include <memory>
#include <vector>

#include "collision/collision_table.h"
#include "model/loop_parts.h"
#include "model/parameters.h"
#include "model/topology.h"

namespace rigor {

/// Range of a joint with one freedom.
struct JointLimit {
  int dof, q_index;
  double lower, upper;
};

/// Freedoms of a joint that turn.
struct JointTurn {
  int first_dof, count;
};

struct StepTables {
  explicit StepTables(const Model& model);

  Model model;
  const Topology& topology;
  const Parameters<double>& parameters;
  CollisionTable collision;
  std::vector<JointLimit> limits;
  std::vector<LoopPart> loops;
  std::vector<JointTurn> turns;  ///< of all links but round ones, which may turn however fast
};

}  // namespace rigor
