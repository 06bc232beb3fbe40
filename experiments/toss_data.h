// Measured tosses of a cube: one .csv file each.
#pragma once

#include <Eigen/Geometry>
#include <string>
#include <vector>

namespace rigor::experiments {

/// What was measured. Frames follow each other at equal times.
struct Toss {
  std::string name;                              ///< of the file, without its ending
  double period = 0.0;                           ///< [s] between two frames
  std::vector<Eigen::Vector3d> positions;        ///< of the cube's centre in the world [m]
  std::vector<Eigen::Quaterniond> orientations;  ///< R_WB
  Eigen::Vector3d velocity,
      angular_velocity;  ///< that the file gives for the first frame: world [m/s], cube's axes [rad/s]

  int frames() const { return static_cast<int>(positions.size()); }
};

/// The .csv files of a folder by name, each with a first line t,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz. Throws DataError: no such
/// folder, fewer than two files, other columns, no number, quaternions off unit length, times that do not rise evenly, fewer than
/// `least` frames.
std::vector<Toss> loadTosses(const std::string& folder, int least);

}  // namespace rigor::experiments
