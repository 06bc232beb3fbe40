#include "simulation/swing_across.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <map>

#include "dynamics/jacobian.h"
#include "geometry/convert.h"
#include "model/spring_parts.h"
#include "stepping/close_loops.h"

namespace rigor {
namespace {

constexpr int kSpace = 6;
using Matrix12 = SwingAcross::Matrix12;

double leastMoment(const Sym3<double>& I) {
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(toEigen(I), Eigen::EigenvaluesOnly).eigenvalues()[0];
}

/// 1/m + r²/I; infinite of a link that has no mass or no inertia of its own, but what hangs on it.
double mobilityAlone(const LinkInertia<double>& link, const Vec3<double>& point) {
  const double r = norm(point - link.com);
  return 1.0 / link.mass + (r > 0.0 ? r * r / std::max(leastMoment(link.rotational), 0.0) : 0.0);
}

/// Largest eigenvalue of a matrix whose eigenvalues are real and not negative, or up to 12^(1/1024) − 1 = 0.3 % more: the root of
/// the trace of its power.
double largestEigenvalue(Matrix12 A) {
  constexpr int kSquarings = 10;
  double logarithm = 0.0, power = 1.0;
  for (int i = 0; i <= kSquarings; ++i, power *= 2.0) {
    const double trace = A.trace();
    if (!(trace > 0.0)) return 0.0;
    logarithm += std::log(trace) / power;
    A /= trace;
    A = (A * A).eval();
  }
  return std::exp(logarithm);
}

}  // namespace

SwingAcross::SwingAcross(const Model& model)
    : topology_(model.topology()), parameters_(model.parameters()), diagonal_(model.parameters().armature) {
  std::vector<char> told(topology_.links, 0);
  for (const int j : kinematicFreedoms(model)) {
    told[topology_.dof_link[j]] = 1;
    diagonal_[j] += 1.0;
  }
  std::map<std::pair<int, int>, int> numbers;  // of the groups
  for (const SpringPart& part : makeSpringParts(model)) {
    if (part.along != SpringAlong::kDistance) continue;
    Spring spring{{{part.link_1, part.X_1.p}, {part.link_2, part.X_2.p}}, part.stiffness, part.rest, {}};
    for (End& end : spring.end)
      if (end.link != kWorld && !told[end.link]) end.mobility = mobilityAlone(parameters_.inertia[end.link], end.point);
    const auto answering = [&](int side) { return spring.end[side].mobility > 0.0 ? spring.end[side].link : kWorld; };
    if (answering(0) > answering(1)) std::swap(spring.end[0], spring.end[1]);
    const std::pair<int, int> links{answering(0), answering(1)};
    springs_.push_back(spring);
    const auto [at, is_new] = numbers.try_emplace(links, static_cast<int>(groups_.size()));
    if (is_new) groups_.push_back({{links.first, links.second}, {}});
    groups_[at->second].springs.push_back(static_cast<int>(springs_.size()) - 1);
  }
  bound_.assign(groups_.size(), 0.0);
  kin_.resize(topology_);
  inertias_.resize(topology_.links);
  mass_.resize(topology_);
}

Vec3<double> SwingAcross::placeOf(const End& end) const {
  if (end.link == kWorld) return end.point;
  return kin_.origin[topology_.tree[end.link]] + kin_.X_OL[end.link] * end.point;
}

void SwingAcross::moveTo(const Eigen::VectorXd& q) {
  computeKinematics(topology_, parameters_, q.data(), kin_);
  factored_ = false;
  for (Spring& spring : springs_) {
    for (int side = 0; side < 2; ++side) spring.place[side] = placeOf(spring.end[side]);
    const double distance = norm(spring.place[1] - spring.place[0]);
    spring.across = distance > spring.length ? spring.stiffness * (1.0 - spring.length / distance) : 0.0;
  }
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    bound_[i] = 0.0;
    for (const int index : groups_[i].springs) {
      const Spring& spring = springs_[index];
      if (spring.across > 0.0) bound_[i] += spring.across * (spring.end[0].mobility + spring.end[1].mobility);
    }
  }
}

void SwingAcross::factor() {
  computeInertias(topology_, parameters_, kin_, inertias_);
  mass_.setMass(topology_, kin_, inertias_, diagonal_.data());
  mass_.factor(topology_, std::vector<double>(topology_.nv, 0.0).data());
  factored_ = true;
  ++factorings_;
}

Matrix12 SwingAcross::mobilityOf(const Group& group, const Vec3<double>& about) const {
  Eigen::MatrixXd half[2];  // [6 × chain] L⁻ᵀ Jᵀ
  for (int side = 0; side < 2; ++side) {
    const int link = group.link[side];
    if (link == kWorld) continue;
    const Vec3<double> arm = about - kin_.origin[topology_.tree[link]], axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    Force<double> unit[kSpace];
    for (int k = 0; k < 3; ++k) unit[k] = forceAt(arm, axes[k], {}), unit[3 + k] = {{}, axes[k]};
    half[side].resize(kSpace, topology_.chain_length[link]);
    jacobianRows<kSpace>(topology_, kin_.S.data(), link, unit, half[side].data());
    mass_.solveChainLTranspose(topology_, link, kSpace, half[side].data());
  }
  Matrix12 W = Matrix12::Zero();
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 2; ++b) {
      if (group.link[a] == kWorld || group.link[b] == kWorld) continue;
      const int* chain = topology_.chain.data() + topology_.chain_start[group.link[a]];
      const int common = topology_.commonPrefix(group.link[a], group.link[b]);
      for (int k = 0; k < common; ++k)
        W.block<kSpace, kSpace>(kSpace * a, kSpace * b) +=
            mass_.inverseD()[chain[k]] * half[a].col(k) * half[b].col(k).transpose();
    }
  return W;
}

Matrix12 SwingAcross::stiffnessOf(const Group& group, const Vec3<double>& about) const {
  Matrix12 K = Matrix12::Zero();
  for (const int index : group.springs) {
    const Spring& spring = springs_[index];
    if (!(spring.across > 0.0)) continue;
    const Eigen::Vector3d line = toEigen(spring.place[1] - spring.place[0]).normalized();
    Eigen::Matrix<double, 2 * kSpace, 3> H;  // what a unit force on its points does to both links
    for (int side = 0; side < 2; ++side) {
      const Eigen::Vector3d arm = toEigen(spring.place[side] - about);
      const double sign = side == 0 ? -1.0 : 1.0;
      for (int k = 0; k < 3; ++k) {
        H.block<3, 1>(kSpace * side, k) = sign * Eigen::Vector3d::Unit(k);
        H.block<3, 1>(kSpace * side + 3, k) = sign * arm.cross(Eigen::Vector3d::Unit(k));
      }
    }
    const Eigen::Matrix3d plane = Eigen::Matrix3d::Identity() - line * line.transpose();
    K += spring.across * H * plane * H.transpose();
  }
  return K;
}

double SwingAcross::solve(const Group& group) {
  if (!factored_) factor();
  // about one of the points: about an origin far away, turning and moving would cancel
  const Vec3<double> about = springs_[group.springs[0]].place[1];
  return largestEigenvalue(mobilityOf(group, about) * stiffnessOf(group, about));
}

double SwingAcross::eigenvalueAbove(double limit, int number) {
  return bound_[number] > limit ? solve(groups_[number]) : 0.0;
}

}  // namespace rigor
