// Inverse kinematics on the robots of scenes/.
#include "rigor/inverse_kinematics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/parameters.h"
#include "reference/random_tree.h"
#include "rigor/algorithms.h"
#include "rigor/io.h"

namespace rigor {
namespace {

std::string scenePath(const std::string& name) { return std::string(RIGOR_SOURCE_DIR) + "/scenes/" + name; }

/// Joints anywhere in their ranges, angles without one anywhere in a turn; a free base near its place, turned by up to 0.5 rad.
Eigen::VectorXd randomPose(const Model& model, Random& random) {
  Eigen::VectorXd way = Eigen::VectorXd::Zero(model.nv());
  for (int j = 0; j < model.nv(); ++j) way[j] = random.number(-0.3, 0.3);
  Eigen::VectorXd q = integrate(model, model.q0(), way);
  for (const ModelJoint& joint : model.joints()) {
    if (velocityCount(joint.spec.type) != 1) continue;
    const Range range = joint.spec.range.value_or(Range{-3.0, 3.0});
    q[joint.q_index] = random.number(std::max(range.lower, -3.0), std::min(range.upper, 3.0));
  }
  return q;
}

/// A task for every body that carries none.
std::vector<IkTask> tasksForEnds(const Model& model, IkGoal goal) {
  std::vector<IkTask> tasks;
  for (int body = 0; body < model.bodyCount(); ++body) {
    bool carries = model.placements()[body].link < 0;
    for (int other = 0; other < model.bodyCount(); ++other) carries |= model.body(other).parent == body;
    if (carries) continue;
    tasks.emplace_back();
    tasks.back().goal = goal, tasks.back().body = body;
    tasks.back().X_BF.position = {0.02, -0.01, 0.03};
  }
  return tasks;
}

struct Robot {
  const char* file;
  BaseKind base;
  IkGoal goal;
};

TEST(InverseKinematics, ReachesWhatRandomPosesOfEveryRobotReach) {
  const Robot robots[] = {{"a1.urdf", BaseKind::kFree, IkGoal::kPosition},
                          {"a1.urdf", BaseKind::kFixed, IkGoal::kPosition},
                          {"anymal.urdf", BaseKind::kFree, IkGoal::kPosition},
                          {"anymal.urdf", BaseKind::kFixed, IkGoal::kPosition},
                          {"humanoid.urdf", BaseKind::kFree, IkGoal::kPose},
                          {"humanoid.urdf", BaseKind::kFixed, IkGoal::kPosition},
                          {"double_pendulum.urdf", BaseKind::kAuto, IkGoal::kPosition},
                          {"puma560.toml", BaseKind::kAuto, IkGoal::kPose},
                          {"chain_10.urdf", BaseKind::kAuto, IkGoal::kPosition}};
  for (const Robot& robot : robots) {
    SCOPED_TRACE(robot.file);
    LoadOptions options;
    options.base = robot.base;
    const Model model = loadScene(scenePath(robot.file), options).model;
    Data data(model);
    InverseKinematics ik(model, tasksForEnds(model, robot.goal));
    Random random(7);
    for (int i = 0; i < 20; ++i) {
      const auto& X = forwardKinematics(model, data, randomPose(model, random));
      for (int t = 0; t < static_cast<int>(ik.tasks().size()); ++t) {
        const Eigen::Isometry3d target = X[ik.tasks()[t].body];
        ik.setTarget(t, Pose{target * ik.tasks()[t].X_BF.position, Eigen::Quaterniond(target.linear()).normalized()});
      }
      Eigen::VectorXd q = model.q0();
      const IkReport& report = ik.solve(q);
      EXPECT_EQ(report.status, IkStatus::kSolved) << i << ": " << report.explain(model, ik.tasks());
      EXPECT_LE(report.residual, 1.01e-12);
      for (const ModelJoint& joint : model.joints())
        if (joint.spec.range) {
          EXPECT_GE(q[joint.q_index], joint.spec.range->lower);
          EXPECT_LE(q[joint.q_index], joint.spec.range->upper);
        }
    }
  }
}

}  // namespace
}  // namespace rigor
