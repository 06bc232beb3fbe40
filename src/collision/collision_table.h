// All that can touch in a model: shapes and their features, who may touch whom, and how their surfaces behave.
#pragma once

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "geometry/gap.h"
#include "geometry/solid.h"
#include "rigor/model.h"

namespace rigor {

/// How two surfaces behave.
struct ContactMaterial {
  double friction = 0.0, friction_static = 0.0, restitution = 0.0;
  double threshold = 0.0;  ///< [m/s] slower impacts do not bounce
  ImpactLaw impact = ImpactLaw::kNewton;
  bool plain = true;                    ///< nothing of what follows
  bool runs = false;                    ///< one of them is a belt
  double torsion = 0.0, rolling = 0.0;  ///< [m]
  double compliance = 0.0;              ///< [m/N]
  Vec3<double> velocity[2] = {};        ///< [m/s] of the first and the second surface, in the frames of their shapes
  double ratio = 1.0;                   ///< friction across `grain` to friction along it
  int grain_of = 0;                     ///< which of the two surfaces it is a direction of
  Vec3<double> grain = {1.0, 0.0, 0.0};

  /// Rows of a contact: normal, two tangents, then the turn about the normal, then those about the tangents.
  int rows() const { return rolling > 0.0 ? 6 : torsion > 0.0 ? 4 : 3; }
};

/// Poses of all links, whoever computed them.
struct LinkPoses {
  const Transform<double>* X_OL;  ///< [links] relative to O of its tree
  const Vec3<double>* origin;     ///< [trees] O in the world
  const int* tree;                ///< [links]
};

/// A shape, where it is fixed, and what it touches with.
struct SolidPlace {
  Solid solid;
  int link = kWorld;
  Transform<double> X_LS;             ///< in the link, or in the world
  double bound = 0.0;                 ///< [m] radius of a ball around the frame of the shape that holds it
  double thickness = 0.0;             ///< [m] least width
  Vec3<double> box_centre, box_half;  ///< a box in the frame of the shape that holds it, unless it is a plane
  int first_ball = 0, balls = 0;      ///< in ShapeTable::balls
  int plane = -1;                     ///< in ShapeTable::planes
  int material = 0;                   ///< which of those that the shapes of the model have
};

/// Two solids that may touch: shapes whose features are found while they are near each other.
struct SolidPair {
  int shape[2] = {0, 0};
  int link[2] = {kWorld, kWorld};
  int material = 0;
  bool branches = true;  ///< has more than balls: faces and edges, whose branch must be chosen
  int surface = -1;      ///< the side that is a surface of triangles, which is looked at triangle by triangle

  friend bool operator<(const SolidPair& a, const SolidPair& b) {
    return std::tie(a.shape[0], a.shape[1]) < std::tie(b.shape[0], b.shape[1]);
  }
};

/// Pairs that a search looks at.
struct PairLists {
  std::vector<FeaturePair> pairs;      ///< of balls and planes, in the order of their ids
  std::vector<SolidPair> solid_pairs;  ///< in their order

  void clear() { pairs.clear(), solid_pairs.clear(); }
  /// Index of the solid pair of two shapes, or −1.
  int findSolidPair(int shape_1, int shape_2) const;
};

/// Made once per model and never changed.
struct CollisionTable {
  Model model;
  ShapeTable shapes;
  std::vector<int> ball_link;             ///< [balls] −1: the world
  std::vector<ContactMaterial> surfaces;  ///< [materials × materials] FeaturePair::material
  int materials = 0;
  std::vector<SolidPlace> solids;  ///< [shapes]
  bool has_solids = false;         ///< there are pairs of more than balls and planes: all shapes are placed as solids
  std::vector<int> planes;         ///< shapes that are planes
  std::vector<int> all_trees;      ///< 0, 1, …
  std::vector<int> link_tree;      ///< [links]
  /// Shapes that move with tree t and are no planes: shapes_of_tree[shapes_start[t] … shapes_start[t + 1]).
  std::vector<int> shapes_start, shapes_of_tree;
  /// [links] free bodies that look and weigh the same from all sides: a ball around its centre, or nothing at all. Only
  /// friction feels how they turn, and they may turn however fast.
  std::vector<char> round;

  /// As they stand in ids: a plane comes first, else the smaller index.
  std::pair<int, int> inOrder(int shape_1, int shape_2) const {
    const bool swap = solids[shape_2].plane >= 0 || (solids[shape_1].plane < 0 && shape_2 < shape_1);
    return swap ? std::pair(shape_2, shape_1) : std::pair(shape_1, shape_2);
  }
  bool mayCollide(int shape_1, int shape_2) const { return model.mayCollide(shape_1, shape_2); }
  std::span<const int> shapesOf(int tree) const {
    return std::span(shapes_of_tree).subspan(shapes_start[tree], shapes_start[tree + 1] - shapes_start[tree]);
  }
  int treeOf(int link) const { return link < 0 ? -1 : link_tree[link]; }
  bool hasBelts() const {
    return std::any_of(surfaces.begin(), surfaces.end(), [](const ContactMaterial& surface) { return surface.runs; });
  }
  /// [m/N] of two shapes. Which features of solids touch is known where they do not overlap, so only pairs of balls and planes, and
  /// a sphere with any solid, are soft; others are hard whatever their materials say.
  template <class Pair>
  double complianceOf(const Pair& pair) const {
    const double compliance = surfaces[pair.material].compliance;
    return compliance > 0.0 && mayBeSoft(pair.shape[0], pair.shape[1]) ? compliance : 0.0;
  }
  bool mayBeSoft(int shape_1, int shape_2) const;
  const ContactMaterial& surfaceOf(const FeaturePair& pair) const { return surfaces[pair.material]; }
};

/// [shapes] of a table at a pose of its links.
void placeSolids(const CollisionTable& table, const LinkPoses& poses, std::vector<PlacedSolid>& solids);
/// Only some shapes, when all were placed before.
void placeSolids(const CollisionTable& table, const LinkPoses& poses, std::span<const int> shapes,
                 std::vector<PlacedSolid>& solids);

CollisionTable makeCollisionTable(const Model& model);

/// Adds what two shapes, which are in order, touch with: pairs of balls and planes, or a pair of solids.
void appendPairs(const CollisionTable& table, int shape_1, int shape_2, PairLists& lists);

}  // namespace rigor
