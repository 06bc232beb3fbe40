#include "minimal/loop_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/jacobian.h"
#include "math/rotation.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kEps = std::numeric_limits<double>::epsilon();
const Vec kAxes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

double sum(const Vec& a) { return std::fabs(a.x) + std::fabs(a.y) + std::fabs(a.z); }

/// Frame F at a pose: relative to O of its tree, and O itself. The world's O is its origin.
struct LoopEnd {
  Transform<double> X_OF;
  Vec origin;
};

LoopEnd findEnd(int link, const Transform<double>& X, const Topology& topology, const Kinematics<double>& kin) {
  if (link == kWorld) return {X, {}};
  return {kin.X_OL[link] * X, kin.origin[topology.tree[link]]};
}

void openPoint(const LoopEnd& end_1, const LoopEnd& end_2, LoopOpening& out) {
  const Vec &p1 = end_1.X_OF.p, &p2 = end_2.X_OF.p;
  const Vec g = (end_2.origin - end_1.origin) + (p2 - p1);
  out.g[0] = g.x, out.g[1] = g.y, out.g[2] = g.z;
  out.size = sum(end_1.origin) + sum(p1) + sum(end_2.origin) + sum(p2);
  for (int r = 0; r < 3; ++r) {
    out.F[0][r] = forceAt(p2, kAxes[r], {});
    out.F[1][r] = forceAt(p1, -kAxes[r], {});
  }
}

/// The turn between two frames, up to half a turn. There Σ r × r′ = 2 sin|θ|·axis vanishes and says nothing: the axis is
/// then the largest column of the symmetric part of R2 R1ᵀ + 1, which is 2·axis·axisᵀ.
Vec turnBetween(const Mat3<double>& R_1, const Mat3<double>& R_2) {
  constexpr double kNearHalfTurn = 1e-8;  // 1 + trace = (π − |θ|)²
  const double trace = dot(R_1.x, R_2.x) + dot(R_1.y, R_2.y) + dot(R_1.z, R_2.z);
  if (1.0 + trace > kNearHalfTurn) return rotationBetween(R_1, R_2);
  const Mat3<double> turn = R_2 * transpose(R_1);
  Mat3<double> sum = turn + transpose(turn);
  sum.x.x += 2.0, sum.y.y += 2.0, sum.z.z += 2.0;
  const Vec& column = sum.x.x >= sum.y.y ? (sum.x.x >= sum.z.z ? sum.x : sum.z) : (sum.y.y >= sum.z.z ? sum.y : sum.z);
  const Vec axis = (1.0 / norm(column)) * column;
  const double sine = 0.5 * dot(axis, cross(R_1.x, R_2.x) + cross(R_1.y, R_2.y) + cross(R_1.z, R_2.z));
  return (sine < 0.0 ? -1.0 : 1.0) * (M_PI - std::fabs(sine)) * axis;
}

void openTurn(const LoopEnd& end_1, const LoopEnd& end_2, LoopOpening& out) {
  const Vec theta = turnBetween(end_1.X_OF.R, end_2.X_OF.R);
  const auto coefficients = expCoefficients(dot(theta, theta));
  out.g[0] = theta.x, out.g[1] = theta.y, out.g[2] = theta.z;
  out.size = 2.0;  // rotation matrices
  for (int r = 0; r < 3; ++r) {
    out.F[0][r] = {{}, leftJacobianInverseTransposeTimes(theta, coefficients, kAxes[r])};
    out.F[1][r] = {{}, -leftJacobianInverseTransposeTimes(-theta, coefficients, kAxes[r])};
  }
}

void openAxis(const LoopPart& part, const Kinematics<double>& kin, LoopOpening& out) {
  const Vec across = part.link_1 == kWorld ? part.across : kin.X_OL[part.link_1].R * part.across;
  const Vec axis = part.link_2 == kWorld ? part.axis : kin.X_OL[part.link_2].R * part.axis;
  const Vec torque = cross(axis, across);
  out.g[0] = dot(axis, across);
  out.size = 2.0;
  out.F[0][0] = {{}, torque};
  out.F[1][0] = {{}, -torque};
}

void openCoupling(const LoopPart& part, const double* q, LoopOpening& out) {
  const double x = q[part.q_2];
  double value = 0.0, slope = 0.0, size = 0.0;
  for (int k = 4; k >= 0; --k) {
    slope = slope * x + value;
    value = value * x + part.coefficients[k];
    size = size * std::fabs(x) + std::fabs(part.coefficients[k]);
  }
  out.g[0] = q[part.q_1] - value;
  out.slope_2 = -slope;
  out.size = std::fabs(q[part.q_1]) + size;
}

