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

/// A body of a frame.
struct PageBody {
  Pose X_WB;
  double speed = 0.0;  ///< of its centre of mass [m/s]
  double spin = 0.0;   ///< size of its angular velocity [rad/s]
};

struct PageContact {
  int body_1, body_2;            ///< kWorld: the world
  Eigen::Vector3d point, force;  ///< [N] on body 2, or on body 1 if 2 cannot move
  double normal_force;           ///< [N]
  std::uint8_t mode;
};

/// Frames that wait to be sent.
class PageFrames {
 public:
  /// A new frame; `row` is its node in the recording.
  void add(int row, double time, const std::vector<PageBody>& bodies);
  /// A contact of the last frame.
  void addContact(const PageContact& contact);

  int count() const { return static_cast<int>(time_.size()); }
  /// One JSON object with the frames added since the last call, then none: row, time, pose [· × bodies × 7], speed
  /// [· × bodies × 2] with the spin, contact_start [count + 1] into contact_point, contact_force, contact_normal (the normal
  /// force), contact_body [· × 2] and contact_mode of the same object.
  std::string take();

 private:
  std::vector<std::int32_t> row_, contact_start_{0}, contact_body_;
  std::vector<double> time_;
  std::vector<float> pose_, speed_, point_, force_, normal_;
  std::vector<std::uint8_t> mode_;
};

/// Rows of the recording that become frames: every k-th and the last, no more than 60 per second and no more than
/// about kMaxFrameBytes in all. A longer run gets fewer frames per second.
std::vector<int> chooseFrames(const Recording& recording, int bodies);
inline constexpr double kMaxFrameBytes = 20e6;
inline constexpr int kBodyBytes = 9 * sizeof(float), kContactBytes = 7 * sizeof(float) + 2 * sizeof(std::int32_t) + 1;

/// Length of the step of one row [s]; the last one may have no successor to measure it by, and is dt long.
double stepLength(const Scene& scene, const Recording& recording, int row);

/// Adds the node of that row with the contacts of the step that begins there; the end node shows those of the step that
/// led there.
void addFrame(const Scene& scene, const Recording& recording, int row, PageFrames& frames);

}  // namespace rigor
