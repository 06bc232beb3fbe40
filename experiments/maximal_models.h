// Bodies that the experiments of LT and VG are made of: links along z with hinges along x.
#pragma once

#include <numbers>
#include <string>

#include "rigor/scene.h"

namespace rigor::experiments {

inline constexpr double kPi = std::numbers::pi;

/// Contact points of the papers have no size; shapes have one. A ball this large [m] around each stands in for it.
inline constexpr double kPointRadius = 1e-6;

/// 1 kg of this shape, 1 m along z unless it is shorter, hung by its upper end from `pivot` in the parent; hinges turn about x, and
/// at 0 it hangs.
BodySpec makeRod(const std::string& name, int parent, JointType joint, const Eigen::Vector3d& pivot, const Shape& shape,
                 double mass = 1.0);

/// Half the length of a box or cylinder along z [m].
double halfLength(const Shape& shape);

/// A point of a body that touches.
ShapeSpec makeContactPoint(const std::string& name, const Eigen::Vector3d& place);

/// Mass properties of a shape that weighs so much.
MassProperties massOf(const Shape& shape, double mass);

/// A ground at z = 0 with this friction against everything.
void addGround(ModelBuilder& builder, double friction);

/// A scene of stepper maximal that starts at the reference, at rest.
Scene makeMaximalScene(const std::string& name, const Model& model, double dt);

/// A box of 0.1 × 0.1 × 1 m and 1 kg on a hinge along x at its end, released from the horizontal. Damper in [N m s].
Scene makeBoxPendulum(double damper, double dt);
inline constexpr double kBoxInertia = 1.01 / 12.0 + 0.25;  ///< [kg m²] of it about its hinge

}  // namespace rigor::experiments
