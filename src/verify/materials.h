// How shapes of two materials behave, from the entries of a header. Memory and time grow with the entries, not with all pairs.
#pragma once

#include <map>
#include <optional>

#include "verify/header_text.h"

namespace rigor::verify {

enum class Bounce { kNewton, kPoisson, kStronge };  ///< what a restitution means

/// How two surfaces behave, the first and the second of a pair.
struct Surface {
  Real friction = 0, friction_static = 0, restitution = 0, threshold = 0;
  Real torsion = 0, rolling = 0;  ///< [m]
  Real compliance = 0;            ///< [m/N]
  Vec velocity[2] = {};           ///< [m/s] of belts, in the frames of their shapes
  Real ratio = 1;                 ///< friction across the grain to friction along it
  Vec grain{1, 0, 0};             ///< in the frame of the shape
  int grain_of = 0;               ///< 0 or 1: of the first or the second
  Bounce bounce = Bounce::kNewton;

  int rows() const { return rolling > 0 ? 6 : torsion > 0 ? 4 : 3; }
  /// Friction of sliding alone, the same in all directions.
  bool isRound() const { return rows() == 3 && ratio == 1; }
};

class Materials {
 public:
  void read(const Json& entries);
  int numberOf(const std::string& name);  ///< the same for the same name; after read()

  /// The pair of both materials; else those of one of them; else those of a ground; else friction 0.8 and no bounce. Belts run
  /// against everything.
  Surface between(int a, int b) const;
  /// Every impact bounces that is faster than this [m/s].
  void bounceAbove(Real speed) { threshold_ = speed; }
  bool haveBelts() const { return belts_; }
  bool haveSoft() const { return soft_; }

 private:
  Surface foundFor(int a, int b) const;
  std::optional<Surface> ofPair(int a, int b) const;
  Vec beltOf(int material) const;

  std::map<std::string, int> numbers_;
  std::map<std::pair<int, int>, Surface> pairs_;  ///< the smaller number first
  std::map<int, Surface> alone_, fallback_;       ///< of one material against any other, the weaker of all entries
  bool belts_ = false, soft_ = false;
  std::optional<Real> threshold_;  ///< in place of those of the entries
};

}  // namespace rigor::verify
