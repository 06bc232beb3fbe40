// The slow twin of StepDerivatives: central differences of whole steps.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>

#include "rigor/rigor.h"

namespace rigor {

/// Where steps from a snapshot lead; the simulator stays as it was.
inline Snapshot stepFrom(const Simulator& sim, const Snapshot& from, const Eigen::VectorXd& tau = {},
                         const Eigen::VectorXd& ctrl = {}, int steps = 1) {
  Simulator fork(sim);
  fork.restore(from);
  if (tau.size() > 0) fork.input().tau = tau;
  if (ctrl.size() > 0) fork.input().ctrl = ctrl;
  for (int i = 0; i < steps; ++i) EXPECT_TRUE(fork.step().accepted()) << fork.report().explain();
  return fork.save();
}

/// (q′ ⊖ q′, v′) per unit of what moved two steps apart.
inline Eigen::VectorXd slopeBetween(const Model& model, const Snapshot& down, const Snapshot& up, double apart) {
  Eigen::VectorXd slope(2 * model.nv());
  slope << difference(model, down.state.q, up.state.q), up.state.v - down.state.v;
  return slope / apart;
}

/// Column k: by what `stepMoved(k, ±size)` moves.
inline Eigen::MatrixXd differentiateBy(const Model& model, int columns, double size,
                                       const std::function<Snapshot(int column, double by)>& stepMoved) {
  Eigen::MatrixXd result(2 * model.nv(), columns);
  for (int k = 0; k < columns; ++k)
    result.col(k) = slopeBetween(model, stepMoved(k, -size), stepMoved(k, size), 2.0 * size);
  return result;
}

inline Snapshot moved(const Simulator& sim, const Eigen::VectorXd& by) {
  Snapshot at = sim.save();
  at.state.q = integrate(sim.scene().model, at.state.q, by);
  return at;
}

inline Eigen::MatrixXd differencesByQ(const Simulator& sim, double size) {
  const Model& model = sim.scene().model;
  return differentiateBy(model, model.nv(), size, [&](int k, double by) {
    return stepFrom(sim, moved(sim, by * Eigen::VectorXd::Unit(model.nv(), k)));
  });
}
inline Eigen::MatrixXd differencesByV(const Simulator& sim, double size) {
  const Model& model = sim.scene().model;
  return differentiateBy(model, model.nv(), size, [&](int k, double by) {
    Snapshot at = sim.save();
    at.state.v[k] += by;
    return stepFrom(sim, at);
  });
}
inline Eigen::MatrixXd differencesByTau(Simulator& sim, double size) {
  const Eigen::VectorXd tau = sim.input().tau;
  return differentiateBy(sim.scene().model, static_cast<int>(tau.size()), size, [&](int k, double by) {
    return stepFrom(sim, sim.save(), tau + by * Eigen::VectorXd::Unit(tau.size(), k));
  });
}
inline Eigen::MatrixXd differencesByCtrl(const Simulator& sim, double size) {
  const std::vector<HoldSpec> drives = listDrives(sim.scene());
  Eigen::VectorXd ctrl(static_cast<Eigen::Index>(drives.size()));
  for (Eigen::Index i = 0; i < ctrl.size(); ++i) ctrl[i] = drives[static_cast<std::size_t>(i)].target;
  return differentiateBy(sim.scene().model, static_cast<int>(ctrl.size()), size, [&](int k, double by) {
    return stepFrom(sim, sim.save(), {}, ctrl + by * Eigen::VectorXd::Unit(ctrl.size(), k));
  });
}

inline Eigen::MatrixXd stack(const Eigen::MatrixXd& dq, const Eigen::MatrixXd& dv) {
  Eigen::MatrixXd both(dq.rows() + dv.rows(), dq.cols());
  both << dq, dv;
  return both;
}

/// Largest difference of two columns, as a share of the larger of 1 and the column's largest entry.
inline double disagreement(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  double worst = 0.0;
  for (Eigen::Index k = 0; k < a.cols(); ++k) {
    const double apart = (a.col(k) - b.col(k)).cwiseAbs().maxCoeff();
    if (!(apart >= 0.0)) return std::numeric_limits<double>::infinity();
    worst = std::max(worst, apart / std::max(1.0, b.col(k).cwiseAbs().maxCoeff()));
  }
  return worst;
}

struct DifferenceSizes {
  double q = 1e-6, v = 1e-5, tau = 1e-3, ctrl = 1e-4;
};

/// All derivatives of the simulator's next step against central differences; the step is taken.
inline void expectCentralDifferences(Simulator& sim, double tolerance, const DifferenceSizes& size = {}) {
  Simulator before(sim);
  StepDerivatives derivatives(sim);
  ASSERT_TRUE(derivatives.step(sim).accepted()) << sim.report().explain();
  ASSERT_TRUE(derivatives.known()) << derivatives.reason();
  const StepJacobians& J = derivatives.jacobians();
  EXPECT_LE(disagreement(stack(J.dq_dv, J.dv_dv), differencesByV(before, size.v)), tolerance) << "by v";
  EXPECT_LE(disagreement(stack(J.dq_dtau, J.dv_dtau), differencesByTau(before, size.tau)), tolerance) << "by tau";
  EXPECT_LE(disagreement(stack(J.dq_dctrl, J.dv_dctrl), differencesByCtrl(before, size.ctrl)), tolerance) << "by ctrl";
  EXPECT_LE(disagreement(stack(J.dq_dq, J.dv_dq), differencesByQ(before, size.q)), tolerance) << "by q";
}

/// A scene of the folder scenes/, with pieces of its text changed.
inline Scene loadChanged(const std::string& name, const std::vector<std::pair<std::string, std::string>>& changes) {
  const std::string folder = std::string(RIGOR_SOURCE_DIR) + "/scenes/";
  std::ifstream in(folder + name + ".toml");
  std::stringstream buffer;
  buffer << in.rdbuf();
  std::string text = buffer.str();
  const auto replace = [&](const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << name << " has no \"" << from << '"';
    text.replace(at, from.size(), to);
  };
  replace("model = \"", "model = \"" + folder);
  for (const auto& [from, to] : changes) replace(from, to);
  const std::string file = testing::TempDir() + "/changed_" + name + ".toml";
  std::ofstream(file) << text;
  return loadScene(file);
}

/// Nothing strikes: gaps that close within a step are no impacts, so that q can be moved away from where contacts touch.
inline const std::pair<std::string, std::string> kNoImpacts{
    "[simulation]", "[[material]]\nname = \"default\"\nthreshold = 100.0\n\n[simulation]"};

/// Lifts a free base: contacts that rest are open by that, and close in the step.
inline void lift(Simulator& sim, double by) {
  Snapshot at = sim.save();
  at.state.q[2] += by;
  sim.restore(at);
}

}  // namespace rigor
