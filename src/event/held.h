// What is held during a piece of smooth motion: contacts that stay closed, loops, stops, joints whose dry friction is not overcome.
//
// A piece has one set of modes from its start to its end. Its accelerations obey
//   d²φ/dt² = 0 of gaps and loops,   d(ut)/dt = 0 of contacts that stick,   λt = −μ λn ut/|ut| of contacts that slip
//                                                                         (law pyramid: friction_modes.h)
#pragma once

#include <cstdint>
#include <vector>

#include "contact/friction_polygon.h"
#include "geometry/gap.h"
#include "stepping/row_id.h"

namespace rigor {

enum class Hold : std::uint8_t {
  kStick,  ///< contact: three rows, normal and tangents
  kSlip,   ///< contact: its normal row, and friction against the slip
  kEdge,  ///< contact that slips along the border between two corners of law pyramid: its normal row, and one across the border
  kClosed,  ///< a stop, a part of a loop, or a joint at rest in its dry friction
};

/// Dry friction of a joint.
constexpr bool rubs(RowSource source) { return source == RowSource::kDryFriction; }

constexpr bool isSpring(RowSource source) { return source == RowSource::kSpring; }

struct Held {
  RowSource source = RowSource::kContact;
  RowId id;
  int slot = -1;  ///< in the ConstraintSet of the piece
  int index = 0;  ///< freedom, or part of a loop
  Hold how = Hold::kClosed;
  int rows = 1;         ///< multipliers
  int first = 0;        ///< the first of them
  double sign = 1.0;    ///< of a stop: +1 lower, −1 upper
  double target = 0.0;  ///< [m or rad] the gap that is held; the bound of a stop
  double mu = 0.0;      ///< of a contact: kinetic where it slips
  double bound = 0.0;   ///< [N m] of dry friction
  FeaturePair pair;
  Vec3<double> axis;                         ///< that tangents go along
  Vec3<double> tangent_1, tangent_2;         ///< in the world, of the start of the piece
  Vec3<double> direction;                    ///< of slip at the start of the piece, or where it will begin
  bool begins = false;                       ///< it did not slip yet when the piece began
  const FrictionPolygon* polygon = nullptr;  ///< of law pyramid; none: a cone
  int corner = 0;                            ///< of the polygon where friction is; kEdge: between this one and the next

  bool isContact() const { return source == RowSource::kContact; }
  bool isStop() const { return source == RowSource::kLimit; }
  bool isLoop() const { return source == RowSource::kLoop || source == RowSource::kOwn; }
  bool rubs() const { return rigor::rubs(source); }
  bool canOpen() const { return isContact() || isStop(); }
  bool slips() const { return how == Hold::kSlip || how == Hold::kEdge; }
};

/// [m/s or rad/s] Slower is rest: contacts stick, gaps neither open nor close.
inline constexpr double kRest = 1e-9;

}  // namespace rigor
