#include "minimal/own_trouble.h"

#include "minimal/loop_rows.h"

namespace rigor {

bool potentialsAreFinite(const StepTables& tables, const FreeMotion& motion, StepReport& report) {
  for (std::size_t i = 0; i < tables.own.potentials.size(); ++i) {
    if (motion.own.at[i].finite) continue;
    report.own_trouble = describeNotFinite("potential", tables.own.potentials[i].term->name);
    return false;
  }
  return true;
}

bool constraintsAreFinite(const StepTables& tables, const ConstraintSet& set, StepReport& report) {
  for (std::size_t i = tables.loops.size() - tables.own.constraints.size(); i < tables.loops.size(); ++i) {
    const int slot = set.loop_slot[i];
    if (slot < 0 || !set.slots[slot].active || loopOf(set.slots[slot], set)->finite) continue;
    report.own_trouble = describeNotFinite("constraint", tables.loops[i].own->name);
    return false;
  }
  return true;
}

}  // namespace rigor
