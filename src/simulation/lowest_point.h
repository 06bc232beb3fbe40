// How low shapes reach: where a floor goes, and what of a robot stands on it.
#pragma once

#include "rigor/shape.h"

namespace rigor {

/// How far the shape reaches below its centre [m]; 0 for those that have no lowest point.
double depthBelowCentre(const Shape& shape, const Eigen::Quaterniond& R_WS);

}  // namespace rigor
