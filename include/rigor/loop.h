// Loops: what holds besides the joints of the trees. A loop closes a chain of bodies or ties two joints together.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <string>

#include "rigor/error.h"
#include "rigor/shape.h"

namespace rigor {

enum class LoopKind : std::uint8_t {
  kConnect,  ///< the two points coincide: a ball joint, 3 rows
  kHinge,    ///< the two points coincide and the two axes lie on one line, whichever way: 5 rows
  kWeld,     ///< the two frames coincide: 6 rows
  kJoint,    ///< q_1 = c0 + c1 q_2 + c2 q_2² + …: gears, mimicked joints, 1 row
};
const char* loopKindName(LoopKind kind);  ///< "connect", "hinge", "weld", "joint"

/// Bilateral constraint, held at every node to rounding: no softness, no drift. More rows than freedoms are fine as
/// long as they agree (a planar four-bar closed in space); the multipliers of redundant rows are then shared so that
/// their weighted sum of squares is least.
struct LoopSpec {
  std::string name;
  LoopKind kind = LoopKind::kConnect;

  // connect, hinge, weld: frame F on both bodies
  int body_1 = -1, body_2 = -1;                     ///< kWorld: the world; at least one of them moves
  Pose X_1F, X_2F;                                  ///< connect uses the position; hinge and weld the whole frame
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< hinge: in frame F of both bodies

  // joint: two joints with one freedom each
  std::string joint_1, joint_2;
  std::array<double, 5> coefficients{0.0, 1.0, 0.0, 0.0, 0.0};  ///< c0 … c4 [rad or m]

  Place where;  ///< for messages
};

}  // namespace rigor
