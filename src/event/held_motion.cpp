#include "event/held_motion.h"

#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/integrate.h"

namespace rigor {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr double kProbe = 1e-3;  // [rad or m] way of the fastest freedom between two poses of a difference quotient
constexpr double kDependent = 1e-11;  // reciprocal condition below which rows count as dependent
constexpr int kProjections = 6;
constexpr double kStillClosed = 1e-11;  // [m or rad] rounding of long chains leaves no less

/// W = A Bᵀ; of many rows by what is not zero: a contact meets two bodies.
void multiply(const RowMatrix& A, const RowMatrix& B, RowMatrix& W) {
  constexpr Eigen::Index kFew = 48;
  if (A.rows() < kFew) {
    W.noalias() = A * B.transpose();
    return;
  }
  const Eigen::SparseMatrix<double, Eigen::RowMajor> a = A.sparseView(), b = B.sparseView();
  W = Eigen::SparseMatrix<double, Eigen::RowMajor>(a * b.transpose()).toDense();
}

}  // namespace

HeldMotion::HeldMotion(const StepTables& tables)
    : tables_(tables),
      topology_(tables.topology),
      forces_of_state_(tables),
      rows_at_(tables),
      moved_(tables),
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
  reference.setZero(rows_);
  forces_.setZero(rows_);
}

void HeldMotion::use(const StepInput& input, const double* v) {
  input_ = input;
  for (int j = 0; tables_.rubs && j < topology_.nv; ++j) {
    rubbing_[j] = 0.0;
    if (std::fabs(v[j]) > kRest) beginRub(j, -std::copysign(tables_.parameters.dry_friction[j], v[j]));
  }
  forces_of_state_.use(input_, true);
}

void HeldMotion::place(const double* q) { rigor::place(topology_, tables_.parameters, tables_.collision, q, pose_); }

void HeldMotion::factorMass() {
  computeInertias(topology_, tables_.parameters, pose_.kin, inertias_);
  mass_.setMass(topology_, pose_.kin, inertias_, tables_.parameters.armature.data());
  mass_.factor(topology_, no_drives_.data());
}

/// response ← (M⁻¹ Fᵀ)ᵀ, one row after the other.
void HeldMotion::respond(const RowMatrix& forces) {
  response_ = forces;
  const std::vector<double>& inverse_D = mass_.inverseD();
  for (Eigen::Index r = 0; r < response_.rows(); ++r) {
    double* x = response_.row(r).data();
    mass_.solveLTranspose(topology_, x);
    for (int j = 0; j < topology_.nv; ++j) x[j] *= inverse_D[j];
    mass_.solveU(topology_, x);
  }
}

/// J̇ v by f′(0) = (8 (f(s) − f(−s)) − (f(2s) − f(−2s)))/12 s with f(s) = J(q ⊕ s v) v, and belts.
void HeldMotion::computeBias(const double* q, const double* v) {
  const Eigen::Map<const Eigen::VectorXd> velocity(v, topology_.nv);
  bias_.setZero(rows_);
  const double fastest = std::max(velocity.lpNorm<Eigen::Infinity>(), rows_at_.turning);
  if (!(fastest > 0.0)) return;
  const double s = kProbe / fastest;
  for (const auto& [place, weight] : {std::pair{1.0, 8.0}, {-1.0, -8.0}, {2.0, -1.0}, {-2.0, 1.0}}) {
    integrate(topology_, q, v, place * s, q_moved_.data());
    rigor::place(topology_, tables_.parameters, tables_.collision, q_moved_.data(), moved_pose_);
    moved_.compute(held, rows_, moved_pose_, q_moved_.data(), nullptr);
    bias_.noalias() += (weight / (12.0 * s)) * (moved_.J * velocity + moved_.belts);
  }
}

void HeldMotion::assemble(const double* q, const double* v, RowMatrix& W, Eigen::VectorXd& b) {
  forces_of_state_.evaluate(q, v, free_.data());
  place(q);
  rows_at_.compute(held, rows_, pose_, q, v);
  factorMass();
  respond(rows_at_.F);
  multiply(rows_at_.J, response_, W);
  computeBias(q, v);
  b.noalias() = rows_at_.J * free_ + bias_;
}

