// Inverse kinematics: configurations that put frames and the centre of mass where they are asked to be.
//
//     IkTask hand;
//     hand.body = model.findBody("hand");
//     hand.target = {{0.4, 0.1, 0.5}, Eigen::Quaterniond::Identity()};
//     InverseKinematics ik(model, {hand});
//     Eigen::VectorXd q = model.q0();
//     if (ik.solve(q).status != IkStatus::kSolved) puts(ik.report().explain(model, ik.tasks()).c_str());
//
// The errors e of the tasks are made small level by level, those of level 0 first:
//
//     min ½ Σ w²|e(q)|²  over q in the ranges of the joints and with the errors of the levels before as they are
//
// by damped Gauss–Newton steps on the manifold (Levenberg–Marquardt; the damping falls with the error, so that the last steps
// converge quadratically), bounds by an active set, lower levels in the null space of the higher ones. A step that makes a
// higher level worse is not taken. Of many solutions it finds one near the start, so a start from the last answer is followed
// continuously. Joints that mimic others follow them; loops are not closed.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "rigor/model.h"

namespace rigor {

enum class IkGoal : std::uint8_t {
  kPosition,      ///< of the origin of the frame, 3 rows
  kOrientation,   ///< of its axes, 3 rows
  kPose,          ///< both, 6 rows
  kCenterOfMass,  ///< of all bodies that can move, 3 rows; `body` and `X_BF` mean nothing
};

struct IkTask {
  IkGoal goal = IkGoal::kPosition;
  int body = 0;
  Pose X_BF = {};               ///< the frame, in its body
  Pose target = {};             ///< where it is to be, in the world
  double weight = 1.0;          ///< against other tasks of its level, on the error
  double metres_per_rad = 1.0;  ///< what an angle counts against a distance [m/rad]
  int level = 0;                ///< 0 goes before 1, 1 before 2, …
};

struct IkOptions {
  double tolerance =
      1e-12;  ///< [m] and [rad] of every task; four roundings of the target's distance are excused beyond that
  int iterations = 200;        ///< of each level, and of each restart
  int restarts = 50;           ///< from elsewhere, if the first level cannot be met from the given start
  bool limits = true;          ///< joints stay within their ranges
  std::vector<int> held = {};  ///< joints, in Model::joints(), that stay where the start has them
};

enum class IkStatus : std::uint8_t {
  kSolved,       ///< every task is met
  kUnreachable,  ///< the best that can be had nearby: no small move brings the first unmet level nearer
  kUnsolved,     ///< the iterations ended before either
};

struct IkReport {
  struct Miss {
    double distance = 0.0, angle = 0.0;  ///< [m], [rad]; 0 where the task does not ask
  };
  IkStatus status = IkStatus::kUnsolved;
  std::vector<Miss> misses;  ///< [tasks]
  double residual = 0.0;     ///< the largest of them
  int unmet = -1;            ///< the worst task of the first level that is not met; −1: all are met
  int iterations = 0;        ///< of all levels and restarts
  int restarts = 0;
  /// One line: the task that was missed and by how much.
  std::string explain(const Model& model, const std::vector<IkTask>& tasks) const;
};

class InverseKinematics {
 public:
  /// Throws Error for bodies that do not exist, numbers that are not finite, negative weights, levels below 0.
  InverseKinematics(const Model& model, std::vector<IkTask> tasks, IkOptions options = {});
  ~InverseKinematics();
  InverseKinematics(InverseKinematics&&) noexcept;

  const std::vector<IkTask>& tasks() const;
  void setTarget(int task, const Pose& target);  ///< throws Error unless it is finite

  /// Moves q, the start, to a solution, or to the best that was found. Throws Error unless q is a configuration; one outside
  /// of the ranges is put into them first. Allocates nothing after the constructor.
  const IkReport& solve(Eigen::VectorXd& q);
  const IkReport& report() const;  ///< of the last solve

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

const char* ikStatusName(IkStatus status);  ///< "solved", "unreachable", "unsolved"

}  // namespace rigor
