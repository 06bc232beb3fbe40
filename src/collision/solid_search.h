// Which features of solids touch: the search at the start of a step, and what a pass adds that ends in overlap.
//
// Solids do not overlap if one direction separates them; a contact law can hold features apart, but it cannot choose
// the direction. So the direction, the branch, is chosen here, once per pair and step, and only its features take part:
// those that touch at the start, and later those that an end pose violates. Whatever is not touching yet waits for that:
// a branch that is chosen too early stops what slides over a seam.
#pragma once

#include <span>
#include <vector>

#include "collision/near_pairs.h"
#include "collision/surface_part.h"
#include "geometry/distance.h"
#include "geometry/solid_features.h"
#include "rigor/state.h"

namespace rigor {

/// A pair of features that takes part.
struct SolidContact {
  FeaturePair pair;
  double rate = 0.0;
  GapAtPose<double> at;  ///< at the start
};

/// A direction between two solids, made again at any pose.
struct Branch {
  AxisKind kind = AxisKind::kDirection;
  int feature[2] = {-1, -1};
  Vec3<double> normal;  ///< where it was found; an edge pair takes its sign from it
};
Branch branchOf(const Separation& separation);
Vec3<double> normalAt(const Branch& branch, const PlacedSolid& a, const PlacedSolid& b);

/// The gap of a pair of features of solids, which are placed by the indices of their shapes.
inline GapAtPose<double> gapOfSolids(const FeaturePair& pair, const std::vector<PlacedSolid>& solids) {
  return gapOfSolids({pair.kind, {pair.feature[0], pair.feature[1]}, pair.normal}, solids[pair.shape[0]],
                     solids[pair.shape[1]]);
}

/// False if such a pair faces each other nowhere where its solids are.
inline bool faceEachOther(const FeaturePair& pair, const std::vector<PlacedSolid>& solids) {
  return faceEachOther({pair.kind, {pair.feature[0], pair.feature[1]}, pair.normal}, solids[pair.shape[0]],
                       solids[pair.shape[1]]);
}

/// How far outside its face or edges such a pair is [m].
inline double distanceOutside(const FeaturePair& pair, const std::vector<PlacedSolid>& solids) {
  return distanceOutside({pair.kind, {pair.feature[0], pair.feature[1]}, pair.normal}, solids[pair.shape[0]],
                         solids[pair.shape[1]]);
}

/// A rim above a face, held by its lowest point, wherever that runs, or by material points of it; or beside a straight side, held
/// by what touches there, wherever that runs, or by material points too (rim_side.h).
struct RimAbove {
  enum By { kNone, kLowest, kPoint } by = kNone;
  int rim_side = 0, disc = 0;
  int face = 0;  ///< or the edge that it is beside
  enum Where {
    kAbove,
    kBeside,
    kEdge
  } where = kAbove;  ///< a face; a side; or no rim: an edge (`disc`) beside a round side

  bool isOfSame(const RimAbove& other) const {
    if (where == kEdge && other.where == kEdge) return edgeOf(0) == other.edgeOf(0) && edgeOf(1) == other.edgeOf(1);
    return rim_side == other.rim_side && disc == other.disc && face == other.face && where == other.where;
  }
  int edgeOf(int side) const { return side == rim_side ? disc : face; }
};

/// Where a pass left a rim above a face or beside a side: azimuths in parts of a turn (kAzimuths), or shares of an edge (sharesOf).
struct RimTrack {
  RimAbove rim;
  int before;                    ///< the one noted before it of the same pair, or −1
  int lowest = 0, pressure = 0;  ///< where it is deepest; where the impulses at its points are, on their mean
  double kappa = 0.0;            ///< how far the first runs back when the second runs on; 0: not known
};

/// What a step knows of a pair, or of a triangle of a surface and a solid.
struct PairState {
  bool chosen = false;  ///< `branch` is that of this step
  Branch branch;
  Branch start;           ///< that separates at the start
  double distance = 0.0;  ///< at the start, along it
  bool start_known = false;
  int last_taken = -1;   ///< features that take part: the last in SolidSearch::taken, which leads to the others
  int last_rim = -1;     ///< rims that were found too deep: the same in SolidSearch::rims
  double margin = -1.0;  ///< [m] that the two may come nearer in this step; −1: not known yet
  /// A direction that separated them when it was last looked for. It may prove that they are apart, and nothing else.
  bool has_hint = false;
  Vec3<double> hint;
  int first_triangle = 0,
      triangle_count = 0;  ///< of a surface: those that are near at the start, in SolidSearch::triangles
};

struct SolidSearch {
  std::vector<PairState> pairs;  ///< [listed solid pairs]
  struct Taken {
    RowId id;
    Vec3<double> point, normal;  ///< at the start
    double gap;                  ///< at the start [m]
    int before;                  ///< the one taken before it of the same pair, or −1
    bool is_point = false;       ///< of the material of a rim or an edge
    double push = 0.0;           ///< its normal impulse of the last pass, told by who steps
  };
  std::vector<Taken> taken;
  std::vector<RimTrack> rims;  ///< that are held by points and were found too deep
  struct Triangle {
    int number;
    PairState state;  ///< of it and the other solid
  };
  std::vector<Triangle> triangles;     ///< of the surfaces, pair by pair, ascending
  std::vector<FeaturePair> late;       ///< that earlier attempts at this step found out about
  std::vector<SolidContact> contacts;  ///< found
  bool unresolved = false;             ///< an overlap at the end for which nothing more takes part

  FeatureLists lists;
  ThinTriangle thin;             ///< the triangle that is looked at
  std::vector<int> near, stuck;  ///< triangles that are near; that overlap and for which nothing was found
  std::vector<SolidFeatures> features;
  std::vector<PairState> moved_pairs;  ///< scratch of followList

  /// Forgets what attempts at an earlier step found out.
  void beginStep() { late.clear(); }
};

/// What the search needs to know of the step.
struct SolidStep {
  const CollisionTable& table;
  const PairLists& lists;
  std::span<const int> candidates;  ///< indices into lists.solid_pairs, ascending
  const std::vector<PlacedSolid>& start;
  const std::vector<Motion<double>>& V;  ///< of the links at the start
  double h;
  const Memory& memory;
};

/// The list has changed: `before` tells where its pairs were in the old one, −1 if nowhere. A pair that joins within a step was
/// too far away at its start to touch.
void followList(std::span<const int> before, SolidSearch& search);

/// Fills search.contacts with the features that touch at the start of a step or may close softly within it.
void findSolidContacts(const SolidStep& step, SolidSearch& search);

/// Fills it with those that touch at a node, or would within the time `least`: for a step of length 0.
void findTouchingSolids(const SolidStep& step, double least, SolidSearch& search);

/// Fills it with features that are violated at the end, or on the way there, and do not take part yet.
void findViolatedSolids(const SolidStep& step, const std::vector<PlacedSolid>& end, SolidSearch& search);

}  // namespace rigor
