// rigor collide: distance, normal, witnesses and manifold of two shapes at two poses.
#include "rigor/collide.h"

#include <fmt/format.h>

#include "commands.h"
#include "json.h"
#include "output.h"
#include "shape_text.h"

namespace rigor::app {
namespace {

constexpr std::size_t kMostShown = 12;  // a rim on a face has a thousand points

std::string pointText(const Eigen::Vector3d& p) { return fmt::format("{:.9g} {:.9g} {:.9g}", p.x(), p.y(), p.z()); }

/// "vertex-face", what of A first, for every point.
std::vector<std::string> featuresOf(const Collision& c, const Shape& a, const Pose& X_WA, const Shape& b,
                                    const Pose& X_WB) {
  std::vector<std::string> features;
  for (const TouchingPoint& p : c.manifold)
    features.push_back(fmt::format("{}-{}", featureAt(a, X_WA, p.point_1), featureAt(b, X_WB, p.point_2)));
  return features;
}

std::string describe(const Collision& c, const std::vector<std::string>& features) {
  const std::vector<std::vector<std::string>> sums{
      {c.distance < 0.0 ? "overlap" : "distance", fmt::format("{:.12g} m", std::abs(c.distance))},
      {"normal", pointText(c.normal)},
      {"point of A", pointText(c.point_1)},
      {"point of B", pointText(c.point_2)}};
  if (c.manifold.empty()) return formatTable(sums) + "\nno points within the margin\n";
  std::vector<std::vector<std::string>> rows{{"", "gap [m]", "point of A [m]", "point of B [m]", "normal", "feature"}};
  const std::size_t shown = features.size() <= kMostShown + 1 ? features.size() : kMostShown;
  for (std::size_t i = 0; i < shown; ++i) {
    const TouchingPoint& p = c.manifold[i];
    rows.push_back({std::to_string(i + 1), fmt::format("{:.6g}", p.gap), pointText(p.point_1), pointText(p.point_2),
                    pointText(p.normal), features[i]});
  }
  const std::string rest =
      shown < features.size() ? fmt::format("… and {} more points; --json has all\n", features.size() - shown) : "";
  return formatTable(sums) + "\n" + formatTable(rows) + rest;
}

}  // namespace

int execute(const CollideArguments& arguments) {
  const Shape a = parseShape(arguments.shape_a), b = parseShape(arguments.shape_b);
  const Pose X_WA = parsePose(arguments.pose_a, "--pose-a"), X_WB = parsePose(arguments.pose_b, "--pose-b");
  const Collision collision = collide(a, X_WA, b, X_WB, arguments.margin);
  const std::vector<std::string> features = featuresOf(collision, a, X_WA, b, X_WB);
  writeResult(arguments.json ? collideJson(collision, features) : describe(collision, features));
  return kDone;
}

}  // namespace rigor::app
