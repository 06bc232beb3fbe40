#include "simulation/walking_leg.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <cmath>
#include <limits>

#include "simulation/lowest_point.h"

namespace rigor {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kLargestTurn = 0.3;  // [rad or m] of a joint from row to row: more is another way to bend the leg

/// Between two ends with velocities and accelerations, at the share s of the time T.
Vector3d quintic(const Vector3d& p0, const Vector3d& v0, const Vector3d& a0, const Vector3d& p1, const Vector3d& v1,
                 const Vector3d& a1, double T, double s, Vector3d& rate) {
  const Vector3d w0 = T * v0, w1 = T * v1, b0 = T * T * a0, b1 = T * T * a1, way = p1 - p0;
  const Vector3d c3 = 10.0 * way - 6.0 * w0 - 4.0 * w1 - 1.5 * b0 + 0.5 * b1;
  const Vector3d c4 = -15.0 * way + 8.0 * w0 + 7.0 * w1 + 1.5 * b0 - b1;
  const Vector3d c5 = 6.0 * way - 3.0 * w0 - 3.0 * w1 - 0.5 * b0 + 0.5 * b1;
  rate = (w0 + s * (b0 + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)))) / T;
  return p0 + s * (w0 + s * (0.5 * b0 + s * (c3 + s * (c4 + s * c5))));
}

Pose poseOf(const Eigen::Isometry3d& X) { return {X.translation(), Eigen::Quaterniond(X.linear()).normalized()}; }

}  // namespace

WalkingFoot findWalkingFoot(const Model& model, const VectorXd& stance, int body) {
  Data data(model);
  const Pose X_WB = poseOf(framePlacement(model, data, stance, body));
  const ModelShape* lowest = nullptr;
  Vector3d point = Vector3d::Constant(std::numeric_limits<double>::infinity());
  for (const ModelShape& shape : model.shapes()) {
    if (shape.body != body) continue;
    const Pose X_WS = X_WB * shape.X_BS;
    const Vector3d low = X_WS.position + farthestPoint(shape.shape, X_WS.rotation, -Vector3d::UnitZ());
    if (low.z() < point.z()) lowest = &shape, point = low;
  }
  if (!lowest)
    throw Error({model.body(body).where.file, 0, fmt::format("foot \"{}\"", printable(model.body(body).name))},
                "has no collision shape", "Name the links that touch the ground.");
  WalkingFoot foot{body, {}, lowest->shape.kind == ShapeKind::kSphere ? lowest->shape.size[0] : 0.0};
  // a frame with the axes of the world
  foot.X_BF.rotation = X_WB.rotation.conjugate();
  foot.X_BF.position = foot.radius > 0.0 ? lowest->X_BS.position : foot.X_BF.rotation * (point - X_WB.position);
  return foot;
}

WalkingLeg::WalkingLeg(const Model& model, const WalkingFoot& foot, std::vector<int> dofs, std::vector<int> held)
    : model_(model), data_(model), foot_(foot), dofs_(std::move(dofs)), held_(std::move(held)) {}

bool WalkingLeg::reach(const Vector3d& p, VectorXd& q) {
  ik_->setTarget(0, {p, turn_});
  return ik_->solve(q).status == IkStatus::kSolved;
}

/// The leg bent least to put its foot there; of equal bends the one with its knee towards the middle of the robot. Straight legs
/// do not know which way to bend, so every joint is tried both ways.
bool WalkingLeg::findStance(const WalkCycle& cycle, const Vector3d& p, VectorXd& q) {
  constexpr double kBend = 0.5, kOutward = 0.2;  // [rad or m]; [rad/m] what a knee outside costs
  double least = std::numeric_limits<double>::infinity();
  VectorXd best = cycle.pose;
  const auto consider = [&](VectorXd from) {
    if (!reach(p, from)) return;
    const auto& X = forwardKinematics(model_, data_, from);
    double outward = 0.0, bend = 0.0;
    for (int body = model_.body(foot_.body).parent; body != kWorld; body = model_.body(body).parent)
      outward = std::max(outward, (X[body] * model_.body(body).mass.com - cycle.centre).head<2>().norm());
    bend = difference(model_, cycle.pose, from).cwiseAbs().maxCoeff();
    if (bend + kOutward * outward < least) least = bend + kOutward * outward, best = from;
  };
  consider(cycle.pose);
  VectorXd way = VectorXd::Zero(model_.nv());
  for (const int dof : dofs_)
    for (const double side : {-kBend, kBend}) {
      way.setZero();
      way[dof] = side;
      consider(integrate(model_, cycle.pose, way));
    }
  q = best;
  return std::isfinite(least);
}

/// From one row to the next on the ground: the base goes on, a round foot rolls. Its turn depends on where it is, so that both are
/// found in turns; each is nearer by the radius over the length of the leg.
bool WalkingLeg::roll(const WalkCycle& cycle, Vector3d& p, VectorXd& q) {
  constexpr int kTurns = 40;
  constexpr double kNear = 1e-14;  // [m]
  const Vector3d behind = p - cycle.speed * cycle.dt * cycle.forward;
  if (foot_.radius == 0.0) {
    p = behind;
    return reach(p, q);
  }
  const Eigen::Matrix3d R = framePlacement(model_, data_, q, foot_.body).linear();
  p = behind;
  for (int turn = 0; turn < kTurns; ++turn) {
    if (!reach(p, q)) return false;
    const Eigen::AngleAxisd turned(
        Eigen::Matrix3d(framePlacement(model_, data_, q, foot_.body).linear() * R.transpose()));
    const Vector3d rolled = behind + foot_.radius * turned.angle() * turned.axis().cross(Vector3d::UnitZ());
    const bool near = (rolled - p).norm() <= kNear;
    p = rolled;
    if (near) break;
  }
  return reach(p, q);
}

