// VG figure 9a: a chain of rhombuses, each a loop of four links.
#include <fmt/format.h>

#include <cmath>

#include "experiments/maximal_models.h"
#include "experiments/scaling.h"
#include "experiments/vg.h"

namespace rigor::experiments {
namespace {

constexpr double kStep = 0.01, kHalfAngle = kPi / 8.0, kTolerance = 1e-10;
constexpr double kClosed = 1e-11;  // [m]
constexpr double kModest = 2.0;    // power of the growth that is still called modest
const Eigen::Vector3d kEnd(0.0, 0.0, -1.0);

/// Adds two links, one hung from the other, at these angles to the world; `parent_angle` is that of the parent. Returns the second.
int addSide(ModelBuilder& builder, const std::string& name, int parent, double upper, double lower, double parent_angle,
            std::vector<double>& q) {
  const Shape box = makeBox({0.05, 0.05, 0.5});
  const int first = builder.addBody(
      makeRod(name + "_upper", parent, kHinge, parent == kWorld ? Eigen::Vector3d(0, 0, 0) : kEnd, box));
  q.push_back(upper - parent_angle);
  q.push_back(lower - upper);
  return builder.addBody(makeRod(name + "_lower", first, kHinge, kEnd, box));
}

double angleOf(int segment, int segments) { return segments == 1 || segment == segments - 1 ? 0.5 * kPi : 0.25 * kPi; }

/// All that hangs on the first left side is one tree; the first right side is the other, and comes last.
Scene makeChain(int segments) {
  ModelBuilder builder("loop chain");
  std::vector<double> q;
  std::vector<int> left, right(static_cast<std::size_t>(segments));
  const auto addRight = [&](int i, int parent, double parent_angle) {
    const double angle = angleOf(i, segments);
    right[static_cast<std::size_t>(i)] = addSide(builder, fmt::format("segment_{}_right", i), parent,
                                                 angle - kHalfAngle, angle + kHalfAngle, parent_angle, q);
  };
  for (int i = 0; i < segments; ++i) {
    const double angle = angleOf(i, segments), parent_angle = i == 0 ? 0.0 : angleOf(i - 1, segments) - kHalfAngle;
    const int parent = i == 0 ? kWorld : left.back();
    left.push_back(addSide(builder, fmt::format("segment_{}_left", i), parent, angle + kHalfAngle, angle - kHalfAngle,
                           parent_angle, q));
    if (i > 0) addRight(i, parent, parent_angle);
  }
  addRight(0, kWorld, 0.0);
  for (int i = 0; i < segments; ++i) {
    LoopSpec loop;
    loop.name = fmt::format("segment_{}", i);
    loop.kind = LoopKind::kHinge;
    loop.body_1 = left[static_cast<std::size_t>(i)];
    loop.body_2 = right[static_cast<std::size_t>(i)];
    loop.X_1F.position = loop.X_2F.position = kEnd;
    loop.axis = Eigen::Vector3d::UnitX();
    builder.addLoop(loop);
  }
  Scene scene = makeMaximalScene("loop chain", builder.build(), kStep);
  scene.q = Eigen::Map<const Eigen::VectorXd>(q.data(), std::ssize(q));
  return scene;
}

ScalingCase listCase(bool quick) {
  ScalingCase one{"loops", {1, 2}, makeChain, quick ? 100 : 1000, quick ? 1 : 5, kTolerance};
  if (!quick) one.sizes = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  return one;
}

Outcome runLoops(const Request& request, const Watch& watch) {
  CountedSteps steps(request, watch);
  const ScalingCase one = listCase(request.quick);
  const ScalingCurve curve = measureScaling(one, steps);
  Outcome outcome;
  outcome.setting = {
      "Rhombuses of four boxes of 0.1 x 0.1 x 1 m and 1 kg, hung from each other, hinges along x: of the five rows "
      "that close each, three "
      "say what its plane says already.",
      fmt::format("{} steps of 10 ms; processor time of the best of {} rounds, one core, nothing recorded.", one.steps,
                  one.rounds)};
  tellScaling({curve}, "A chain of loops", "segments of four links", request.folder, "vg-loops", outcome);
  Finding growth = linearFinding("the increase in time is modest, no longer fully linear", curve, request.quick);
  if (!request.quick && !curve.refused()) growth.holds = curve.growth() <= kModest;
  outcome.findings = {growth,
                      {"chains of ten segments are computed (RigidBodyDynamics fails from two on)",
                       fmt::format("gaps at most {:.1e} m", curve.gap()),
                       shown(!curve.refused() && curve.gap() <= kClosed, !request.quick)}};
  tellRefusals(steps, outcome);
  return outcome;
}

}  // namespace

Experiment vgLoops() {
  return {.name = "vg-loops",
          .paper = "VG",
          .title = "time of a chain of loops of four links (figure 9a)",
          .steps = countScaling({listCase(false)}),
          .run = runLoops,
          .quick_steps = countScaling({listCase(true)})};
}

}  // namespace rigor::experiments
