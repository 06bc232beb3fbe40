#include "minimal/step_tables.h"

namespace rigor {

StepTables::StepTables(const Model& m)
    : model(m),
      topology(model.topology()),
      parameters(model.parameters()),
      collision(makeCollisionTable(m)),
      loops(makeLoopParts(m)) {
  for (const ModelJoint& joint : model.joints())
    if (const auto& range = joint.spec.range)
      limits.push_back({joint.v_index, joint.q_index, range->lower, range->upper});
  for (int link = 0; link < topology.links; ++link) {
    const int count = rotationCount(topology.joint[link]);
    if (count > 0 && !collision.round[link])
      turns.push_back({topology.v_index[link] + topology.dofs[link] - count, count});
  }
}

}  // namespace rigor