/// Rates of the leg that give the point of the foot (in the world) a velocity in the axes of the base; the least of them.
VectorXd WalkingLeg::rates(const VectorXd& q, const Vector3d& point, const Vector3d& velocity) {
  const Vector3d p_B = framePlacement(model_, data_, q, foot_.body).inverse() * point;
  const Matrix6Xd& J = getFrameJacobian(model_, data_, q, foot_.body, p_B);
  const int rows = keeps_turn_ ? 6 : 3;
  Eigen::MatrixXd leg(rows, dofs_.size());
  for (std::size_t k = 0; k < dofs_.size(); ++k) leg.col(k) = J.col(dofs_[k]).head(rows);
  VectorXd wanted = VectorXd::Zero(rows);
  wanted.head<3>() = velocity;
  const VectorXd found = leg.completeOrthogonalDecomposition().solve(wanted);
  VectorXd v = VectorXd::Zero(model_.nv());
  for (std::size_t k = 0; k < dofs_.size(); ++k) v[dofs_[k]] = found[k];
  return v;
}

/// What touches the ground goes back as fast as the base goes forward.
VectorXd WalkingLeg::standingRates(const WalkCycle& cycle, const VectorXd& q) {
  const Vector3d p = framePlacement(model_, data_, q, foot_.body) * foot_.X_BF.position;
  return rates(q, p - foot_.radius * Vector3d::UnitZ(), -cycle.speed * cycle.forward);
}

/// Where F is on the ground, how fast, and how that changes as the leg goes on.
WalkingLeg::Place WalkingLeg::standingPlace(const WalkCycle& cycle, const VectorXd& q) {
  const auto velocityAt = [&](const VectorXd& at) -> Vector3d {
    return frameVelocity(model_, data_, at, standingRates(cycle, at), foot_.body, foot_.X_BF.position).head<3>();
  };
  constexpr double kShort = 1e-5;  // [s] of a central difference
  Place place;
  place.p = framePlacement(model_, data_, q, foot_.body) * foot_.X_BF.position;
  place.rate = velocityAt(q);
  place.acceleration = Vector3d::Zero();
  if (foot_.radius == 0.0) return place;
  const VectorXd way = kShort * standingRates(cycle, q);
  place.acceleration =
      (velocityAt(integrate(model_, q, way)) - velocityAt(integrate(model_, q, -way))) / (2.0 * kShort);
  return place;
}

bool WalkingLeg::addRow(int row, const VectorXd& q, VectorXd v) {
  if (row > 0 && difference(model_, q_.back(), q).cwiseAbs().maxCoeff() > kLargestTurn) return false;
  q_.push_back(q);
  v_.push_back(std::move(v));
  return true;
}

bool WalkingLeg::plan(const WalkCycle& cycle) {
  q_.clear(), v_.clear();
  const Pose X_WB = poseOf(framePlacement(model_, data_, cycle.pose, foot_.body));
  turn_ = (X_WB * foot_.X_BF).rotation;
  Vector3d p = (X_WB * foot_.X_BF).position;
  p.z() = cycle.ground + foot_.radius;
  const auto fail = [&](int row) {
    trouble_ = fmt::format("foot \"{}\" {:.3g} m from its place at {:.0f} % of its cycle",
                           printable(model_.body(foot_.body).name), ik_->report().residual, 100.0 * row / cycle.rows);
    return false;
  };
  VectorXd q;
  const auto prepare = [&](bool keeps_turn) {
    IkTask task;
    task.goal = keeps_turn ? IkGoal::kPose : IkGoal::kPosition;
    task.body = foot_.body, task.X_BF = foot_.X_BF;
    ik_ = std::make_unique<InverseKinematics>(model_, std::vector<IkTask>{task}, IkOptions{1e-13, 200, 0, true, held_});
    keeps_turn_ = keeps_turn;
    return findStance(cycle, p, q);
  };
  const double half = 0.5 * cycle.speed * cycle.standing * cycle.dt;
  const auto land = [&] { return reach(p + half * cycle.forward, q); };
  if (!(foot_.radius == 0.0 && prepare(true) && land()) && !(prepare(false) && land())) return fail(0);
  p += half * cycle.forward;
  const VectorXd landed = q;
  if (!addRow(0, q, standingRates(cycle, q))) return fail(0);
  for (int row = 1; row <= cycle.standing; ++row)
    if (!roll(cycle, p, q) || !addRow(row, q, standingRates(cycle, q))) return fail(row);
  const Place off = standingPlace(cycle, q), on = standingPlace(cycle, landed);
  const double swing = (cycle.rows - cycle.standing) * cycle.dt;
  for (int row = cycle.standing + 1; row <= cycle.rows; ++row) {
    const double s = static_cast<double>(row - cycle.standing) / (cycle.rows - cycle.standing), r = s * (1.0 - s);
    Vector3d rate;
    p = quintic(off.p, off.rate, off.acceleration, on.p, on.rate, on.acceleration, swing, s, rate);
    p.z() += 64.0 * cycle.lift * r * r * r;
    rate.z() += 192.0 * cycle.lift * r * r * (1.0 - 2.0 * s) / swing;
    if (!reach(p, q) || !addRow(row, q, rates(q, p, rate))) return fail(row);
  }
  // the leg must be bent as it was
  return difference(model_, landed, q).cwiseAbs().maxCoeff() < kLargestTurn || fail(cycle.rows);
}

}  // namespace rigor
