// VG figure 8b: a chain of spheres falls on the ground.
#include <fmt/format.h>

#include <cmath>

#include "experiments/maximal_models.h"
#include "experiments/scaling.h"
#include "experiments/vg.h"

namespace rigor::experiments {
namespace {

constexpr double kStep = 0.01, kRadius = 0.25, kFriction = 1.0, kTolerance = 1e-10;
constexpr double kDeep = 1e-9;  // [m]

/// Spheres 1 m apart on a line that rises at 45°, with ball joints half-way between them; contact at a point in the centre, as in the
/// paper, or of the spheres themselves.
Scene makeChain(int spheres, double touching_radius) {
  ModelBuilder builder("sphere chain");
  int parent = kWorld;
  for (int i = 0; i < spheres; ++i) {
    BodySpec body;
    body.name = fmt::format("sphere_{}", i);
    body.parent = parent;
    body.joint.name = fmt::format("joint_{}", i);
    body.joint.type = i == 0 ? kFree : kBall;
    if (i > 0) {
      body.joint.X_PJ.position = {0.0, 0.0, 0.5};
      body.X_JB.position = {0.0, 0.0, 0.5};
    }
    body.mass = massOf(makeSphere(kRadius), 1.0);
    ShapeSpec ball = makeContactPoint(fmt::format("ball_{}", i), Eigen::Vector3d::Zero());
    ball.shape = makeSphere(touching_radius);
    body.shapes = {ball};
    parent = builder.addBody(body);
  }
  builder.excludeSelfCollision();
  addGround(builder, kFriction);
  Scene scene = makeMaximalScene("sphere chain", builder.build(), kStep);
  scene.impact_stops = 0;  // as in the paper, all contacts close at the end of a step
  const Eigen::Quaterniond tilt(Eigen::AngleAxisd(0.25 * kPi, Eigen::Vector3d::UnitX()));
  scene.q.head<7>() << 0.0, 0.0, touching_radius, tilt.w(), tilt.vec();
  return scene;
}

std::vector<ScalingCase> listCases(bool quick) {
  std::vector<ScalingCase> cases;
  for (const auto& [name, radius] : {std::pair("points", kPointRadius), std::pair("spheres", kRadius)}) {
    ScalingCase one{name,
                    {1, 2, 4},
                    [radius = radius](int spheres) { return makeChain(spheres, radius); },
                    quick ? 100 : 500,
                    quick ? 1 : 3,
                    kTolerance};
    if (!quick) one.sizes = {1, 2, 3, 5, 7, 10, 14, 20, 25, 30, 35, 40, 45, 50};
    cases.push_back(one);
  }
  return cases;
}

Outcome runSpheres(const Request& request, const Watch& watch) {
  CountedSteps steps(request, watch);
  const std::vector<ScalingCase> cases = listCases(request.quick);
  const std::vector<ScalingCurve> curves = measureScaling(cases, steps);
  Outcome outcome;
  outcome.setting = {
      "Spheres of 1 kg and 0.25 m radius, 1 m apart, ball joints half-way between them; the chain rises at 45 degrees "
      "from the ground, "
      "mu 1.",
      "No step stops for an impact (impact_stops = 0): the paper closes all contacts at the end of a step.",
      fmt::format(
          "{} steps of 10 ms, tolerance {:g} (the paper's 1e-3); processor time of the best of {} rounds, one core.",
          cases[0].steps, kTolerance, cases[0].rounds),
      fmt::format(
          "points: contact at the centres as in the paper's script, balls of {:g} m. spheres: those that one sees.",
          kPointRadius),
      kGrowthTold};
  tellScaling(curves, "A chain of spheres on the ground", "spheres", request.folder, "vg-spheres", outcome);
  for (const ScalingCurve& curve : curves) {
    outcome.findings.push_back(linearFinding("time is linear in the number of spheres", curve, request.quick));
    outcome.findings.push_back(
        {"chains of 50 spheres are computed (MuJoCo sinks by 10 cm from 20 on and fails from 45 on)",
         fmt::format("{}: deepest {:.1e} m{}", curve.name, curve.deepest(),
                     curve.refused() ? ", steps were REFUSED" : ""),
         shown(!curve.refused() && curve.deepest() <= kDeep, !request.quick)});
  }
  tellRefusals(steps, outcome);
  return outcome;
}

}  // namespace

Experiment vgSpheres() {
  return {.name = "vg-spheres",
          .paper = "VG",
          .title = "time of a chain of spheres that falls on the ground (figure 8b)",
          .steps = countScaling(listCases(false)),
          .run = runSpheres,
          .quick_steps = countScaling(listCases(true))};
}

}  // namespace rigor::experiments
