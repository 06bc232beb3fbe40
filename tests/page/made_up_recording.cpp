#include "page/made_up_recording.h"

#include <cmath>

namespace rigor {

using Eigen::Quaterniond, Eigen::Vector3d, Eigen::VectorXd;

BodySpec makeBody(const std::string& name, int parent, JointType type, const Vector3d& at, double mass) {
  BodySpec body;
  body.name = name;
  body.parent = parent;
  body.joint.name = name + " joint";
  body.joint.type = type;
  body.joint.axis = Vector3d::UnitY();
  body.joint.X_PJ.position = at;
  body.mass = {mass, Vector3d::Zero(), 0.01 * mass * Eigen::Matrix3d::Identity()};
  return body;
}

void addShape(BodySpec& body, const Shape& shape, const Vector3d& at) {
  body.shapes.push_back({body.name + " shape", shape, {at, Quaterniond::Identity()}, "default"});
}

void addRow(Recording& recording, const MadeUpRow& added) {
  const int row = recording.steps();
  const auto& [time, q, contacts, v, tau] = added;
  if (row == 0) recording.contact_start.push_back(0);
  recording.time.push_back(time);
  recording.q.insert(recording.q.end(), q.begin(), q.end());
  recording.v.insert(recording.v.end(), v.begin(), v.end());
  recording.v.resize(std::size_t(row + 1) * recording.nv, 0.0);
  recording.tau.insert(recording.tau.end(), tau.begin(), tau.end());
  recording.tau.resize(std::size_t(row + 1) * recording.nv, 0.0);
  const double swing = std::cos(3.0 * time);
  for (const double e : {20.0 + 10.0 * swing, 60.0 - 10.0 * swing}) recording.energy.push_back(e);
  recording.momentum.resize(recording.momentum.size() + 6, 0.0);
  const double noise = 1e-14 * (1.0 + std::fmod(row * 0.6180339887, 1.0));
  for (const double r : {contacts.empty() ? 0.0 : 3.0 * noise, noise, 30.0 * noise}) recording.residual.push_back(r);
  recording.penetration.push_back(contacts.empty() ? 0.0 : 10.0 * noise);
  recording.iterations.push_back(contacts.empty() ? 0 : 2 + row % 3);
  recording.passes.push_back(1);
  for (const MadeUpContact& contact : contacts) {
    recording.contact_id.push_back({0, recording.contact_id.size()});
    recording.contact_body.insert(recording.contact_body.end(), {contact.body_1, contact.body_2});
    recording.contact_point.insert(recording.contact_point.end(), contact.point.begin(), contact.point.end());
    for (const double x : {0.0, 0.0, 1.0}) recording.contact_normal.push_back(x);
    recording.contact_gap.push_back(0.0);
    recording.contact_impulse.insert(recording.contact_impulse.end(), contact.impulse.begin(), contact.impulse.end());
    recording.contact_mode.push_back(static_cast<std::uint8_t>(contact.mode));
  }
  recording.contact_start.push_back(static_cast<std::int64_t>(recording.contact_mode.size()));
}

Recording makeEmptyRecording(const Scene& scene) {
  Recording recording;
  recording.version = 1;  // whole steps, no sub-steps
  recording.nq = scene.model.nq();
  recording.nv = scene.model.nv();
  return recording;
}

void setFree(VectorXd& q, int at, const Vector3d& position, const Quaterniond& rotation) {
  q.segment<3>(at) = position;
  q.segment<4>(at + 3) << rotation.w(), rotation.x(), rotation.y(), rotation.z();
}

}  // namespace rigor
