// A measured toss done again by the simulator, and how far it goes astray.
#pragma once

#include "experiments/experiment.h"
#include "experiments/toss_data.h"

namespace rigor::experiments {

/// The cube and the board as the measurements' authors give them: mass and inertia, identified friction and restitution.
struct CubeModel {
  double friction = 0.18, restitution = 0.125;
  /// Lengths as measured over true ones: width and gravity are multiplied by it. Not 1 where the camera's calibration is off:
  /// see measureScale.
  double scale = 1.0;
  static constexpr double kWidth = 0.1048;         ///< [m] true one, and the unit of errors of position
  double edge() const { return kWidth * scale; }   ///< [m]
  double gravity() const { return 9.81 * scale; }  ///< [m/s²]
  static constexpr double kMass = 0.37;            ///< [kg]
  static constexpr double kInertia = 0.00081;      ///< [kg m²] about every axis
};

struct RolloutSettings {
  std::string solver = "auto", law = "coulomb";
  int steps_per_frame = 10;
  const StopFlag* stop = nullptr;
  bool first_frame_only = false;  ///< start from the velocities of the file instead of the flight
};

bool isSolved(const RolloutSettings& settings);  ///< the solver knows the law

/// Error of one toss: of position [share of the true width] and rotation [degrees], each the mean over all frames but the first.
struct TossError {
  double position = 0.0, rotation = 0.0;
  bool right_face = false;  ///< the same face is on top in the end
  bool refused = false;     ///< a step was not accepted: the rest is meaningless
};

/// The frames of each toss as the simulator finds them from its start; fewer where a step was refused. Throws Error if there is no
/// such law or solver, and Stopped once RolloutSettings::stop is raised.
std::vector<Toss> simulate(const std::vector<Toss>& tosses, const CubeModel& cube, const RolloutSettings& settings);
TossError errorOf(const Toss& measured, const Toss& simulated);
/// Both: one error per toss.
std::vector<TossError> rollOut(const std::vector<Toss>& tosses, const CubeModel& cube, const RolloutSettings& settings);

struct TossScore {
  double position_mean = 0.0, position_median = 0.0;  ///< [share of the width] over tosses
  double rotation_mean = 0.0, rotation_median = 0.0;  ///< [degrees]
  double right_faces = 0.0;                           ///< share of tosses
  int refused = 0;                                    ///< left out of the others
};
TossScore scoreOf(const std::vector<TossError>& errors);

}  // namespace rigor::experiments
