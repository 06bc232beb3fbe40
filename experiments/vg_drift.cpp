// VG figure 7a: three links and the ground, closed by a loop. RK4 on accelerations without stabilisation lets it drift apart.
#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "experiments/counted_steps.h"
#include "experiments/csv.h"
#include "experiments/plot.h"
#include "experiments/vg.h"
#include "rigor/algorithms.h"

namespace rigor::experiments {
namespace {

constexpr double kStep = 0.01, kSeconds = 600.0, kQuickSeconds = 20.0;
constexpr double kCoupler = 0.70710678118654757;  // [m] the other links have 1 m
constexpr double kClosed = 1e-11;                 // [m] a gap of rounding, with room for what poses lose
constexpr std::int64_t kEvery = 10;               // steps behind one point of a curve: the widest gap of them

/// How far the tip of the coupler is from the tip of the right link: the way (y, z), its derivative, and what is left of its second
/// derivative without accelerations. Angles left, elbow, right, about x.
struct Closure {
  Eigen::Vector2d gap, curvature;
  Eigen::Matrix<double, 2, 3> jacobian;
};

Closure closureOf(const Eigen::Vector3d& q, const Eigen::Vector3d& v) {
  const auto along = [](double angle) { return Eigen::Vector2d(std::sin(angle), -std::cos(angle)); };
  const auto turned = [](double angle) { return Eigen::Vector2d(std::cos(angle), std::sin(angle)); };
  const double knee = q[0] + q[1], knee_rate = v[0] + v[1];
  Closure closure;
  closure.gap = along(q[0]) + kCoupler * along(knee) - Eigen::Vector2d(1.0, 0.0) - along(q[2]);
  closure.jacobian << turned(q[0]) + kCoupler * turned(knee), kCoupler * turned(knee), -turned(q[2]);
  closure.curvature =
      -v[0] * v[0] * along(q[0]) - kCoupler * knee_rate * knee_rate * along(knee) + v[2] * v[2] * along(q[2]);
  return closure;
}

/// Accelerations of the closed loop by Lagrange multipliers: the closure holds for accelerations only.
Eigen::Vector3d accelerate(const Model& model, Data& data, const Eigen::Vector3d& q, const Eigen::Vector3d& v) {
  const Closure closure = closureOf(q, v);
  Eigen::Matrix<double, 5, 5> matrix = Eigen::Matrix<double, 5, 5>::Zero();
  matrix.topLeftCorner<3, 3>() = crba(model, data, q);
  matrix.topRightCorner<3, 2>() = -closure.jacobian.transpose();
  matrix.bottomLeftCorner<2, 3>() = closure.jacobian;
  Eigen::Matrix<double, 5, 1> right;
  right << -nonLinearEffects(model, data, q, v), -closure.curvature;
  return matrix.partialPivLu().solve(right).head<3>();
}

void stepRk4(const Model& model, Data& data, double h, Eigen::Vector3d& q, Eigen::Vector3d& v) {
  const auto rate = [&](const Eigen::Vector3d& at, const Eigen::Vector3d& speed) {
    return accelerate(model, data, at, speed);
  };
  const Eigen::Vector3d v1 = v, a1 = rate(q, v1);
  const Eigen::Vector3d v2 = v + 0.5 * h * a1, a2 = rate(q + 0.5 * h * v1, v2);
  const Eigen::Vector3d v3 = v + 0.5 * h * a2, a3 = rate(q + 0.5 * h * v2, v3);
  const Eigen::Vector3d v4 = v + h * a3, a4 = rate(q + h * v3, v4);
  q += h / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4);
  v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
}

/// The widest gap within every kEvery steps.
struct GapCurve {
  std::vector<double> gap = {};
  std::int64_t steps = 0;

