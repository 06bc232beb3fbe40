// Rows, Delassus matrix and free velocity against slow dense twins, on random trees with every kind of joint and row.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <set>

#include "minimal/contact_rows.h"
#include "minimal/freedom_rows.h"
#include "minimal/touching_step.h"
#include "reference/slow_tree.h"

namespace rigor {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kSeeds = 40;

Eigen::Vector3d toEigen(const Vec3<double>& a) { return {a.x, a.y, a.z}; }

double relativeError(const MatrixXd& a, const MatrixXd& b) {
  return (a - b).cwiseAbs().maxCoeff() / std::max(1.0, b.cwiseAbs().maxCoeff());
}

TEST(TouchingTrees, HaveEveryKindOfRowAndContactsWithinAndBetweenTrees) {
  std::set<RowSource> sources;
  int between_trees = 0, within_a_tree = 0, with_the_world = 0;
  for (int seed = 0; seed < kSeeds; ++seed) {
    const TouchingStep step(seed, 1e-2);
    for (const Constraint& c : step.set.slots) {
      sources.insert(c.source);
      if (c.source != RowSource::kContact) continue;
      if (c.sides == 1)
        ++with_the_world;
      else
        ++(step.topology.tree[step.set.sidesOf(c)[0].link] == step.topology.tree[step.set.sidesOf(c)[1].link]
               ? within_a_tree
               : between_trees);
    }
  }
  EXPECT_EQ(sources.size(), 7u);
  EXPECT_GE(between_trees, 20);
  EXPECT_GE(within_a_tree, 20);
  EXPECT_GE(with_the_world, 100);
}

TEST(ForceRows, AreTheVelocityOfTheContactPointPerUnitOfVelocity) {
  for (int seed = 0; seed < kSeeds; ++seed) {
    const TouchingStep step(seed, 1e-2);
    const MatrixXd J = step.dense(step.set.force);
    for (const Constraint& c : step.set.slots) {
      const ContactDetail* contact = contactOf(c, step.set);
      if (!contact) continue;
      const FeaturePair& pair = step.set.contacts[c.detail].pair;
      MatrixXd relative = MatrixXd::Zero(3, step.model.nv());
      const int body_1 = step.model.shapes()[pair.shape[0]].body, body_2 = step.model.shapes()[pair.shape[1]].body;
      if (body_2 != kWorld)
        relative += slow::computeJacobian(step.model, step.q, body_2, toEigen(contact->start.point)).topRows<3>();
      if (body_1 != kWorld)
        relative -= slow::computeJacobian(step.model, step.q, body_1, toEigen(contact->start.point)).topRows<3>();
      Eigen::Matrix3d frame;
      frame << toEigen(contact->start.normal), toEigen(contact->tangent_1), toEigen(contact->tangent_2);
      EXPECT_LE(relativeError(J.middleRows<3>(c.first_row), frame.transpose() * relative), 1e-12) << "seed " << seed;
    }
  }
}

// In a step that moves nothing the secant is the tangent, and its rows at the start are the force rows.
TEST(ConstraintRows, AreTheForceRowsWhereTouchingContactsDoNotMove) {
  for (int seed = 0; seed < 5; ++seed) {
    TouchingStep step(seed, 1e-2);
    step.v_end.setZero();
    step.linearise();
    const MatrixXd J = step.dense(step.set.force), J_end = step.dense(step.set.constraint);
    for (const Constraint& c : step.set.slots) {
      const bool amid_overlap =
          contactOf(c, step.set) && step.set.contacts[c.detail].pair.kind != FeatureKind::kPlaneBall;
      const int rows = amid_overlap ? 1 : c.rows;  // friction attacks midway, not where the surfaces are tracked
      EXPECT_LE(relativeError(J_end.middleRows(c.first_row, rows), J.middleRows(c.first_row, rows)), 1e-12);
    }
  }
}

TEST(ConstraintRows, AreTheDerivativesOfTheSecantsByTheEndVelocity) {
  for (const double h : {1e-3, 1e-2, 0.05})
    for (int seed = 0; seed < kSeeds; ++seed) {
      TouchingStep step(seed, h);
      step.linearise();
      const MatrixXd rows = step.dense(step.set.constraint);
      MatrixXd slopes(rows.rows(), rows.cols());
      const double nudge =
          3e-6 / h;  // moves links by 3 µm: rounding 1e-15/3e-6, curvature (3e-6)² over small distances
      for (int j = 0; j < step.model.nv(); ++j) {
        const VectorXd delta = nudge * VectorXd::Unit(step.model.nv(), j);
        slopes.col(j) = (step.secants(step.v_end + delta) - step.secants(step.v_end - delta)) / (2 * nudge);
      }
      EXPECT_LE(relativeError(rows, slopes), 1e-8) << "seed " << seed << ", h " << h;
    }
}

/// M with armature, half the damping and the PD gains that are not saturated.
MatrixXd slowMass(const TouchingStep& step) {
  MatrixXd M = slow::computeMassMatrix(step.model, step.q);
  for (const ModelJoint& joint : step.model.joints())
    for (int j = joint.v_index; j < joint.v_index + velocityCount(joint.spec.type); ++j) {
      M(j, j) += 0.5 * step.motion.kick[j] * joint.spec.damping;
      if (const int drive = step.input.drive_of[j]; drive >= 0 && !step.motion.saturated[j])
        M(j, j) += step.motion.kick[j] * (step.input.drives[drive].kd + step.motion.h * step.input.drives[drive].kp);
    }
  return M;
}

/// Impulse of all forces but those of the rows, with PD and damping at the start velocity.
VectorXd slowKick(const TouchingStep& step) {
  const int nv = step.model.nv();
  const VectorXd mean = step.v + 0.5 * Eigen::Map<const VectorXd>(step.motion.predicted.data(), nv);
  const VectorXd bias = slow::computeInverseDynamics(step.model, step.q, mean, VectorXd::Zero(nv));
  VectorXd kick(nv);
  for (const ModelJoint& joint : step.model.joints()) {
    const int freedoms = velocityCount(joint.spec.type);
    for (int j = joint.v_index; j < joint.v_index + freedoms; ++j) {
      double force = step.input.tau[j] - bias[j] - joint.spec.damping * step.v[j];
      if (freedoms == 1 && !step.motion.saturated[j]) {
        const Drive& drive = step.input.drives[step.input.drive_of[j]];
        force += drive.kp * (drive.target - step.q[joint.q_index] - step.motion.h * step.v[j]) - drive.kd * step.v[j];
      }
      kick[j] = step.motion.kick[j] * force;
    }
  }
  return kick;
}

/// Where the rows of an island's problem are among all rows of the step.
std::vector<int> rowsOf(const TouchingStep& step, const Island& island) {
  std::vector<int> rows;
  for (int index : island.constraints)
    for (int r = 0; r < step.set.slots[index].rows; ++r) rows.push_back(step.set.slots[index].first_row + r);
  return rows;
}

TEST(Islands, HaveTheDelassusMatrixAndFreeVelocityOfTheDenseTwin) {
  for (int seed = 0; seed < kSeeds; ++seed) {
    TouchingStep step(seed, 1e-2, 3);
    step.linearise();
    Islands islands;
    findIslands(step.topology, step.set, islands);
    const MatrixXd J = step.dense(step.set.force), J_end = step.dense(step.set.constraint);
    const Eigen::PartialPivLU<MatrixXd> M(slowMass(step));
    const MatrixXd W = J_end * M.solve(J.transpose());
    const VectorXd u = Eigen::Map<const VectorXd>(step.set.velocity.data(), step.rows());
    const VectorXd b = u + J_end * (step.v + M.solve(slowKick(step)) - step.v_end);
    int rows_seen = 0;
    for (int i = 0; i < islands.count; ++i) {
      Island& island = islands.list[i];
      assembleIsland(step.topology, step.motion, step.set, kAlwaysDense, island);
      assembleFreeVelocity(step.motion, step.set, step.v.data(), step.v_end.data(), island);
      const std::vector<int> rows = rowsOf(step, island);
      const int m = static_cast<int>(rows.size());
      ASSERT_EQ(island.problem.rows(), m);
      const MatrixXd W_island =
          Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(island.problem.W.row(0), m, m);
      const VectorXd b_island = Eigen::Map<const VectorXd>(island.problem.b.data(), m);
      EXPECT_LE(relativeError(W_island, W(rows, rows)), 1e-10) << "seed " << seed;
      EXPECT_LE(relativeError(b_island, b(rows)), 1e-10) << "seed " << seed;
      rows_seen += m;
      // what belongs to other islands must not couple
      std::vector<char> inside(step.rows(), 0);
      for (int row : rows) inside[row] = 1;
      for (int row : rows)
        for (int other = 0; other < step.rows(); ++other)
          if (!inside[other]) {
            ASSERT_EQ(W(row, other), 0.0);
          }
    }
    EXPECT_EQ(rows_seen, step.rows());
  }
}

TEST(FreeVelocity, IsTheSameWhenCorrectedFromTheImpulsesThatLedToTheEnd) {
  for (int seed = 0; seed < kSeeds; ++seed) {
    TouchingStep step(seed, 1e-2);
    for (double& impulse : step.set.impulse) impulse = step.random.number(0.0, 0.02);
    std::vector<double> change(step.model.nv());
    applyImpulses(step.part, step.motion, step.set, ImpulseChoice::kAll, change.data());
    for (int j = 0; j < step.model.nv(); ++j) step.v_end[j] = step.v[j] + change[j];
    step.linearise();
    Islands islands;
    findIslands(step.topology, step.set, islands);
    for (int i = 0; i < islands.count; ++i) {
      Island& island = islands.list[i];
      assembleIsland(step.topology, step.motion, step.set, kAlwaysDense,
                     island);  // starts the solution at the set's impulses
      assembleFreeVelocity(step.motion, step.set, step.v.data(), step.v_end.data(), island);
      const std::vector<double> expected = island.problem.b;
      correctFreeVelocity(step.set, island);
      for (std::size_t r = 0; r < expected.size(); ++r) EXPECT_NEAR(island.problem.b[r], expected[r], 1e-10);
    }
  }
}

TEST(AppliedImpulses, ChangeTheVelocityThroughTheMassMatrix) {
  for (int seed = 0; seed < kSeeds; ++seed) {
    TouchingStep step(seed, 1e-2);
    for (double& impulse : step.set.impulse) impulse = step.random.number(-0.1, 0.1);
    VectorXd change(step.model.nv());
    applyImpulses(step.part, step.motion, step.set, ImpulseChoice::kAll, change.data());
    const VectorXd impulse = Eigen::Map<const VectorXd>(step.set.impulse.data(), step.rows());
    const VectorXd total = slowKick(step) + step.dense(step.set.force).transpose() * impulse;
    EXPECT_LE(relativeError(slowMass(step) * change, total), 1e-10) << "seed " << seed;
  }
}

TEST(Limits, HaveTheGapToTheirBoundAndPushBackIntoTheRange) {
  int lower = 0, upper = 0;
  for (int seed = 0; seed < kSeeds; ++seed) {
    TouchingStep step(seed, 1e-2);
    const VectorXd u = step.secants(step.v_end);
    for (const Constraint& c : step.set.slots) {
      if (c.source != RowSource::kLimit) continue;
      const double position = step.q[step.topology.q_index[step.topology.dof_link[c.index]]];
      const bool above = step.set.joints[c.detail].sign < 0.0;
      ++(above ? upper : lower);
      EXPECT_EQ(c.gap, above ? 0.3 - position : position + 0.3);
      EXPECT_NEAR(u[c.first_row], above ? -step.v_end[c.index] : step.v_end[c.index], 1e-12);
      EXPECT_EQ(c.bias, std::max(c.gap, 0.0) / step.motion.h);
    }
  }
  EXPECT_GE(lower, 5);
  EXPECT_GE(upper, 5);
}

// By these it is foreseen which stops a step may reach.
TEST(Limits, OfLoopsAreApproachedAtTheRateOfTheirCoordinateAtTheMeanVelocity) {
  int stops = 0;
  for (int seed = 0; seed < kSeeds; ++seed) {
    TouchingStep step(seed, 1e-2);
    const double nudge = 1e-6;  // [s] rounding 1e-16/1e-6, curvature (1e-6)²
    const auto coordinate = [&](const LoopFreedom& freedom, double time) {
      VectorXd q(step.model.nq());
      integrate(step.topology, step.q.data(), step.motion.mean_velocity.data(), time, q.data());
      PlacedModel pose = step.start;
      computeKinematics(step.topology, step.model.parameters(), q.data(), pose.kin);
      return computeFreedom(freedom, step.topology, pose.kin).x;
    };
    forEachStop(step.context(), step.motion, step.set, [&](int index, bool upper, double, double rate) {
      const LoopFreedom& freedom = step.tables.freedoms[index];
      const double slope = (coordinate(freedom, nudge) - coordinate(freedom, -nudge)) / (2.0 * nudge);
      EXPECT_NEAR(rate, upper ? -slope : slope, 1e-8 * std::max(1.0, std::fabs(slope))) << "seed " << seed;
      ++stops;
    });
  }
  EXPECT_GE(stops, 2 * kSeeds);
}

TEST(Limits, OfLoopsHaveTheGapToTheirBoundAndPushBackIntoTheRange) {
  int rows[kFreedomRows] = {};
  for (int seed = 0; seed < kSeeds; ++seed) {
    TouchingStep step(seed, 1e-2);
    const VectorXd u = step.secants(step.v_end);
    for (const Constraint& c : step.set.slots) {
      if (!isOnLoop(c)) continue;
      ++rows[static_cast<int>(freedomRowOf(c))];
      const LoopFreedom& freedom = step.tables.freedoms[c.index];
      const double x = computeFreedom(freedom, step.topology, step.start.kin).x;
      const double way = wayBetween(freedom, x, computeFreedom(freedom, step.topology, step.end.kin).x);
      EXPECT_NEAR(u[c.first_row], (isUpperStop(c) ? -1.0 : 1.0) * way / step.motion.h, 1e-12);
      if (!c.can_open) continue;
      EXPECT_EQ(c.gap, isUpperStop(c) ? 0.1 - x : x + 0.1);
      EXPECT_EQ(c.bias, std::max(c.gap, 0.0) / step.motion.h);
      EXPECT_NEAR(c.gap_end, c.gap + step.motion.h * u[c.first_row], 1e-14);
    }
  }
  for (const int count : rows) EXPECT_GE(count, 5);
}

}  // namespace
}  // namespace rigor
