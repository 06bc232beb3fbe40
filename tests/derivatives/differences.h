// The slow twin of StepDerivatives: central differences of whole steps.
#pragma once

#include <gtest/gtest.h>

#include "rigor/rigor.h"

namespace rigor {

struct Outcome {
  Eigen::VectorXd q, v;
};

/// Where a step from a snapshot leads, of a simulator that is left as it was.
inline Outcome stepFrom(const Simulator& sim, const Snapshot& from, const Eigen::VectorXd& tau,
                        const Eigen::VectorXd& ctrl) {
  Simulator fork(sim);
  fork.restore(from);
  if (tau.size() > 0) fork.input().tau = tau;
  if (ctrl.size() > 0) fork.input().ctrl = ctrl;
  EXPECT_TRUE(fork.step().accepted()) << fork.report().explain();
  return {fork.state().q, fork.state().v};
}

/// Derivatives of a step from the simulator's state, column by column: (q′ ⊖ q′, v′) by whatever `change` moves by ±size.
inline Eigen::MatrixXd differentiateBy(const Simulator& sim, int columns, double size,
                                       const std::function<Outcome(int column, double by)>& stepChanged) {
  const Model& model = sim.scene().model;
  Eigen::MatrixXd result(2 * model.nv(), columns);
  for (int k = 0; k < columns; ++k) {
    const Outcome up = stepChanged(k, size), down = stepChanged(k, -size);
    result.col(k).head(model.nv()) = difference(model, down.q, up.q) / (2.0 * size);
    result.col(k).tail(model.nv()) = (up.v - down.v) / (2.0 * size);
  }
  return result;
}

inline Eigen::MatrixXd differencesByQ(const Simulator& sim, double size) {
  const Snapshot at = sim.scene().model.nv() > 0 ? const_cast<Simulator&>(sim).save() : Snapshot{};
  return differentiateBy(sim, sim.scene().model.nv(), size, [&](int k, double by) {
    Snapshot moved = at;
    moved.state.q = integrate(sim.scene().model, at.state.q, by * Eigen::VectorXd::Unit(at.state.v.size(), k));
    return stepFrom(sim, moved, {}, {});
  });
}

inline Eigen::MatrixXd differencesByV(const Simulator& sim, double size) {
  const Snapshot at = sim.save();
  return differentiateBy(sim, sim.scene().model.nv(), size, [&](int k, double by) {
    Snapshot moved = at;
    moved.state.v[k] += by;
    return stepFrom(sim, moved, {}, {});
  });
}

inline Eigen::MatrixXd differencesByTau(Simulator& sim, double size) {
  const Snapshot at = sim.save();
  const Eigen::VectorXd tau = sim.input().tau;
  return differentiateBy(sim, sim.scene().model.nv(), size, [&](int k, double by) {
    return stepFrom(sim, at, tau + by * Eigen::VectorXd::Unit(tau.size(), k), {});
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
  for (Eigen::Index k = 0; k < a.cols(); ++k)
    worst = std::max(worst, (a.col(k) - b.col(k)).cwiseAbs().maxCoeff() / std::max(1.0, b.col(k).cwiseAbs().maxCoeff()));
  return worst;
}

}  // namespace rigor
