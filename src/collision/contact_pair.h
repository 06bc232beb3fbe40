// Pairs of features that can touch, their gap at any pose, and names that persist.
//
// Every shape touches with balls (geometry/features.h): a corner is a ball of radius zero. So there are two kinds of
// pairs: plane against ball, and ball against ball. A gap belongs to its pair and can be evaluated at any q.
#pragma once

#include <cstdint>
#include <vector>

#include "dynamics/kinematics.h"
#include "rigor/model.h"

namespace rigor {

struct ContactPair {
  std::uint64_t id = 0;                ///< from shapes and features: the same in every step and every run
  int shape_1 = 0, shape_2 = 0;        ///< indices into Model::shapes; a plane is always shape 1
  int link_1 = kWorld, link_2 = kWorld;
  bool plane = false;                  ///< side 1 is a plane of the world
  Vec3<double> normal;                 ///< plane: outward, in the world
  double offset = 0.0;                 ///< plane: normal · (point of the plane)
  Vec3<double> centre_1, centre_2;     ///< balls, in their links (or in the world)
  double radius_1 = 0.0, radius_2 = 0.0;
  double friction = 0.0, friction_static = 0.0, restitution = 0.0, threshold = 0.0;
};

/// A ball's centre, both from the origin O of its tree and in the world.
struct BallCentre {
  Vec3<double> relative, world;
};

/// The pair at one pose. `normal` points from side 1 to side 2.
struct ContactGeometry {
  double gap = 0.0;
  Vec3<double> normal;
  BallCentre centre_1, centre_2;       ///< centre_1 is unused for a plane
};

/// All feature pairs of a model's collision pairs, in the order of their ids.
std::vector<ContactPair> makeContactPairs(const Model& model);

BallCentre ballCentre(const Topology& topology, const Kinematics<double>& kin, int link, const Vec3<double>& centre);

ContactGeometry computeContactGeometry(const ContactPair& pair, const Topology& topology,
                                       const Kinematics<double>& kin);

/// Rate of the gap when links move with the spatial velocities V (about O).
double gapRate(const ContactPair& pair, const ContactGeometry& geometry, const std::vector<Motion<double>>& V);

/// Two unit tangents that make (normal, t1, t2) right-handed; a fixed function of the normal.
void makeTangents(const Vec3<double>& normal, Vec3<double>& t1, Vec3<double>& t2);

}  // namespace rigor
