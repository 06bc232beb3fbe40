#include "rigor/dh.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>

#include "model/names.h"

namespace rigor {
namespace {

/// Along and about one axis: the two moves commute.
Pose screw(const Eigen::Vector3d& axis, double along, double about) {
  return {along * axis, Eigen::Quaterniond(Eigen::AngleAxisd(about, axis))};
}

void checkLink(const DhLink& link, int row) {
  const Place where = placeOf(link.body, row);
  if (!std::isfinite(link.a) || !std::isfinite(link.alpha) || !std::isfinite(link.d) || !std::isfinite(link.theta))
    throw Error(where, fmt::format("row {} of the DH table is not finite", row), "Give a, alpha, d and theta.");
  const JointType type = link.body.joint.type;
  if (type != kHinge && type != kSlide)
    throw Error(where, fmt::format("row {} of the DH table has a {} joint", row, jointTypeName(type)),
                "Only hinges and slides stand in DH tables; hang other joints on the last link.");
  if (!link.body.more_joints.empty())
    throw Error(where, fmt::format("row {} of the DH table has several joints", row), "Write one row for each.");
}

}  // namespace

int addDhLinks(ModelBuilder& builder, int parent, DhConvention convention, const std::vector<DhLink>& links,
               const Pose& X_P0) {
  if (links.empty()) throw Error("the DH table has no rows", "Give one row per joint.");
  const Eigen::Vector3d x = Eigen::Vector3d::UnitX(), z = Eigen::Vector3d::UnitZ();
  int first = kWorld;
  for (int row = 0; row < static_cast<int>(links.size()); ++row) {
    const DhLink& link = links[row];
    checkLink(link, row);
    const Pose along_z = screw(z, link.d, link.theta), along_x = screw(x, link.a, link.alpha);
    BodySpec body = link.body;
    body.parent = parent;
    body.joint.axis = z;
    // q turns about or moves along z, so it may stand anywhere among the moves along z
    body.joint.X_PJ = convention == DhConvention::kStandard ? along_z : along_x * along_z;
    body.X_JB = convention == DhConvention::kStandard ? along_x : Pose{};
    if (row == 0) body.joint.X_PJ = X_P0 * body.joint.X_PJ;
    parent = builder.addBody(std::move(body));
    if (row == 0) first = parent;
  }
  return first;
}

}  // namespace rigor
