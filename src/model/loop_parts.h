// Loops as the dynamics sees them: links instead of bodies, and parts of one or three rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "model/parameters.h"
#include "rigor/model.h"
#include "rigor/own_terms.h"

namespace rigor {

enum class LoopRows : std::uint8_t {
  kPoint,     ///< p_2 − p_1 = 0, 3 rows
  kTurn,      ///< rotation vector from frame 1 to frame 2 is zero, 3 rows
  kAxis,      ///< axis · across = 0, 1 row; two of them make two axes coincide
  kCoupling,  ///< q_1 − p(q_2) = 0, 1 row
  kAlong,     ///< across · (p_2 − p_1) = 0, 1 row; two of them keep a point on a line, one on a plane
  kScrew,     ///< across · (p_2 − p_1) = pitch · angle of frame 2 about it, 1 row
  kOwn,       ///< one to three of the numbers of a user's own function
};

/// An angle: where a direction of one link points in a plane of the other, atan2(p·b, p·a).
struct TurnedPointer {
  Vec3<double> pointer;  ///< p, in link 2
  Vec3<double> a, b;     ///< axes of the plane, in link 1
  bool swapped = false;  ///< the pointer is in link 1 and the plane in link 2
};

struct LoopPart {
  LoopRows rows = LoopRows::kPoint;
  int loop = 0;  ///< index into Model::loops; kOwn: which own constraint
  int number = 0;
  int link_1 = kWorld, link_2 = kWorld;
  Transform<double> X_1, X_2;  ///< frame F in its link, or in the world
  /// kAxis: perpendicular to the axis in link 1, the axis in link 2. kAlong, kScrew: the direction in link 1.
  Vec3<double> across, axis;
  TurnedPointer turned;                      ///< kScrew: the angle
  double pitch = 0.0;                        ///< kScrew [m/rad]
  int q_1 = 0, q_2 = 0;                      ///< kCoupling: coordinates
  int dof_1 = 0, dof_2 = 0;                  ///< kCoupling
  double coefficients[5] = {};               ///< kCoupling
  std::shared_ptr<const OwnConstraint> own;  ///< kOwn, of the frames of its bodies
  int first = 0, of = 0;                     ///< kOwn: the first of its numbers, of how many

  int count() const {
    if (rows == LoopRows::kOwn) return std::min(3, of - first);
    return rows == LoopRows::kPoint || rows == LoopRows::kTurn ? 3 : 1;
  }
};

/// Links of two bodies, and frames on them, in their links.
struct AttachedFrames {
  int link_1 = kWorld, link_2 = kWorld;
  Transform<double> X_1, X_2;
};
AttachedFrames attachFrames(int body_1, const Pose& X_1F, int body_2, const Pose& X_2F,
                            const std::vector<BodyPlacement>& placements);

/// The angle of a joint's freedom that turns about the axis, of frame 2 against frame 1; `axes` as of linkAxes.
TurnedPointer turnAboutAxis(const AttachedFrames& frames, const Mat3<double>& axes);

/// Refuses two ends that are the same, do not exist, or cannot move against each other. `what` is the element of messages.
void checkEnds(int body_1, int body_2, const Place& where, const std::string& what,
               const std::vector<BodySpec>& bodies);
void checkEndLinks(int body_1, int body_2, const Place& where, const std::string& what,
                   const std::vector<BodySpec>& bodies, const std::vector<BodyPlacement>& placements);

/// Throws Error for loops that close nothing or have no meaning; axes become unit vectors.
void checkLoop(LoopSpec& loop, const std::vector<BodySpec>& bodies, std::vector<Warning>& warnings);

/// The same once it is known which bodies move together.
void checkLoopLinks(const LoopSpec& loop, const std::vector<BodySpec>& bodies,
                    const std::vector<BodyPlacement>& placements);

/// Parts of all loops of a model, in order.
std::vector<LoopPart> makeLoopParts(const Model& model);

}  // namespace rigor
