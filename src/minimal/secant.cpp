#include "minimal/secant.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/integrate.h"
#include "dynamics/jacobian.h"
#include "minimal/loop_rows.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kEps = std::numeric_limits<double>::epsilon();

double sum(const Vec& a) { return std::fabs(a.x) + std::fabs(a.y) + std::fabs(a.z); }

/// From the centre of a side's ball to its surface point at the start.
Vec surfaceArm(const StepContext& context, const Constraint& c, const Side& side) {
  return (-side.sign * context.contacts.balls[side.ball].radius) * c.normal;
}

/// Rounding of the velocity of a contact or limit, which is read from positions: 4·eps·(|x| + |p|)/h.
void writeFloor(const StepContext& context, const StepPose& start, double h, const Constraint& c, ConstraintSet& set) {
  double size = 0.0;
  if (c.source == RowSource::kContact)
    for (int s = 0; s < c.sides; ++s)
      size +=
          sum(start.kin.origin[context.topology.tree[c.side[s].link]]) + sum(start.centres[c.side[s].ball].relative);
  else if (c.source == RowSource::kLimit)
    size = std::fabs(context.q[context.topology.q_index[context.topology.dof_link[c.index]]]) + std::fabs(c.bound);
  std::fill_n(&set.floor[c.first_row], c.rows, 4.0 * kEps * set.winding * size / h);
  if (c.source == RowSource::kContact) set.floor[c.first_row] *= 1.0 + c.mu;  // û has μ|ut| in its normal row
}

/// Gap of two balls to the plane between them across `normal`: what they may not pass. Never more than their distance.
double gapAlong(const ContactPairs& all, const ContactPair& pair, const Vec& normal,
                const std::vector<BallCentre>& centres) {
  const Vec d = centres[pair.ball_2].world - centres[pair.ball_1].world;
  return dot(normal, d) - all.balls[pair.ball_1].radius - all.balls[pair.ball_2].radius;
}

/// h·Ω of a link over the step: log(R′Rᵀ), or of a round one, which may turn more than once, R·hω.
Vec turnOf(const StepContext& context, const StepPose& start, const StepPose& end, int link, const double* v_end,
           double h) {
  const Mat3<double>& R = start.kin.X_OL[link].R;
  if (!context.contacts.round[link]) return rotationBetween(R, end.kin.X_OL[link].R);
  const double* omega = v_end + context.topology.v_index[link] + 3;
  return R * Vec{h * omega[0], h * omega[1], h * omega[2]};
}

void contactSecant(const StepContext& context, const StepPose& start, const StepPose& end, const double* v_end,
                   double h, Constraint& c, ConstraintSet& set) {
  Vec slip{};
  for (int s = 0; s < c.sides; ++s) {
    Side& side = c.side[s];
    const Vec &from = start.centres[side.ball].relative, &to = end.centres[side.ball].relative;
    const int tree = context.topology.tree[side.link];
    Vec moved = (end.kin.origin[tree] - start.kin.origin[tree]) + (to - from);
    if (context.contacts.balls[side.ball].radius > 0.0) {
      side.turn = turnOf(context, start, end, side.link, v_end, h);
      moved += cross(side.turn, surfaceArm(context, c, side));
    }
    slip += (side.sign / h) * moved;
  }
  const ContactPair& pair = context.contacts.pairs[c.index];
  const bool crosses = !pair.plane && ballsCross(context.contacts, pair, start.centres, end.centres);
  c.crossings += crosses && !c.crossed;
  c.crossed = crosses || c.crossings > 1;  // passes that try the gap of the end again and again go around in circles
  c.distance_end = computeContactGeometry(context.contacts, pair, end.centres).gap;
  c.gap_end = c.crossed ? gapAlong(context.contacts, pair, c.normal, end.centres) : c.distance_end;
  const int row = c.first_row;
  set.velocity[row] = (c.gap_end - c.gap) / h;
  set.velocity[row + 1] = dot(c.tangent_1, slip);
  set.velocity[row + 2] = dot(c.tangent_2, slip);
  if (set.floor[row] == 0.0) writeFloor(context, start, h, c, set);  // depends on the start pose alone
}

/// ∂u/∂ω of a round link: it turns about its own centre, by R·hω exactly.
void roundTurnRows(const Mat3<double>& R, const Vec* tangents, const Vec& arm, const Side& side, ConstraintSet& set) {
  const Vec axes[3] = {R.x, R.y, R.z};
  for (int k = 0; k < 3; ++k) {
    double* entry = &set.constraint[side.offset + 3 * (3 + k)];
    entry[0] = 0.0;
    for (int r = 0; r < 2; ++r) entry[r + 1] = dot(axes[k], cross(arm, side.sign * tangents[r]));
  }
}

