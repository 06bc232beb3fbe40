// Vertices that are one although a file lists them several times.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace rigor {

/// For each point the index of the first one that it is welded to (its own index if there is none): with tolerance 0 the
/// points that are equal, else those no farther than the tolerance from a first one, which stays as it is. Points must be
/// finite.
std::vector<int> findFirstOfEach(const std::vector<Eigen::Vector3d>& points, double tolerance = 0.0);

}  // namespace rigor
