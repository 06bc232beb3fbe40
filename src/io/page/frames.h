// The moving part of a page: poses and contacts, frame by frame. Frames can be appended for as long as something moves,
// so that a page may be written, or a browser fed, while a run goes on.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

#include "rigor/recording.h"

namespace rigor {

/// The 7 numbers of a pose: position, quaternion w, x, y, z.
void appendPose(const Pose& pose, std::vector<float>& numbers);

/// Frames that wait to be sent.
class PageFrames {
 public:
  /// A new frame: every body's pose in the world; `row` is its node in the recording.
  void add(int row, double time, const std::vector<Pose>& bodies);
  /// A contact of the last frame; the force [N] is the one on the body that can move.
  void addContact(const Eigen::Vector3d& point, const Eigen::Vector3d& force, std::uint8_t mode);

  int count() const { return static_cast<int>(time_.size()); }
  /// One JSON object with the frames added since the last call, then none: row, time, pose [· × bodies × 7],
  /// contact_start [count + 1] into contact_point, contact_force and contact_mode of the same object.
  std::string take();

 private:
  std::vector<std::int32_t> row_, contact_start_{0};
  std::vector<double> time_;
  std::vector<float> pose_, point_, force_;
  std::vector<std::uint8_t> mode_;
};

/// Rows of the recording that become frames: every k-th and the last, no more than 60 per second and no more than
/// about kMaxPoses poses in all.
std::vector<int> chooseFrames(const Recording& recording, int bodies);
inline constexpr int kMaxPoses = 400'000;  ///< 11 MB of poses; a longer run gets fewer frames per second

/// Length of the step of one row [s]; the last one may have no successor to measure it by, and is dt long.
double stepLength(const Scene& scene, const Recording& recording, int row);

/// Adds the node of that row with the contacts of the step that begins there; the end node shows those of the step that
/// led there.
void addFrame(const Scene& scene, const Recording& recording, int row, PageFrames& frames);

}  // namespace rigor
