#include "geometry/weld.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <unordered_map>

namespace rigor {
namespace {

using Cell = std::array<std::int64_t, 3>;

struct CellHash {
  std::size_t operator()(const Cell& cell) const {
    std::uint64_t hash = 0;
    for (const std::int64_t part : cell) {
      hash ^= static_cast<std::uint64_t>(part) + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2);
      hash *= 0xff51afd7ed558ccdu;
      hash ^= hash >> 33;
    }
    return hash;
  }
};

/// The bits of the coordinates; both zeros are one.
Cell bitsOf(const Eigen::Vector3d& point) {
  Cell cell;
  for (int k = 0; k < 3; ++k) {
    const double value = point[k] + 0.0;
    std::memcpy(&cell[k], &value, sizeof value);
  }
  return cell;
}

std::vector<int> findEqual(const std::vector<Eigen::Vector3d>& points) {
  std::vector<int> first(points.size());
  std::unordered_map<Cell, int, CellHash> seen;
  seen.reserve(points.size());
  for (int i = 0; i < static_cast<int>(points.size()); ++i)
    first[i] = seen.try_emplace(bitsOf(points[i]), i).first->second;
  return first;
}

}  // namespace

std::vector<int> findFirstOfEach(const std::vector<Eigen::Vector3d>& points, double tolerance) {
  if (tolerance == 0.0) return findEqual(points);
  std::vector<int> first(points.size());
  std::unordered_map<Cell, std::vector<int>, CellHash> seen;  // firsts by the cell of a grid as wide as the tolerance
  for (int i = 0; i < static_cast<int>(points.size()); ++i) {
    Cell home;
    for (int k = 0; k < 3; ++k) home[k] = std::llround(points[i][k] / tolerance);
    int found = i;
    for (int neighbour = 0; neighbour < 27 && found == i; ++neighbour) {
      const Cell cell{home[0] + neighbour % 3 - 1, home[1] + neighbour / 3 % 3 - 1, home[2] + neighbour / 9 - 1};
      const auto others = seen.find(cell);
      if (others == seen.end()) continue;
      for (const int other : others->second)
        if (found == i && (points[other] - points[i]).norm() <= tolerance) found = other;
    }
    first[i] = found;
    if (found == i) seen[home].push_back(i);
  }
  return first;
}

}  // namespace rigor
