#include "geometry/time_of_impact.h"

#include <algorithm>

#include "math/rotation.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr int kMaxAdvances = 200;
constexpr double kHair = 1e-9;  // of the smaller solid: near enough to know the features that meet

/// The way of one solid between two poses.
struct Way {
  const PlacedSolid& from;
  Vec moved, turned;

  Way(const PlacedSolid& start, const PlacedSolid& end)
      : from(start), moved(end.X_WS.p - start.X_WS.p), turned(rotationBetween(start.X_WS.R, end.X_WS.R)) {}

  ConvexShape at(double share) const {
    ConvexShape view = from.view();
    view.X_WS = {toMatrix(expQuat(share * turned)) * from.X_WS.R, from.X_WS.p + share * moved};
    return view;
  }
};

}  // namespace

TimeOfImpact findTimeOfImpact(const PlacedSolid& a_from, const PlacedSolid& a_to, const PlacedSolid& b_from,
                              const PlacedSolid& b_to) {
  const Way a(a_from, a_to), b(b_from, b_to);
  const double size_a = radiusAbout(a_from.view()), size_b = radiusAbout(b_from.view());
  const double turning = norm(a.turned) * size_a + norm(b.turned) * size_b;
  const Vec approach = b.moved - a.moved;
  TimeOfImpact impact;
  impact.share = 0.0;
  Vec hint{};
  for (int advances = 0; advances < kMaxAdvances; ++advances) {
    const Separation now = findSeparation(a.at(impact.share), b.at(impact.share), advances > 0 ? &hint : nullptr);
    hint = now.normal;
    if (now.distance <= kHair * std::min(size_a, size_b)) {
      impact.meets = true;
      if (advances == 0) impact.separation = now;
      return impact;
    }
    impact.separation = now;
    // along the normal alone: a slab that both stay out of while it lasts
    const double speed = std::max(0.0, -dot(approach, now.normal)) + turning;
    if (!(speed > 0.0)) break;
    impact.share += now.distance / speed;
    if (impact.share >= 1.0) break;
  }
  impact.meets = impact.share < 1.0;
  impact.share = std::min(impact.share, 1.0);
  return impact;
}

}  // namespace rigor
