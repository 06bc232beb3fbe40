#include "stepping/loop_opening.h"

#include <cmath>

#include "dynamics/jacobian.h"
#include "math/rotation.h"
#include "stepping/own_terms.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

const Vec kAxes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

void openPoint(const LoopEnd& end_1, const LoopEnd& end_2, LoopOpening& out) {
  const Vec &p1 = end_1.X_OF.p, &p2 = end_2.X_OF.p;
  const Vec g = (end_2.origin - end_1.origin) + (p2 - p1);
  out.g[0] = g.x, out.g[1] = g.y, out.g[2] = g.z;
  out.size = absoluteSum(end_1.origin) + absoluteSum(p1) + absoluteSum(end_2.origin) + absoluteSum(p2);
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

void take(const PairCoordinate& from, LoopOpening& out) {
  out.g[0] = from.value;
  out.F[0][0] = from.F[0], out.F[1][0] = from.F[1];
}

double sizeOf(const LoopEnd& end) { return absoluteSum(end.origin) + absoluteSum(end.X_OF.p); }

void openAlong(const LoopPart& part, const LoopEnd& end_1, const LoopEnd& end_2, const Kinematics<double>& kin,
               LoopOpening& out) {
  take(distanceAlong(directionOf(part.link_1, part.across, kin), end_1, end_2), out);
  out.size = sizeOf(end_1) + sizeOf(end_2);
  if (part.rows != LoopRows::kScrew || part.pitch == 0.0) return;
  const PairCoordinate angle = angleOf(part.turned, part.link_1, part.link_2, kin);
  const double whole = angle.value + turnsTo(out.g[0] / part.pitch - angle.value);
  out.g[0] -= part.pitch * whole;
  for (int end = 0; end < 2; ++end) out.F[end][0] += -part.pitch * angle.F[end];
  out.size += std::fabs(part.pitch) * (2.0 + std::fabs(whole));
}

}  // namespace

double turnsTo(double angle) {
  constexpr double kTurn = 2.0 * M_PI;
  return kTurn * std::round(angle / kTurn);
}

LoopEnd findEnd(int link, const Transform<double>& X, const Topology& topology, const Kinematics<double>& kin) {
  if (link == kWorld) return {X, {}};
  return {kin.X_OL[link] * X, kin.origin[topology.tree[link]]};
}

Vec directionOf(int link, const Vec& in_link, const Kinematics<double>& kin) {
  return link == kWorld ? in_link : kin.X_OL[link].R * in_link;
}

PairCoordinate distanceAlong(const Vec& direction, const LoopEnd& end_1, const LoopEnd& end_2) {
  const Vec apart = end_2.origin - end_1.origin, &p2 = end_2.X_OF.p;
  PairCoordinate out;
  out.value = dot(direction, apart + (p2 - end_1.X_OF.p));
  out.F[0] = forceAt(p2, direction, {});
  out.F[1] = forceAt(p2 + apart, -direction, {});
  return out;
}

PairCoordinate angleOf(const TurnedPointer& turned, int link_1, int link_2, const Kinematics<double>& kin) {
  const int points = turned.swapped ? link_1 : link_2, sees = turned.swapped ? link_2 : link_1;
  const Vec p = directionOf(points, turned.pointer, kin);
  const Vec a = directionOf(sees, turned.a, kin), b = directionOf(sees, turned.b, kin);
  const double cosine = dot(p, a), sine = dot(p, b);
  const double scale = (turned.swapped ? -1.0 : 1.0) / (cosine * cosine + sine * sine);
  const Vec torque = scale * cross(p, cosine * b - sine * a);
  PairCoordinate out;
  out.value = arctan2(sine, cosine);
  out.F[0] = {{}, torque};
  out.F[1] = {{}, -torque};
  return out;
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
    if (part.rows == LoopRows::kOwn)
      openOwn(part, end_1, end_2, out);
    else if (part.rows == LoopRows::kPoint)
      openPoint(end_1, end_2, out);
    else if (part.rows == LoopRows::kTurn)
      openTurn(end_1, end_2, out);
    else
      openAlong(part, end_1, end_2, kin, out);
  }
  return out;
}

}  // namespace rigor
