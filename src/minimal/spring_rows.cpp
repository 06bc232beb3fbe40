#include "minimal/spring_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/jacobian.h"

namespace rigor {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr double kUnbounded = std::numeric_limits<double>::infinity();

/// J v of the row, and the sum of the sizes of its terms.
struct Rate {
  double value = 0.0, size = 0.0;
};
Rate rateOf(const Constraint& c, const ConstraintSet& set, const double* v) {
  Rate rate;
  for (const Side& side : set.sidesOf(c)) {
    const int* entries = set.entriesOf(side);
    for (int k = 0; k < side.length; ++k) {
      const double term = set.force[side.offset + k] * v[entries[k]];
      rate.value += term, rate.size += std::fabs(term);
    }
  }
  return rate;
}

/// The slot of a spring or its damper, with its rows at the pose of the start.
void addRow(const StepContext& context, const PlacedModel& start, int index, bool damps, const PairCoordinate& along,
            ConstraintSet& set) {
  const SpringPart& part = context.tables.springs[index];
  const int number = 2 * index + (damps ? 1 : 0);
  int& slot = set.spring_slot[number];
  if (findSlot({RowSource::kSpring, rowId(RowSource::kSpring, number), index, 1}, slot, set)) {
    Constraint& c = set.slots[slot];
    c.touching = true;
    c.block.kind = BlockKind::kBox;
    c.detail = static_cast<int>(set.springs.size());
    set.springs.emplace_back();
    const int links[2] = {part.link_1, part.link_2};
    addSides(context.tables, links, c, set);
  }
  Constraint& c = set.slots[slot];
  SpringDetail& detail = set.springs[c.detail];
  detail.damps = damps;
  detail.stretch = along.value;
  std::copy_n(along.F, 2, detail.F);
  for (const Side& side : set.sidesOf(c))
    writeRows<1>(set, context.topology, start.kin.S.data(), side, &detail.F[side.end == 1 ? 0 : 1],
                 &set.force[side.offset]);
  detail.rate = rateOf(c, set, set.startVelocity()).value;
  join(context, slot, set);
}

/// λ = −A − B u.
void setLaw(double A, double B, Constraint& c) {
  c.compliance = B > 0.0 ? 1.0 / B : 0.0;
  c.bias = B > 0.0 ? A / B : 0.0;
  c.block.lo = B > 0.0 ? -kUnbounded : -A;
  c.block.hi = B > 0.0 ? kUnbounded : -A;
  c.first_mode = B > 0.0 ? ContactMode::kStick : ContactMode::kSlip;
  c.last.known = false;  // what it was tells nothing
}

/// J M̂⁻¹ Jᵀ of a row; Z is scratch until the responses are computed.
double responseOf(const StepContext& context, const FreeMotion& motion, const Constraint& c, ConstraintSet& set) {
  const Topology& topology = context.topology;
  const int nv = topology.nv;
  const double* half[2] = {};
  int sides = 0;
  for (const Side& side : set.answeringSidesOf(c)) {
    double* row = &set.response[side.offset];
    if (side.on_link) {
      set.chains.resize(2 * static_cast<std::size_t>(nv));
      row = &set.chains[sides * nv];
      jacobianRow(topology, set.S, side.link, set.springs[c.detail].F[side.end == 1 ? 0 : 1], row);
    } else {
      std::copy_n(&set.force[side.offset], side.length, row);
    }
    halfSolve(topology, motion, c, side, row);
    half[sides++] = row;
  }
  double sum = 0.0;
  const std::span<const Side> answering = set.answeringSidesOf(c);
  for (int a = 0; a < sides; ++a)
    for (int b = 0; b < sides; ++b) {
      const int* chain = topology.chain.data() + topology.chain_start[answering[a].link];
      const int common = topology.commonPrefix(answering[a].link, answering[b].link);
      for (int k = 0; k < common; ++k) sum += half[a][k] * half[b][k] * motion.mass.inverseD()[chain[k]];
    }
  return sum;
}

template <class Visit>
void forEachTree(const StepContext& context, const ConstraintSet& set, const Constraint& c, const Visit& visit) {
  int before = -1;
  for (const Side& side : set.answeringSidesOf(c)) {
    const int tree = context.topology.tree[side.link];
    if (tree != before) visit(tree);
    before = tree;
  }
}

/// Decides which springs the leapfrog can follow, and tells all of them what to do.
void setSprings(const StepContext& context, const FreeMotion& motion, int first, ConstraintSet& set) {
  for (int i = first; i < set.size(); ++i)
    forEachTree(context, set, set.at(i), [&](int tree) { set.tree_stiffness[tree] = 0.0; });
  for (int i = first; i < set.size(); ++i) {
    const Constraint& c = set.at(i);
    if (set.springs[c.detail].damps) continue;
    const double kW = context.tables.springs[c.index].stiffness * responseOf(context, motion, c, set);
    forEachTree(context, set, c, [&](int tree) { set.tree_stiffness[tree] += kW; });
  }
  for (int i = first; i < set.size(); ++i) {
    Constraint& c = set.at(i);
    const SpringPart& part = context.tables.springs[c.index];
    const SpringDetail& detail = set.springs[c.detail];
    const double kick = meanKick(context, motion, set, c), h = motion.h, last = 2.0 * kick - h;
    if (detail.damps) {
      const double half = 0.5 * kick * part.damping;
      setLaw(half * detail.rate, half, c);
      continue;
    }
    const double longest = std::max(h, last);
    bool stiff = false;  // a half kick ends what the step before it began
    forEachTree(context, set, c,
                [&](int tree) { stiff = stiff || longest * longest * set.tree_stiffness[tree] > 1.0; });
    const double of_end = stiff ? 0.25 * part.stiffness * h * h : 0.0;
    const double of_start = stiff ? 0.25 * part.stiffness * last * last : 0.0;
    setLaw(part.stiffness * kick * detail.stretch - of_start * detail.rate, of_end, c);
  }
}

}  // namespace

