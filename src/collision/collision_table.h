// All that can touch in a model: features, pairs of them with names that persist, and how their surfaces behave.
#pragma once

#include <span>
#include <vector>

#include "geometry/gap.h"
#include "geometry/solid.h"
#include "rigor/model.h"

namespace rigor {

/// How two surfaces behave.
struct ContactMaterial {
  double friction = 0.0, friction_static = 0.0, restitution = 0.0;
  double threshold = 0.0;  ///< [m/s] slower impacts do not bounce

  bool operator==(const ContactMaterial&) const = default;
};

/// Poses of all links, whoever computed them.
struct LinkPoses {
  const Transform<double>* X_OL;  ///< [links] relative to O of its tree
  const Vec3<double>* origin;     ///< [trees] O in the world
  const int* tree;                ///< [links]
};

/// Where a solid is fixed.
struct SolidPlace {
  Solid solid;
  int link = kWorld;
  Transform<double> X_LS;  ///< in the link, or in the world
  double bound = 0.0;      ///< [m] radius of a ball around the frame of the shape that holds it; 0: no solid
  double thickness = 0.0;  ///< [m] least width
};

/// Two solids that may touch: shapes whose features are found while they are near each other.
struct SolidPair {
  int shape[2] = {0, 0};
  int link[2] = {kWorld, kWorld};
  int material = 0;
  bool branches = true;  ///< has more than balls: faces and edges, whose branch must be chosen
  int surface = -1;      ///< the side that is a surface of triangles, which is looked at triangle by triangle
};

/// Made once per model and never changed.
struct CollisionTable {
  ShapeTable shapes;
  std::vector<int> ball_link;             ///< [balls] −1: the world
  std::vector<FeaturePair> pairs;         ///< in the order of their ids
  std::vector<ContactMaterial> surfaces;  ///< FeaturePair::material
  std::vector<SolidPlace> solids;         ///< [shapes] those that are part of a pair of solids
  std::vector<SolidPair> solid_pairs;
  /// [links] free bodies that look and weigh the same from all sides: a ball around its centre, or nothing at all. Only
  /// friction feels how they turn, and they may turn however fast.
  std::vector<char> round;

  int findSolidPair(int shape_1, int shape_2) const;  ///< its index; the pair must be there
  const ContactMaterial& surfaceOf(const FeaturePair& pair) const { return surfaces[pair.material]; }
};

/// [shapes] of a table at a pose of its links.
void placeSolids(const CollisionTable& table, const LinkPoses& poses, std::vector<PlacedSolid>& solids);
/// Only some shapes, when all were placed before.
void placeSolids(const CollisionTable& table, const LinkPoses& poses, std::span<const int> shapes,
                 std::vector<PlacedSolid>& solids);

CollisionTable makeCollisionTable(const Model& model);

}  // namespace rigor
