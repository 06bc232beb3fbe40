// What passes through each other because rigor has no contact code for it yet, and whether that mattered in a run.
#pragma once

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "rigor/model.h"

namespace rigor {

/// Watches the pairs of Model::missingPairs along a run. As long as planes can be found between two shapes they did not
/// touch, and nothing was missing; a pair for which this fails once counts as ignored. The proof holds between the
/// poses that are shown too: a distance, once found, is used up by the ways that the two shapes went against each other
/// since.
class MissingContact {
 public:
  explicit MissingContact(const Model& model);

  void see(double time, const Eigen::VectorXd& q);      ///< the pose at the start, then at the end of each step
  void restart(double time, const Eigen::VectorXd& q);  ///< the pose after a jump, e.g. a reset

  /// That came together, or so close that nobody can tell.
  int pairs() const { return static_cast<int>(ignored_.size()); }
  int shapes() const { return static_cast<int>(model_.missingShapes().size()); }  ///< left out of the model
  bool complete() const { return pairs() == 0 && shapes() == 0; }
  /// One line: "2 pairs without contact code came together, first \"a\" and \"b\" at 0.31 s; 3 shapes left out (mesh)".
  std::string text() const;

 private:
  struct Pair {
    int shape_1, shape_2;
    double reserve;  ///< distance that is still proven [m]
  };
  struct Ignored {
    int shape_1, shape_2;
    double time;  ///< [s] when the proof failed
  };
  Model model_;
  std::vector<Pair> apart_;
  std::vector<Ignored> ignored_;
  std::vector<Pose> poses_, before_;  ///< [shapes] in the world
};

}  // namespace rigor
