// Friction of contacts that are held: what it may be at rest, and what it is in slip.
//
// By law coulomb friction is within a cone, and against the slip. By law pyramid it is within μ λn P, P a polygon with corners d_j, and in
// slip the corner that goes farthest against it, which stays the same for all directions of a sector. On the border between two sectors both
// corners go as far, and friction is anywhere between them. Mostly both drive the slip to the border, so it goes on along that:
//
//   corner j   λt = μ λn d_j                                              −ut between m_j−1 and m_j
//   edge j     λt = μ λn cos(π/n) m_j + σ e_j,  |σ| ≤ μ λn sin(π/n)       ut·e_j = 0,  −ut·m_j > 0
//
// m_j is the middle of the side from corner j to the next one, e_j the direction of that side. Tangents are those of contact problems at each
// pose (makeTangents), so that the polygon is the one of time stepping; only which axis they go along stays that of the start of the piece.
#pragma once

#include "contact/friction_polygon.h"
#include "event/held_rows.h"

namespace rigor {

/// [2 × 3] of a contact at a pose; in the world.
using Tangents = Eigen::Matrix<double, 2, 3>;
Tangents tangentsOf(const Held& held, const Vec3<double>& normal);

/// λt that goes with a force of 1 N on the normal row: −μ times the direction of slip, corner, or middle of a side.
Eigen::Vector3d slidingFriction(const Held& held, const Tangents& tangents, const Eigen::Vector3d& slip);

/// λt [N] along the tangents at the start of the piece, where the rows that are held have this force.
Eigen::Vector2d frictionAtStart(const Held& held, const double* force);

/// e_j, along which slip on an edge is held.
Eigen::Vector2d acrossEdge(const Held& held);

/// [m/s] How fast it slips the way that its friction is against; at a reversal 0.
double slipSpeed(const Held& held, const Tangents& tangents, const Eigen::Vector3d& slip);

/// [m/s] How far slip at a corner is from leaving its sector. Slip that began at a border is not yet outside within kRest of it.
double sectorRoom(const Held& held, const Eigen::Vector2d& slip, const Eigen::Vector2d& slip_start);

/// [N or N m] Distance of a force, of the rows that are held, to the border of its mode: cone, polygon, corners of an edge, dry friction.
double frictionRoom(const Held& held, const double* force);

/// Corner, or edge if the slip (along the tangents) is within kRest of a border.
void slipOnPolygon(const Eigen::Vector2d& slip, Held& held);

/// The mode in which a contact begins to slip when friction no longer holds it: against that friction, or where there is none the way it is
/// accelerated, both along the tangents; `border` [N]: nearer to a corner of the polygon is at the corner.
void beginSlip(const Eigen::Vector2d& friction, const Eigen::Vector2d& rate, double border, Held& held);

/// Slip on an edge whose friction has come to a corner goes on in that one's sector.
void leaveEdge(double along, Held& held);

}  // namespace rigor
