// A brick wall as contact problems, from formulas alone: running bond, flush seams, corner contacts on every face that two
// bricks share. Positions stay; velocities follow gravity, small pushes and the impulses that were found.
#pragma once

#include <random>
#include <vector>

#include "rigor/contact_problem.h"

namespace rigor {

struct WallOptions {
  int columns = 10, rows = 10;
  double mass_ratio = 1.0;  ///< of the heaviest brick to the lightest; masses are spread evenly in their logarithm
  double push = 0.1;        ///< random force on every brick, of its weight
  unsigned seed = 1;
};

class BrickWall {
 public:
  explicit BrickWall(const WallOptions& options);

  /// The problem of the next step of 1 ms, W as factors.
  const ContactProblem& nextProblem();
  /// Moves on with the impulses that were found for it.
  void apply(const std::vector<double>& impulse);

  int bricks() const { return static_cast<int>(mass_.size()); }
  /// Fastest entry of the velocity [m/s or rad/s].
  double speed() const;

 private:
  void addContact(int brick_1, int brick_2, const double* point, const double* normal);
  void addSide(int brick, double sign, const double* point, const double* normal);
  void addBedJoints();
  void addHeadJoints();

  WallOptions options_;
  std::mt19937 random_;
  std::vector<double> mass_;      // [bricks]
  std::vector<double> centre_;    // [3 bricks]
  std::vector<double> velocity_;  // [6 bricks] linear, angular
  DelassusFactors factors_;
  ContactProblem problem_;
};

}  // namespace rigor
