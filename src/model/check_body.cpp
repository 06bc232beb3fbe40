#include "model/check_body.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "geometry/shape_check.h"
#include "geometry/triangle_surface.h"
#include "model/names.h"

namespace rigor {
namespace {

constexpr const char* kSoftBounce =
    "Keep one of them: a soft contact is no impact, its own spring gives back what the step resolves.";

constexpr double kFarthest = 1e9;  // [m] positions are rounded to 1e-7 m there

void checkPose(Pose& pose, const Place& where, const std::string& what, std::vector<Warning>& warnings) {
  if (!pose.position.allFinite())
    throw Error(where, fmt::format("position of {} is not finite", what), "Give three finite numbers in metres.");
  if (pose.position.cwiseAbs().maxCoeff() > kFarthest)
    throw Error(where, fmt::format("{} is {:.3g} m away", what, pose.position.cwiseAbs().maxCoeff()),
                fmt::format("Doubles resolve no contact farther than {:g} m from the origin; move everything nearer.",
                            kFarthest));
  normalizeRotation(pose.rotation, where, "quaternion of " + what, warnings);
}

void checkRange(JointSpec& joint, const Place& where, const std::string& name, std::vector<Warning>& warnings) {
  if (!joint.range) return;
  const auto [lower, upper] = *joint.range;
  if (!(lower <= upper))
    throw Error(where, fmt::format("{}: lower limit {} is above upper limit {}", name, lower, upper),
                "The joint could never move. Swap the values, or leave the range out for a joint without limits.");
  if (velocityCount(joint.type) == 1) return;
  warnings.push_back({where, fmt::format("{}: range ignored, a {} joint has {} freedoms; only joints with one may have "
                                         "a range",
                                         name, jointTypeName(joint.type), velocityCount(joint.type))});
  joint.range.reset();
}

void checkSpring(JointSpec& joint, const Place& where, const std::string& name, std::vector<Warning>& warnings) {
  checkNotNegative(joint.stiffness, where, name + ": stiffness", "N m/rad or N/m");
  Eigen::VectorXd& rest = joint.spring_reference;
  if (rest.size() == 0) return;
  if (rest.size() != positionCount(joint.type))
    throw Error(where, fmt::format("{}: spring reference has {} numbers", name, rest.size()),
                fmt::format("A {} joint has {} coordinates.", jointTypeName(joint.type), positionCount(joint.type)));
  if (!rest.allFinite())
    throw Error(where, fmt::format("{}: spring reference is not finite", name), "Give finite numbers.");
  if (joint.type.rotation != Rotation::kAll) return;
  const int first = translationCount(joint.type);
  Eigen::Quaterniond turn(rest[first], rest[first + 1], rest[first + 2], rest[first + 3]);
  normalizeRotation(turn, where, "quaternion of the spring reference", warnings);
  rest.tail<4>() << turn.w(), turn.x(), turn.y(), turn.z();
}

void checkJoint(JointSpec& joint, const Place& where, std::vector<Warning>& warnings) {
  const std::string name = describeJoint(joint);
  if (joint.type.rotation > Rotation::kAll && joint.type.translation != Translation::kNone)
    throw Error(where, fmt::format("{}: a helical or universal joint cannot translate besides", name),
                "Give the body two joints: one that translates, then this one.");
  checkPose(joint.X_PJ, where, "the frame of " + name, warnings);
  const double length = joint.axis.norm();
  if (!std::isfinite(length) || length < 1e-12)
    throw Error(
        where, fmt::format("{}: axis ({}, {}, {}) has no direction", name, joint.axis[0], joint.axis[1], joint.axis[2]),
        "Give a vector that is finite and not zero, e.g. (0, 0, 1).");
  joint.axis /= length;
  checkRange(joint, where, name, warnings);
  checkNotNegative(joint.damping, where, name + ": damping", "N m s/rad or N s/m");
  checkNotNegative(joint.dry_friction, where, name + ": dry friction", "N m or N");
  checkNotNegative(joint.armature, where, name + ": armature", "kg m² or kg");
  checkNotNegative(joint.rotor_inertia, where, name + ": rotor inertia", "kg m²");
  if (!std::isfinite(joint.gear) || joint.gear == 0.0)
    throw Error(where, fmt::format("{}: gear is {}", name, joint.gear),
                "Give the turns of the motor per turn of the joint, e.g. 100; negative if they turn oppositely.");
  if (!std::isfinite(joint.pitch))
    throw Error(where, fmt::format("{}: pitch is {} m/rad", name, joint.pitch),
                "Give the metres along the axis per radian, e.g. 0.001; 0 makes it a hinge.");
  checkSpring(joint, where, name, warnings);
  checkNotNegative(joint.effort, where, name + ": effort limit", "N m or N", true);
  checkNotNegative(joint.speed, where, name + ": speed limit", "rad/s or m/s", true);
  if (joint.mimic && !(std::isfinite(joint.mimic->multiplier) && std::isfinite(joint.mimic->offset)))
    throw Error(where, fmt::format("{}: multiplier or offset of the mimic is not finite", name),
                "Give finite numbers.");
}

/// Moments below zero by no more than this are dust of rounding: of six written digits of the largest moment, or less
/// than a billionth of what the body's mass would have at a distance of 1 mm.
double inertiaDust(const MassProperties& mass, double largest) {
  return std::max(1e-6 * largest, 1e-9 * mass.mass * 1e-6);
}

void repairMoments(MassProperties& mass, bool repair, const Place& where, std::vector<Warning>& warnings) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(mass.inertia);
  const Eigen::Vector3d moments = solver.eigenvalues();
  if (!repair && moments[0] < -inertiaDust(mass, moments.cwiseAbs().maxCoeff()))
    throw Error(where, fmt::format("inertia has the negative principal moment {} kg m²", moments[0]),
                "No body turns like that. Check the signs of the diagonal and of ixy, ixz, iyz; --lenient takes a "
                "millionth of the largest in place of negative ones.");
  // Not zero: a free body that turns about an axis without inertia has no defined acceleration.
  const double least = 1e-6 * std::max(moments[2], 0.0);
  const Eigen::Matrix3d V = solver.eigenvectors();
  mass.inertia = V * moments.cwiseMax(least).asDiagonal() * V.transpose();
  mass.inertia = (0.5 * (mass.inertia + mass.inertia.transpose())).eval();
  warnings.push_back({where,
                      fmt::format("inertia has the negative principal moment {} kg m², taken as {}", moments[0], least),
                      repair, WarningKind::kNegativeMoments});
}

void checkMass(MassProperties& mass, bool repair, const Place& where, std::vector<Warning>& warnings) {
  checkNotNegative(mass.mass, where, "mass", "kg");
  if (!mass.com.allFinite()) throw Error(where, "centre of mass is not finite", "Give three finite numbers in metres.");
  if (!mass.inertia.allFinite()) throw Error(where, "inertia is not finite", "Give finite numbers in kg m².");
  const double size = mass.inertia.cwiseAbs().maxCoeff();
  if ((mass.inertia - mass.inertia.transpose()).cwiseAbs().maxCoeff() > 1e-9 * size)
    throw Error(where, "inertia is not symmetric", "Write the same number for ixy and iyx, ixz and izx, iyz and izy.");
  mass.inertia = (0.5 * (mass.inertia + mass.inertia.transpose())).eval();

  const auto principal = [&] {
    return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(mass.inertia, Eigen::EigenvaluesOnly).eigenvalues().eval();
  };
  Eigen::Vector3d moments = principal();
  // a diagonal matrix states its moments; those of any other are only known to rounding
  if (moments[0] < (mass.inertia.isDiagonal(0.0) ? 0.0 : -1e-12 * size)) {
    repairMoments(mass, repair, where, warnings);
    moments = principal();
  }
  // of a mass within a micrometre the ratios are dust; rigor check tells of those
  const bool has_size = moments[2] > 1e-12 * mass.mass;
  if (has_size && moments[0] + moments[1] < (1.0 - 1e-6) * moments[2])
    warnings.push_back(
        {where,
         fmt::format("principal moments {}, {}, {} kg m² break the triangle inequality: no distribution of mass "
                     "has them; check that the inertia is taken about the centre of mass",
                     moments[0], moments[1], moments[2]),
         false, WarningKind::kMoments});
}

/// What belongs to one of two surfaces must say to which.
void checkSurface(const MaterialPair& pair, const Place& where) {
  if (!pair.surface_velocity.allFinite() || !pair.surface_velocity_2.allFinite())
    throw Error(where, "the surface velocity is not finite", "Give three numbers in m/s, or leave it out.");
  const Anisotropy& anisotropy = pair.anisotropy;
  if (!(anisotropy.ratio > 0.0 && std::isfinite(anisotropy.ratio)))
    throw Error(where, fmt::format("the ratio of the anisotropy is {}", anisotropy.ratio),
                "Give a positive number: friction across the direction divided by friction along it.");
  if (!anisotropy.direction.allFinite() || !(anisotropy.direction.cwiseAbs().maxCoeff() > 0.0))
    throw Error(where, "the direction of the anisotropy has no length", "Give a direction, e.g. [1, 0, 0].");
  const bool runs = !pair.surface_velocity.isZero(0.0) || !pair.surface_velocity_2.isZero(0.0);
  if (pair.material_1 == pair.material_2 && (runs || anisotropy.ratio != 1.0))
    throw Error(where, "a surface velocity or an anisotropy belongs to one of two materials, and both are the same",
                "Give it to the material alone: an entry of its name against everything.");
}

}  // namespace

