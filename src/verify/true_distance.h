// Watches the true distances of all shapes that may touch, pose by pose.
#pragma once

#include <functional>
#include <map>

#include "verify/distance.h"
#include "verify/motion.h"

namespace rigor::verify {

/// Two shapes and how they stand to each other, at a pose or on a way.
struct PairDistance {
  int shape_1 = 0, shape_2 = 0;
  Real distance = 0;  ///< [m] negative: overlap; of shapes far apart no more than a lower bound
  Real limit = 0;     ///< [m] overlap up to which it may be
  bool deep = false;  ///< since the state was set
};

/// Directions that recorded contacts suggest, each with the pair of shapes that it is for.
struct DirectionHint {
  int shape_1 = 0, shape_2 = 0;
  Vec direction;
};
using DirectionHints = std::vector<DirectionHint>;

/// Which pairs of bodies are looked at.
using BodyFilter = std::function<bool(int, int)>;
using DistanceVisitor = std::function<void(const PairDistance&)>;

class TrueDistance {
 public:
  explicit TrueDistance(const World& world);

  /// Shapes that overlap at this pose do so by the will of the user: from here on they may not sink deeper.
  void begin(const Motion& motion);

  /// Visits pairs that overlap at the end of a way, of those that are near on it (findNearShapes). Hints are sorted by shapes.
  void look(const Motion& from, const Motion& to, const std::vector<ShapePair>& near, const DirectionHints& hints,
            const BodyFilter& wanted, const DistanceVisitor& visit);

  /// Visits pairs that passed through each other on the way that look() saw last; their distance is that of where they
  /// were deepest.
  void lookBetween(const BodyFilter& wanted, const DistanceVisitor& visit);

  /// True distance at the start of that way, or a lower bound that is more than `enough`.
  Real distanceAtStart(const ShapePair& pair, Real enough);

 private:
  struct Known {
    bool deep = false;  ///< overlapped when the state was set
    Vec direction;      ///< that separated them last, in the world and in the frames of both; 0: not known
    Vec in_1, in_2;
  };

  void placeAll(const Motion& motion, std::vector<PlacedSolid>& solids) const;
  bool lookAt(const ShapePair& pair, const DirectionHints& hints);
  bool passes(const ShapePair& pair);
  Separation separate(const ShapePair& pair, const std::vector<PlacedSolid>& solids, const DirectionHints& hints);
  Known& knownOf(const ShapePair& pair) { return known_[std::pair(pair.shape_1, pair.shape_2)]; }

  const World& world_;
  std::map<std::pair<int, int>, Known> known_;  ///< pairs of shapes that have been near
  std::vector<ShapePair> near_;                 ///< on the way that look() saw last
  std::vector<PlacedSolid> from_, to_;
  PairDistance found_;
};

}  // namespace rigor::verify
