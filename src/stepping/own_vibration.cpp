#include "stepping/own_vibration.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "dynamics/integrate.h"
#include "dynamics/jacobian.h"
#include "dynamics/poses.h"
#include "stepping/close_loops.h"

namespace rigor {
namespace {

constexpr int kMostFreedoms = 500;  // beyond, a dense mass matrix costs more than the warning is worth
constexpr int kIterations = 30;
constexpr double kWay = 1e-5;      // [m or rad] of the differences: roundings of 1e-16 become 1e-11 of the stiffness
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

}  // namespace

double findVibration(const Model& model, const PotentialPart& part, const Eigen::VectorXd& q) {
  const int nv = model.nv();
  if (nv == 0 || nv > kMostFreedoms) return 0.0;
  const Eigen::LLT<Eigen::MatrixXd> M(massMatrix(model, q));
  Eigen::VectorXd x(nv);
  for (int j = 0; j < nv; ++j) x[j] = 1.0 + 0.1 * std::sin(1.0 + j);  // no direction that a scene is likely to avoid
  double square = 0.0;
  for (int i = 0; i < kIterations; ++i) {
    const double size = x.cwiseAbs().maxCoeff();
    if (!(size > 0.0) || !std::isfinite(size)) return 0.0;
    x /= size;
    const Eigen::VectorXd bend =
        (slopeAt(model, part, q, kWay * x) - slopeAt(model, part, q, -kWay * x)) / (2.0 * kWay);
    const Eigen::VectorXd next = M.solve(bend);
    square = x.dot(next) / x.squaredNorm();
    x = next;
  }
  return square > 0.0 && std::isfinite(square) ? std::sqrt(square) : 0.0;
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
