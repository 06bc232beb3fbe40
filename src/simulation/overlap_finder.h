// Which shapes of a model overlap at a pose: for the start of a scene, not for a step.
#pragma once

#include <Eigen/Core>
#include <utility>
#include <vector>

#include "rigor/check.h"
#include "rigor/collide.h"

namespace rigor {

/// Pairs of shapes, looked at again and again; those without distance code are left out.
class OverlapFinder {
 public:
  using Pairs = std::vector<std::pair<int, int>>;  ///< indices of shapes
  OverlapFinder(const Model& model, const Pairs& pairs);

  const Model& model() const { return model_; }
  const Pairs& pairs() const { return pairs_; }

  void moveTo(const Eigen::VectorXd& q);
  /// Signed distance of a pair at the present pose [m]; where they are far apart, a lower bound of at least `enough`.
  double distance(int pair, double enough);
  /// All overlaps at the present pose, deepest first; of equal depth in the order of the pairs.
  std::vector<ShapeOverlap> overlaps();
  /// Indices of the pairs that overlap at the present pose.
  std::vector<int> overlappingPairs();

 private:
  Model model_;
  Pairs pairs_;
  std::vector<Eigen::Vector3d> middle_;  ///< [shapes] centre of a ball around the shape, in its frame
  std::vector<double> radius_;           ///< [shapes] of that ball; infinite where the shape has no end
  std::vector<Pose> poses_;              ///< [shapes] in the world
  std::vector<Eigen::Vector3d> centre_;  ///< [shapes] of the balls in the world
  Collision collision_;
};

/// Pairs of shapes that may collide and hang on one root: a robot against itself. Found without a look at others.
OverlapFinder::Pairs listOwnPairs(const Model& model);

/// A name for messages: that of the shape, else of its body.
std::string nameOfShape(const Model& model, int shape);

}  // namespace rigor
