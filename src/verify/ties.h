// Openings of loops, and springs on what they leave free and between points: from poses alone.
#pragma once

#include "verify/motion.h"

namespace rigor::verify {

/// One part of a loop (docs/formats.md).
struct LoopPart {
  enum Kind {
    kPoint,          ///< two points coincide, 3 rows
    kTurn,           ///< no turn between two frames, 3 rows
    kPerpendicular,  ///< `first` of frame 1 and `second` of frame 2 are
    kCoupling,       ///< of two joints
    kAlong,          ///< no way along `first` of frame 1
    kScrew,          ///< the way along `first` is the pitch times the angle
  };
  int loop = 0, part = 0, rows = 0;
  Kind kind = kPoint;
  Vec first, second;
};
std::vector<LoopPart> listLoopParts(const World& world);

struct Opening {
  Real g[3] = {};  ///< [m] or [rad]
  Real size = 0;
};
Opening computeOpening(const World& world, const LoopPart& part, const Motion& motion, const Reals& q);

/// Adds what the impulse of a part does to the freedoms.
void addLoopImpulse(const World& world, const LoopPart& part, const Motion& motion, const Reals& q, const Real* impulse,
                    Reals& generalised);

/// A spring and a damper on one coordinate of two bodies; its rows have the numbers 2·index and 2·index + 1.
struct SpringPart {
  enum Kind {
    kDirection,    ///< the way along an axis of frame 1
    kAngle,        ///< about the axis, of frame 2 against frame 1
    kSecondAngle,  ///< of a universal joint, about the first direction across the axis, in frame 2
    kTurn,         ///< an entry of the rotation vector
    kDistance,     ///< of two points
  };
  Kind kind = kDistance;
  std::string name;
  int body_1 = kWorldBody, body_2 = kWorldBody;
  Pose frame_1, frame_2;  ///< with the axes of the joint; of kTurn the first one where the spring rests
  int entry = 0;          ///< axis of frame 1, or of the world
  Real stiffness = 0, damping = 0, rest = 0, pitch = 0;
};
std::vector<SpringPart> listSprings(const World& world);

struct Stretch {
  Real x = 0;            ///< [m] or [rad]
  Real size = 0;         ///< of the numbers that it is a difference of
  bool has_line = true;  ///< false: two points coincide, and nothing is pushed
};
Stretch computeStretch(const SpringPart& spring, const Motion& motion);

/// Adds what a unit impulse of the spring, or of its damper, does to the freedoms.
void addSpringRow(const World& world, const SpringPart& spring, bool damps, const Motion& motion, Reals& generalised);

/// ½ k x² of all of them [J].
Real energyOfSprings(const std::vector<SpringPart>& springs, const Motion& motion);

}  // namespace rigor::verify
