#include "stepping/own_vibration.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "dynamics/integrate.h"
#include "dynamics/jacobian.h"
#include "dynamics/poses.h"
#include "stepping/close_loops.h"

namespace rigor {
namespace {

constexpr int kMostFreedoms = 500;  // beyond, a dense mass matrix costs more than the warning is worth
constexpr int kDirections = 30;
constexpr double kWay = 1e-5;      // [m or rad] of the differences: roundings of 1e-16 become 1e-11 of the stiffness
constexpr double kNew = 1e-8;      // of a direction that the others do not span: differences know 1e-11
constexpr double kFollowed = 1.0;  // hω that the leapfrog follows, if badly

/// ∂V of the freedoms at q ⊕ way; those of kinematic bodies do not answer.
Eigen::VectorXd slopeAt(const Model& model, const PotentialPart& part, const Eigen::VectorXd& q,
                        const Eigen::VectorXd& way) {
  const Topology& topology = model.topology();
  Eigen::VectorXd there(q.size()), slope = Eigen::VectorXd::Zero(topology.nv);
  integrate(topology, q.data(), way.data(), 1.0, there.data());
  Kinematics<double> kin;
  kin.resize(topology);
  computeKinematics(topology, model.parameters(), there.data(), kin);
  const PotentialAt at = computePotential(part, topology, kin);
  const int links[2] = {part.frames.link_2, part.frames.link_1};
  for (int side = 0; side < 2; ++side) {
    if (links[side] == kWorld) continue;
    std::vector<double> row(topology.chain_length[links[side]]);
    jacobianRow(topology, kin.S.data(), links[side], at.gradient[side], row.data());
    for (std::size_t k = 0; k < row.size(); ++k) slope[topology.chain[topology.chain_start[links[side]] + k]] += row[k];
  }
  for (const int j : kinematicFreedoms(model)) slope[j] = 0.0;
  return slope;
}

/// L⁻¹ K L⁻ᵀ v, by differences of the slopes.
Eigen::VectorXd bendAlong(const Model& model, const PotentialPart& part, const Eigen::VectorXd& q,
                          const Eigen::LLT<Eigen::MatrixXd>& M, const Eigen::VectorXd& v) {
  Eigen::VectorXd x = M.matrixU().solve(v);
  const double size = x.cwiseAbs().maxCoeff();
  x *= kWay / size;
  const Eigen::VectorXd change = slopeAt(model, part, q, x) - slopeAt(model, part, q, -x);
  return M.matrixL().solve(change) * (size / (2.0 * kWay));
}

/// Vᵀ L⁻¹ K L⁻ᵀ V [1/s²] of orthonormal directions V, M = L Lᵀ, by Arnoldi's iteration: both ends of the spectrum show after
/// a few directions, and small systems are spanned whole. The largest eigenvalue in size would not do: attraction has a
/// negative one along its line, twice as large as those across it.
Eigen::MatrixXd spanBends(const Model& model, const PotentialPart& part, const Eigen::VectorXd& q) {
  const int nv = model.nv(), most = std::min(nv, kDirections);
  const Eigen::LLT<Eigen::MatrixXd> M(massMatrix(model, q));
  Eigen::MatrixXd directions = Eigen::MatrixXd::Zero(nv, most), bend = Eigen::MatrixXd::Zero(most, most);
  Eigen::VectorXd next(nv);
  for (int j = 0; j < nv; ++j) next[j] = 1.0 + 0.1 * std::sin(1.0 + j);  // no direction that a scene is likely to avoid
  int k = 0;
  for (double left = next.norm(), before = left; k < most && left > kNew * before && std::isfinite(left); ++k) {
    directions.col(k) = next / left;
    next = bendAlong(model, part, q, M, directions.col(k));
    before = next.norm();
    const auto known = directions.leftCols(k + 1);
    for (int twice = 0; twice < 2; ++twice) {  // once leaves what rounding of the larger part is
      const Eigen::VectorXd along = known.transpose() * next;
      bend.col(k).head(k + 1) += along;
      next -= known * along;
    }
    left = next.norm();
    if (k + 1 < most) bend(k + 1, k) = left;
  }
  return bend.topLeftCorner(k, k);
}

}  // namespace

double findVibration(const Model& model, const PotentialPart& part, const Eigen::VectorXd& q) {
  if (model.nv() == 0 || model.nv() > kMostFreedoms) return 0.0;
  const Eigen::MatrixXd bend = spanBends(model, part, q);
  if (bend.rows() == 0 || !bend.allFinite()) return 0.0;
  // Away from a balance K has an antisymmetric part, which tells the frames of the turns and not of the potential.
  const Eigen::MatrixXd symmetric = 0.5 * (bend + bend.transpose());
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> spectrum(symmetric, Eigen::EigenvaluesOnly);
  const double largest = spectrum.eigenvalues().maxCoeff();
  return largest > 0.0 && std::isfinite(largest) ? std::sqrt(largest) : 0.0;
}

std::vector<Warning> warnOfVibrations(const Model& model, const OwnTerms& terms, const Eigen::VectorXd& q, double h) {
  std::vector<Warning> warnings;
  for (const PotentialPart& part : terms.potentials) {
    const double omega = findVibration(model, part, q);
    if (!(h * omega > kFollowed)) continue;
    Warning warning;
    warning.where.element = fmt::format("potential \"{}\"", part.term->name);
    warning.message = fmt::format(
        "vibrates at {:.3g} rad/s where the run begins; steps of {:.3g} s follow {:.3g} rad/s, and explode beyond "
        "{:.3g} rad/s. "
        "Take steps of {:.1g} s, or a softer potential",
        omega, h, kFollowed / h, 2.0 / h, 0.3 / omega);
    warnings.push_back(std::move(warning));
  }
  return warnings;
}

}  // namespace rigor
