#include "page/made_up_runs.h"

#include <array>
#include <cmath>

namespace rigor {
namespace {

using Eigen::AngleAxisd, Eigen::Quaterniond, Eigen::Vector3d, Eigen::VectorXd;

BodySpec makeBody(const std::string& name, int parent, JointType type, const Vector3d& at, double mass = 1.0) {
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

void addShape(BodySpec& body, const Shape& shape, const Vector3d& at = Vector3d::Zero()) {
  body.shapes.push_back({body.name + " shape", shape, {at, Quaterniond::Identity()}, "default"});
}

struct MadeUpContact {
  int body_1, body_2;
  Vector3d point, impulse;
  ContactMode mode;
};

void addRow(Recording& recording, double time, const VectorXd& q, const std::vector<MadeUpContact>& contacts) {
  const int row = recording.steps();
  if (row == 0) recording.contact_start.push_back(0);
  recording.time.push_back(time);
  recording.q.insert(recording.q.end(), q.begin(), q.end());
  recording.v.resize(recording.v.size() + recording.nv, 0.0);
  recording.tau.resize(recording.tau.size() + recording.nv, 0.0);
  const double swing = std::cos(3.0 * time);
  for (const double e : {20.0 + 10.0 * swing, 60.0 - 10.0 * swing}) recording.energy.push_back(e);
  recording.momentum.resize(recording.momentum.size() + 6, 0.0);
  const double noise = 1e-14 * (1.0 + std::fmod(row * 0.6180339887, 1.0));
  for (const double r : {contacts.empty() ? 0.0 : 3.0 * noise, noise, 30.0 * noise}) recording.residual.push_back(r);
  recording.penetration.push_back(contacts.empty() ? 0.0 : 10.0 * noise);
  recording.iterations.push_back(contacts.empty() ? 0 : 2 + row % 3);
  recording.passes.push_back(1);
  for (const MadeUpContact& contact : contacts) {
    recording.contact_id.push_back(recording.contact_id.size());
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

Scene makeToyScene() {
  ModelBuilder builder("toys");
  const Quaterniond tilt(AngleAxisd(0.1, Vector3d::UnitY()));
  builder.addWorldShape({"hill", makePlane(), {Vector3d(0.0, 0.0, -0.05), tilt}, "default"});
  builder.addWorldShape({"step", makeBox({0.2, 0.6, 0.1}), {Vector3d(-0.9, 0.0, 0.1), tilt}, "default"});
  BodySpec ball = makeBody("ball </script> \"quoted\"", kWorld, kFree, Vector3d::Zero(), 2.0);
  addShape(ball, makeSphere(0.15));
  BodySpec box = makeBody("box", kWorld, kFree, Vector3d::Zero(), 3.0);
  addShape(box, makeBox({0.2, 0.15, 0.1}));
  BodySpec pill = makeBody("pill \\ µ", kWorld, kFree, Vector3d::Zero(), 1.5);
  addShape(pill, makeCapsule(0.08, 0.2));
  builder.addBody(ball);
  builder.addBody(box);
  builder.addBody(pill);
  BodySpec upper = makeBody("upper arm", kWorld, kHinge, {0.0, 0.7, 1.0});
  addShape(upper, makeCapsule(0.04, 0.15), {0.0, 0.0, -0.25});
  const int shoulder = builder.addBody(upper);
  BodySpec lower = makeBody("lower arm", shoulder, kHinge, {0.0, 0.0, -0.5});
  addShape(lower, makeSphere(0.06), {0.0, 0.0, -0.4});
  builder.addBody(lower);
  Scene scene;
  scene.name = "toys <&> \"test\"";
  scene.model = builder.build();
  return scene;
}

}  // namespace

MadeUpRun makeToys() {
  MadeUpRun run{makeToyScene(), {}};
  run.recording = makeEmptyRecording(run.scene);
  for (int row = 0; row < 2000; ++row) {
    const double t = row * 1e-3, bounce = std::abs(std::cos(4.0 * t));
    VectorXd q(run.recording.nq);
    setFree(q, 0, {-0.4 + 0.5 * t, -0.5, 0.2 + 0.6 * bounce}, Quaterniond(AngleAxisd(3.0 * t, Vector3d::UnitY())));
    setFree(q, 7, {0.1 + 0.1 * t, 0.1, 0.12}, Quaterniond(AngleAxisd(0.7 * t, Vector3d::UnitZ())));
    setFree(q, 14, {0.5, (row < 1500 ? -0.2 : -1.5) + 0.3 * t, 0.1}, Quaterniond(AngleAxisd(1.2, Vector3d::UnitX())));
    q.tail<2>() << 0.8 * std::cos(3.0 * t), 0.5 * std::sin(5.0 * t);
    std::vector<MadeUpContact> contacts;
    if (t > 0.2) {
      const double push = 0.03 * (1.0 + 0.5 * std::sin(9.0 * t));
      contacts.push_back({kWorld, 1, {0.2, 0.2, 0.02}, {0.0, 0.002, push}, ContactMode::kStick});
      contacts.push_back({kWorld, 1, {0.0, 0.0, 0.02}, {0.3 * push, 0.0, 0.6 * push}, ContactMode::kSlip});
      contacts.push_back({2, kWorld, {0.5, -0.1, 0.02}, {0.1 * push, 0.0, -push}, ContactMode::kSlip});
      contacts.push_back({kWorld, 0, {-0.4, -0.5, 0.0}, {0.0, 0.0, 0.0}, ContactMode::kOpen});
    }
    addRow(run.recording, t, q, contacts);
  }
  run.recording.residual[3 * kSpikeRow] = kSpike;
  return run;
}

MadeUpRun makeWalker() {
  ModelBuilder builder("walker");
  builder.addWorldShape({"floor", makePlane(), {}, "default"});
  BodySpec torso = makeBody("torso", kWorld, kFree, Vector3d::Zero(), 17.0);
  addShape(torso, makeBox({0.2655, 0.135, 0.12}), {0.0, 0.0, 0.08});
  const int base = builder.addBody(torso);
  for (const auto& [x, y] : std::array<std::pair<int, int>, 4>{{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}}) {
    const std::string leg = std::string(x > 0 ? "front " : "hind ") + (y > 0 ? "left " : "right ");
    BodySpec hip = makeBody(leg + "hip", base, kHinge, {0.277 * x, 0.116 * y, 0.0});
    hip.joint.axis = Vector3d::UnitX();
    const int thigh =
        builder.addBody(makeBody(leg + "thigh", builder.addBody(hip), kHinge, {0.0635 * x, 0.041 * y, 0}));
    const int shank = builder.addBody(makeBody(leg + "shank", thigh, kHinge, {0.0, 0.109 * y, -0.25}));
    const int adapter = builder.addBody(makeBody(leg + "adapter", shank, kFixed, {0.1 * x, -0.02 * y, 0.0}));
    BodySpec foot = makeBody(leg + "foot", adapter, kFixed, {0.0, 0.0, -0.298}, 0.1);
    addShape(foot, makeSphere(0.031));
    builder.addBody(foot);
  }
  MadeUpRun run;
  run.scene.name = "walker";
  run.scene.model = builder.build();
  run.recording = makeEmptyRecording(run.scene);
  for (int row = 0; row < 10'000; ++row) {
    const double t = row * 1e-3, phase = 8.0 * t;
    VectorXd q(run.recording.nq);
    setFree(q, 0, {0.5 * t, 0.02 * std::sin(phase), 0.5 + 0.01 * std::cos(2 * phase)},
            Quaterniond(AngleAxisd(0.05 * std::sin(phase), Vector3d::UnitX())));
    for (int leg = 0; leg < 4; ++leg) {
      const double swing = 0.2 * std::sin(phase + (leg == 0 || leg == 3 ? 0.0 : 3.14159265)), side = leg < 2 ? 1 : -1;
      q.segment<3>(7 + 3 * leg) << 0.0, side * 0.4 + swing, side * -0.8 + 0.5 * swing;
    }
    std::vector<MadeUpContact> contacts;
    for (int i = 0; i < 8; ++i) {
      const Vector3d point(0.5 * t + 0.33 * (i % 2 ? 1 : -1) + 0.02 * (i / 4), 0.25 * (i / 2 % 2 ? 1 : -1), 0.0);
      contacts.push_back({kWorld,
                          5 * (i % 4) + 5,
                          point,
                          {0.005 * std::sin(phase + i), 0.002, 0.04},
                          i % 3 ? ContactMode::kStick : ContactMode::kSlip});
    }
    addRow(run.recording, t, q, contacts);
  }
  return run;
}

}  // namespace rigor
