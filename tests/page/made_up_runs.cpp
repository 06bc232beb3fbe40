#include "page/made_up_runs.h"

#include <array>
#include <cmath>

#include "page/made_up_recording.h"

namespace rigor {
namespace {

using Eigen::AngleAxisd, Eigen::Quaterniond, Eigen::Vector3d, Eigen::VectorXd;

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
    addRow(run.recording, {t, q, contacts});
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
    addRow(run.recording, {t, q, contacts});
  }
  return run;
}

EnergyLedger makeUpLedger() {
  constexpr int kSteps = 4000;
  EnergyLedger ledger;
  double energy = 10.0;
  for (int step = 0; step <= kSteps; ++step) {
    ledger.time.push_back(5e-4 * step), ledger.energy.push_back(energy), ledger.springs.push_back(0.0);
    if (step == kSteps) break;
    Accounts work{};
    work[static_cast<int>(Account::kDrives)] = 5.0 * 5e-4;
    work[static_cast<int>(Account::kFriction)] = -2.0 * 5e-4;
    work[static_cast<int>(Account::kImpacts)] = step == kSteps / 2 ? -3.0 : 0.0;
    ledger.work.push_back(work), ledger.remainder.push_back(1e-6);
    energy += ledger.remainder.back();
    for (const double done : work) energy += done;
  }
  return ledger;
}

}  // namespace rigor
