#include "inverse/share_forces.h"

#include <algorithm>
#include <cmath>

namespace rigor {
namespace {

constexpr double kFirstRho = 1e-6, kLastRho = 1e-10;  // where the Hessian is scaled to ones on its diagonal
constexpr double kSensible = 1e-9;                    // of its terms: a residual that is no rounding
constexpr double kFar = 1e8;                          // forces that many times larger would not do
constexpr double kRounding = 1e-13;
constexpr int kMostCentres = 40, kMostSteps = 60, kMostCuts = 40;

using Row3 = Eigen::Vector3d;

double limitedTorque(const ForceShare& share, Eigen::Index k, double y) {
  return std::clamp(share.bias[k] + y / share.cost[k], -share.limit[k], share.limit[k]);
}

}  // namespace

void projectOn(const ForceSet& set, double* x) {
  switch (set.kind) {
    case ForceSet::Kind::kAny:
    case ForceSet::Kind::kFixed:
      return;
    case ForceSet::Kind::kRay: {
      double along = 0.0, square = 0.0;
      for (int r = 0; r < set.size; ++r)
        along += set.direction[r] * x[r], square += set.direction[r] * set.direction[r];
      const double s = square > 0.0 ? std::max(0.0, along / square) : 0.0;
      for (int r = 0; r < set.size; ++r) x[r] = s * set.direction[r];
      return;
    }
    case ForceSet::Kind::kCone:
      break;
  }
  const double t = std::hypot(x[1], x[2]), mu = set.mu;
  if (t <= mu * x[0]) return;
  if (mu * t <= -x[0]) {
    x[0] = x[1] = x[2] = 0.0;
    return;
  }
  const double n = (x[0] + mu * t) / (1.0 + mu * mu), shorter = t > 0.0 ? mu * n / t : 0.0;
  x[0] = n, x[1] *= shorter, x[2] *= shorter;
}

Eigen::Matrix3d derivativeOfProjection(const ForceSet& set, const double* x) {
  Eigen::Matrix3d D = Eigen::Matrix3d::Zero();
  switch (set.kind) {
    case ForceSet::Kind::kFixed:
      return D;
    case ForceSet::Kind::kAny:
      for (int r = 0; r < set.size; ++r) D(r, r) = 1.0;
      return D;
    case ForceSet::Kind::kRay: {
      Row3 d = Row3::Zero();
      double along = 0.0;
      for (int r = 0; r < set.size; ++r) d[r] = set.direction[r], along += d[r] * x[r];
      if (along > 0.0) D = d * d.transpose() / d.squaredNorm();
      return D;
    }
    case ForceSet::Kind::kCone:
      break;
  }
  const double t = std::hypot(x[1], x[2]), mu = set.mu;
  if (t <= mu * x[0]) return Eigen::Matrix3d::Identity();
  if (mu * t <= -x[0]) return D;
  // on the surface: along its edge (1, μ t̂), and around it, shortened to the radius there
  const Row3 edge(1.0, mu * x[1] / t, mu * x[2] / t), around(0.0, -x[2] / t, x[1] / t);
  const double n = (x[0] + mu * t) / (1.0 + mu * mu);
  return edge * edge.transpose() / (1.0 + mu * mu) + mu * n / t * around * around.transpose();
}

// φ(y) with λ, τ and the gradient there.
double ForceSharer::evaluate(const ForceShare& share, const Eigen::VectorXd& y) {
  push_.noalias() = share.J * y;
  lambda_ = share.near + push_.cwiseQuotient(share.weight);
  for (const ForceSet& set : share.sets) {
    if (set.kind == ForceSet::Kind::kFixed) lambda_.segment(set.row, set.size) = share.near.segment(set.row, set.size);
    projectOn(set, &lambda_[set.row]);
  }
  gradient_.noalias() = share.J.transpose() * lambda_;
  double value = lambda_.dot(push_) - 0.5 * share.weight.dot((lambda_ - share.near).cwiseAbs2()) - share.wanted.dot(y);
  for (std::size_t k = 0; k < share.driven.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    const int j = share.driven[k];
    torque_[i] = limitedTorque(share, i, y[j]);
    const double off = torque_[i] - share.bias[i];
    value += torque_[i] * y[j] - 0.5 * share.cost[i] * off * off;
    gradient_[j] += torque_[i];
  }
  gradient_ -= share.wanted;
  return value;
}

// The Hessian at the y that was evaluated last, before any ρ.
void ForceSharer::linearise(const ForceShare& share) {
  panel_ = share.J;
  for (const ForceSet& set : share.sets) {
    double x[3] = {};
    for (int r = 0; r < set.size; ++r) x[r] = share.near[set.row + r] + push_[set.row + r] / share.weight[set.row + r];
    const Eigen::Matrix3d D = derivativeOfProjection(set, x);
    const auto rows = share.J.middleRows(set.row, set.size);
    panel_.middleRows(set.row, set.size).noalias() = D.topLeftCorner(set.size, set.size) / share.weight[set.row] * rows;
  }
  hessian_.noalias() = share.J.transpose() * panel_;
  for (std::size_t k = 0; k < share.driven.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    if (std::fabs(torque_[i]) < share.limit[i]) hessian_(share.driven[k], share.driven[k]) += 1.0 / share.cost[i];
  }
}

double ForceSharer::sizeOfTerms(const ForceShare& share) const {
  const auto terms = share.wanted.cwiseAbs() + share.J.cwiseAbs().transpose() * lambda_.cwiseAbs();
  return terms.cwiseQuotient(scale_).norm();
}

// Minimises φ + ½ρ|y − y_k|² in the scaled norm, to rounding and as far as steps still help.
void ForceSharer::minimise(const ForceShare& share) {
  const auto proximal = [&](const Eigen::VectorXd& y) {
    return 0.5 * rho_ * (y - centre_).cwiseProduct(scale_).squaredNorm();
  };
  double value = evaluate(share, y_) + proximal(y_);
  double before = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kMostSteps; ++k, ++steps_) {
    gradient_ += rho_ * scale_.cwiseAbs2().cwiseProduct(y_ - centre_);
    const double rest = gradient_.cwiseQuotient(scale_).norm();
    if (rest == 0.0 || (rest <= kRounding * sizeOfTerms(share) && rest >= 0.5 * before)) return;
    before = rest;
    linearise(share);
    hessian_.diagonal() += rho_ * scale_.cwiseAbs2();
    factors_.compute(hessian_);
    step_ = factors_.solve(gradient_);
    const double slope = -gradient_.dot(step_);
    start_ = y_;
    double length = 1.0;
    for (int cut = 0; cut < kMostCuts; ++cut, length *= 0.5) {
      y_ = start_ - length * step_;
      const double next = evaluate(share, y_) + proximal(y_);
      // what decreases by less than rounding is taken
      const bool decreases = next <= value + 1e-4 * length * slope + 1e-14 * (std::fabs(value) + std::fabs(next));
      if (!decreases && cut + 1 < kMostCuts) continue;
      value = next;
      break;
    }
  }
}

