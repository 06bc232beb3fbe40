// One contact of a step.
#pragma once

#include <Eigen/Core>

#include "rigor/state.h"

namespace rigor {

/// At the pose at which the step or sub-step began.
struct Contact {
  RowId id;                      ///< same contact, same id, from step to step
  int shape_1 = 0, shape_2 = 0;  ///< indices into Model::shapes
  int body_1 = -1, body_2 = -1;
  Eigen::Vector3d point, normal;  ///< world; normal from shape 1 to shape 2
  double gap = 0.0;               ///< φ [m] at the start of the step; negative is overlap
  double gap_end = 0.0;           ///< φ at its end
  Eigen::Vector3d impulse;        ///< on body 2, world axes [N s]
  Eigen::Vector3d torque;         ///< on body 2, of torsion and rolling, world axes [N m s]
  Eigen::Vector3d slip;           ///< mean slip velocity of the step, against belts too, world axes [m/s]; 0 while open
  ContactMode mode = ContactMode::kOpen;
};

}  // namespace rigor
