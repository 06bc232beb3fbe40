// What the derivatives of a step cost beside the step itself, and beside central differences, on one core; best of many short rounds.
//
//   bench_derivatives
//
// Every round begins at the same snapshot and is under a millisecond, so that a neighbour on the machine spoils few of them.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

#include "rigor/rigor.h"

namespace {

using Clock = std::chrono::steady_clock;

/// Microseconds of a call, best of the rounds.
double time(const std::function<void()>& prepare, const std::function<void()>& call, int rounds = 2000,
            int calls = 20) {
  double best = 1e300;
  for (int round = 0; round < rounds; ++round) {
    prepare();
    const auto begin = Clock::now();
    for (int i = 0; i < calls; ++i) call();
    best = std::min(best, std::chrono::duration<double, std::micro>(Clock::now() - begin).count() / calls);
  }
  return best;
}

void compare(const std::string& name, rigor::Simulator& sim) {
  sim.wanted() = {};
  rigor::StepDerivatives derivatives(sim);
  rigor::StepTangent end = derivatives.zeroEnd(), start = derivatives.zeroStart();
  end.state.v.setOnes();
  const rigor::Snapshot at = sim.save();
  for (int i = 0; i < 100; ++i) derivatives.step(sim), derivatives.jacobians(), derivatives.pullBack(end, start);
  const auto prepare = [&] { sim.restore(at), sim.step(), sim.step(); };
  const double step = time(prepare, [&] { sim.step(); });
  const double linearised = time(prepare, [&] { derivatives.step(sim); });
  const double adjoint = time(prepare, [&] { derivatives.step(sim), derivatives.pullBack(end, start); });
  const double forward = time(prepare, [&] { derivatives.step(sim), derivatives.jacobians(); });
  const int columns = 3 * sim.scene().model.nv() + static_cast<int>(rigor::listDrives(sim.scene()).size());
  fmt::print("{:<16} {:>8.2f} {:>10.2f} {:>12.2f} ({:.2f}x) {:>12.2f} ({:.2f}x) {:>14.0f}\n", name, step,
             linearised - step, adjoint - step, (adjoint - step) / step, forward - step, (forward - step) / step,
             2.0 * columns * step);
}

/// The slide of examples/identify_slide.cpp: where a block is after 450 steps, pushed for 300.
rigor::Scene makeSlide(double friction, double mass) {
  const rigor::Shape box = rigor::makeBox({0.1, 0.1, 0.05});
  rigor::BodySpec block;
  block.name = "block";
  block.joint.type = rigor::kFree;
  block.shapes = {{.name = "block", .shape = box}};
  block.mass = rigor::computeMassProperties(box, 325.0);
  block.mass.mass = mass;
  rigor::MaterialPair surfaces;
  surfaces.material_1 = "default";
  surfaces.friction = friction;
  rigor::ModelBuilder builder("slide");
  builder.addBody(block);
  builder.addWorldShape({.name = "floor", .shape = rigor::makePlane()});
  builder.addMaterialPair(surfaces);
  rigor::Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.q[2] = 0.05;
  scene.v = Eigen::VectorXd::Zero(6);
  scene.wrenches = {{.body = 0, .force = {9.0, 0.0, 0.0}, .until = 0.3}};
  return scene;
}

constexpr int kSlide = 450;

double slideTo(double friction, double mass) {
  rigor::Simulator sim(makeSlide(friction, mass));
  sim.wanted() = {};
  for (int i = 0; i < kSlide; ++i) sim.step();
  return sim.state().q[0];
}

/// By friction and mass, through all steps.
Eigen::Vector2d slopesOfSlide() {
  rigor::Simulator sim(makeSlide(0.37, 1.3));
  sim.wanted() = {};
  const rigor::Model& model = sim.scene().model;
  rigor::StepDerivatives derivatives(
      sim, {rigor::findStepParameter(model, "friction"), rigor::findStepParameter(model, "mass:block")});
  rigor::StepTangent change[2] = {derivatives.zeroStart(), derivatives.zeroStart()}, end = derivatives.zeroEnd();
  for (int k = 0; k < 2; ++k) change[k].parameters[k] = 1.0;
  for (int i = 0; i < kSlide; ++i) {
    derivatives.step(sim);
    for (rigor::StepTangent& one : change) {
      derivatives.pushForward(one, end);
      one.state = end.state, one.memory = end.memory;
    }
  }
  return {change[0].state.q[0], change[1].state.q[0]};
}

/// Derivatives of a run beside central differences of runs, by friction and mass.
void compareSlide() {
  const Eigen::Vector2d exact = slopesOfSlide();
  double sum = 0.0;
  const auto nothing = [] {};
  const double derivatives = time(nothing, [&] { sum += slopesOfSlide()[0]; }, 5, 1);
  const double run = time(nothing, [&] { sum += slideTo(0.37, 1.3); }, 5, 1);
  fmt::print(
      "\nslide of {} steps: a run {:.0f} us, with derivatives by two numbers {:.0f} us; differences: four more runs\n",
      kSlide, run, derivatives);
  for (const double size : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
    const double by_friction = (slideTo(0.37 + size, 1.3) - slideTo(0.37 - size, 1.3)) / (2.0 * size);
    const double by_mass = (slideTo(0.37, 1.3 + size) - slideTo(0.37, 1.3 - size)) / (2.0 * size);
    fmt::print("differences of {:.0e}: off by {:.1e} and {:.1e} of the derivatives\n", size,
               std::fabs(by_friction / exact[0] - 1.0), std::fabs(by_mass / exact[1] - 1.0));
  }
  if (sum == 0.0) fmt::print("nothing slid\n");
}

rigor::Scene load(const std::string& name) {
  return rigor::loadScene(std::string(RIGOR_SCENES_DIR) + "/" + name + ".toml");
}

}  // namespace

int main() {
  fmt::print("{:<16} {:>8} {:>10} {:>20} {:>20} {:>14}   [us]\n", "", "step", "linearise", "and back", "and Jacobians",
             "differences");
  rigor::Scene flying = load("anymal_stand");
  flying.q[2] += 100.0;
  rigor::Simulator flight(flying), stand(load("anymal_stand")), bars(load("double_four_bar")),
      humanoid(load("humanoid_stand"));
  flight.run(0.5), stand.run(3.0), bars.run(0.1), humanoid.run(3.0);
  compare("anymal, flight", flight);
  compare("anymal, stand", stand);
  compare("double four-bar", bars);
  compare("humanoid, stand", humanoid);
  compareSlide();
}