void checkNotNegative(double value, const Place& where, const std::string& what, const char* unit,
                      bool may_be_infinite) {
  if (value >= 0.0 && (may_be_infinite || std::isfinite(value))) return;
  throw Error(where, fmt::format("{} is {} {}", what, value, unit),
              fmt::format("Give a {}number that is not negative.", may_be_infinite ? "" : "finite "));
}

void normalizeRotation(Eigen::Quaterniond& rotation, const Place& where, const std::string& what,
                       std::vector<Warning>& warnings) {
  const double length = rotation.norm();
  if (!std::isfinite(length) || length < 1e-12)
    throw Error(
        where,
        fmt::format("{} ({}, {}, {}, {}) is no rotation", what, rotation.w(), rotation.x(), rotation.y(), rotation.z()),
        "Give w, x, y, z of length 1; (1, 0, 0, 0) is no turn.");
  if (std::abs(length - 1.0) > 1e-6)
    warnings.push_back({where, fmt::format("{} has length {} and was normalised", what, length)});
  // a unit quaternion keeps its bits: dividing it by 1 ± eps would change them on every save and load
  if (std::abs(length - 1.0) > 4e-16) rotation.coeffs() /= length;
}

void checkShapeSpec(ShapeSpec& shape, const Place& where, std::vector<Warning>& warnings) {
  const std::string name = shape.name.empty() ? fmt::format("its {}", shapeKindName(shape.shape.kind))
                                              : fmt::format("shape \"{}\"", shape.name);
  try {
    checkShape(shape.shape);
  } catch (const Error& error) {
    throw Error(where, fmt::format("{}: {}", name, error.problem()), error.remedy());
  }
  checkPose(shape.X_BS, where, "the frame of " + name, warnings);
  if (const int odd = shape.shape.surface ? countOddEdges(*shape.shape.surface) : 0; odd > 0)
    warnings.push_back(
        {where, fmt::format("{}: {} edge{} of its mesh {} to three or more triangles, or to two that are "
                            "turned against each other; it pushes on both sides, and such edges in every "
                            "direction in which nothing rises",
                            name, odd, odd == 1 ? "" : "s", odd == 1 ? "belongs" : "belong")});
}

