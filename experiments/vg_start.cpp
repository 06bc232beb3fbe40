// VG's own start and its reading of velocities, of first order, beside those of rigor: a pendulum in shorter and shorter steps.
#include <fmt/format.h>

#include <cmath>

#include "experiments/counted_steps.h"
#include "experiments/csv.h"
#include "experiments/maximal_models.h"
#include "experiments/pendulum_equations.h"
#include "experiments/plot.h"
#include "experiments/vg.h"

namespace rigor::experiments {
namespace {

constexpr int kCounts[] = {25, 50, 100, 200, 400, 800};  // steps in a second; in the longest ones it turns by 0.22 rad
constexpr double kStart = 0.5 * kPi;
constexpr Pendulum kBox = {kBoxInertia, 0.5 * 9.81, 0.0};
constexpr double kOrder = 0.05;     // by which an order may be missed
constexpr double kRounding = 1e-9;  // [rad] by which two programs that solve the same equations may differ

/// After a second.
struct Arrival {
  double angle = NAN, mean_rate = NAN, node_rate = NAN;  ///< [rad], [rad/s] of the last step and at the node
};

Arrival swing(const std::string& start, int count, CountedSteps& steps) {
  Scene scene = makeBoxPendulum(kBox.damper, 1.0 / count);
  scene.start = start;
  Simulator simulator = steps.start(scene);
  while (simulator.state().time < 1.0 - 0.5 * scene.dt)
    if (!steps.step(simulator)) return {};
  return {simulator.state().q[0], simulator.state().v[0], simulator.velocity()[0]};
}

/// An error for each length of the steps.
struct Errors {
  std::string name;
  int order;                             ///< that it should have
  std::vector<double> dt = {}, of = {};  ///< [s], [rad] or [rad/s]

  void add(double step, double error) { dt.push_back(step), of.push_back(std::fabs(error)); }
  /// From the two shortest steps, whose length differs by two.
  double power() const { return std::log2(of[of.size() - 2] / of.back()); }
};

Finding compareOrder(const std::string& paper, const Errors& errors) {
  return {paper, fmt::format("{}: error ~ step^{:.2f}, {:.2g} at 0.01 s", errors.name, errors.power(), errors.of[2]),
          std::fabs(errors.power() - errors.order) <= kOrder};
}

Outcome runStart(const Request& request, const Watch& watch) {
  CountedSteps steps(request, watch);
  Errors printed{"angle, VG's start", 1}, legendre{"angle, Legendre start", 2};
  Errors mean{"velocity, mean of the last step", 1}, node{"velocity, of the node", 2};
  Outcome outcome;
  outcome.setting = {
      "A box of 0.1 x 0.1 x 1 m and 1 kg on a hinge at its end, released from the horizontal; errors after 1 s.",
      "VG's start (start = \"first_order\"): the given velocity is the mean one of the first step. Legendre start: "
      "half a "
      "kick from the momentum of the given velocity. Velocities are those of the Legendre start, read in both ways.",
      "\"As printed\" are the paper's equations, which are one on a hinge, solved by a program of their own."};
  outcome.table.columns = {"step [s]",
                           printed.name + " [rad]",
                           "as printed [rad]",
                           legendre.name + " [rad]",
                           mean.name + " [rad/s]",
                           node.name + " [rad/s]"};
  double apart = 0.0;  // [rad] VG's start here and by hand
  for (const int count : kCounts) {
    const double dt = 1.0 / count;
    const PendulumMotion exact = solvePendulum(kBox, kStart, 0.0, dt, count);
    const double angle = exact.angle.back(), rate = exact.rate.back();
    const double hand =
        stepPendulum(kBox, kStart, 0.0, dt, count, StartOrder::kFirst, DamperOrder::kFirst).angle.back();
    const Arrival first = swing("first_order", count, steps), second = swing("legendre", count, steps);
    printed.add(dt, first.angle - angle);
    legendre.add(dt, second.angle - angle);
    mean.add(dt, second.mean_rate - rate);
    node.add(dt, second.node_rate - rate);
    apart = std::max(apart, std::fabs(first.angle - hand));
    outcome.table.rows.push_back({fmt::format("{:g}", dt), printed.of.back(), std::fabs(hand - angle),
                                  legendre.of.back(), mean.of.back(), node.of.back()});
  }
  Plot plot{"Errors of a pendulum after a second", "step [s]", "error [rad, rad/s]", true, {}, true};
  for (const Errors* one : {&printed, &legendre, &mean, &node}) plot.series.push_back({one->name, one->dt, one->of});
  outcome.findings = {compareOrder("the integrator is of first order (figure 10)", printed),
                      {"z1 follows from z0 and the given velocity; forces act from there on",
                       fmt::format("the same by a program of its own, to {:.1e} rad", apart), apart <= kRounding},
                      compareOrder("the discrete Legendre transform can be used to start", legendre),
                      compareOrder("a velocity is the mean one of a step", mean),
                      compareOrder("(wish) velocities of second order", node)};
  saveTable(request.folder + "/vg-start.csv", outcome.table);
  savePlot(request.folder + "/vg-start.svg", plot);
  outcome.files = {"vg-start.csv", "vg-start.svg"};
  tellRefusals(steps, outcome);
  return outcome;
}

}  // namespace

Experiment vgStart() {
  return {.name = "vg-start",
          .paper = "VG",
          .title = "errors of VG's own start and velocities beside those of a Legendre start",
          .steps = 2 * (25 + 50 + 100 + 200 + 400 + 800) - 6,
          .run = runStart};
}

}  // namespace rigor::experiments
