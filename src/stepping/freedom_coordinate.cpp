#include "stepping/freedom_coordinate.h"

#include <algorithm>
#include <cmath>

namespace rigor {

FreedomAt computeFreedom(const LoopFreedom& freedom, const Topology& topology, const Kinematics<double>& kin) {
  const SpringPart& along = freedom.along;
  const PairCoordinate coordinate = computeStretch(along, topology, kin).spring;
  FreedomAt at;
  at.x = freedom.middle + coordinate.value;
  at.size = 2.0 + std::fabs(at.x);  // entries of rotations
  std::copy_n(coordinate.F, 2, at.F);
  if (along.along == SpringAlong::kDirection) {
    const LoopEnd end_1 = findEnd(along.link_1, along.X_1, topology, kin);
    const LoopEnd end_2 = findEnd(along.link_2, along.X_2, topology, kin);
    for (const LoopEnd& end : {end_1, end_2}) at.size += absoluteSum(end.origin) + absoluteSum(end.X_OF.p);
  }
  return at;
}

std::vector<OutsideFreedom> findOutside(const Model& model, const Eigen::VectorXd& q) {
  constexpr double kSame = 1e-9;
  std::vector<OutsideFreedom> outside;
  if (model.loops().empty()) return outside;
  Kinematics<double> kin;
  kin.resize(model.topology());
  computeKinematics(model.topology(), model.parameters(), q.data(), kin);
  for (const LoopFreedom& freedom : makeLoopFreedoms(model)) {
    const double x = computeFreedom(freedom, model.topology(), kin).x;
    if (freedom.limited && (x < freedom.lower - kSame || x > freedom.upper + kSame)) outside.push_back({freedom, x});
  }
  return outside;
}

double wayBetween(const LoopFreedom& freedom, double from, double to) {
  const double way = to - from;
  return freedom.wraps() ? way - turnsTo(way) : way;
}

}  // namespace rigor
