// A piece of smooth motion: from a node as far as the modes hold, and the event that ends it.
//
// A trial of some length is integrated, projected back onto what is held, and looked at: whatever is not positive there any more
// (watch.h) brackets an event, whose time is then found by false position and halving to 1e-12 s. Each trial begins at the node
// anew, so the event lies on the motion itself and not on an interpolation of it.
#pragma once

#include <optional>

#include "event/friction_modes.h"
#include "event/held_motion.h"
#include "event/watch.h"
#include "minimal/step_work.h"

namespace rigor {

/// Where a trial ended.
struct Trial {
  double length = 0.0;
  Eigen::VectorXd q, v;  ///< [nq], [nv]
  double apart = 0.0,
         error = 0.0;  ///< what two ways differ by, and the error in units of what is allowed
};

struct PieceEnd {
  StepStatus status = StepStatus::kAccepted;
  std::vector<Watch> events;  ///< that ended it; empty: it has the length that was asked for, or what accuracy allows
};

struct PieceOptions {
  Integrator integrator = Integrator::kRk4;
  double accuracy = 1e-6;  ///< [per second]
};

class PieceTaker {
 public:
  PieceTaker(const StepTables& tables, const PieceOptions& options);

  HeldMotion motion;
  Trial end;  ///< of the last piece
  /// [rows] of what was held, at the start of the last piece.
  const Eigen::VectorXd& forces() const { return forces_start_; }
  double accuracy() const { return options_.accuracy; }
  double errorOf(const Trial& trial) const { return trial.error * allowed(trial.length); }  ///< as it was estimated
  double suggested = 0.0;  ///< [s] length that accuracy allows; 0: not known
  bool stiff = false;      ///< the last piece was given up because friction turns slip faster than it could be followed
  bool trusts_forces = false;  ///< the forces at the end of this piece are not looked at

  /// At most `longest` from the node of `context`, whose constraints are in the set.
  PieceEnd take(const StepTask& task, const StepContext& context, double longest);

 private:
  double allowed(double length) const { return std::max(options_.accuracy * length, kNoise); }
  double suggest(double length, double longest) const;
  double longestFor(const Held& held, double length);
  bool integrate(double length, bool with_error, Trial& trial);
  bool step(const double* q, const double* v, double h, Eigen::VectorXd& q_end, Eigen::VectorXd& v_end);
  bool look(const StepTask& task, const StepContext& context, const Trial& trial, std::vector<Watch>& crossed);
  void lookAtGaps(const StepTask& task, const StepContext& context, const Trial& trial, std::vector<Watch>& crossed);
  bool isHeldOtherwise(const StepTask& task, const Constraint& c) const;
  bool lookAtForces(const Trial& trial, std::vector<Watch>& crossed);
  PieceEnd locate(const StepTask& task, const StepContext& context, std::vector<Watch>& crossed);

  void evaluateAt(const Trial& trial);
  double valueAt(const StepTask& task, const Watch& watch, const Trial& trial);
  double slack(const Held& held, const Eigen::VectorXd& forces) const;
  double push(const Held& held, const Eigen::VectorXd& forces) const;
  double room(const Held& held, const Eigen::VectorXd& forces) const;
  double rubRate(int dof, const Eigen::VectorXd& v) const;
  struct SlipAt {
    Eigen::Vector3d slip;
    Tangents tangents;
    Eigen::Vector2d along() const { return tangents * slip; }
  };
  SlipAt slipAt(const Held& held, const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  double speedOf(const Held& held, const SlipAt& at) const;
  double distanceOutside(const Held& held, const Trial& trial);
  double gapAt(const StepTask& task, int slot, const Trial& trial);
  double gapRateAt(const StepTask& task, int slot, const Trial& trial);

  static constexpr double kNoise =
      1e-13;  ///< of 1 + the largest velocity: what rounding makes of a piece however short

  const StepTables& tables_;
  PieceOptions options_;
  NodeIntegrator integrator_;
  Eigen::VectorXd q_start_, v_start_, forces_start_, acceleration_;
  Eigen::VectorXd q_half_, v_half_, q_whole_, v_whole_, difference_, missed_v_;
  Trial trial_, before_;
  PlacedModel pose_;
  ContactAtPose contact_;
};

}  // namespace rigor
