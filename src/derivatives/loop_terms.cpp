// Parts of loops. Their rows at a pose are those of stepping/loop_opening.h; what an impulse does as the links move:
//
//   point   f keeps its direction and attacks at p: δ(p × f) = δp × f
//   axis    torque λ a₂ × e₁, both axes turn
//   turn    torques Jl(θ)⁻ᵀ λ and −Jr(θ)⁻ᵀ λ, by dual numbers in θ
//   along   f = λ e₁ at p₂, e₁ turns with link 1
#include "derivatives/pair_terms.h"
#include "math/dual.h"
#include "math/rotation.h"
#include "stepping/loop_opening.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

void pointWrench(const LoopPart& part, const LoopEnd& end_1, const LoopEnd& end_2, const Vec& f, PairWrench& out) {
  const LoopEnd* ends[2] = {&end_1, &end_2};
  const int links[2] = {part.link_1, part.link_2};
  for (int end = 0; end < 2; ++end) {
    if (links[end] < 0) continue;
    const Vec& p = ends[end]->X_OF.p;
    const Vec force = (end == 1 ? 1.0 : -1.0) * f;
    out.F[end] = forceAt(p, force, {});
    out.change[end].block<3, 6>(3, 6 * end) = -crossMatrix(force) * movesPoint(p);
  }
}

void axisWrench(const LoopPart& part, const Kinematics<double>& kin, double impulse, PairWrench& out) {
  const Vec e = directionOf(part.link_1, part.across, kin), a = directionOf(part.link_2, part.axis, kin);
  Eigen::Matrix<double, 3, 12> change = Eigen::Matrix<double, 3, 12>::Zero();
  if (part.link_1 >= 0) change.leftCols<6>() = impulse * crossMatrix(a) * movesDirection(e);
  if (part.link_2 >= 0) change.rightCols<6>() = -impulse * crossMatrix(e) * movesDirection(a);
  for (int end = 0; end < 2; ++end) {
    const double sign = end == 1 ? 1.0 : -1.0;
    out.F[end].angular = (sign * impulse) * cross(a, e);
    out.change[end].bottomRows<3>() = sign * change;
  }
}

void turnWrench(const LoopPart& part, const LoopEnd& end_1, const LoopEnd& end_2, const Vec& impulse, PairWrench& out) {
  using Slope = Dual<3>;
  LoopOpening opening;
  openTurn(end_1, end_2, opening);
  const Vec3<Slope> theta{Slope::variable(opening.g[0], 0), Slope::variable(opening.g[1], 1),
                          Slope::variable(opening.g[2], 2)};
  const Vec3<Slope> given{impulse.x, impulse.y, impulse.z};
  const auto coefficients = expCoefficients(dot(theta, theta));
  Eigen::Matrix<double, 3, 12> moved = Eigen::Matrix<double, 3, 12>::Zero();  // δθ
  for (int r = 0; r < 3; ++r) {
    if (part.link_2 >= 0) moved.row(r).tail<6>() = rowOf(opening.F[0][r]);
    if (part.link_1 >= 0) moved.row(r).head<6>() = rowOf(opening.F[1][r]);
  }
  for (int end = 0; end < 2; ++end) {
    const Vec3<Slope> torque = end == 1 ? leftJacobianInverseTransposeTimes(theta, coefficients, given)
                                        : -leftJacobianInverseTransposeTimes(-theta, coefficients, given);
    out.F[end].angular = {torque.x.value, torque.y.value, torque.z.value};
    Eigen::Matrix3d slope;
    for (int k = 0; k < 3; ++k) slope.col(k) << torque.x.tangent[k], torque.y.tangent[k], torque.z.tangent[k];
    out.change[end].bottomRows<3>() = slope * moved;
  }
}

void alongWrench(const LoopPart& part, const LoopEnd& end_1, const LoopEnd& end_2, const Kinematics<double>& kin,
                 double impulse, PairWrench& out) {
  const Vec f = impulse * directionOf(part.link_1, part.across, kin), apart = end_2.origin - end_1.origin;
  Eigen::Matrix<double, 3, 12> turned = Eigen::Matrix<double, 3, 12>::Zero(), moved = turned;  // δf and δp₂
  if (part.link_1 >= 0) turned.leftCols<6>() = movesDirection(f);
  if (part.link_2 >= 0) moved.rightCols<6>() = movesPoint(end_2.X_OF.p);
  for (int end = 0; end < 2; ++end) {
    const double sign = end == 1 ? 1.0 : -1.0;
    const Vec p = end == 1 ? end_2.X_OF.p : end_2.X_OF.p + apart;
    out.F[end] = forceAt(p, sign * f, {});
    out.change[end].topRows<3>() = sign * turned;
    out.change[end].bottomRows<3>() = sign * (crossMatrix(p) * turned - crossMatrix(f) * moved);
  }
}

}  // namespace

void computeLoopWrench(const StepContext& context, const PlacedModel& start, const LoopPart& part,
                       const double* impulse, PairWrench& out) {
  if (part.rows == LoopRows::kAxis) return axisWrench(part, start.kin, impulse[0], out);
  const LoopEnd end_1 = findEnd(part.link_1, part.X_1, context.topology, start.kin);
  const LoopEnd end_2 = findEnd(part.link_2, part.X_2, context.topology, start.kin);
  if (part.rows == LoopRows::kPoint) return pointWrench(part, end_1, end_2, {impulse[0], impulse[1], impulse[2]}, out);
  if (part.rows == LoopRows::kTurn) return turnWrench(part, end_1, end_2, {impulse[0], impulse[1], impulse[2]}, out);
  alongWrench(part, end_1, end_2, start.kin, impulse[0], out);
}

void computeLoopWay(const StepContext& context, const PlacedModel& end, const double* q_end, const LoopPart& part,
                    PairWay& out) {
  const LoopOpening opening = computeOpening(part, context.topology, end.kin, q_end);
  for (int r = 0; r < part.count(); ++r) {
    if (part.link_2 >= 0) out.by_end.row(r).tail<6>() = rowOf(opening.F[0][r]);
    if (part.link_1 >= 0) out.by_end.row(r).head<6>() = rowOf(opening.F[1][r]);
  }
}

}  // namespace rigor
