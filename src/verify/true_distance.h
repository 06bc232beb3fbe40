// Watches the true distances of all shapes that may touch, pose by pose.
#pragma once

#include <functional>

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

/// How far any point of a solid goes between two poses, at most [m].
Real wayOfAnyPoint(const Solid& solid, const Motion& from, const Motion& to);

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

  /// Visits pairs that overlap at the end of a way.
  void look(const Motion& from, const Motion& to, const DirectionHints& hints, const BodyFilter& wanted,
            const DistanceVisitor& visit);

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
  bool lookAt(std::size_t index, const DirectionHints& hints);
  bool passes(std::size_t index);
  Separation separate(std::size_t index, const std::vector<PlacedSolid>& solids, const DirectionHints& hints);

  const World& world_;
  std::vector<char> watched_;  ///< [shapes] part of a pair
  std::vector<Known> known_;   ///< [shape pairs]
  std::vector<PlacedSolid> from_, to_;
  PairDistance found_;
};

}  // namespace rigor::verify
