// How low shapes reach: where a floor goes, and what of a robot stands on it.
#pragma once

#include "rigor/shape.h"

namespace rigor {

/// From the centre of the shape to the point of it that lies farthest in a direction [m], both in the world; the middle of those
/// that lie equally far. Zero for shapes without one.
Eigen::Vector3d farthestPoint(const Shape& shape, const Eigen::Quaterniond& R_WS, const Eigen::Vector3d& direction);

/// How far the shape reaches below its centre [m]; 0 for those that have no lowest point.
double depthBelowCentre(const Shape& shape, const Eigen::Quaterniond& R_WS);

}  // namespace rigor
