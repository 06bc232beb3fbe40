// How the impulses and the ways of one constraint answer to small motions of the two links that it ties.
//
// A motion of a link is (linear, angular) about O of its tree, O held in the world: the columns S of the kinematics are such motions, one
// per freedom of the chain. Columns 0–5 belong to the link at end 0 of a constraint, 6–11 to the one at end 1; the world moves never.
#pragma once

#include <Eigen/Core>

#include "minimal/constraints.h"

namespace rigor {

/// Jᵀλ of given impulses λ, as forces on the links, and its derivative by their start poses.
struct PairWrench {
  Force<double> F[2];                      ///< about O of their trees
  Eigen::Matrix<double, 6, 12> change[2];  ///< of each

  void setZero();
};

/// Derivatives of the ways h·u of up to three rows.
struct PairWay {
  Eigen::Matrix<double, 3, 12> by_start, by_end;  ///< by the poses of start and end
  Eigen::Matrix3d by_turn[2];                     ///< by the turns h·Ω of the links, where `turns`
  bool turns[2];

  void setZero();
};

/// False for what has no derivatives yet; `why` then says what it is.
bool hasPairTerms(const StepContext& context, const Constraint& c, const ConstraintSet& set, const char*& why);

/// Of contacts and of loops. `impulse` of all rows.
void computeWrench(const StepContext& context, const PlacedModel& start, const Constraint& c, const ConstraintSet& set,
                   const double* impulse, PairWrench& out);
/// Of contacts: derivatives of φ(q′) − φ(q) and of both slips; of loops: of g(q′). After computeSecants at that end.
void computeWay(const StepContext& context, const PlacedModel& end, const double* q_end, const Constraint& c,
                const ConstraintSet& set, PairWay& out);

// Of contacts and loops, in files of their own.
void computeContactWrench(const ContactDetail& contact, const double* impulse, PairWrench& out);
void computeContactWay(const ContactDetail& contact, PairWay& out);
void computeLoopWrench(const StepContext& context, const PlacedModel& start, const LoopPart& part,
                       const double* impulse, PairWrench& out);
void computeLoopWay(const StepContext& context, const PlacedModel& end, const double* q_end, const LoopPart& part,
                    PairWay& out);

/// What F·(motion of a link) is, as a row.
inline Eigen::Matrix<double, 1, 6> rowOf(const Force<double>& F) {
  return {F.linear.x, F.linear.y, F.linear.z, F.angular.x, F.angular.y, F.angular.z};
}
inline Eigen::Vector3d columnOf(const Vec3<double>& a) { return {a.x, a.y, a.z}; }
inline Eigen::Matrix3d crossMatrix(const Vec3<double>& a) {
  Eigen::Matrix3d A;
  A << 0, -a.z, a.y, a.z, 0, -a.x, -a.y, a.x, 0;
  return A;
}
/// δp of a point p of a link, relative to O, by the link's motion: δp = [I, −p×] m.
inline Eigen::Matrix<double, 3, 6> movesPoint(const Vec3<double>& p) {
  Eigen::Matrix<double, 3, 6> A;
  A << Eigen::Matrix3d::Identity(), -crossMatrix(p);
  return A;
}
/// δa of a direction a of a link.
inline Eigen::Matrix<double, 3, 6> movesDirection(const Vec3<double>& a) {
  Eigen::Matrix<double, 3, 6> A;
  A << Eigen::Matrix3d::Zero(), -crossMatrix(a);
  return A;
}

}  // namespace rigor
