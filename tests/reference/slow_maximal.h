// The slow, obvious twin of the step in maximal coordinates: every link a free body, every joint its constraints and their
// multipliers, all of VG eq. 29a and 29b as one dense system, solved by Newton's method with rows from finite differences.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "rigor/model.h"

namespace rigor::slow {

/// A link of the model as a free body.
struct FreeBody {
  Eigen::Vector3d x;     ///< centre of mass in the world
  Eigen::Matrix3d R;     ///< of the link's axes
  Eigen::Vector3d p, L;  ///< momentum, and angular momentum about the centre, in world axes
};

/// All links at (q, v) of a node.
std::vector<FreeBody> makeBodies(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v);

/// One step of length h with a kick of length k under gravity. Loops, contacts, armature and drives play no part.
void stepBodies(const Model& model, double k, double h, std::vector<FreeBody>& bodies);

}  // namespace rigor::slow
