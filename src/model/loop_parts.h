// Loops as the dynamics sees them: links instead of bodies, and parts of one or three rows.
#pragma once

#include <cstdint>
#include <vector>

#include "model/parameters.h"
#include "rigor/model.h"

namespace rigor {

enum class LoopRows : std::uint8_t {
  kPoint,     ///< p_2 − p_1 = 0, 3 rows
  kTurn,      ///< rotation vector from frame 1 to frame 2 is zero, 3 rows
  kAxis,      ///< axis · across = 0, 1 row; two of them make two axes coincide
  kCoupling,  ///< q_1 − p(q_2) = 0, 1 row
};

struct LoopPart {
  LoopRows rows = LoopRows::kPoint;
  int loop = 0;  ///< index into Model::loops
  int number = 0;
  int link_1 = kWorld, link_2 = kWorld;
  Transform<double> X_1, X_2;   ///< frame F in its link, or in the world
  Vec3<double> across, axis;    ///< kAxis: perpendicular to the axis in link 1, the axis in link 2
  int q_1 = 0, q_2 = 0;         ///< kCoupling: coordinates
  int dof_1 = 0, dof_2 = 0;     ///< kCoupling
  double coefficients[5] = {};  ///< kCoupling

  int count() const { return rows == LoopRows::kPoint || rows == LoopRows::kTurn ? 3 : 1; }
};

/// Throws Error for loops that close nothing or have no meaning; axes become unit vectors.
void checkLoop(LoopSpec& loop, const std::vector<BodySpec>& bodies, std::vector<Warning>& warnings);

/// The same once it is known which bodies move together.
void checkLoopLinks(const LoopSpec& loop, const std::vector<BodySpec>& bodies,
                    const std::vector<BodyPlacement>& placements);

/// Parts of all loops of a model, in order.
std::vector<LoopPart> makeLoopParts(const Model& model);

}  // namespace rigor
