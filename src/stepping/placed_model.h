// A model at one pose: its links, and the features that they touch with.
#pragma once

#include "collision/neighbours.h"
#include "dynamics/kinematics.h"

namespace rigor {

struct PlacedModel {
  Kinematics<double> kin;
  FeatureCentres centres;
  std::vector<PlacedSolid> solids;  ///< [shapes]

  PlacedShapes shapes() const { return {centres, solids}; }
};

/// Both at q, computed anew; `kin` has the size of the model.
inline void place(const Topology& topology, const Parameters<double>& parameters, const CollisionTable& table,
                  const double* q, PlacedModel& placed) {
  computeKinematics(topology, parameters, q, placed.kin);
  const LinkPoses poses{placed.kin.X_OL.data(), placed.kin.origin.data(), topology.tree.data()};
  placeFeatures(table, poses, placed.centres);
  placeSolids(table, poses, placed.solids);
}

}  // namespace rigor
