// VG figures 8a and 10: pendulums of n links on hinges and on ball joints, at three tolerances.
#include <fmt/format.h>

#include <cmath>

#include "experiments/maximal_models.h"
#include "experiments/scaling.h"
#include "experiments/vg.h"

namespace rigor::experiments {
namespace {

constexpr double kStep = 0.01;
constexpr double kTolerances[] = {1e-6, 1e-8, 1e-10};

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

std::vector<ScalingCase> listCases(bool quick) {
  std::vector<ScalingCase> cases;
  for (const JointType joint : {kHinge, kBall})
    for (const double tolerance : kTolerances) {
      ScalingCase one{fmt::format("{} {:g}", jointTypeName(joint), tolerance),
                      {1, 2, 5, 10},
                      [joint](int links) { return makePendulum(links, joint); },
                      quick ? 100 : 1000,
                      quick ? 1 : 5,
                      tolerance};
      if (!quick) one.sizes = {1, 2, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100};
      cases.push_back(one);
    }
  return cases;
}

Outcome runPendulums(const Request& request, const Watch& watch) {
  CountedSteps steps(request, watch);
  const std::vector<ScalingCase> cases = listCases(request.quick);
  const std::vector<ScalingCurve> curves = measureScaling(cases, steps);
  Outcome outcome;
  outcome.setting = {
      "Cylinders of 1 m, 1 kg and 0.05 m radius, all along one line at pi/4 from hanging at the start.",
      fmt::format("{} steps of 10 ms; processor time of the best of {} rounds, one core, nothing recorded.",
                  cases[0].steps, cases[0].rounds),
      "The tolerance is the judge's. Newton's method of the motion always goes on to rounding, so that it makes no "
      "difference here.",
      kGrowthTold};
  tellScaling(curves, "Pendulums of n links", "links", request.folder, "vg-pendulums", outcome);
  for (const ScalingCurve& curve : curves)
    outcome.findings.push_back(linearFinding("time is linear in the number of links", curve, request.quick));
  outcome.findings.push_back({"all n-link pendulums are simulated for all tolerances",
                              steps.refused() == 0 ? "no step refused" : fmt::format("{} refused", steps.refused()),
                              shown(steps.refused() == 0, !request.quick)});
  tellRefusals(steps, outcome);
  return outcome;
}

}  // namespace

Experiment vgPendulums() {
  return {.name = "vg-pendulums",
          .paper = "VG",
          .title = "time of pendulums of n links, hinges and balls, three tolerances (figures 8a, 10)",
          .steps = countScaling(listCases(false)),
          .run = runPendulums,
          .quick_steps = countScaling(listCases(true))};
}

}  // namespace rigor::experiments
