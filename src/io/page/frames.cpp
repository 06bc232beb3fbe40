#include "io/page/frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>

#include "dynamics/poses.h"
#include "geometry/convert.h"
#include "io/page/text.h"

namespace rigor {
namespace {

constexpr double kFramesPerSecond = 60.0;

bool isStill(const Model& model, int body) { return body == kWorld || model.placements()[body].link < 0; }

/// The contacts of a whole step: impulses of its sub-steps add up, slipping once is slipping.
std::vector<PageContact> gatherContacts(const Model& model, const Recording& r, int step, double h) {
  std::vector<PageContact> contacts;
  std::map<RowId, std::size_t> known;
  for (std::int64_t c = r.contactBegin(step); c < r.contactEnd(step); ++c) {
    const auto [at, is_new] = known.try_emplace(r.contact_id[c], contacts.size());
    const int body_1 = r.contact_body[2 * c], body_2 = r.contact_body[2 * c + 1];
    if (is_new)
      contacts.push_back({body_1, body_2, Eigen::Vector3d(&r.contact_point[3 * c]), Eigen::Vector3d::Zero(), 0.0, 0});
    PageContact& contact = contacts[at->second];
    const Eigen::Map<const Eigen::Vector3d> impulse(&r.contact_impulse[3 * c]), normal(&r.contact_normal[3 * c]);
    // The arrow is drawn for the body that can move: action on body 2, reaction on body 1 if 2 cannot.
    contact.force += (isStill(model, body_2) ? -1.0 : 1.0) * impulse / h;
    contact.normal_force += impulse.dot(normal) / h;
    contact.mode = std::max(contact.mode, r.contact_mode[c]);
  }
  return contacts;
}

std::vector<PageBody> findBodies(const Model& model, const double* q, const double* v) {
  const Topology& topology = model.topology();
  Kinematics<double> kin;
  kin.resize(topology);
  computeKinematics(topology, model.parameters(), q, kin);
  std::vector<Motion<double>> V(topology.links);
  computeVelocities(topology, kin, v, V);
  std::vector<PageBody> bodies;
  for (int body = 0; body < model.bodyCount(); ++body) {
    PageBody& added = bodies.emplace_back(PageBody{bodyPose(model, kin, body)});
    const int link = model.placements()[body].link;
    if (link < 0) continue;
    const Vec3<double> com = toVec3(added.X_WB * model.body(body).mass.com) - kin.origin[topology.tree[link]];
    added.speed = norm(V[link].linear + cross(V[link].angular, com));
    added.spin = norm(V[link].angular);
  }
  return bodies;
}

}  // namespace

void appendPose(const Pose& pose, std::vector<float>& numbers) {
  for (const double x : pose.position) numbers.push_back(static_cast<float>(x));
  const Eigen::Quaterniond& r = pose.rotation;
  for (const double x : {r.w(), r.x(), r.y(), r.z()}) numbers.push_back(static_cast<float>(x));
}

void PageFrames::add(int row, double time, const std::vector<PageBody>& bodies) {
  assert((time_.empty() || pose_.size() == 7 * bodies.size() * time_.size()) && "all frames have the same bodies");
  row_.push_back(row);
  time_.push_back(time);
  for (const PageBody& body : bodies) {
    appendPose(body.X_WB, pose_);
    speed_.insert(speed_.end(), {static_cast<float>(body.speed), static_cast<float>(body.spin)});
  }
  contact_start_.push_back(contact_start_.back());
}

void PageFrames::addContact(const PageContact& contact) {
  assert(count() > 0 && "a contact belongs to a frame");
  for (int k = 0; k < 3; ++k) {
    point_.push_back(static_cast<float>(contact.point[k]));
    force_.push_back(static_cast<float>(contact.force[k]));
  }
  normal_.push_back(static_cast<float>(contact.normal_force));
  contact_body_.insert(contact_body_.end(), {contact.body_1, contact.body_2});
  mode_.push_back(contact.mode);
  ++contact_start_.back();
}

std::string PageFrames::take() {
  const std::string text = fmt::format(
      "{{\"row\":{},\"time\":{},\"pose\":{},\"speed\":{},\"contact_start\":{},\"contact_point\":{},"
      "\"contact_force\":{},\"contact_normal\":{},\"contact_body\":{},\"contact_mode\":{}}}",
      arrayForPage(row_), arrayForPage(time_), arrayForPage(pose_), arrayForPage(speed_), arrayForPage(contact_start_),
      arrayForPage(point_), arrayForPage(force_), arrayForPage(normal_), arrayForPage(contact_body_),
      arrayForPage(mode_));
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
  const double contacts = recording.steps() > 0 ? double(recording.contact_mode.size()) / recording.steps() : 0.0;
  const double bytes = std::max(1.0, bodies * double(kBodyBytes) + contacts * kContactBytes);  // of one frame
  const double most = std::min(std::floor(seconds * kFramesPerSecond), std::floor(kMaxFrameBytes / bytes));
  const int stride = std::max(1, static_cast<int>(std::ceil((rows - 1) / std::max(1.0, most))));
  std::vector<int> frames;
  for (int row = 0; row < rows; row += stride) frames.push_back(row);
  if (frames.back() != rows - 1) frames.push_back(rows - 1);
  return frames;
}

void addFrame(const Scene& scene, const Recording& recording, int row, PageFrames& frames) {
  const double* q = recording.q.data() + std::size_t(row) * recording.nq;
  const double* v = recording.v.data() + std::size_t(row) * recording.nv;
  frames.add(row, recording.time[row], findBodies(scene.model, q, v));
  const int step = std::min(row, recording.steps() - 1);
  for (const PageContact& contact : gatherContacts(scene.model, recording, step, stepLength(scene, recording, step)))
    frames.addContact(contact);
}

}  // namespace rigor
