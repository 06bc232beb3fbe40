#include "minimal/own_record.h"

#include "geometry/convert.h"

namespace rigor {
namespace {

/// A body of a term, and the impulse on its link about O.
struct PushedBody {
  int term, body, link;
  Transform<double> X_LB;
  Force<double> impulse;
};

void append(const StepContext& context, const Kinematics<double>& start, const PushedBody& pushed, StepRecord& record) {
  if (pushed.link == kWorld || absoluteSum(pushed.impulse.linear) + absoluteSum(pushed.impulse.angular) == 0.0) return;
  const LoopEnd end = findEnd(pushed.link, pushed.X_LB, context.topology, start);
  const Force<double>& impulse = pushed.impulse;
  record.own.push_back({static_cast<int>(record.substeps.size()), pushed.term, pushed.body, toEigen(impulse.linear),
                        toEigen(impulse.angular - cross(end.X_OF.p, impulse.linear))});
}

void recordPotentials(const StepContext& context, const Kinematics<double>& start, const FreeMotion& motion,
                      StepRecord& record) {
  const std::vector<PotentialPart>& potentials = context.tables.own.potentials;
  for (std::size_t i = 0; i < potentials.size(); ++i) {
    const PotentialPart& part = potentials[i];
    if (!takesPart(context.topology, context.part, part)) continue;
    const auto impulseOn = [&](int link, const Force<double>& gradient) {
      return link == kWorld ? Force<double>{} : -motion.kick[context.topology.v_index[link]] * gradient;
    };
    const AttachedFrames& frames = part.frames;
    const int term = static_cast<int>(i);
    append(context, start,
           {term, part.term->body_1, frames.link_1, frames.X_1, impulseOn(frames.link_1, motion.own.at[i].gradient[1])},
           record);
    append(context, start,
           {term, part.term->body_2, frames.link_2, frames.X_2, impulseOn(frames.link_2, motion.own.at[i].gradient[0])},
           record);
  }
}

void recordConstraint(const StepContext& context, const Kinematics<double>& start, const LoopPart& part,
                      const double* impulse, StepRecord& record) {
  const LoopOpening opening = computeOpening(part, context.topology, start, context.q);
  Force<double> on_1{}, on_2{};
  for (int r = 0; r < part.count(); ++r) {
    on_1 += impulse[r] * opening.F[1][r];
    on_2 += impulse[r] * opening.F[0][r];
  }
  const int term = static_cast<int>(context.tables.own.potentials.size()) + part.loop;
  append(context, start, {term, part.own->body_1, part.link_1, part.X_1, on_1}, record);
  append(context, start, {term, part.own->body_2, part.link_2, part.X_2, on_2}, record);
}

}  // namespace

void recordOwnTerms(const StepContext& context, const Kinematics<double>& start, const FreeMotion& motion,
                    const ConstraintSet& set, StepRecord& record) {
  recordPotentials(context, start, motion, record);
  const std::vector<LoopPart>& loops = context.tables.loops;
  for (std::size_t i = loops.size() - context.tables.own.constraints.size(); i < loops.size(); ++i) {
    const int slot = set.loop_slot[i];
    if (slot < 0 || !set.slots[slot].active) continue;
    recordConstraint(context, start, loops[i], &set.impulse[set.slots[slot].first_row], record);
  }
}

}  // namespace rigor