void checkBody(BodySpec& body, int index, bool repair, std::vector<Warning>& warnings) {
  const Place where = placeOf(body, index);
  if (body.parent < kWorld || body.parent >= index)
    throw Error(where, fmt::format("parent {} is not a body added before", body.parent),
                "Add parents before their children; the world is kWorld.");
  checkJoint(body.joint, where, warnings);
  for (JointSpec& joint : body.more_joints) {
    checkJoint(joint, where, warnings);
    if (velocityCount(joint.type) == 0 || velocityCount(body.joint.type) == 0 || joint.type == kFree ||
        body.joint.type == kFree)
      throw Error(where, fmt::format("{}: a body with several joints has a fixed or a free one", describeJoint(joint)),
                  "Put a fixed offset into the frames X_PJ or X_JB; a free body needs no other joint.");
  }
  checkPose(body.X_JB, where, "the body behind its joints", warnings);
  checkMass(body.mass, repair, where, warnings);
  for (ShapeSpec& shape : body.shapes) checkShapeSpec(shape, where, warnings);
}

namespace {

/// One notice for all of them.
void limitFriction(MaterialPair& pair, const Place& where, std::vector<Warning>& warnings) {
  std::string told;
  const auto limit = [&](double& value, double most, const char* name) {
    if (!(value > most)) return;
    told += fmt::format("{}{} {:g}", told.empty() ? "" : ", ", name, value);
    value = most;
  };
  limit(pair.friction, kMostFriction, "friction");
  limit(pair.friction_static, kMostFriction, "static friction");
  limit(pair.torsion, kMostFriction, "torsion");
  limit(pair.rolling, kMostFriction, "rolling");
  const double most = std::max(pair.friction, pair.friction_static);
  if (most > 0.0)
    limit(pair.anisotropy.ratio, std::max(1.0, kMostFriction / most), "friction across the grain by a ratio of");
  if (told.empty()) return;
  warnings.push_back({where, fmt::format("{}: counts as {:g}, which holds as well", told, kMostFriction), false,
                      WarningKind::kNotice});
}

}  // namespace

