#include "minimal/restitution.h"

#include <algorithm>

#include "dynamics/crba.h"

namespace rigor {
namespace {

/// Normal force row of a contact times a velocity.
double alongNormal(const Topology& topology, const ConstraintSet& set, const Constraint& c, const double* velocity) {
  double sum = 0.0;
  for (int s = 0; s < c.sides; ++s) {
    const int* chain = topology.chain.data() + topology.chain_start[c.side[s].link];
    for (int k = 0; k < c.side[s].length; ++k) sum += set.force[c.side[s].offset + k * c.rows] * velocity[chain[k]];
  }
  return sum;
}

}  // namespace

void applyRestitution(const StepContext& context, const FreeMotion& motion, int first, ConstraintSet& set,
                      double* change) {
  const double after_node = 0.5 * motion.h / motion.kick, before_node = 1.0 - after_node;
  bool known = false;  // the free motion is only needed where something bounces
  for (std::size_t i = first; i < set.list.size(); ++i) {
    Constraint& c = set.list[i];
    // what touches already rests or slides; only what closes now can bounce
    if (c.source != RowSource::kContact || c.touching || context.contacts.pairs[c.index].restitution == 0.0) continue;
    if (!known) {
      std::copy(motion.z.begin(), motion.z.end(), change);
      solveL(context.topology, motion.L.data(), change);
      known = true;
    }
    const ContactPair& pair = context.contacts.pairs[c.index];
    const double approach = alongNormal(context.topology, set, c, context.v);
    const double kick = alongNormal(context.topology, set, c, change);
    const double before = approach + before_node * kick;
    if (c.gap + motion.h * (approach + kick) < 0.0 && -before > pair.threshold)
      c.bias = std::min(c.bias, pair.restitution * before - after_node * kick);
  }
}

}  // namespace rigor