/// Writes the rows of an opening into one of the packed arrays; `columns` are the motion columns S to use.
void writeRows(const StepContext& context, const LoopPart& part, const LoopOpening& opening,
               const Motion<double>* columns, const Constraint& c, std::vector<double>& rows) {
  for (int s = 0; s < c.sides; ++s) {
    const Side& side = c.side[s];
    double* to = &rows[side.offset];
    const bool second = side.sign > 0.0;
    if (part.rows == LoopRows::kCoupling) {
      std::fill_n(to, side.length, 0.0);
      const int dof = second ? part.dof_2 : part.dof_1;
      to[context.topology.dof_depth[dof]] = second ? opening.slope_2 : 1.0;
    } else if (part.count() == 3) {
      jacobianRows<3>(context.topology, columns, side.link, opening.F[second ? 0 : 1], to);
    } else {
      jacobianRows<1>(context.topology, columns, side.link, opening.F[second ? 0 : 1], to);
    }
  }
}

}  // namespace

LoopOpening computeOpening(const LoopPart& part, const Topology& topology, const Kinematics<double>& kin,
                           const double* q) {
  LoopOpening out;
  if (part.rows == LoopRows::kCoupling) {
    openCoupling(part, q, out);
  } else if (part.rows == LoopRows::kAxis) {
    openAxis(part, kin, out);
  } else {
    const LoopEnd end_1 = findEnd(part.link_1, part.X_1, topology, kin);
    const LoopEnd end_2 = findEnd(part.link_2, part.X_2, topology, kin);
    if (part.rows == LoopRows::kPoint)
      openPoint(end_1, end_2, out);
    else
      openTurn(end_1, end_2, out);
  }
  return out;
}

void addLoops(const StepContext& context, const StepPose& start, ConstraintSet& set) {
  for (std::size_t i = 0; i < context.loops.size(); ++i) {
    const LoopPart& part = context.loops[i];
    Constraint c;
    c.source = RowSource::kLoop;
    c.id = rowId(RowSource::kLoop, 8 * part.loop + part.number);
    c.index = static_cast<int>(i);
    c.rows = part.count();
    c.touching = true;
    addSide(context.topology, part.link_2, 1.0, 0, c, set);
    addSide(context.topology, part.link_1, -1.0, 0, c, set);
    const LoopOpening opening = computeOpening(part, context.topology, start.kin, context.q);
    std::copy_n(opening.g, 3, c.opening);
    writeRows(context, part, opening, start.kin.S.data(), enter(context, c, set), set.force);
  }
}

void computeLoopSecant(const StepContext& context, const StepPose& end, const double* q_end, double h, Constraint& c,
                       ConstraintSet& set) {
  const LoopOpening opening = computeOpening(context.loops[c.index], context.topology, end.kin, q_end);
  c.gap_end = 0.0;
  for (int r = 0; r < c.rows; ++r) {
    set.velocity[c.first_row + r] = opening.g[r] / h;
    set.floor[c.first_row + r] = 4.0 * kEps * set.winding * opening.size / h;
    c.gap_end = std::max(c.gap_end, std::fabs(opening.g[r]));
  }
}

void computeLoopRows(const StepContext& context, const StepPose& end, const double* q_end, const Constraint& c,
                     ConstraintSet& set) {
  const LoopPart& part = context.loops[c.index];
  const LoopOpening opening = computeOpening(part, context.topology, end.kin, q_end);
  writeRows(context, part, opening, set.columns.data(), c, set.constraint);
}

void addLoopImpulse(const StepContext& context, const Kinematics<double>& start, const Constraint& c,
                    const double* impulse, Force<double>* links, double* joints) {
  const LoopPart& part = context.loops[c.index];
  const LoopOpening opening = computeOpening(part, context.topology, start, context.q);
  if (part.rows == LoopRows::kCoupling) {
    joints[part.dof_1] -= impulse[0];
    joints[part.dof_2] -= opening.slope_2 * impulse[0];
    return;
  }
  for (int s = 0; s < c.sides; ++s)
    for (int r = 0; r < c.rows; ++r) links[c.side[s].link] += impulse[r] * opening.F[c.side[s].sign > 0.0 ? 0 : 1][r];
}

}  // namespace rigor