void checkMaterialPair(MaterialPair& pair, std::vector<Warning>& warnings) {
  const Place where{"", 0, fmt::format("materials \"{}\" and \"{}\"", pair.material_1, pair.material_2)};
  if (pair.material_1.empty())
    throw Error(where, "the first material has no name",
                "Name it; only the second may be left out, it then means any.");
  checkNotNegative(pair.friction, where, "friction", "");
  if (!std::isfinite(pair.friction_static))
    throw Error(where, "static friction is not finite", "Leave it out or give a number.");
  if (pair.friction_static >= 0.0 && pair.friction_static < pair.friction)
    throw Error(where, fmt::format("static friction {} is below friction {}", pair.friction_static, pair.friction),
                "A contact would be easier to start than to keep moving. Swap the values.");
  if (!(pair.restitution >= 0.0 && pair.restitution <= 1.0))
    throw Error(where, fmt::format("restitution is {}", pair.restitution), "Give a number from 0 (no bounce) to 1.");
  checkNotNegative(pair.threshold, where, "threshold speed of a bounce", "m/s");
  checkNotNegative(pair.torsion, where, "torsion", "m");
  checkNotNegative(pair.rolling, where, "rolling", "m");
  checkNotNegative(pair.compliance, where, "compliance", "m/N");
  if (pair.compliance > 0.0 && pair.restitution > 0.0)
    throw Error(where, "has a compliance and a restitution", kSoftBounce);
  checkSurface(pair, where);
  limitFriction(pair, where, warnings);
}

}  // namespace rigor