void contactRows(const StepContext& context, const StepPose& start, const StepPose& end, const Constraint& c,
                 ConstraintSet& set) {
  const ContactPair& pair = context.contacts.pairs[c.index];
  const bool fixed = pair.plane || c.crossed;
  const Vec normal_end = fixed ? c.normal : computeContactGeometry(context.contacts, pair, end.centres).normal;
  const Vec tangents[2] = {c.tangent_1, c.tangent_2};
  for (int s = 0; s < c.sides; ++s) {
    const Side& side = c.side[s];
    const Vec& centre = end.centres[side.ball].relative;
    const bool turns = context.contacts.balls[side.ball].radius > 0.0;
    const Vec arm = surfaceArm(context, c, side);
    const auto coefficients = expCoefficients(dot(side.turn, side.turn));
    Force<double> F[3];
    F[0] = forceAt(centre, side.sign * normal_end, {});
    for (int r = 0; r < 2; ++r) {
      const Vec d = side.sign * tangents[r];
      const Vec torque = turns ? leftJacobianInverseTransposeTimes(side.turn, coefficients, cross(arm, d)) : Vec{};
      F[r + 1] = forceAt(centre, d, torque);
    }
    jacobianRows<3>(context.topology, set.columns.data(), side.link, F, &set.constraint[side.offset]);
    if (context.contacts.round[side.link]) roundTurnRows(start.kin.X_OL[side.link].R, tangents, arm, side, set);
  }
}

/// A joint row is linear in q: a limit is read from the position, a motor or friction from the velocity itself.
void jointSecant(const StepContext& context, const StepPose& start, const double* q_end, const double* v_end, double h,
                 Constraint& c, ConstraintSet& set) {
  if (c.source != RowSource::kLimit) {
    set.velocity[c.first_row] = v_end[c.index];
    return;
  }
  const int position = context.topology.q_index[context.topology.dof_link[c.index]];
  c.gap_end = c.sign * (q_end[position] - c.bound);
  set.velocity[c.first_row] = (c.gap_end - c.gap) / h;
  writeFloor(context, start, h, c, set);
}

}  // namespace

void computeSecants(const StepContext& context, const StepPose& start, const StepPose& end, const double* q_end,
                    const double* v_end, double h, ConstraintSet& set) {
  for (Constraint& c : set.list) {
    if (c.source == RowSource::kContact)
      contactSecant(context, start, end, v_end, h, c, set);
    else if (c.source == RowSource::kLoop)
      computeLoopSecant(context, end, q_end, h, c, set);
    else
      jointSecant(context, start, q_end, v_end, h, c, set);
  }
}

void computeConstraintRows(const StepContext& context, const StepPose& start, const StepPose& end, const double* q_end,
                           const double* v_end, const FreeMotion& motion, ConstraintSet& set) {
  pullBackColumns(context.topology, end.kin.S.data(), v_end, motion.h, set.columns.data());
  for (const Constraint& c : set.list) {
    if (c.source == RowSource::kContact)
      contactRows(context, start, end, c, set);
    else if (c.source == RowSource::kLoop)
      computeLoopRows(context, end, q_end, c, set);
    else
      std::copy_n(&set.force[c.side[0].offset], c.side[0].length, &set.constraint[c.side[0].offset]);
    for (int s = 0; s < c.sides; ++s) {
      const Side& side = c.side[s];
      std::copy_n(&set.constraint[side.offset], c.rows * side.length, &set.half[side.offset]);
      halfSolve(context.topology, motion, c, side, &set.half[side.offset]);
    }
  }
}

void useStartRows(const StepContext& context, const double* v_end, const FreeMotion& motion, ConstraintSet& set) {
  const Topology& topology = context.topology;
  set.constraint = set.force;
  for (const Constraint& c : set.list) {
    double u[3] = {};
    if (c.source == RowSource::kLoop && motion.h > 0.0)
      for (int r = 0; r < c.rows; ++r) u[r] = c.opening[r] / motion.h;
    for (int s = 0; s < c.sides; ++s) {
      const Side& side = c.side[s];
      const int* chain = topology.chain.data() + topology.chain_start[side.link];
      for (int k = 0; k < side.length; ++k) {
        const int dof = chain[k], entry = side.offset + k * c.rows;
        const double D = motion.mass.pivot(topology, dof);
        for (int r = 0; r < c.rows; ++r) {
          set.half[entry + r] = D * set.response[entry + r];
          u[r] += set.force[entry + r] * v_end[dof];
        }
      }
    }
    std::copy_n(u, c.rows, &set.velocity[c.first_row]);
  }
}

void computeNodeRates(const StepContext& context, const double* v_end, ConstraintSet& set) {
  const Topology& topology = context.topology;
  for (Constraint& c : set.list) {
    double u[3] = {}, size[3] = {};
    for (int s = 0; s < c.sides; ++s) {
      const Side& side = c.side[s];
      const int* chain = topology.chain.data() + topology.chain_start[side.link];
      double fastest = 0.0;  // what one freedom rounds, all others of the chain feel
      for (int k = 0; k < side.length; ++k)
        fastest = std::max({fastest, std::fabs(context.v[chain[k]]), std::fabs(v_end[chain[k]])});
      for (int k = 0; k < side.length; ++k)
        for (int r = 0; r < c.rows; ++r) {
          const double entry = set.force[side.offset + k * c.rows + r];
          u[r] += entry * v_end[chain[k]];
          size[r] += std::fabs(entry) * side.length * fastest;
        }
    }
    for (int r = 0; r < c.rows; ++r) {
      set.velocity[c.first_row + r] = u[r];
      set.floor[c.first_row + r] = 4.0 * kEps * size[r];
    }
    c.gap_end = c.distance_end = c.gap;
    if (c.source == RowSource::kLoop)
      c.gap_end = std::max({std::fabs(c.opening[0]), std::fabs(c.opening[1]), std::fabs(c.opening[2])});
  }
}

}  // namespace rigor