  void note(double width) {
    if (steps++ % kEvery == 0) gap.push_back(0.0);
    gap.back() = std::max(gap.back(), width);
  }
  double widest() const { return *std::max_element(gap.begin(), gap.end()); }
};

GapCurve driftOfRk4(const Scene& scene, std::int64_t count, CountedSteps& steps) {
  Data data(scene.model);
  Eigen::Vector3d q = scene.q, v = scene.v;
  GapCurve curve;
  for (std::int64_t i = 0; i < count; ++i) {
    stepRk4(scene.model, data, kStep, q, v);
    curve.note(closureOf(q, v).gap.norm());
    steps.tell(1);
  }
  return curve;
}

GapCurve driftOfOurs(const Scene& scene, std::int64_t count, CountedSteps& steps) {
  Simulator simulator = steps.start(scene);
  const int coupler = scene.model.findBody("coupler"), right = scene.model.findBody("right");
  GapCurve curve;
  for (std::int64_t i = 0; i < count && steps.step(simulator); ++i)
    curve.note((simulator.pose(coupler) * Eigen::Vector3d(0.0, 0.0, -kCoupler) -
                simulator.pose(right) * Eigen::Vector3d(0.0, 0.0, -1.0))
                   .norm());
  return curve;
}

Outcome runDrift(const Request& request, const Watch& watch) {
  CountedSteps steps(request, watch);
  const double seconds = request.quick ? kQuickSeconds : kSeconds;
  const auto count = static_cast<std::int64_t>(std::lround(seconds / kStep));
  const Scene scene = loadMaximal(request, "three_link_loop.toml", kStep);
  GapCurve ours = driftOfOurs(scene, count, steps);
  const GapCurve rk4 = driftOfRk4(scene, count, steps);

  Outcome outcome;
  outcome.setting = {fmt::format("Three links between two pivots, released at rest, {:g} s in steps of {:g} ms.",
                                 seconds, 1e3 * kStep),
                     "The gap is measured from the poses of the two bodies that the loop ties together."};
  outcome.table = {{"integrator", "widest gap [m]", "gap at the end [m]"},
                   {{std::string("variational"), ours.widest(), ours.gap.back()},
                    {std::string("rk4 on accelerations"), rk4.widest(), rk4.gap.back()}}};
  outcome.findings = {
      {"the variational integrator prevents constraint drift entirely",
       fmt::format("gap at most {:.1e} m in {:g} s", ours.widest(), seconds),
       shown(steps.refused() == 0 && ours.widest() <= kClosed, !request.quick)},
      {"RK4 on accelerations drifts without stabilisation",
       fmt::format("{:.1e} m at the end, {:.0e} times as far", rk4.gap.back(), rk4.gap.back() / ours.widest()),
       rk4.gap.back() > 100.0 * ours.widest()}};
  std::vector<double> time;
  for (std::size_t i = 0; i < rk4.gap.size(); ++i) time.push_back(kStep * static_cast<double>(i * kEvery));
  ours.gap.resize(time.size(), NAN);  // after a refused step
  saveCsv(request.folder + "/vg-drift.csv", {{"time", time}, {"variational", ours.gap}, {"rk4", rk4.gap}});
  savePlot(request.folder + "/vg-drift.svg",
           {"Gap of a loop of three links",
            "time [s]",
            "widest gap in 0.1 s [m]",
            true,
            {{"variational (rigor)", time, ours.gap}, {"RK4 on accelerations", time, rk4.gap}}});
  outcome.files = {"vg-drift.csv", "vg-drift.svg"};
  tellRefusals(steps, outcome);
  return outcome;
}

}  // namespace

Experiment vgDrift() {
  return {.name = "vg-drift",
          .paper = "VG",
          .title = "does a closed loop drift apart? (figure 7a)",
          .steps = 2 * static_cast<std::int64_t>(kSeconds / kStep),
          .run = runDrift,
          .quick_steps = 2 * static_cast<std::int64_t>(kQuickSeconds / kStep)};
}

}  // namespace rigor::experiments
