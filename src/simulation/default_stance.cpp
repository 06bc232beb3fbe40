#include "simulation/default_stance.h"

#include <fmt/format.h>

#include <algorithm>

#include "simulation/feet.h"

namespace rigor {
namespace {

std::string overlapText(const Model& model, const ShapeOverlap& overlap) {
  return fmt::format("\"{}\" and \"{}\" by {:.2g} m", nameOfShape(model, overlap.shape_1),
                     nameOfShape(model, overlap.shape_2), overlap.depth);
}

/// Which joints were moved, how far and why.
std::string movesText(const Model& model, const ClearPose& clear, const RobotBodies& chosen) {
  std::string text;
  for (const MovedJoint& moved : clear.moved) {
    const ModelJoint& joint = model.joints()[moved.joint];
    if (!chosen(joint.body)) continue;
    text += fmt::format("{}\"{}\" from {:.3g} to {:.3g} {}{}", text.empty() ? "" : ", ", joint.spec.name, moved.from,
                        moved.to, joint.spec.type.rotation == Rotation::kNone ? "m" : "rad",
                        moved.cause.depth > 0.0 ? " (" + overlapText(model, moved.cause) + ")" : "");
  }
  return text;
}

}  // namespace

void putIntoRanges(const Model& model, const RobotBodies& chosen, Eigen::VectorXd& q, std::vector<std::string>& told) {
  const Eigen::VectorXd reference = q;
  for (const ModelJoint& joint : model.joints())
    if (const auto& range = joint.spec.range; range && chosen(joint.body))
      q[joint.q_index] = std::clamp(q[joint.q_index], range->lower, range->upper);
  if (q == reference) return;
  Eigen::VectorXd with_feet = q;
  keepFeetBelow(model, reference, with_feet);
  std::string moved;
  bool brought_back = false;  // no arm has feet, and legs may have nothing left to move
  for (const ModelJoint& joint : model.joints()) {
    if (!chosen(joint.body) || joint.spec.type == kFree) continue;
    const int count = positionCount(joint.spec.type);
    brought_back |= q.segment(joint.q_index, count) != with_feet.segment(joint.q_index, count);
    q.segment(joint.q_index, count) = with_feet.segment(joint.q_index, count);
    if (const double value = q[joint.q_index]; value != reference[joint.q_index])
      moved += fmt::format("{}\"{}\" {:.4g}", moved.empty() ? "" : ", ", joint.spec.name, value);
  }
  told.push_back(fmt::format("ranges of joints leave out their reference, so they start elsewhere{}: {}",
                             brought_back ? ", with the feet where they were" : "", moved));
}

void clearOverlaps(const Model& model, const RobotBodies& chosen, Eigen::VectorXd& q, ModelBuilder& builder,
                   std::vector<Warning>& warnings) {
  const ClearPose clear = findClearPose(model, q);
  for (const ModelJoint& joint : model.joints()) {
    if (!chosen(joint.body)) continue;
    const int count = positionCount(joint.spec.type);
    q.segment(joint.q_index, count) = clear.q.segment(joint.q_index, count);
  }
  std::string left;
  for (const ShapeOverlap& overlap : clear.left) {
    const ModelShape &a = model.shapes()[overlap.shape_1], &b = model.shapes()[overlap.shape_2];
    if (a.name.empty() || b.name.empty() || !chosen(a.body) || !chosen(b.body)) continue;
    builder.excludePair(a.name, b.name);
    left += (left.empty() ? "" : ", ") + overlapText(model, overlap);
  }
  const Place where{model.body(0).where.file, 0, "start"};
  if (const std::string moved = movesText(model, clear, chosen); !moved.empty())
    warnings.push_back(
        {where, "joints moved so that it does not overlap itself: " + moved, true, WarningKind::kMovedPose});
  if (!left.empty())
    warnings.push_back({where, "no pose found in which these do not overlap, so they are left out of contact: " + left,
                        true, WarningKind::kNoClearPose});
}

}  // namespace rigor