bool ForceSharer::solve(const ForceShare& share) {
  const Eigen::Index n = share.wanted.size(), m = share.J.rows();
  const auto driven = static_cast<Eigen::Index>(share.driven.size());
  for (auto* vector : {&y_, &centre_, &start_, &step_, &residual_, &gradient_}) vector->setZero(n);
  scale_.setOnes(n);
  push_.setZero(m);
  lambda_.setZero(m);
  torque_.setZero(driven);
  hessian_.setZero(n, n);
  for (Eigen::Index i = 0; i < m; ++i) hessian_.diagonal() += share.J.row(i).cwiseAbs2() / share.weight[i];
  for (Eigen::Index k = 0; k < driven; ++k) hessian_(share.driven[k], share.driven[k]) += 1.0 / share.cost[k];
  for (Eigen::Index j = 0; j < n; ++j)
    if (hessian_(j, j) > 0.0) scale_[j] = std::sqrt(hessian_(j, j));
  steps_ = 0;
  rho_ = kFirstRho;
  for (int k = 0; k < kMostCentres; ++k) {
    minimise(share);
    evaluate(share, y_);
    residual_ = -gradient_;
    const double rest = residual_.cwiseQuotient(scale_).norm(), terms = sizeOfTerms(share);
    relative_ = terms > 0.0 ? rest / terms : 0.0;
    if (rest <= kRounding * terms) return true;
    // a residual of rounding proves nothing
    if (rest > kSensible * terms && provesImpossible(share, residual_) > kFar * (lambda_.norm() + share.wanted.norm()))
      return false;
    centre_ = y_;
    rho_ = std::max(0.1 * rho_, kLastRho);
  }
  return false;
}

double provesImpossible(const ForceShare& share, const Eigen::VectorXd& direction) {
  double power = direction.dot(share.wanted), left = 0.0;
  for (const ForceSet& set : share.sets) {
    double x[3] = {};
    for (int r = 0; r < set.size; ++r) x[r] = share.J.row(set.row + r).dot(direction);
    if (set.kind == ForceSet::Kind::kFixed) {
      for (int r = 0; r < set.size; ++r) power -= x[r] * share.near[set.row + r];
      continue;
    }
    projectOn(set, x);
    for (int r = 0; r < set.size; ++r) left += x[r] * x[r];
  }
  for (std::size_t k = 0; k < share.driven.size(); ++k) {
    const double d = std::fabs(direction[share.driven[k]]), limit = share.limit[static_cast<Eigen::Index>(k)];
    if (std::isfinite(limit))
      power -= limit * d;
    else
      left += d * d;
  }
  if (!(power > 0.0)) return 0.0;
  return left > 0.0 ? power / std::sqrt(left) : std::numeric_limits<double>::infinity();
}

}  // namespace rigor
