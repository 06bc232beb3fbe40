// LT figures 4 and 5: the time of a step over the number of contact points on one body, and over the number of links of a snake.
#include <fmt/format.h>

#include <cmath>
#include <random>

#include "experiments/lt.h"
#include "experiments/maximal_models.h"
#include "experiments/scaling.h"

namespace rigor::experiments {
namespace {

constexpr double kStep = 0.01, kFriction = 0.2, kTolerance = 1e-6;
constexpr std::int64_t kSteps = 100;
constexpr double kDeep = 1e-6;  // [m] that contacts solved to 1e-6 may sink

/// A coin that rolls, with its contact points on the circle in its middle.
Scene makeCoin(int contacts) {
  ModelBuilder builder("coin");
  BodySpec coin;
  coin.name = "coin";
  coin.joint.name = "base";
  coin.joint.type = kFree;
  coin.mass = massOf(makeCylinder(0.5, 0.05), 1.0);
  for (int i = 0; i < contacts; ++i) {
    const double angle = 2.0 * kPi * i / contacts;
    coin.shapes.push_back(
        makeContactPoint(fmt::format("point_{}", i), {0.5 * std::cos(angle), 0.5 * std::sin(angle), 0.0}));
  }
  builder.addBody(coin);
  addGround(builder, kFriction);
  Scene scene = makeMaximalScene("coin", builder.build(), kStep);
  scene.impact_stops = 0;
  const Eigen::Quaterniond tilt(Eigen::AngleAxisd(0.5 * kPi - 0.1, Eigen::Vector3d::UnitY()));
  scene.q << 2.0, 2.0, 0.5, tilt.w(), tilt.vec();
  scene.v << 0.0, -kPi, 0.0, 0.0, 0.0, 2.0 * kPi;
  return scene;
}

/// A snake of links in a zigzag half a metre above the ground, thrown at random.
Scene makeSnake(int links) {
  ModelBuilder builder("snake");
  const Shape link = makeCylinder(0.05, 0.5);
  int parent = kWorld;
  for (int i = 0; i < links; ++i) {
    BodySpec body = makeRod(fmt::format("link_{}", i), parent, i == 0 ? kFree : kBall,
                            i == 0 ? Eigen::Vector3d::Zero() : Eigen::Vector3d(0.0, 0.0, -1.0), link);
    if (i == 0) body.shapes.push_back(makeContactPoint("head", Eigen::Vector3d::Zero()));
    body.shapes.push_back(makeContactPoint(fmt::format("end_{}", i), {0.0, 0.0, -1.0}));
    parent = builder.addBody(body);
  }
  builder.excludeSelfCollision();
  addGround(builder, kFriction);
  Scene scene = makeMaximalScene("snake", builder.build(), kStep);
  scene.impact_stops = 0;
  const Eigen::Quaterniond first(Eigen::AngleAxisd(0.25 * kPi, Eigen::Vector3d::UnitZ()) *
                                 Eigen::AngleAxisd(0.5 * kPi, Eigen::Vector3d::UnitX()));
  scene.q.head<7>() << 0.0, -2.0, 0.5, first.w(), first.vec();
  // Every link turns at a random rate of its own; what a joint turns at is the difference. Random rates of the joints would add up
  // to hundreds of metres per second at the end of a long snake.
  std::mt19937_64 random(1);
  const auto draw = [&] { return static_cast<double>(random() >> 11) * 0x1p-52 - 1.0; };  // [-1, 1)
  Eigen::Quaterniond rotation = first;
  Eigen::Vector3d rate(draw(), draw(), draw());
  scene.v.head<6>() << draw(), draw(), draw(), rotation.conjugate() * rate;
  for (int i = 1; i < links; ++i) {
    const Eigen::Quaterniond turn(Eigen::AngleAxisd(i % 2 == 1 ? -0.5 * kPi : 0.5 * kPi, Eigen::Vector3d::UnitY()));
    scene.q.segment<4>(scene.model.qIndex(i)) << turn.w(), turn.vec();
    rotation = rotation * turn;
    const Eigen::Vector3d next = Eigen::Vector3d(draw(), draw(), draw());
    scene.v.segment<3>(scene.model.vIndex(i)) = rotation.conjugate() * (next - rate);
    rate = next;
  }
  return scene;
}

ScalingCase coinCase(bool quick) {
  ScalingCase one{"one body", {}, makeCoin, kSteps, quick ? 1 : 20, kTolerance};
  one.sizes = {2, 4, 8, 16};
  if (!quick) one.sizes = {2, 4, 6, 8, 10, 14, 20, 28, 40, 50, 60, 70, 80, 90, 100};
  return one;
}

ScalingCase snakeCase(bool quick) {
  ScalingCase one{"snake", {}, makeSnake, kSteps, quick ? 1 : 3, kTolerance};
  one.sizes = {2, 4, 6};
  if (!quick) one.sizes = {2, 4, 6, 8, 10, 14, 20, 28, 40, 50, 60, 80, 100, 140, 200, 300};
  return one;
}

std::vector<std::string> settingOf(const ScalingCase& one) {
  return {fmt::format(
              "{} steps of 10 ms, mu {:g}, tolerance {:g}; processor time of the best of {} rounds, one core, nothing "
              "recorded.",
              one.steps, kFriction, one.tolerance, one.rounds),
          fmt::format(
              "Contact points are balls of {:g} m. No step stops for an impact (impact_stops = 0): the paper closes "
              "all contacts at the end of a step.",
              kPointRadius),
          kGrowthTold};
}

Outcome runScaling(const ScalingCase& one, const std::string& name, const std::string& title, const std::string& label,
                   const std::string& claim, const Request& request, const Watch& watch) {
  CountedSteps steps(request, watch);
  const ScalingCurve curve = measureScaling(one, steps);
  Outcome outcome;
  outcome.setting = settingOf(one);
  tellScaling({curve}, title, label, request.folder, name, outcome);
  outcome.findings = {linearFinding(claim, curve, request.quick),
                      {"contact is hard", fmt::format("deepest {:.1e} m", curve.deepest()), curve.deepest() <= kDeep}};
  tellRefusals(steps, outcome);
  return outcome;
}

Outcome runContacts(const Request& request, const Watch& watch) {
  Outcome outcome = runScaling(coinCase(request.quick), "lt-contacts", "Contact points on one body", "contact points",
                               "time is linear in the number of contact points", request, watch);
  outcome.setting.insert(
      outcome.setting.begin(),
      "A coin of 1 kg and 0.5 m radius, thrown as rolling, with points around its middle: the paper has them on its "
      "base, which would begin inside the ground.");
  return outcome;
}

Outcome runSnake(const Request& request, const Watch& watch) {
  Outcome outcome = runScaling(snakeCase(request.quick), "lt-chain", "A snake of n links with n + 1 contact points",
                               "links", "time is linear in the number of links and contact points", request, watch);
  outcome.setting.insert(
      outcome.setting.begin(),
      "Links of 1 m and 1 kg on ball joints, contact points at their ends, in a zigzag 0.5 m above the ground; "
      "velocity of the first link and rates of all links drawn from [-1, 1).");
  return outcome;
}

}  // namespace

Experiment ltContacts() {
  return {.name = "lt-contacts",
          .paper = "LT",
          .title = "time over the number of contact points on one body (figure 4)",
          .steps = countScaling({coinCase(false)}),
          .run = runContacts,
          .quick_steps = countScaling({coinCase(true)})};
}

Experiment ltChain() {
  return {.name = "lt-chain",
          .paper = "LT",
          .title = "time over the number of links and contact points of a snake (figure 5)",
          .steps = countScaling({snakeCase(false)}),
          .run = runSnake,
          .quick_steps = countScaling({snakeCase(true)})};
}

}  // namespace rigor::experiments
