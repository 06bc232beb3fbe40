#include "minimal/loop_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/jacobian.h"

namespace rigor {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// Writes the rows of an opening into one of the packed arrays; `columns` are the motion columns S to use.
void writeOpening(const StepContext& context, const LoopPart& part, const LoopOpening& opening,
                  const Motion<double>* columns, const Constraint& c, const ConstraintSet& set,
                  std::vector<double>& rows) {
  for (const Side& side : set.sidesOf(c)) {
    double* to = &rows[side.offset];
    const bool second = side.end == 1;
    if (part.rows == LoopRows::kCoupling) {
      std::fill_n(to, side.length, 0.0);
      const int dof = second ? part.dof_2 : part.dof_1;
      to[entryOf(context.topology, side, dof)] = second ? opening.slope_2 : 1.0;
    } else if (part.count() == 3) {
      writeRows<3>(set, context.topology, columns, side, opening.F[second ? 0 : 1], to);
    } else if (part.count() == 2) {
      writeRows<2>(set, context.topology, columns, side, opening.F[second ? 0 : 1], to);
    } else {
      writeRows<1>(set, context.topology, columns, side, opening.F[second ? 0 : 1], to);
    }
  }
}

}  // namespace

void LoopPartRows::addAll(const StepContext& context, const PlacedModel& start, ConstraintSet& set) {
  for (std::size_t i = 0; i < context.tables.loops.size(); ++i) {
    const LoopPart& part = context.tables.loops[i];
    const auto steps = [&](int link) { return context.part.hasLink(context.topology, link); };
    if (!steps(part.link_1) || !steps(part.link_2)) continue;
    int& slot = set.loop_slot[i];
    const RowSource source = part.own ? RowSource::kOwn : RowSource::kLoop;
    const RowId id = rowId(source, 8 * part.loop + part.number);
    if (findSlot({source, id, static_cast<int>(i), part.count()}, slot, set)) {
      Constraint& c = set.slots[slot];
      c.touching = true;
      c.block.kind = BlockKind::kEqual;
      c.detail = static_cast<int>(set.loops.size());
      set.loops.emplace_back();
      const int links[2] = {part.link_1, part.link_2}, freedoms[2] = {part.dof_1, part.dof_2};
      if (part.rows == LoopRows::kCoupling)
        addFreedoms(context.tables, freedoms, c, set);
      else
        addSides(context.tables, links, c, set);
    }
    const Constraint& c = set.slots[slot];
    const LoopOpening opening = computeOpening(part, context.topology, start.kin, context.q);
    std::copy_n(opening.g, 3, set.loops[c.detail].opening);
    set.loops[c.detail].finite = opening.finite;
    join(context, slot, set);
    writeOpening(context, part, opening, start.kin.S.data(), c, set, set.force);
  }
}

void LoopPartRows::secant(const StepContext& context, const PlacedModel&, const StepEnd& end, Constraint& c,
                          ConstraintSet& set) {
  const LoopOpening opening = computeOpening(context.tables.loops[c.index], context.topology, end.pose.kin, end.q);
  c.gap_end = 0.0;
  set.loops[c.detail].finite = opening.finite;
  for (int r = 0; r < c.rows; ++r) {
    set.velocity[c.first_row + r] = opening.finite ? opening.g[r] / end.h : kUnknown;
    set.floor[c.first_row + r] = 4.0 * kEps * set.winding * opening.size / end.h;
    c.gap_end = std::max(c.gap_end, std::fabs(opening.g[r]));
  }
}

void LoopPartRows::rows(const StepContext& context, const PlacedModel&, const StepEnd& end, const Constraint& c,
                        ConstraintSet& set) {
  const LoopPart& part = context.tables.loops[c.index];
  const LoopOpening opening = computeOpening(part, context.topology, end.pose.kin, end.q);
  writeOpening(context, part, opening, set.columns.data(), c, set, set.constraint);
}

void LoopPartRows::addImpulse(const StepContext& context, const Kinematics<double>& start, const Constraint& c,
                              const ConstraintSet& set, MomentumScratch& scratch) {
  const LoopPart& part = context.tables.loops[c.index];
  const LoopOpening opening = computeOpening(part, context.topology, start, context.q);
  const double* impulse = &set.impulse[c.first_row];
  if (part.rows == LoopRows::kCoupling) {
    scratch.balance[part.dof_1] -= impulse[0];
    scratch.balance[part.dof_2] -= opening.slope_2 * impulse[0];
    return;
  }
  for (const Side& side : set.sidesOf(c))
    for (int r = 0; r < c.rows; ++r) scratch.impulse[side.link] += impulse[r] * opening.F[side.end == 1 ? 0 : 1][r];
}

void LoopPartRows::addImpulseSize(const StepContext& context, const Kinematics<double>& start, const Constraint& c,
                                  double size, const ConstraintSet& set, MomentumScratch& scratch) {
  const LoopPart& part = context.tables.loops[c.index];
  const LoopOpening opening = computeOpening(part, context.topology, start, context.q);
  if (part.rows == LoopRows::kCoupling) {
    scratch.terms[part.dof_1] += size;
    scratch.terms[part.dof_2] += std::fabs(opening.slope_2) * size;
    return;
  }
  for (const Side& side : set.sidesOf(c))
    for (int r = 0; r < c.rows; ++r) {
      const Force<double>& F = opening.F[side.end == 1 ? 0 : 1][r];
      scratch.size[side.link] += {size * absoluteSum(F.linear), size * absoluteSum(F.angular)};
    }
}

void LoopPartRows::stay(Constraint& c, ConstraintSet& set) {
  const double* g = set.loops[c.detail].opening;
  c.gap_end = std::max({std::fabs(g[0]), std::fabs(g[1]), std::fabs(g[2])});
}

bool LoopPartRows::held(const Constraint& c, const ConstraintSet& set, double h) {
  return !(c.gap_end > set.deeper + h * set.floor[c.first_row]);
}

double widestLoop(const ConstraintSet& set) {
  double widest = 0.0;
  for (const int slot : set.active)
    if (loopOf(set.slots[slot], set)) widest = std::max(widest, set.slots[slot].gap_end);
  return widest;
}

}  // namespace rigor