bool SpringRows::takesPart(const StepContext& context, const SpringPart& part) {
  return context.part.hasLink(context.topology, part.link_1) && context.part.hasLink(context.topology, part.link_2);
}

void SpringRows::addAll(const StepContext& context, const PlacedModel& start, const FreeMotion& motion,
                        ConstraintSet& set) {
  const int first = set.size();
  for (int i = 0; i < static_cast<int>(context.tables.springs.size()); ++i) {
    const SpringPart& part = context.tables.springs[i];
    if (!takesPart(context, part)) continue;
    const int link = context.tables.answers(part.link_2) ? part.link_2 : part.link_1;
    if (!(motion.kick[context.topology.v_index[link]] > 0.0)) continue;
    const SpringStretch stretch = computeStretch(part, context.topology, start.kin);
    if (!stretch.has_line) continue;
    if (part.stiffness > 0.0) addRow(context, start, i, false, stretch.spring, set);
    if (part.damping > 0.0) addRow(context, start, i, true, stretch.damper, set);
  }
  setSprings(context, motion, first, set);
}

void SpringRows::secant(const StepContext& context, const PlacedModel&, const StepEnd& end, Constraint& c,
                        ConstraintSet& set) {
  const Rate rate = rateOf(c, set, set.meetsRows(context.part, end.v));
  set.velocity[c.first_row] = rate.value;
  set.floor[c.first_row] = 4.0 * kEps * rate.size;
}

void SpringRows::rows(const StepContext&, const PlacedModel&, const StepEnd&, const Constraint& c, ConstraintSet& set) {
  for (const Side& side : set.sidesOf(c))
    std::copy_n(&set.force[side.offset], side.length, &set.constraint[side.offset]);
}

void SpringRows::addImpulse(const StepContext&, const Kinematics<double>&, const Constraint& c,
                            const ConstraintSet& set, MomentumScratch& scratch) {
  const SpringDetail& detail = set.springs[c.detail];
  for (const Side& side : set.sidesOf(c))
    scratch.impulse[side.link] += set.impulse[c.first_row] * detail.F[side.end == 1 ? 0 : 1];
}

void SpringRows::addImpulseSize(const StepContext&, const Kinematics<double>&, const Constraint& c, double size,
                                const ConstraintSet& set, MomentumScratch& scratch) {
  const SpringDetail& detail = set.springs[c.detail];
  for (const Side& side : set.sidesOf(c)) {
    const Force<double>& F = detail.F[side.end == 1 ? 0 : 1];
    scratch.size[side.link] += {size * absoluteSum(F.linear), size * absoluteSum(F.angular)};
  }
}

}  // namespace rigor
