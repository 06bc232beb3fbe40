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

/// The same of one step with v̄ = ½(v + v′) to rounding: its memory is told what it will come to.
inline Snapshot stepConverged(const Simulator& sim, Snapshot from, const Eigen::VectorXd& tau,
                              const Eigen::VectorXd& ctrl) {
  Snapshot to = stepFrom(sim, from, tau, ctrl);
  for (int i = 0; i < 6; ++i) {
    for (std::size_t tree = 0; tree < from.memory.increments.size(); ++tree) from.memory.increments[tree] = 1;
    from.memory.rates[0] = (to.state.v - from.state.v) / (0.5 * (from.memory.last_step[0] + sim.scene().dt));
    to = stepFrom(sim, from, tau, ctrl);
  }
  return to;
}

using StepOnce = std::function<Snapshot(const Snapshot& from, const Eigen::VectorXd& tau, const Eigen::VectorXd& ctrl)>;

/// (q′ ⊖ q′, v′) of two steps.
inline Eigen::VectorXd apart(const Model& model, const Snapshot& down, const Snapshot& up) {
  Eigen::VectorXd way(2 * model.nv());
  way << difference(model, down.state.q, up.state.q), up.state.v - down.state.v;
  return way;
}

/// Column k: by what `stepMoved(k, …)` moves by ±size and by twice that, so that the error is of fourth order.
inline Eigen::MatrixXd differentiateBy(const Model& model, int columns, double size,
                                       const std::function<Snapshot(int column, double by)>& stepMoved) {
  Eigen::MatrixXd result(2 * model.nv(), columns);
  for (int k = 0; k < columns; ++k) {
    const Eigen::VectorXd near = apart(model, stepMoved(k, -size), stepMoved(k, size));
    const Eigen::VectorXd far = apart(model, stepMoved(k, -2.0 * size), stepMoved(k, 2.0 * size));
    result.col(k) = (8.0 * near - far) / (12.0 * size);
  }
  return result;
}

inline Snapshot moved(const Simulator& sim, const Eigen::VectorXd& by) {
  Snapshot at = sim.save();
  at.state.q = integrate(sim.scene().model, at.state.q, by);
  return at;
}

inline Eigen::MatrixXd differencesByQ(const Simulator& sim, const StepOnce& step, double size) {
  const Model& model = sim.scene().model;
  return differentiateBy(model, model.nv(), size, [&](int k, double by) {
    return step(moved(sim, by * Eigen::VectorXd::Unit(model.nv(), k)), {}, {});
  });
}
inline Eigen::MatrixXd differencesByV(const Simulator& sim, const StepOnce& step, double size) {
  const Model& model = sim.scene().model;
  return differentiateBy(model, model.nv(), size, [&](int k, double by) {
    Snapshot at = sim.save();
    at.state.v[k] += by;
    return step(at, {}, {});
  });
}
inline Eigen::MatrixXd differencesByTau(Simulator& sim, const StepOnce& step, double size) {
  const Eigen::VectorXd tau = sim.input().tau;
  return differentiateBy(sim.scene().model, static_cast<int>(tau.size()), size, [&](int k, double by) {
    return step(sim.save(), tau + by * Eigen::VectorXd::Unit(tau.size(), k), {});
  });
}
inline Eigen::MatrixXd differencesByCtrl(Simulator& sim, const StepOnce& step, double size) {
  const std::vector<HoldSpec> drives = listDrives(sim.scene());
  Eigen::VectorXd ctrl(static_cast<Eigen::Index>(drives.size()));
  for (Eigen::Index i = 0; i < ctrl.size(); ++i) ctrl[i] = drives[static_cast<std::size_t>(i)].target;
  if (sim.input().ctrl.size() > 0) ctrl = sim.input().ctrl;
  return differentiateBy(sim.scene().model, static_cast<int>(ctrl.size()), size, [&](int k, double by) {
    return step(sim.save(), {}, ctrl + by * Eigen::VectorXd::Unit(ctrl.size(), k));
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
    const double error = (a.col(k) - b.col(k)).cwiseAbs().maxCoeff();
    if (!(error >= 0.0)) return std::numeric_limits<double>::infinity();
    worst = std::max(worst, error / std::max(1.0, b.col(k).cwiseAbs().maxCoeff()));
  }
  return worst;
}

struct DifferenceSizes {
  double q = 1e-4, v = 1e-3, tau = 1e-2, ctrl = 1e-3;
};

/// v̄ is then iterated: what it extrapolates from the memory would be renewed as soon as something is moved far enough.
inline void forgetIncrements(Simulator& sim) {
  Snapshot at = sim.save();
  std::fill(at.memory.increments.begin(), at.memory.increments.end(), 0);
  sim.restore(at);
}

/// All derivatives of the simulator's next step against central differences; the step is taken.
inline void expectCentralDifferences(Simulator& sim, double tolerance, const DifferenceSizes& size = {}) {
  forgetIncrements(sim);
  Simulator before(sim);
  StepDerivatives derivatives(sim);
  ASSERT_TRUE(derivatives.step(sim).accepted()) << sim.report().explain();
  ASSERT_TRUE(derivatives.known()) << derivatives.reason();
  EXPECT_EQ(derivatives.substeps(), 1);
  const StepJacobians& J = derivatives.jacobians();
  const StepOnce step = [&](const Snapshot& from, const Eigen::VectorXd& tau, const Eigen::VectorXd& ctrl) {
    return derivatives.iteratesMean() ? stepConverged(before, from, tau, ctrl) : stepFrom(before, from, tau, ctrl);
  };
  EXPECT_LE(disagreement(stack(J.dq_dv, J.dv_dv), differencesByV(before, step, size.v)), tolerance) << "by v";
  EXPECT_LE(disagreement(stack(J.dq_dtau, J.dv_dtau), differencesByTau(before, step, size.tau)), tolerance) << "by tau";
  EXPECT_LE(disagreement(stack(J.dq_dctrl, J.dv_dctrl), differencesByCtrl(before, step, size.ctrl)), tolerance)
      << "by ctrl";
  EXPECT_LE(disagreement(stack(J.dq_dq, J.dv_dq), differencesByQ(before, step, size.q)), tolerance) << "by q";
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
inline std::pair<std::string, std::string> withoutImpacts(double friction) {
  return {"[simulation]", "[[material]]\nname = \"default\"\nthreshold = 100.0\nfriction = " +
                              std::to_string(friction) + "\n\n[simulation]"};
}

/// Lifts a free base: contacts that rest are open by that, and close in the step.
inline void lift(Simulator& sim, double by) {
  Snapshot at = sim.save();
  at.state.q[2] += by;
  sim.restore(at);
}

}  // namespace rigor
