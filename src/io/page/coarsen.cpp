#include "io/page/coarsen.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace rigor {
namespace {

constexpr int kMostTries = 8;
constexpr double kNearEnough = 0.75;  // of the triangles allowed

/// The cube around a mesh.
struct Cube {
  std::array<float, 3> low;
  float side;
};

Cube findCube(const PageMesh& mesh) {
  std::array<float, 3> low{}, high{};
  for (int k = 0; k < 3; ++k) low[k] = high[k] = mesh.position[k];
  for (std::size_t i = 0; i < mesh.position.size(); ++i) {
    low[i % 3] = std::min(low[i % 3], mesh.position[i]);
    high[i % 3] = std::max(high[i % 3], mesh.position[i]);
  }
  return {low, std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2], 1e-30f})};
}

/// Unites the vertices in each of cells³ cells and drops the triangles that vanish.
PageMesh unite(const PageMesh& mesh, const Cube& cube, int cells) {
  PageMesh out;
  std::unordered_map<std::uint64_t, std::uint32_t> known;
  std::vector<std::uint32_t> number, members;
  for (std::size_t v = 0; v < mesh.position.size(); v += 3) {
    std::uint64_t cell = 0;
    for (int k = 0; k < 3; ++k) {
      const auto place = static_cast<int>((mesh.position[v + k] - cube.low[k]) / cube.side * cells);
      cell = cell << 20 | static_cast<std::uint64_t>(std::clamp(place, 0, cells - 1));
    }
    const auto [at, is_new] = known.try_emplace(cell, static_cast<std::uint32_t>(known.size()));
    if (is_new) out.position.resize(out.position.size() + 3), members.push_back(0);
    for (int k = 0; k < 3; ++k) out.position[3 * at->second + k] += mesh.position[v + k];
    ++members[at->second];
    number.push_back(at->second);
  }
  for (std::size_t i = 0; i < out.position.size(); ++i) out.position[i] /= static_cast<float>(members[i / 3]);
  for (std::size_t i = 0; i < mesh.index.size(); i += 3) {
    const std::uint32_t a = number[mesh.index[i]], b = number[mesh.index[i + 1]], c = number[mesh.index[i + 2]];
    if (a != b && b != c && c != a) out.index.insert(out.index.end(), {a, b, c});
  }
  return out;
}

}  // namespace

PageMesh coarsen(const PageMesh& mesh, std::size_t triangles) {
  if (mesh.index.size() <= 3 * triangles) return mesh;
  const Cube cube = findCube(mesh);
  PageMesh best;  // empty: nothing small enough was found
  double cells = std::sqrt(static_cast<double>(triangles)) / 2.0;
  for (int i = 0; i < kMostTries; ++i) {
    const PageMesh tried = unite(mesh, cube, std::clamp(static_cast<int>(cells), 1, 1 << 19));
    const double share = static_cast<double>(tried.index.size()) / (3.0 * static_cast<double>(triangles));
    if (share <= 1.0 && tried.index.size() > best.index.size()) best = tried;
    if (share <= 1.0 && share >= kNearEnough) break;
    // A surface has as many triangles as cells squared; aim a little below what is allowed.
    cells = std::max(1.0, cells * std::sqrt(0.9 / std::max(share, 0.05)));
  }
  return best;
}

}  // namespace rigor