void HeldMotion::evaluate(const double* q, const double* v, double* acceleration) {
  Eigen::Map<Eigen::VectorXd> a(acceleration, topology_.nv);
  if (rows_ == 0) return forces_of_state_.evaluate(q, v, acceleration);
  assemble(q, v, W_, free_rates_);
  right_ = -free_rates_;
  right_.noalias() -= W_ * reference;
  solve(W_, right_, correction_);
  forces_ = reference + correction_;
  a = free_;
  a.noalias() += response_.transpose() * forces_;
}

/// x with W x = right; where rows depend on each other the smallest one, in units of the rows' own sizes. Rows that do not meet are solved apart.
void HeldMotion::solve(const RowMatrix& W, const Eigen::VectorXd& right, Eigen::VectorXd& x) {
  x.setZero(rows_);
  taken_.assign(rows_, 0);
  for (int first = 0; first < rows_; ++first) {
    if (taken_[first]) continue;
    findConnected(W, first);
    const int n = static_cast<int>(connected_.size());
    scale_.resize(n), part_right_.resize(n), part_.resize(n, n);
    for (int i = 0; i < n; ++i) {
      const double size = std::fabs(W(connected_[i], connected_[i]));
      scale_[i] = size > 0.0 ? 1.0 / std::sqrt(size) : 1.0;
    }
    for (int i = 0; i < n; ++i) {
      part_right_[i] = scale_[i] * right[connected_[i]];
      for (int j = 0; j < n; ++j) part_(i, j) = scale_[i] * W(connected_[i], connected_[j]) * scale_[j];
    }
    solvePart();
    for (int i = 0; i < n; ++i) x[connected_[i]] = scale_[i] * part_x_[i];
  }
}

/// Rows that meet the first one, directly or through others; ascending.
void HeldMotion::findConnected(const RowMatrix& W, int first) {
  connected_.assign(1, first);
  taken_[first] = 1;
  for (std::size_t k = 0; k < connected_.size(); ++k)
    for (int j = 0; j < rows_; ++j)
      if (!taken_[j] && (W(connected_[k], j) != 0.0 || W(j, connected_[k]) != 0.0))
        taken_[j] = 1, connected_.push_back(j);
  std::sort(connected_.begin(), connected_.end());
}

void HeldMotion::solvePart() {
  lu_.compute(part_);
  const auto pivots = lu_.matrixLU().diagonal().cwiseAbs();
  if (pivots.minCoeff() > kDependent * pivots.maxCoeff() && lu_.rcond() > kDependent) {
    part_x_ = lu_.solve(part_right_);
    part_x_ += lu_.solve(part_right_ - part_ * part_x_);
    if (part_x_.allFinite()) return;
  }
  orthogonal_.setThreshold(kDependent);
  orthogonal_.compute(part_);
  part_x_ = orthogonal_.solve(part_right_);
  part_x_ += orthogonal_.solve(part_right_ - part_ * part_x_);
}

bool HeldMotion::project(Eigen::VectorXd& q, Eigen::VectorXd& v) {
  if (rows_ == 0) return true;
  double before = std::numeric_limits<double>::infinity();
  for (int pass = 0;; ++pass) {
    place(q.data());
    rows_at_.compute(held, rows_, pose_, q.data(), nullptr);
    if (!rows_at_.openings.allFinite() || !rows_at_.J.allFinite()) return false;
    factorMass();
    respond(rows_at_.J);
    multiply(rows_at_.J, response_, W_);
    const double open = rows_at_.openings.lpNorm<Eigen::Infinity>();
    if (open <= 4.0 * kEps || (pass > 1 && open >= 0.5 * before && open <= 1e-12)) break;
    if (pass == kProjections && open > kStillClosed) return false;
    if (pass == kProjections) break;
    before = open;
    solve(W_, -rows_at_.openings, correction_);  // what sticks does not move on the way back
    step_.noalias() = response_.transpose() * correction_;
    integrate(topology_, q.data(), step_.data(), 1.0, q.data());
  }
  solve(W_, -(rows_at_.J * v + rows_at_.belts), correction_);
  v.noalias() += response_.transpose() * correction_;
  return q.allFinite() && v.allFinite();
}

}  // namespace rigor
