// Meshes of known solids for the tests of hulls and mass properties.
#pragma once

#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <utility>

#include "rigor/mesh.h"

namespace rigor {

/// A box with outward triangles; its corner (0, 0, 0) at `low`.
inline Mesh boxMesh(const Eigen::Vector3d& low, const Eigen::Vector3d& size) {
  Mesh mesh{"box", {}, {}};
  for (int corner = 0; corner < 8; ++corner)
    mesh.vertices.push_back(low + size.cwiseProduct(Eigen::Vector3d(corner & 1, corner >> 1 & 1, corner >> 2)));
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

/// Corners on the unit ball: an octahedron whose triangles are cut in four `rounds` times, with 8·4^rounds triangles.
inline Mesh ballMesh(int rounds) {
  Mesh mesh{"ball", {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}, {}};
  mesh.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (int round = 0; round < rounds; ++round) {
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int a, int b) {
      const auto [place, is_new] = middles.try_emplace(std::minmax(a, b), static_cast<int>(mesh.vertices.size()));
      if (is_new) mesh.vertices.push_back((mesh.vertices[a] + mesh.vertices[b]).normalized());
      return place->second;
    };
    std::vector<std::array<int, 3>> finer;
    for (const auto& [a, b, c] : mesh.triangles) {
      const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      for (const auto& triangle : {std::array{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}})
        finer.push_back(triangle);
    }
    mesh.triangles = std::move(finer);
  }
  return mesh;
}

/// A grid of points on all sides of a cube from −1 to 1, with `cells` cells along each edge.
inline std::vector<Eigen::Vector3d> cubeGrid(int cells) {
  std::vector<Eigen::Vector3d> points;
  for (int i = 0; i <= cells; ++i)
    for (int j = 0; j <= cells; ++j)
      for (int k = 0; k <= cells; ++k)
        if (i % cells == 0 || j % cells == 0 || k % cells == 0)
          points.push_back(2.0 / cells * Eigen::Vector3d(i, j, k) - Eigen::Vector3d::Ones());
  return points;
}

inline std::shared_ptr<const Mesh> share(Mesh mesh) { return std::make_shared<const Mesh>(std::move(mesh)); }

}  // namespace rigor
