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
  for (int j = 0; j < topology.nv; ++j)
    if (parameters.dry_friction[j] > 0.0) rubbing.push_back(j);
}

}  // namespace rigor
