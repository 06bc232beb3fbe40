// LT figure 6: a ball on a pole jumps, turns once about (1, 1, 0) and comes down on its foot.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/counted_steps.h"
#include "experiments/csv.h"
#include "experiments/lt.h"
#include "experiments/maximal_models.h"
#include "experiments/plot.h"

namespace rigor::experiments {
namespace {

constexpr double kStep = 1e-3, kFriction = 0.2;
constexpr int kSteps = 1100, kStanding = 4000;  // of the paper; until it has come to rest
constexpr int kTucked = 300, kStretched = 800;  // steps at which the phases of the script end
constexpr double kLift = 0.01;                  // [m] of the foot: it is in the air
constexpr double kTurn = 120.0;                 // [N m] for one step
constexpr double kMasses[] = {1.0, 0.5};        // [kg] of the body: the paper's and the script's
constexpr double kHalfPole = 0.4;               // [m]
constexpr double kOnTheGround = 1e-10;          // [m]

Scene makeHopper(double mass) {
  ModelBuilder builder("hopper");
  BodySpec body, leg;
  body.name = "body";
  body.joint.name = "base";
  body.joint.type = kFree;
  body.mass = massOf(makeSphere(0.1), mass);
  leg.name = "leg";
  leg.parent = builder.addBody(body);
  leg.joint.name = "slide";
  leg.joint.type = kSlide;
  leg.mass = massOf(makeCylinder(0.05, kHalfPole), 0.2);
  leg.shapes = {makeContactPoint("foot", {0.0, 0.0, -kHalfPole})};
  builder.addBody(leg);
  addGround(builder, kFriction);
  Scene scene = makeMaximalScene("hopper", builder.build(), kStep);
  scene.q[2] = kHalfPole + kPointRadius;
  return scene;
}

/// The phases of the authors' script.
class HopperController {
 public:
  explicit HopperController(const Model& model)
      : slide_(model.joints()[static_cast<std::size_t>(model.findJoint("slide"))]) {}

  bool inAir() const { return lifted_; }
  void act(int k, double foot, const Simulator& simulator, Input& input) {
    const State& state = simulator.state();
    const double x = state.q[slide_.q_index], rate = state.v[slide_.v_index];
    double& force = input.tau[slide_.v_index];
    input.wrenches.clear();
    force = 0.0;
    if (k < kTucked) {
      const bool lifts = !lifted_ && foot > kLift;
      lifted_ = lifted_ || lifts;
      force = -300.0 * x - 10.0 * rate - (lifted_ ? 0.0 : 125.0);
      if (lifts) turn(input, kTurn * Eigen::Vector3d(1.0, 1.0, 0.0).normalized());
    } else if (k > kStretched) {
      force = -200.0 * x - 10.0 * rate;
      const Eigen::AngleAxisd tilt(simulator.pose(0).rotation);
      Eigen::Vector3d torque = -10.0 * tilt.angle() * tilt.axis() - 0.5 * state.v.segment<3>(3);
      torque.z() = 0.0;
      turn(input, torque);
    }
  }

 private:
  static void turn(Input& input, const Eigen::Vector3d& torque) {
    input.wrenches = {{.body = 0, .force = Eigen::Vector3d::Zero(), .torque = torque, .in_world = false}};
  }

  ModelJoint slide_;
  bool lifted_ = false;
};

struct Hop {
  std::vector<double> time, foot, height, turned;  ///< [s], [m], [m], [rad] about (1, 1, 0)
  int landed = -1;                                 ///< step at which the foot is back on the ground
  double tilt = NAN, speed = NAN;                  ///< [rad] from upright, [m/s] fastest part, at the end

