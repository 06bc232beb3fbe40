// Motions: configurations over time, as gaits and planners make them and inverse dynamics takes them.
//
//     MotionTable motion = loadMotion("walk.npz", model);        // checked: sizes, times, unit quaternions
//     MotionState at;
//     sampleMotion(model, motion, 0.35, at);                // at.q, at.v, at.a
//
// Between two rows, s = (t − t₀)/Δ from 0 to 1, coordinates are cubics through the rows with the velocities v there,
//
//     q(s) = q₀ + (3s² − 2s³)(q₁ − q₀) + Δ (s³ − 2s² + s) v₀ + Δ (s³ − s²) v₁
//
// and quaternions r turn along such a cubic in the tangent space of the row before:
//
//     r(s) = r₀ exp θ(s),   θ(s) = (3s² − 2s³) φ + Δ (s³ − 2s² + s) ω₀ + Δ (s³ − s²) Jr(φ)⁻¹ ω₁,   exp φ = r₀⁻¹ r₁
//
// so that q and v are continuous, v is the derivative of q and a that of v; a jumps at the rows. Files: docs/motions.md.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "rigor/model.h"

namespace rigor {

/// n rows, two at least.
struct MotionTable {
  std::vector<double> time;        ///< [n] rising [s]
  std::vector<Eigen::VectorXd> q;  ///< [nq] each
  std::vector<Eigen::VectorXd> v;  ///< [nv] each
};

/// Where a motion is at one time. v is a velocity of the model: of a quaternion, the angular velocity in body axes.
struct MotionState {
  Eigen::VectorXd q, v, a;  ///< a = dv/dt
};

/// Throws Error for sizes that do not fit, numbers that are not finite, times that do not rise, quaternions off unit length by
/// more than 1e-6, and turns of a quaternion from row to row above 3 rad, which could go either way round.
void checkMotion(const Model& model, const MotionTable& motion);

/// Velocities at the rows from the ways between them: the mean velocities of the two neighbouring pieces, weighted to second
/// order; at the ends the line through the nearest two. For motions that have none; the motion is checked.
void deriveVelocities(const Model& model, MotionTable& motion);

/// The motion at a time, for a motion that was checked; it stands still before the first row and after the last. Allocates
/// nothing once `state` has its sizes.
void sampleMotion(const Model& model, const MotionTable& motion, double time, MotionState& state);

/// A .npz with time [n], q [n × nq] and, if it is there, v [n × nv] (a recording is one), or a .csv with the columns time, q
/// and, if they are there, v. Checked; velocities that a file leaves out are derived.
MotionTable loadMotion(const std::string& file, const Model& model);

/// Writes a .npz with time, q, v and the names of the joints, which loadMotion compares.
void saveMotion(const std::string& file, const Model& model, const MotionTable& motion);

}  // namespace rigor
