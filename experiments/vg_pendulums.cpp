// VG figures 8a and 10: pendulums of n links on hinges and on ball joints; at the finest tolerance, and at three.
#include <fmt/format.h>

#include <cmath>

#include "experiments/maximal_models.h"
#include "experiments/pendulum_residual.h"
#include "experiments/scaling.h"
#include "experiments/vg.h"

namespace rigor::experiments {
namespace {

constexpr double kStep = 0.01;
constexpr double kFinest = 1e-10;
const std::vector<double> kTolerances = {1e-6, 1e-8, kFinest};

Scene makePendulum(int links, JointType joint) {
  ModelBuilder builder("pendulum");
  int parent = kWorld;
  for (int i = 0; i < links; ++i)
    parent = builder.addBody(makeRod(fmt::format("link_{}", i), parent, joint,
                                     i == 0 ? Eigen::Vector3d::Zero() : Eigen::Vector3d(0.0, 0.0, -1.0),
                                     makeCylinder(0.05, 0.5)));
  Scene scene = makeMaximalScene("pendulum", builder.build(), kStep);
  if (joint == kHinge)
    scene.q[0] = 0.25 * kPi;
  else
    scene.q.head<4>() << std::cos(0.125 * kPi), std::sin(0.125 * kPi), 0.0, 0.0;
  return scene;
}

Witness summonResidual(const Scene& scene) {
  const MassProperties& rod = scene.model.body(0).mass;
  return [residual = PendulumResidual(rod.mass, rod.inertia(0, 0), scene.dt)](const Simulator& simulator) mutable {
    return residual.look(simulator);
  };
}

std::vector<ScalingCase> listCases(const std::vector<double>& tolerances, bool quick) {
  std::vector<ScalingCase> cases;
  for (const JointType joint : {kHinge, kBall})
    for (const double tolerance : tolerances) {
      ScalingCase one{fmt::format("{} {:g}", jointTypeName(joint), tolerance),
                      {1, 2, 5, 10},
                      [joint](int links) { return makePendulum(links, joint); },
                      quick ? 100 : 1000,
                      quick ? 1 : 5,
                      tolerance,
                      summonResidual};
      if (!quick) one.sizes = {1, 2, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100};
      cases.push_back(one);
    }
  return cases;
}

std::vector<std::string> settingOf(const ScalingCase& one) {
  return {"Cylinders of 1 m, 1 kg and 0.05 m radius, all along one line at pi/4 from hanging at the start.",
          fmt::format("{} steps of 10 ms; processor time of the best of {} rounds, one core, nothing recorded.",
                      one.steps, one.rounds),
          kGrowthTold};
}

Outcome runPendulums(const Request& request, const Watch& watch) {
  CountedSteps steps(request, watch);
  const std::vector<ScalingCase> cases = listCases({kFinest}, request.quick);
  const std::vector<ScalingCurve> curves = measureScaling(cases, steps);
  Outcome outcome;
  outcome.setting = settingOf(cases[0]);
  tellScaling(curves, "Pendulums of n links", "links", request.folder, "vg-pendulums", outcome);
  for (const ScalingCurve& curve : curves)
    outcome.findings.push_back(linearFinding("time is linear in the number of links", curve, request.quick));
  tellRefusals(steps, outcome);
  return outcome;
}

/// What a tolerance asked for and what came of it.
Finding compareTolerance(const ScalingCase& one, const ScalingCurve& curve, bool full) {
  double within = 0.0;  // links up to which the residual stays below the tolerance
  for (const SizeTime& size : curve.sizes) {
    if (size.refused || !(size.residual <= one.tolerance)) break;
    within = size.size;
  }
  const double most = curve.sizes.back().size;
  return {
      fmt::format("all n-link pendulums are simulated at a tolerance of {:g}", one.tolerance),
      fmt::format("{}: {} up to {:g} links; residual at most {:.1e} N m s, within the tolerance up to {:g} links",
                  curve.name, curve.refused() ? "steps were REFUSED" : "none refused", most, curve.residual(), within),
      shown(within == most, full)};
}

/// `loose` and `fine` are the same pendulums.
Finding compareCost(const ScalingCurve& loose, const ScalingCurve& fine, bool full) {
  const SizeTime &before = loose.sizes.back(), &after = fine.sizes.back();
  return {"(wish) a finer tolerance needs no more iterations",
          fmt::format("{} and {}: {:.2f} and {:.2f} iterations per step at {:g} links, {:.3g} and {:.3g} us",
                      loose.name, fine.name, before.passes, after.passes, after.size,
                      1e6 * before.seconds / static_cast<double>(loose.steps),
                      1e6 * after.seconds / static_cast<double>(fine.steps)),
          shown(after.passes <= before.passes, full)};
}

Outcome runTolerances(const Request& request, const Watch& watch) {
  CountedSteps steps(request, watch);
  const std::vector<ScalingCase> cases = listCases(kTolerances, request.quick);
  const std::vector<ScalingCurve> curves = measureScaling(cases, steps);
  Outcome outcome;
  outcome.setting = settingOf(cases[0]);
  outcome.setting.push_back(
      "The residual is that of the paper's equations, all rods together [N m s], of whole steps, by code of its own in "
      "long "
      "double. Newton's method goes on to 1e-12 of the momentum, or to rounding of at most 1e-9, whatever the judge is "
      "told to accept; "
      "iterations are its passes.");
  outcome.setting.push_back(
      "The paper's rivals in minimal coordinates have revolute joints only, and fail for small tolerances and many "
      "links. Joint velocities are the unknowns here too.");
  tellScaling(curves, "Pendulums of n links at three tolerances", "links", request.folder, "vg-tolerances", outcome);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    outcome.findings.push_back(compareTolerance(cases[i], curves[i], !request.quick));
    outcome.findings.push_back(linearFinding("linear computational complexity", curves[i], request.quick));
  }
  for (std::size_t first = 0; first < curves.size(); first += kTolerances.size())
    outcome.findings.push_back(compareCost(curves[first], curves[first + kTolerances.size() - 1], !request.quick));
  tellRefusals(steps, outcome);
  return outcome;
}

std::int64_t countSteps(const std::vector<double>& tolerances, bool quick) {
  return countScaling(listCases(tolerances, quick));
}

}  // namespace

Experiment vgPendulums() {
  return {.name = "vg-pendulums",
          .paper = "VG",
          .title = "time of pendulums of n links, hinges and balls (figure 8a)",
          .steps = countSteps({kFinest}, false),
          .run = runPendulums,
          .quick_steps = countSteps({kFinest}, true)};
}

Experiment vgTolerances() {
  return {.name = "vg-tolerances",
          .paper = "VG",
          .title = "pendulums of n links at three tolerances (figure 10)",
          .steps = countSteps(kTolerances, false),
          .run = runTolerances,
          .quick_steps = countSteps(kTolerances, true)};
}

}  // namespace rigor::experiments