  double lowest() const { return *std::min_element(foot.begin(), foot.end()); }
  double turnedAtLanding() const { return landed < 0 ? NAN : turned[static_cast<std::size_t>(landed)]; }
};

Hop hop(double mass, int count, CountedSteps& steps) {
  Simulator simulator = steps.start(makeHopper(mass));
  HopperController controller(simulator.scene().model);
  const Eigen::Vector3d axis = Eigen::Vector3d(1.0, 1.0, 0.0).normalized();
  const auto foot = [&] { return (simulator.pose(1) * Eigen::Vector3d(0.0, 0.0, -kHalfPole)).z() - kPointRadius; };
  Hop run;
  double turned = 0.0;
  for (int k = 0; k < count; ++k) {
    controller.act(k, foot(), simulator, simulator.input());
    const Eigen::Quaterniond before = simulator.pose(0).rotation;
    if (!steps.step(simulator)) break;
    const Eigen::AngleAxisd part(before.conjugate() * simulator.pose(0).rotation);
    turned += part.angle() * part.axis().dot(axis);
    run.time.push_back(kStep * (k + 1));
    run.foot.push_back(foot());
    run.height.push_back(simulator.pose(0).position.z());
    run.turned.push_back(turned);
    if (controller.inAir() && run.landed < 0 && k > kTucked && foot() < 1e-9) run.landed = k;
  }
  run.tilt = std::acos(std::clamp((simulator.pose(0).rotation * Eigen::Vector3d::UnitZ()).z(), -1.0, 1.0));
  run.speed = simulator.state().v.cwiseAbs().maxCoeff();
  return run;
}

Outcome runHopper(const Request& request, const Watch& watch) {
  CountedSteps steps(request, watch);
  Outcome outcome;
  outcome.setting = {
      "A ball on a pole of 0.8 m and 0.2 kg, foot on the ground, mu 0.2, steps of 1 ms; the phases of the authors' "
      "script.",
      "The body has 1 kg in the paper and 0.5 kg in the script: both. Controlled on after the 1.1 s of the paper, "
      "until 4 s.",
      fmt::format("Contact points are balls of {:g} m.", kPointRadius)};
  outcome.table.columns = {"body [kg]",         "lowest foot [m]",       "highest foot [m]", "landed [s]",
                           "turned then [rad]", "tilt at the end [rad]", "speed at the end"};
  Plot plot{"Foot of the hopper", "time [s]", "distance from the ground [m]", false, {}};
  for (const double mass : kMasses) {
    const Hop run = hop(mass, request.quick ? kSteps : kStanding, steps);
    outcome.table.rows.push_back({fmt::format("{:g}", mass), run.lowest(),
                                  *std::max_element(run.foot.begin(), run.foot.end()),
                                  run.landed < 0 ? NAN : run.time[static_cast<std::size_t>(run.landed)],
                                  run.turnedAtLanding(), run.tilt, run.speed});
    const std::string file = fmt::format("lt-hopper-{:g}kg.csv", mass);
    saveCsv(request.folder + "/" + file,
            {{"time", run.time}, {"foot", run.foot}, {"height", run.height}, {"turned", run.turned}});
    outcome.files.push_back(file);
    plot.series.push_back({fmt::format("body {:g} kg", mass), run.time, run.foot});
    const std::string which = fmt::format(" ({:g} kg)", mass);
    const double turns = run.turnedAtLanding() / (2.0 * kPi);
    outcome.findings.push_back(
        {"the hopper does a full turn in the air and lands" + which,
         run.landed < 0 ? "did not land"
                        : fmt::format("{:.2f} turns when it lands; tilt at the end {:.2g} rad", turns, run.tilt),
         run.landed >= 0 && std::fabs(turns - 1.0) < 0.25});
    outcome.findings.push_back({"minimum distance of its foot 0.0 m: where it begins" + which,
                                fmt::format("{:.1e} m", run.lowest()), run.lowest() >= -kOnTheGround});
  }
  savePlot(request.folder + "/lt-hopper.svg", plot);
  outcome.files.emplace_back("lt-hopper.svg");
  tellRefusals(steps, outcome);
  return outcome;
}

}  // namespace

Experiment ltHopper() {
  return {.name = "lt-hopper",
          .paper = "LT",
          .title = "a hopper jumps and turns once in the air (figure 6)",
          .steps = 2 * kStanding,
          .run = runHopper,
          .quick_steps = 2 * kSteps};
}

}  // namespace rigor::experiments
