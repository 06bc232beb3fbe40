// A controller of your own: swings a pendulum up with a motor that is too weak to lift it, and holds it there. It pumps
// energy until there is enough for the top, then catches.
//
//   own_controller            in the folder that has scenes/
//
// The controller is called before every step with the state and may change the input: generalised forces and wrenches
// that act during that step. It is part of the program, not of the scene; what it remembers is its own.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "rigor/rigor.h"

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kEffort = 4.0;                   // [N m] of the motor; lifting the bar takes 9.81
constexpr double kTopEnergy = 9.81;               // [J] m g l at rest at the top, 0 at the height of the hinge
constexpr double kCatch = 0.3;                    // [rad] from the top: here the motor is stronger than gravity
constexpr double kStiffness = 40, kDamping = 10;  // of the catch [N m/rad], [N m s/rad]

/// How far from the top [rad], the short way around; at angle 0 the bar hangs down.
double fromTop(double angle) { return std::remainder(angle - kPi, 2 * kPi); }

/// Torque for one step. `state.v` is the velocity in the middle of the last step (docs/step.md): half a step old, which
/// is what a real controller would know, too. Simulator::velocity() gives that of the node, at the price of a solve.
void swingUp(const rigor::State& state, rigor::Input& input) {
  const double angle = state.q[0], speed = state.v[0];
  const double energy = 0.5 * speed * speed - kTopEnergy * std::cos(angle);  // m = 1 kg, l = 1 m
  const double torque = std::fabs(fromTop(angle)) < kCatch ? -kStiffness * fromTop(angle) - kDamping * speed
                                                           : std::copysign(2.0 * (kTopEnergy - energy), speed);
  input.tau[0] = std::clamp(torque, -kEffort, kEffort);
}

}  // namespace

int main() {
  rigor::Simulator simulator(rigor::loadScene("scenes/pendulum_a01.toml"));
  simulator.setState(Eigen::VectorXd::Zero(1), Eigen::VectorXd::Zero(1));  // hangs down, at rest
  simulator.setController(swingUp);
  for (int second = 1; second <= 8; ++second) {
    const rigor::StepReport& report = simulator.run(1.0);
    if (!report.accepted()) {
      std::printf("%s\n", report.explain().c_str());
      return 1;
    }
    std::printf("%2d s: %+.4f rad from the top, %+.4f rad/s, torque %+.3f N m\n", second,
                fromTop(simulator.state().q[0]), simulator.velocity()[0], report.tau[0]);
  }
  const bool stands = std::fabs(fromTop(simulator.state().q[0])) < 1e-6;
  std::printf("%s\n", stands ? "it stands" : "it does not stand");
  return stands ? 0 : 1;
}
