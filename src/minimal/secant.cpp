#include "minimal/secant.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/integrate.h"
#include "minimal/row_kinds.h"
#include "minimal/surface_rows.h"

namespace rigor {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

}  // namespace

void computeSecants(const StepContext& context, const PlacedModel& start, const StepEnd& end, ConstraintSet& set) {
  for (int i = 0; i < set.size(); ++i) {
    Constraint& c = set.at(i);
    visitRows(c, [&](auto kind) { kind.secant(context, start, end, c, set); });
  }
}

void computeConstraintRows(const StepContext& context, const PlacedModel& start, const StepEnd& end,
                           const FreeMotion& motion, ConstraintSet& set) {
  for (const Run& run : context.part.runs)
    pullBackColumns(run.trees, end.pose.kin.S.data(), end.v, motion.h, set.columns.data());
  for (int i = 0; i < set.size(); ++i) {
    const Constraint& c = set.at(i);
    visitRows(c, [&](auto kind) { kind.rows(context, start, end, c, set); });
    for (const Side& side : set.answeringSidesOf(c)) {
      if (side.on_link) continue;
      std::copy_n(&set.constraint[side.offset], c.rows * side.length, &set.half[side.offset]);
      motion.mass.solveChainUTranspose(context.topology, side.link, c.rows, &set.half[side.offset]);
    }
  }
}

void useStartRows(const StepContext& context, const double* v_end, const FreeMotion& motion, ConstraintSet& set) {
  const Topology& topology = context.topology;
  const double* v = set.meetsRows(context.part, v_end);
  for (int i = 0; i < set.size(); ++i) {
    const Constraint& c = set.at(i);
    double u[kMostRows] = {};
    if (const LoopDetail* loop = loopOf(c, set); loop && motion.h > 0.0)
      for (int r = 0; r < c.rows; ++r) u[r] = loop->opening[r] / motion.h;
    for (const Side& side : set.sidesOf(c)) {
      std::copy_n(&set.force[side.offset], c.rows * side.length, &set.constraint[side.offset]);
      const int* entries = set.entriesOf(side);
      for (int k = 0; k < side.length; ++k)
        for (int r = 0; r < c.rows; ++r) u[r] += set.force[side.offset + k * c.rows + r] * v[entries[k]];
      if (side.on_link) continue;
      for (int k = 0; k < side.length; ++k) {
        const double D = motion.mass.pivot(topology, entries[k]);
        for (int r = 0, entry = side.offset + k * c.rows; r < c.rows; ++r, ++entry)
          set.half[entry] = D * set.response[entry];
      }
      if (!motion.isDiscrete()) continue;  // else U is not L
      std::copy_n(&set.constraint[side.offset], c.rows * side.length, &set.half[side.offset]);
      motion.mass.solveChainUTranspose(topology, side.link, c.rows, &set.half[side.offset]);
    }
    if (c.runs) addBelt(c, set, u);
    std::copy_n(u, c.rows, &set.velocity[c.first_row]);
  }
}

void computeNodeRates(const StepContext& context, const double* v_end, ConstraintSet& set) {
  const Topology& topology = context.topology;
  const double* v = set.meetsRows(context.part, v_end);
  for (int i = 0; i < set.size(); ++i) {
    Constraint& c = set.at(i);
    double u[kMostRows] = {}, size[kMostRows] = {};
    for (const Side& side : set.sidesOf(c)) {
      const int* entries = set.entriesOf(side);
      double fastest = 0.0;  // what one freedom rounds, all others of the chain feel
      for (int k = 0; k < side.length; ++k)
        fastest = std::max({fastest, std::fabs(set.startVelocity()[entries[k]]), std::fabs(v[entries[k]])});
      for (int k = 0; k < side.length; ++k)
        for (int r = 0; r < c.rows; ++r) {
          const double entry = set.force[side.offset + k * c.rows + r];
          u[r] += entry * v[entries[k]];
          size[r] += std::fabs(entry) * topology.chain_length[side.link] * fastest;
        }
    }
    if (c.runs) addBelt(c, set, u);
    for (int r = 0; r < c.rows; ++r) {
      set.velocity[c.first_row + r] = u[r];
      set.floor[c.first_row + r] = 4.0 * kEps * size[r];
    }
    visitRows(c, [&](auto kind) { kind.stay(c, set); });
  }
}

}  // namespace rigor
