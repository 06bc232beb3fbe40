// Builds a contact problem from a mass matrix, rows and a velocity, slowly and plainly: W = J̃ M⁻¹ Jᵀ, b = J̃ v_free.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <random>
#include <vector>

#include "rigor/contact_problem.h"

namespace rigor::reference {

/// Same numbers on every standard library: std::uniform_real_distribution does not promise that.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed * 0x9e3779b97f4a7c15ULL + 1) {}
  double uniform(double lo, double hi) { return lo + (hi - lo) * (engine_() >> 11) * 0x1p-53; }
  double logUniform(double lo, double hi) { return std::exp(uniform(std::log(lo), std::log(hi))); }
  int integer(int lo, int hi) { return lo + static_cast<int>(engine_() % static_cast<std::uint64_t>(hi - lo + 1)); }
  Eigen::Vector3d vector(double size) {
    const double x = uniform(-size, size), y = uniform(-size, size), z = uniform(-size, size);
    return {x, y, z};
  }

 private:
  std::mt19937_64 engine_;
};

inline Eigen::Matrix3d cross(const Eigen::Vector3d& a) {
  return (Eigen::Matrix3d() << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0).finished();
}

/// Rows (normal, tangent, tangent) of a normal.
inline Eigen::Matrix3d contactFrame(const Eigen::Vector3d& normal) {
  const Eigen::Vector3d n = normal.normalized();
  const Eigen::Vector3d side = std::abs(n.x()) < 0.7 ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitY();
  const Eigen::Vector3d t = (side - side.dot(n) * n).normalized();
  Eigen::Matrix3d frame;
  frame << n.transpose(), t.transpose(), n.cross(t).transpose();
  return frame;
}

/// What a mechanism needs to become a problem.
struct Mechanism {
  Eigen::MatrixXd M;         // [nv × nv]
  Eigen::VectorXd velocity;  // [nv] before the step
  Eigen::VectorXd force;     // [nv]
  double h = 1e-3;
  double row_noise = 0.0;  // relative change of J̃ against J: rows at the predicted pose

  std::vector<Block> blocks;
  std::vector<Eigen::RowVectorXd> rows;
  std::vector<double> bias, compliance;

  explicit Mechanism(int nv)
      : M(Eigen::MatrixXd::Zero(nv, nv)), velocity(Eigen::VectorXd::Zero(nv)), force(Eigen::VectorXd::Zero(nv)) {}

  void addRow(const Eigen::RowVectorXd& row, double row_bias = 0.0, double row_compliance = 0.0) {
    rows.push_back(row);
    bias.push_back(row_bias);
    compliance.push_back(row_compliance);
  }

  /// `J` is the 3 × nv Jacobian of the relative velocity in world axes.
  void addContact(const Eigen::MatrixXd& J, const Eigen::Vector3d& normal, double mu, double gap_over_h = 0.0) {
    Block block;
    block.kind = BlockKind::kContact;
    block.row = static_cast<int>(rows.size());
    block.mu = mu;
    block.id = {0, blocks.size()};
    blocks.push_back(block);
    const Eigen::MatrixXd local = contactFrame(normal) * J;
    for (int r = 0; r < 3; ++r) addRow(local.row(r), r == 0 ? gap_over_h : 0.0);
  }

  void addBlock(BlockKind kind, const Eigen::MatrixXd& J, double row_bias = 0.0, double lo = 0.0, double hi = 0.0,
                double row_compliance = 0.0) {
    Block block;
    block.kind = kind;
    block.row = static_cast<int>(rows.size());
    block.size = static_cast<int>(J.rows());
    block.lo = lo;
    block.hi = hi;
    block.id = {0, blocks.size()};
    blocks.push_back(block);
    for (int r = 0; r < J.rows(); ++r) addRow(J.row(r), row_bias, row_compliance);
  }

  ContactProblem problem(Random& random) const {
    const int m = static_cast<int>(rows.size()), nv = static_cast<int>(M.rows());
    Eigen::MatrixXd J(m, nv), Jp(m, nv);
    for (int r = 0; r < m; ++r) J.row(r) = Jp.row(r) = rows[r];
    if (row_noise > 0.0)
      for (int r = 0; r < m; ++r)
        for (int c = 0; c < nv; ++c) Jp(r, c) *= 1.0 + random.uniform(-row_noise, row_noise);
    const Eigen::LDLT<Eigen::MatrixXd> factor(M);
    const Eigen::MatrixXd W = Jp * factor.solve(J.transpose());
    const Eigen::VectorXd b = Jp * (velocity + h * factor.solve(force));
    ContactProblem out;
    out.blocks = blocks;
    out.velocity_scale = h;
    out.bias = bias;
    out.compliance = compliance;
    out.b.assign(b.data(), b.data() + m);
    out.W.setZero(m);
    for (int r = 0; r < m; ++r)
      for (int c = 0; c < m; ++c) out.W(r, c) = W(r, c);
    return out;
  }
};

}  // namespace rigor::reference
