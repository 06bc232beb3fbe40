#include "simulation/fastest_turn.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rigor {

std::string describeFastestTurn(const StepTables& tables, const Part& part, const double* v) {
  double fastest = -1.0;
  int freedom = 0;
  for (const Run& run : part.runs)
    for (const JointTurn& turn : within(tables.turns, run.trees)) {
      double square = 0.0;
      for (int k = 0; k < turn.count; ++k) square += v[turn.dof + k] * v[turn.dof + k];
      if (square > fastest) fastest = square, freedom = turn.dof;
    }
  if (fastest < 0.0) return "";
  const std::vector<ModelJoint>& joints = tables.model.joints();
  const auto after = std::upper_bound(joints.begin(), joints.end(), freedom,
                                      [](int dof, const ModelJoint& joint) { return dof < joint.v_index; });
  const ModelJoint& joint = *(after - 1);
  const bool free = joint.spec.type == kFree;
  return fmt::format("{} \"{}\" turns at {:.3g} rad/s", free ? "body" : "joint",
                     free ? tables.model.body(joint.body).name : joint.spec.name, std::sqrt(fastest));
}

}  // namespace rigor
