#include "io/page/frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "dynamics/poses.h"
#include "io/page/text.h"

namespace rigor {
namespace {

constexpr double kFramesPerSecond = 60.0;

/// A contact of a whole step: impulses of its sub-steps add up, slipping once is slipping.
struct DrawnContact {
  std::int64_t first;  // where the recording has it for the first time
  Eigen::Vector3d impulse;
  std::uint8_t mode;
};

std::vector<DrawnContact> gatherContacts(const Recording& r, int step) {
  std::vector<DrawnContact> contacts;
  for (std::int64_t c = r.contactBegin(step); c < r.contactEnd(step); ++c) {
    const Eigen::Vector3d impulse(&r.contact_impulse[3 * c]);
    const auto same = std::find_if(contacts.begin(), contacts.end(), [&](const DrawnContact& other) {
      return r.contact_id[other.first] == r.contact_id[c];
    });
    if (same == contacts.end()) {
      contacts.push_back({c, impulse, r.contact_mode[c]});
    } else {
      same->impulse += impulse;
      same->mode = std::max(same->mode, r.contact_mode[c]);
    }
  }
  return contacts;
}

}  // namespace

void appendPose(const Pose& pose, std::vector<float>& numbers) {
  for (const double x : pose.position) numbers.push_back(static_cast<float>(x));
  const Eigen::Quaterniond& r = pose.rotation;
  for (const double x : {r.w(), r.x(), r.y(), r.z()}) numbers.push_back(static_cast<float>(x));
}

void PageFrames::add(int row, double time, const std::vector<Pose>& bodies) {
  assert((time_.empty() || pose_.size() == 7 * bodies.size() * time_.size()) && "all frames have the same bodies");
  row_.push_back(row);
  time_.push_back(time);
  for (const Pose& X_WB : bodies) appendPose(X_WB, pose_);
  contact_start_.push_back(contact_start_.back());
}

void PageFrames::addContact(const Eigen::Vector3d& point, const Eigen::Vector3d& force, std::uint8_t mode) {
  assert(count() > 0 && "a contact belongs to a frame");
  for (int k = 0; k < 3; ++k) {
    point_.push_back(static_cast<float>(point[k]));
    force_.push_back(static_cast<float>(force[k]));
  }
  mode_.push_back(mode);
  ++contact_start_.back();
}

std::string PageFrames::take() {
  const std::string text = fmt::format(
      "{{\"row\":{},\"time\":{},\"pose\":{},\"contact_start\":{},\"contact_point\":{},\"contact_force\":{},"
      "\"contact_mode\":{}}}",
      arrayForPage(row_), arrayForPage(time_), arrayForPage(pose_), arrayForPage(contact_start_), arrayForPage(point_),
      arrayForPage(force_), arrayForPage(mode_));
  *this = {};
  return text;
}

double stepLength(const Scene& scene, const Recording& recording, int row) {
  assert(row >= 0 && row < static_cast<int>(recording.time.size()) && "a row of the recording");
  return row + 1 < static_cast<int>(recording.time.size()) ? recording.time[row + 1] - recording.time[row] : scene.dt;
}

std::vector<int> chooseFrames(const Recording& recording, int bodies) {
  const int rows = static_cast<int>(recording.time.size());
  const double seconds = rows > 1 ? recording.time.back() - recording.time.front() : 0.0;
  const double most =
      std::min(std::floor(seconds * kFramesPerSecond), std::floor(kMaxPoses / std::max(1.0, 1.0 * bodies)));
  const int stride = std::max(1, static_cast<int>(std::ceil((rows - 1) / std::max(1.0, most))));
  std::vector<int> frames;
  for (int row = 0; row < rows; row += stride) frames.push_back(row);
  if (frames.back() != rows - 1) frames.push_back(rows - 1);
  return frames;
}

void addFrame(const Scene& scene, const Recording& recording, int row, PageFrames& frames) {
  const Eigen::VectorXd q =
      Eigen::Map<const Eigen::VectorXd>(&recording.q[std::size_t(row) * recording.nq], recording.nq);
  frames.add(row, recording.time[row], bodyPoses(scene.model, q));
  const int step = std::min(row, recording.steps() - 1);
  const double h = stepLength(scene, recording, step);
  for (const DrawnContact& contact : gatherContacts(recording, step)) {
    // The arrow is drawn for the body that can move: action on body 2, reaction on body 1 if 2 is the world.
    const std::int64_t c = contact.first;
    const double sign = recording.contact_body[2 * c + 1] == kWorld ? -1.0 : 1.0;
    frames.addContact(Eigen::Vector3d(&recording.contact_point[3 * c]), sign * contact.impulse / h, contact.mode);
  }
}

}  // namespace rigor
