// Springs and dampers as the dynamics sees them: one coordinate each, between two links. Those on freedoms of loops, then those
// between points.
//
//   direction  x = e₁·(p₂ − p₁) − rest               e₁ fixed in link 1
//   angle      x = angle − rest, within half a turn of zero (a screw: its advance tells the turns)
//   turn       x = one entry of θ, exp(θ) = R₂ R₁ᵀ, R₁ where the spring rests; dampers: (ω₂ − ω₁) along a world axis
//   distance   x = |p₂ − p₁| − rest
#pragma once

#include "model/loop_parts.h"

namespace rigor {

enum class SpringAlong : std::uint8_t { kDirection, kAngle, kTurn, kDistance };

struct SpringPart {
  SpringAlong along = SpringAlong::kDistance;
  int loop = -1, spring = -1;  ///< index into Model::loops or Model::springs, −1 for the other one
  int link_1 = kWorld, link_2 = kWorld;
  Transform<double> X_1, X_2;  ///< frames in their links, or in the world; kTurn: frame 1 where the spring rests
  Vec3<double> direction;      ///< kDirection: e₁ in link 1; kAngle of a screw: its axis in link 1
  TurnedPointer turned;        ///< kAngle
  double pitch = 0.0;          ///< kAngle of a screw [m/rad]: tells the turns, unless it is 0
  int entry = 0;               ///< kTurn: of θ, 0 to 2
  double stiffness = 0.0, damping = 0.0, rest = 0.0;  ///< per rad or m
};

/// Throws Error for springs that have no meaning.
void checkSpring(const SpringSpec& spring, const std::vector<BodySpec>& bodies);
/// The same once it is known which bodies move together.
void checkSpringLinks(const SpringSpec& spring, const std::vector<BodySpec>& bodies,
                      const std::vector<BodyPlacement>& placements);
/// Of a loop: negative or infinite numbers, and references of the wrong length; quaternions become unit ones.
void checkLoopSpring(LoopSpec& loop, const Place& where, std::vector<Warning>& warnings);

/// The coordinate of a loop with one freedom, less `rest`.
SpringPart coordinateOf(LoopSpec loop, int index, const std::vector<BodyPlacement>& placements, double rest);

/// All of them, in the order of loops, freedoms, springs. Loops with neither stiffness nor damping have none.
std::vector<SpringPart> makeSpringParts(const Model& model);

}  // namespace rigor
