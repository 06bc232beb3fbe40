#include "stepping/start_report.h"

#include <fmt/format.h>

#include <cmath>

#include "dynamics/poses.h"

namespace rigor {
namespace {

constexpr double kNoticed = 1e-6;  // [m] or [rad] what is given in decimal digits is moved without a word

/// How far a body went, of both the way and the turn what can be seen; empty if neither can.
std::string wayOf(const Pose& from, const Pose& to) {
  const double way = (to.position - from.position).norm(), turn = to.rotation.angularDistance(from.rotation);
  std::string text;
  if (way > kNoticed) text = fmt::format("by {:.3g} m", way);
  if (turn > kNoticed) text += fmt::format("{}by {:.3g} rad", text.empty() ? "" : " and ", turn);
  return text;
}

std::string nameOf(const WidestLoop& open, const Model& model) {
  return open.own ? fmt::format("constraint \"{}\"", open.own->name)
                  : fmt::format("loop \"{}\"", model.loops()[open.loop].name);
}

Place placeOf(const WidestLoop& open, const Model& model) {
  Place place = open.own ? Place{} : model.loops()[open.loop].where;
  place.element = nameOf(open, model);
  return place;
}

}  // namespace

void tellOverlaps(const Model& model, const std::vector<Overlap>& overlaps, const Eigen::VectorXd& before,
                  const Eigen::VectorXd& after, std::vector<Warning>& warnings) {
  if (overlaps.empty()) return;
  const std::vector<Pose> from = bodyPoses(model, before), to = bodyPoses(model, after);
  for (const Overlap& overlap : overlaps) {
    std::string moved;
    for (const int body : overlap.bodies) {
      const std::string way = body == kWorld ? "" : wayOf(from[body], to[body]);
      if (way.empty()) continue;
      moved += fmt::format("{}\"{}\" {}", moved.empty() ? ": " : ", ", model.body(body).name, way);
    }
    warnings.push_back(
        {{},
         fmt::format("{} overlap by {:.3g} m at the start; moved apart{}", overlap.pair, overlap.depth, moved),
         true,
         WarningKind::kOverlap});
  }
}

void tellMovedJoints(const Model& model, const Eigen::VectorXd& before, const Eigen::VectorXd& after,
                     std::vector<Warning>& warnings) {
  constexpr int kNamed = 8;
  std::string moved;
  int count = 0;
  for (const ModelJoint& joint : model.joints()) {
    if (velocityCount(joint.spec.type) != 1) continue;
    const double from = before[joint.q_index], to = after[joint.q_index];
    if (!(std::fabs(to - from) > kNoticed) || ++count > kNamed) continue;
    const bool outside = joint.spec.range && (from < joint.spec.range->lower || from > joint.spec.range->upper);
    moved += fmt::format("{}\"{}\" from {:.4g} to {:.4g} {}{}", moved.empty() ? "" : ", ", joint.spec.name, from, to,
                         joint.spec.type.rotation == Rotation::kNone ? "m" : "rad",
                         outside ? " (it started outside its range)" : "");
  }
  if (count > kNamed) moved += fmt::format(" and {} more", count - kNamed);
  if (!moved.empty())
    warnings.push_back({{}, "joints moved with what was moved apart: " + moved, true, WarningKind::kMovedApart});
}

void reportLoops(const Model& model, const WidestLoop& before, const WidestLoop& after,
                 std::vector<Warning>& warnings) {
  if (!(after.gap <= kIgnoredOverlap))
    throw UnclosableLoop(
        placeOf(after, model),
        fmt::format("cannot be closed: {} {:.3g} {}{}", after.own ? "it stays open by" : "its ends stay", after.gap,
                    after.unit, after.own ? "" : " apart"),
        after.own ? "Start nearer to a pose where its function is zero and has a slope."
                  : "Check its points and axes, and start the joints near a pose that closes it.");
  if (before.gap > kNoticed)
    warnings.push_back({placeOf(before, model),
                        fmt::format("was open by {:.3g} {} at the start; what it ties together was moved to close it",
                                    before.gap, before.unit),
                        true, WarningKind::kOpenLoop});
}

}  // namespace rigor
