#include "derivatives/pair_terms.h"

#include "derivatives/row_terms_of.h"
#include "minimal/contact_rows.h"

namespace rigor {

void PairWrench::setZero() {
  for (int end = 0; end < 2; ++end) F[end] = {}, change[end].setZero();
}

void PairWay::setZero() {
  by_start.setZero(), by_end.setZero();
  for (int end = 0; end < 2; ++end) by_turn[end].setZero(), turns[end] = false;
}

bool hasPairTerms(const StepContext& context, const Constraint& c, const ConstraintSet& set, const char*& why) {
  if (const ContactDetail* contact = contactOf(c, set)) {
    if (isOfSolids(contact->pair.kind))
      why = "faces, edges and round sides that touch";
    else if (contact->crossed)
      why = "balls that met on the way";
    else if (c.runs)
      why = "a belt";
    else if (contact->scaled)
      why = "torsion, rolling or a grain of friction";
    else if (c.compliance_of_pair > 0.0)
      why = "a soft contact";
    else
      return true;
    return false;
  }
  if (termsOf(context, c) != RowTerms::kNone) return true;
  why = nameUnknown(c);
  return false;
}

void computeWrench(const StepContext& context, const PlacedModel& start, const Constraint& c, const ConstraintSet& set,
                   const double* impulse, PairWrench& out) {
  out.setZero();
  if (const ContactDetail* contact = contactOf(c, set)) return computeContactWrench(*contact, impulse, out);
  computeLoopWrench(context, start, context.tables.loops[c.index], impulse, out);
}

void computeWay(const StepContext& context, const PlacedModel& end, const double* q_end, const Constraint& c,
                const ConstraintSet& set, PairWay& out) {
  out.setZero();
  if (const ContactDetail* contact = contactOf(c, set)) return computeContactWay(*contact, out);
  computeLoopWay(context, end, q_end, context.tables.loops[c.index], out);
}

}  // namespace rigor
