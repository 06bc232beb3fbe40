// Which pairs may touch in this step.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "collision/collision_table.h"
#include "math/spatial.h"

namespace rigor {

/// Gaps that may close within a step of length h: what the present rate reaches, a tenth more, and what 2 g adds.
inline double sweptMargin(double h, double rate) { return 1e-6 + 0.1 * h * std::fabs(rate) + 20.0 * h * h; }
inline bool mayClose(double gap, double rate, double h) { return gap + h * rate < sweptMargin(h, rate); }

/// [balls] centres at one pose; every ball once, however many pairs it is part of.
using FeatureCentres = std::vector<FeatureCentre<double>>;
void placeFeatures(const CollisionTable& table, const LinkPoses& poses, FeatureCentres& centres);
/// Only some balls, when all were placed before.
void placeFeatures(const CollisionTable& table, const LinkPoses& poses, std::span<const int> balls,
                   FeatureCentres& centres);

GapAtPose<double> gapOf(const CollisionTable& table, const FeaturePair& pair, const FeatureCentres& centres);
FeatureWay wayOf(const FeaturePair& pair, const FeatureCentres& from, const FeatureCentres& to);

/// Rate of the gap when links move with the spatial velocities V (about O).
double gapRate(const FeaturePair& pair, const GapAtPose<double>& at, const std::vector<Motion<double>>& V);

struct NearPair {
  int pair = 0;  ///< index into the list
  double rate = 0.0;
  GapAtPose<double> at;
};

/// Searches look at `candidates`, indices into a list of pairs in ascending order, and find them in that order.

/// Pairs whose gap may close in a step of length h that begins with the velocities V.
void findNear(const CollisionTable& table, const std::vector<FeaturePair>& pairs, std::span<const int> candidates,
              const FeatureCentres& centres, const std::vector<Motion<double>>& V, double h,
              std::vector<NearPair>& near);

/// Pairs that touch, or would within the time `least`.
void findTouching(const CollisionTable& table, const std::vector<FeaturePair>& pairs, std::span<const int> candidates,
                  const FeatureCentres& centres, const std::vector<Motion<double>>& V, double least,
                  std::vector<NearPair>& touching);

/// Indices of pairs that overlap at the end of a way, or pass through each other on it.
void findViolated(const CollisionTable& table, const std::vector<FeaturePair>& pairs, std::span<const int> candidates,
                  const FeatureCentres& from, const FeatureCentres& to, std::vector<int>& violated);

}  // namespace rigor
