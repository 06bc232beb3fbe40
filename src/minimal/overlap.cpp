#include "minimal/overlap.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>

#include "dynamics/integrate.h"
#include "dynamics/jacobian.h"
#include "dynamics/poses.h"

namespace rigor {
namespace {

constexpr double kIgnored = 1e-10;  // [m] rounding of a pose given in decimal digits
constexpr double kNear = 1e-2;      // [m] pairs that a correction might press together
constexpr int kMaxIterations = 30;

/// Normal rows of the pairs that overlap or are near.
struct GapRows {
  std::vector<double> gap;
  Eigen::MatrixXd J;
  double deepest = 0.0;
};

GapRows computeGapRows(const Topology& topology, const std::vector<ContactPair>& pairs, const Kinematics<double>& kin) {
  GapRows rows;
  rows.J.resize(0, topology.nv);
  for (const ContactPair& pair : pairs) {
    const ContactGeometry g = computeContactGeometry(pair, topology, kin);
    if (g.gap > kNear) continue;
    rows.deepest = std::min(rows.deepest, g.gap);
    rows.gap.push_back(g.gap);
    rows.J.conservativeResize(rows.gap.size(), Eigen::NoChange);
    rows.J.row(rows.gap.size() - 1).setZero();
    const auto add = [&](int link, const BallCentre& centre, double sign) {
      if (link < 0) return;
      std::vector<double> row(topology.chain_length[link]);
      jacobianRow(topology, kin.S.data(), link, forceAt(centre.relative, sign * g.normal, {}), row.data());
      for (std::size_t k = 0; k < row.size(); ++k)
        rows.J(rows.gap.size() - 1, topology.chain[topology.chain_start[link] + k]) += row[k];
    };
    add(pair.link_2, g.centre_2, 1.0);
    if (!pair.plane) add(pair.link_1, g.centre_1, -1.0);
  }
  return rows;
}

ContactProblem makeProblem(const GapRows& rows, const Eigen::MatrixXd& W) {
  ContactProblem problem;
  const int m = static_cast<int>(rows.gap.size());
  for (int i = 0; i < m; ++i) problem.blocks.push_back({.kind = BlockKind::kAtLeast, .row = i, .size = 1});
  problem.b = rows.gap;
  problem.bias.assign(m, 0.0);
  problem.compliance.assign(m, 0.0);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) problem.W.push_back(W(i, j));
  problem.velocity_scale = 1e-6;
  return problem;
}

std::string shapeName(const Model& model, int index) {
  const ModelShape& shape = model.shapes()[index];
  if (!shape.name.empty()) return shape.name;
  return shape.body == kWorld ? "ground" : model.body(shape.body).name;
}

void warnPairs(const Model& model, const std::vector<ContactPair>& pairs, const Kinematics<double>& kin,
               const char* what, std::vector<Warning>& warnings) {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    double deepest = 0.0;
    const std::size_t first = i;
    for (; i < pairs.size() && pairs[i].shape_1 == pairs[first].shape_1 && pairs[i].shape_2 == pairs[first].shape_2;
         ++i)
      deepest = std::min(deepest, computeContactGeometry(pairs[i], model.topology(), kin).gap);
    --i;
    if (deepest < -kIgnored)
      warnings.push_back(
          {{},
           fmt::format("\"{}\" and \"{}\" overlap by {:.3g} m at the start; {}", shapeName(model, pairs[first].shape_1),
                       shapeName(model, pairs[first].shape_2), -deepest, what)});
  }
}

}  // namespace

std::vector<Warning> removeOverlap(const Model& model, const std::vector<ContactPair>& pairs, ContactSolver& solver,
                                   Eigen::VectorXd& q) {
  const Topology& topology = model.topology();
  std::vector<Warning> warnings;
  Kinematics<double> kin;
  kin.resize(topology);
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    computeKinematics(topology, model.parameters(), q.data(), kin);
    const GapRows rows = computeGapRows(topology, pairs, kin);
    if (rows.deepest >= -(iteration == 0 ? kIgnored : 1e-14)) return warnings;
    if (iteration == 0) warnPairs(model, pairs, kin, "moved apart", warnings);

    const Eigen::LDLT<Eigen::MatrixXd> M(massMatrix(model, q));
    const Eigen::MatrixXd response = M.solve(rows.J.transpose());
    const ContactProblem problem = makeProblem(rows, rows.J * response);
    ContactSolution solution;
    solution.impulse.assign(rows.gap.size(), 0.0);
    solver.solve(problem, {}, solution);
    const Eigen::VectorXd move =
        response * Eigen::Map<const Eigen::VectorXd>(solution.impulse.data(), static_cast<int>(rows.gap.size()));
    if (!move.allFinite()) break;
    // a turn beyond what the linear rows know is taken in parts
    const double share = std::min(1.0, 0.3 / std::max(move.cwiseAbs().maxCoeff(), 1e-300));
    integrate(topology, q.data(), move.data(), share, q.data());
  }
  computeKinematics(topology, model.parameters(), q.data(), kin);
  warnPairs(model, pairs, kin, "this could not be removed, it will not get deeper", warnings);
  return warnings;
}

}  // namespace rigor
