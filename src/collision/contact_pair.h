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

inline constexpr double kTouching = 1e-9;  ///< [m or rad] gaps below this are closed

/// A ball fixed to a link (or to the world).
struct Ball {
  int link = kWorld;
  Vec3<double> centre;  ///< in the link, or in the world
  double radius = 0.0;
};

struct ContactPair {
  std::uint64_t id = 0;          ///< from shapes and features: the same in every step and every run
  int shape_1 = 0, shape_2 = 0;  ///< indices into Model::shapes; a plane is always shape 1
  bool plane = false;            ///< side 1 is a plane of the world
  int ball_1 = 0, ball_2 = 0;    ///< ball_1 is unused with a plane
  Vec3<double> normal;           ///< plane: outward, in the world
  double offset = 0.0;           ///< plane: normal · (point of the plane)
  double friction = 0.0, friction_static = 0.0, restitution = 0.0, threshold = 0.0;
};

/// All that can touch in a model. Pairs are in the order of their ids.
struct ContactPairs {
  std::vector<Ball> balls;
  std::vector<ContactPair> pairs;
  /// [links] free bodies that look and weigh the same from all sides: a ball around its centre, or nothing at all. Only
  /// friction feels how they turn, and they may turn however fast.
  std::vector<char> round;
};

ContactPairs makeContactPairs(const Model& model);

/// A ball's centre, both from the origin O of its tree and in the world.
struct BallCentre {
  Vec3<double> relative, world;
};

/// Centres of all balls at one pose; every ball once, however many pairs it is part of.
void computeBallCentres(const std::vector<Ball>& balls, const Topology& topology, const Kinematics<double>& kin,
                        std::vector<BallCentre>& centres);

/// The pair at one pose. `normal` points from side 1 to side 2.
struct ContactGeometry {
  double gap = 0.0;
  Vec3<double> normal;
};

ContactGeometry computeContactGeometry(const ContactPairs& all, const ContactPair& pair,
                                       const std::vector<BallCentre>& centres);

/// True if two balls that move straight from one pose to the other meet on the way and are apart again at the end, or have
/// turned around each other by more than 60°: gap and normal of the end know nothing of it. Balls that touch at the start
/// may slide around each other, up to half a radian.
bool ballsCross(const ContactPairs& all, const ContactPair& pair, const std::vector<BallCentre>& start,
                const std::vector<BallCentre>& end);

/// True if the pair overlaps at the end, or its balls cross on the way.
bool isViolated(const ContactPairs& all, const ContactPair& pair, const std::vector<BallCentre>& start,
                const std::vector<BallCentre>& end);

/// Rate of the gap when links move with the spatial velocities V (about O).
double gapRate(const ContactPairs& all, const ContactPair& pair, const Vec3<double>& normal,
               const std::vector<BallCentre>& centres, const std::vector<Motion<double>>& V);

/// Two unit tangents that make (normal, t1, t2) right-handed; a fixed function of the normal.
void makeTangents(const Vec3<double>& normal, Vec3<double>& t1, Vec3<double>& t2);

}  // namespace rigor
