// What a smooth sub-step of stepper event holds, read from the modes and forces that it is recorded with.
//
// Contacts that stick keep their gap, and their material points do not move against each other; contacts that slip keep their gap, and
// have friction μ λn against the slip; loops, stops, and joints at rest in their dry friction keep their place.
#pragma once

#include <numbers>

#include "verify/freedoms.h"
#include "verify/limits.h"
#include "verify/substep.h"
#include "verify/touch.h"

namespace rigor::verify {

struct Hold {
  enum Kind { kContact, kLimit, kLoop, kStop, kJoint, kFreedom } kind = kContact;
  std::int64_t entry = 0;  ///< in the contacts or rows of the recording
  Pair pair;               ///< contact
  Touch touch;             ///< contact, at the start
  Vec axes[3];             ///< contact: normal and tangents at the start
  bool slips = false;
  Real mu = 0;           ///< that acts, or may act
  Vec against;           ///< of a contact that slips: direction of the slip at its start, or in which it will begin
  int corners = 0;       ///< law pyramid; 0: a cone
  bool on_edge = false;  ///< law pyramid: slips along the border between two corners, friction is between them
  Real turn =
      0;  ///< law pyramid: angle of the corner that friction is at, or of the middle of that edge, from tangent to tangent
  Vec axis;  ///< law pyramid: that tangents go along

  /// Share of μ λn that friction has along `turn`.
  Real reach() const { return on_edge ? std::cos(std::numbers::pi_v<Real> / corners) : 1; }
  /// [m/s] By law pyramid: how far slip is out of the directions that its friction is farthest against.
  Real outOfSector(Real slip_1, Real slip_2) const;
  Real rest = kSmoothRest;       ///< of a contact that slips: slower, it has no direction of its own
  int index = 0;                 ///< freedom; of SmoothTies: part of a loop, coordinate of a loop
  const Joint* joint = nullptr;  ///< limit, or joint at rest
  Real sign = 1;                 ///< −1: upper end
  Real bound = 0;                ///< dry friction [N or N m]
  int rows = 1;                  ///< that are held
  Real force[3] = {};            ///< recorded, at the start: normal, tangents; or of the rows
  Real opening = 0;              ///< gap that is kept
};

/// Loops and what acts on their freedoms, listed once for a world.
struct SmoothTies {
  explicit SmoothTies(const World& world)
      : loops(listLoopParts(world)), freedoms(listFreedoms(world)), springs(listSprings(world)) {}
  std::vector<LoopPart> loops;
  std::vector<FreedomPart> freedoms;
  std::vector<SpringPart> springs;
};

/// Dry friction that moves: a constant force until its direction ends.
struct Rub {
  bool of_joint = true;
  int index = 0;  ///< freedom, or coordinate of a loop
  Real force = 0;
};

struct Holds {
  std::vector<Hold> held, open;  ///< open: contacts and stops that are listed and do not push
  std::vector<Rub> rubs;
  bool known = true;  ///< all that pushes has a law that can be followed
};

/// The sub-step's `q`, `v`, `h` and, where it is known, `q_end`. What is damaged is left out: the judge says so.
Holds readHolds(const World& world, const Recording& recording, const SmoothTies& ties, const SubstepData& data);

/// Rows of one hold at a pose, and what belongs to it there.
struct HoldRows {
  Row J[3];           ///< u = J v + belt
  Row point[3];       ///< contact: velocity of the points against each other along the axes of the world
  Real belt[3] = {};  ///< [m/s]
  Vec normal, belt_velocity;
  Real opening[3] = {};  ///< less what is kept
};
/// `all`: three rows of a contact, whether it sticks or not: along its axes, which by law pyramid go with the normal.
HoldRows rowsOf(const World& world, const SmoothTies& ties, const Hold& hold, const Motion& start, const Motion& pose,
                const Reals& q, bool all = false);

/// Normal and tangents at a pose; of an edge across it and along it.
void axesAt(const Hold& hold, const Vec& normal, Vec axes[3]);
/// What friction goes along in slip, for 1 N of normal force: against the slip, or to the corner or middle of a side of the polygon.
Vec slidingFriction(const Hold& hold, const Vec& normal, const Vec& slip);

/// Slip of a contact: tangential velocity of side 2 against side 1, belts included.
Vec slipAt(const HoldRows& rows, const Reals& v);

/// What `fill` adds to zeros, on the freedoms of these bodies' trees.
template <class Fill>
Row rowOn(const World& world, std::initializer_list<int> trees, const Fill& fill) {
  Reals entries(world.nv, 0);
  fill(entries);
  std::vector<int> sorted(trees);
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  Row row;
  for (const int tree : sorted)
    if (tree >= 0)
      for (const int j : world.tree_freedoms[tree]) row.emplace_back(j, entries[j]);
  std::sort(row.begin(), row.end());
  return row;
}

}  // namespace rigor::verify
