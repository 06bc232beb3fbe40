#include "event/held_motion.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/integrate.h"

namespace rigor {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr double kProbe = 1e-3;  // [rad or m] way of the fastest freedom between two poses of a difference quotient
constexpr int kProjections = 6;
constexpr double kStillClosed = 1e-11;  // [m or rad] rounding of long chains leaves no less

}  // namespace

HeldMotion::HeldMotion(const StepTables& tables)
    : tables_(tables),
      topology_(tables.topology),
      forces_of_state_(tables),
      rows_at_(tables),
      inertias_(topology_.links),
      no_drives_(topology_.nv, 0.0),
      rubbing_(topology_.nv, 0.0) {
  for (PlacedModel* pose : {&pose_, &moved_pose_}) pose->kin.resize(topology_);
  mass_.resize(topology_);
  free_.setZero(topology_.nv);
  q_moved_.setZero(topology_.nq);
  step_.setZero(topology_.nv);
}

void HeldMotion::numberRows() {
  rows_ = 0;
  for (Held& one : held) one.first = rows_, rows_ += one.rows;
  touches_ = std::any_of(held.begin(), held.end(), [](const Held& one) { return one.isContact(); });
  reference.setZero(rows_);
  forces_.setZero(rows_);
  rows_at_.arrange(held, rows_);
  W_.arrange(topology_, held, rows_at_);
  assembled_ = false;
}

void HeldMotion::use(const StepInput& input, const double* v) {
  input_ = input;
  for (int j = 0; tables_.rubs && j < topology_.nv; ++j) {
    rubbing_[j] = 0.0;
    if (std::fabs(v[j]) > kRest) beginRub(j, -std::copysign(tables_.parameters.dry_friction[j], v[j]));
  }
  forces_of_state_.use(input_, true);
  assembled_ = false;
}

/// Shapes only where something touches.
void HeldMotion::place(const double* q, PlacedModel& pose) const {
  if (touches_) return rigor::place(topology_, tables_.parameters, tables_.collision, q, pose);
  computeKinematics<double>(topology_, tables_.parameters, q, pose.kin);
}

void HeldMotion::factorMass() {
  computeInertias(topology_, tables_.parameters, pose_.kin, inertias_);
  mass_.setMass(topology_, pose_.kin, inertias_, tables_.parameters.armature.data());
  mass_.factor(topology_, no_drives_.data());
}

/// J̇ v by f′(0) = (8 (f(s) − f(−s)) − (f(2s) − f(−2s)))/12 s with f(s) = J(q ⊕ s v) v, and belts.
void HeldMotion::computeBias(const double* q, const double* v) {
  const Eigen::Map<const Eigen::VectorXd> velocity(v, topology_.nv);
  bias_.setZero(rows_);
  const double fastest = std::max(velocity.lpNorm<Eigen::Infinity>(), rows_at_.turning);
  if (!(fastest > 0.0)) return;
  const double s = kProbe / fastest;
  for (const auto& [where, weight] : {std::pair{1.0, 8.0}, {-1.0, -8.0}, {2.0, -1.0}, {-2.0, 1.0}}) {
    integrate(topology_, q, v, where * s, q_moved_.data());
    place(q_moved_.data(), moved_pose_);
    rows_at_.addRates(held, moved_pose_, q_moved_.data(), v, weight / (12.0 * s), bias_);
  }
}

bool HeldMotion::sees(const double* q, const double* v) const {
  return assembled_ && std::equal(q, q + topology_.nq, q_seen_.data()) &&
         std::equal(v, v + topology_.nv, v_seen_.data());
}

void HeldMotion::assemble(const double* q, const double* v) {
  if (sees(q, v)) return;
  place(q, pose_);
  rows_at_.compute(held, pose_, q, v);
  factorMass();
  forces_of_state_.evaluate(pose_.kin, inertias_, q, v, free_.data());
  W_.compute(topology_, mass_, rows_at_, true);
  computeBias(q, v);
  rows_at_.multiply(free_, free_rates_);
  free_rates_ += bias_;
  q_seen_ = Eigen::Map<const Eigen::VectorXd>(q, topology_.nq);
  v_seen_ = Eigen::Map<const Eigen::VectorXd>(v, topology_.nv);
  assembled_ = true;
}

void HeldMotion::evaluate(const double* q, const double* v, double* acceleration) {
  if (rows_ == 0) return forces_of_state_.evaluate(q, v, acceleration);
  assemble(q, v);
  right_ = -free_rates_;
  W_.subtract(reference, right_);
  W_.solve(right_, correction_);
  forces_ = reference + correction_;
  std::copy_n(free_.data(), topology_.nv, acceleration);
  W_.addResponse(topology_, mass_, rows_at_, forces_, acceleration);
}

bool HeldMotion::project(Eigen::VectorXd& q, Eigen::VectorXd& v) {
  if (rows_ == 0) return true;
  assembled_ = false;
  double before = std::numeric_limits<double>::infinity();
  for (int pass = 0;; ++pass) {
    place(q.data(), pose_);
    rows_at_.compute(held, pose_, q.data(), nullptr);
    if (!rows_at_.allFinite()) return false;
    factorMass();
    W_.compute(topology_, mass_, rows_at_, false);
    const double open = rows_at_.openings.lpNorm<Eigen::Infinity>();
    if (open <= 4.0 * kEps || (pass > 1 && open >= 0.5 * before && open <= 1e-12)) break;
    if (pass == kProjections && open > kStillClosed) return false;
    if (pass == kProjections) break;
    before = open;
    right_ = -rows_at_.openings;  // what sticks does not move on the way back
    W_.solve(right_, correction_);
    step_.setZero();
    W_.addResponse(topology_, mass_, rows_at_, correction_, step_.data());
    integrate(topology_, q.data(), step_.data(), 1.0, q.data());
  }
  rows_at_.multiply(v, right_);
  right_ = -(right_ + rows_at_.belts);
  W_.solve(right_, correction_);
  W_.addResponse(topology_, mass_, rows_at_, correction_, v.data());
  return q.allFinite() && v.allFinite();
}

}  // namespace rigor
