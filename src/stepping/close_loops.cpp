#include "stepping/close_loops.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <cmath>

#include "dynamics/jacobian.h"
#include "dynamics/poses.h"

namespace rigor {

std::vector<int> kinematicFreedoms(const Model& model) {
  std::vector<int> freedoms;
  for (int body = 0; body < model.bodyCount(); ++body)
    for (int k = 0; model.body(body).kinematic && k < 6; ++k) freedoms.push_back(model.vIndex(body) + k);
  return freedoms;
}

LoopRowsAtPose computeLoopRowsAtPose(const std::vector<LoopPart>& loops, const Topology& topology,
                                     const Kinematics<double>& kin, const double* q) {
  int rows = 0;
  for (const LoopPart& part : loops) rows += part.count();
  LoopRowsAtPose out{Eigen::VectorXd(rows), Eigen::MatrixXd::Zero(rows, topology.nv)};
  int row = 0;
  for (const LoopPart& part : loops) {
    const LoopOpening opening = computeOpening(part, topology, kin, q);
    for (int r = 0; r < part.count(); ++r, ++row) {
      out.g[row] = opening.g[r];
      if (part.rows == LoopRows::kCoupling) {
        out.J(row, part.dof_1) += 1.0;
        out.J(row, part.dof_2) += opening.slope_2;
        continue;
      }
      const int links[2] = {part.link_2, part.link_1};
      for (int side = 0; side < 2; ++side) {
        if (links[side] == kWorld) continue;
        std::vector<double> chain(topology.chain_length[links[side]]);
        jacobianRow(topology, kin.S.data(), links[side], opening.F[side][r], chain.data());
        for (std::size_t k = 0; k < chain.size(); ++k)
          out.J(row, topology.chain[topology.chain_start[links[side]] + k]) += chain[k];
      }
    }
  }
  return out;
}

WidestLoop findWidestLoop(const std::vector<LoopPart>& loops, const Topology& topology, const Kinematics<double>& kin,
                          const double* q) {
  static constexpr const char* kUnits[] = {"m", "rad", "rad", "rad or m", "m", "m", "m or rad"};  // by LoopRows
  WidestLoop widest;
  for (const LoopPart& part : loops) {
    const LoopOpening opening = computeOpening(part, topology, kin, q);
    for (int r = 0; r < part.count(); ++r)
      if (!(std::fabs(opening.g[r]) <= widest.gap))
        widest = {std::fabs(opening.g[r]), part.loop, part.own.get(), kUnits[static_cast<int>(part.rows)]};
  }
  return widest;
}

std::vector<Warning> matchLoopVelocities(const Model& model, const std::vector<LoopPart>& loops,
                                         const Eigen::VectorXd& q, Eigen::VectorXd& v) {
  constexpr double kNoticed = 1e-6;  // [m/s] or [rad/s]: more than the decimal digits of a file
  if (loops.empty() || v.isZero(0.0)) return {};
  Kinematics<double> kin;
  kin.resize(model.topology());
  computeKinematics(model.topology(), model.parameters(), q.data(), kin);
  const LoopRowsAtPose rows = computeLoopRowsAtPose(loops, model.topology(), kin, q.data());
  Eigen::MatrixXd J = rows.J;  // by what may change
  for (const int j : kinematicFreedoms(model)) J.col(j).setZero();
  // with M = G Gᵀ and y = Gᵀ v the least change is the least |Δy| with (J G⁻ᵀ) Δy = −J v
  const Eigen::LLT<Eigen::MatrixXd> M(massMatrix(model, q));
  const Eigen::MatrixXd scaled = M.matrixL().solve(J.transpose()).transpose();
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(1e-9);
  decomposition.compute(scaled);
  const Eigen::VectorXd change = M.matrixU().solve(decomposition.solve(-rows.J * v));
  v += change;
  const double largest = change.cwiseAbs().maxCoeff();
  if (largest <= kNoticed) return {};
  return {
      {{},
       fmt::format("the velocities at the start would open the loops; they were changed by up to {:.3g}", largest)}};
}

}  // namespace rigor
