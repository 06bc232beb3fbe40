#include "minimal/secant.h"

#include <cmath>
#include <limits>

#include "dynamics/crba.h"
#include "dynamics/integrate.h"
#include "dynamics/jacobian.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kEps = std::numeric_limits<double>::epsilon();

double sum(const Vec& a) { return std::fabs(a.x) + std::fabs(a.y) + std::fabs(a.z); }

/// h·Ω of a link: the rotation vector of the step, in world axes.
Vec stepRotation(const Kinematics<double>& start, const Kinematics<double>& end, int link) {
  return logMatrix(end.X_OL[link].R * transpose(start.X_OL[link].R));
}

/// The ball of a side: its centre at both poses and the arm from the centre to its surface point at the start.
struct SideBall {
  BallCentre start, end;
  Vec arm;
  bool turns;  ///< the arm has a length: rotation moves the surface
};

SideBall sideBall(const StepContext& context, const Kinematics<double>& end, const Constraint& c, const Side& side) {
  const ContactPair& pair = context.pairs[c.index];
  const bool body_2 = side.sign > 0.0;
  const double radius = body_2 ? pair.radius_2 : pair.radius_1;
  SideBall ball;
  ball.start = body_2 ? c.start.centre_2 : c.start.centre_1;
  ball.end = ballCentre(context.topology, end, side.link, body_2 ? pair.centre_2 : pair.centre_1);
  ball.arm = (body_2 ? -radius : radius) * c.start.normal;
  ball.turns = radius > 0.0;
  return ball;
}

void contactSecant(const StepContext& context, const Kinematics<double>& start, const Kinematics<double>& end, double h,
                   Constraint& c, ConstraintSet& set) {
  Vec slip{};
  double size = 0.0;
  for (int s = 0; s < c.sides; ++s) {
    const Side& side = c.side[s];
    const SideBall ball = sideBall(context, end, c, side);
    const Vec origin_moved =
        end.origin[context.topology.tree[side.link]] - start.origin[context.topology.tree[side.link]];
    Vec moved = origin_moved + (ball.end.relative - ball.start.relative);
    if (ball.turns) moved += cross(stepRotation(start, end, side.link), ball.arm);
    slip += (side.sign / h) * moved;
    size += sum(start.origin[context.topology.tree[side.link]]) + sum(ball.start.relative);
  }
  c.gap_end = computeContactGeometry(context.pairs[c.index], context.topology, end).gap;
  const int row = c.first_row;
  set.velocity[row] = (c.gap_end - c.gap) / h;
  set.velocity[row + 1] = dot(c.tangent_1, slip);
  set.velocity[row + 2] = dot(c.tangent_2, slip);
  for (int r = 0; r < 3; ++r) set.floor[row + r] = 4.0 * kEps * size / h;
}

void contactRows(const StepContext& context, const Kinematics<double>& start, const Kinematics<double>& end,
                 const Constraint& c, ConstraintSet& set) {
  const Vec normal_end = computeContactGeometry(context.pairs[c.index], context.topology, end).normal;
  const Vec tangents[2] = {c.tangent_1, c.tangent_2};
  for (int s = 0; s < c.sides; ++s) {
    const Side& side = c.side[s];
    const SideBall ball = sideBall(context, end, c, side);
    double* row = &set.constraint[side.offset];
    jacobianRow(context.topology, set.columns.data(), side.link, forceAt(ball.end.relative, side.sign * normal_end, {}),
                row);
    const Vec theta = ball.turns ? stepRotation(start, end, side.link) : Vec{};
    const auto coefficients = expCoefficients(dot(theta, theta));
    for (int r = 0; r < 2; ++r) {
      const Vec d = side.sign * tangents[r];
      const Vec torque =
          ball.turns ? leftJacobianInverseTransposeTimes(theta, coefficients, cross(ball.arm, d)) : Vec{};
      jacobianRow(context.topology, set.columns.data(), side.link, forceAt(ball.end.relative, d, torque),
                  row + (r + 1) * side.length);
    }
  }
}

/// A joint row is linear in q: a limit is read from the position, a motor or friction from the velocity itself.
void jointSecant(const StepContext& context, const double* q_end, const double* v_end, double h, Constraint& c,
                 ConstraintSet& set) {
  if (c.source != RowSource::kLimit) {
    set.velocity[c.first_row] = v_end[c.index];
    return;
  }
  const int position = context.topology.q_index[context.topology.dof_link[c.index]];
  c.gap_end = c.sign * (q_end[position] - c.bound);
  set.velocity[c.first_row] = (c.gap_end - c.gap) / h;
  set.floor[c.first_row] = 4.0 * kEps * (std::fabs(context.q[position]) + std::fabs(c.bound)) / h;
}

}  // namespace

void computeSecants(const StepContext& context, const Kinematics<double>& start, const Kinematics<double>& end,
                    const double* q_end, const double* v_end, double h, ConstraintSet& set) {
  for (Constraint& c : set.list) {
    if (c.source == RowSource::kContact)
      contactSecant(context, start, end, h, c, set);
    else
      jointSecant(context, q_end, v_end, h, c, set);
  }
}

void computeConstraintRows(const StepContext& context, const Kinematics<double>& start, const Kinematics<double>& end,
                           const double* v_end, const FreeMotion& motion, ConstraintSet& set) {
  pullBackColumns(context.topology, end.S.data(), v_end, motion.h, set.columns.data());
  for (const Constraint& c : set.list) {
    if (c.source == RowSource::kContact)
      contactRows(context, start, end, c, set);
    else
      std::copy_n(&set.force[c.side[0].offset], c.side[0].length, &set.constraint[c.side[0].offset]);
    for (int s = 0; s < c.sides; ++s) {
      const Side& side = c.side[s];
      std::copy_n(&set.constraint[side.offset], c.rows * side.length, &set.half[side.offset]);
      for (int r = 0; r < c.rows; ++r)
        solveChainLTranspose(context.topology, motion.L.data(), side.link, &set.half[side.offset + r * side.length]);
    }
  }
}

}  // namespace rigor
