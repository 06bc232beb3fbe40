// Grounds and things of triangles for the tests of runs on them.
#pragma once

#include <cmath>
#include <memory>
#include <random>

#include "rigor/mesh.h"
#include "rigor/shape.h"

namespace rigor {

/// A grid of cells over [−half, half]², each cut in two, with heights height(x, y).
template <class Height>
HeightField makeField(int cells, double half, const Height& height) {
  HeightField field{"field", cells + 1, cells + 1, half, half, {}};
  for (int row = 0; row <= cells; ++row)
    for (int column = 0; column <= cells; ++column)
      field.heights.push_back(height(half * (2.0 * column / cells - 1.0), half * (2.0 * row / cells - 1.0)));
  return field;
}

/// The same as loose triangles, without a body below.
template <class Height>
std::shared_ptr<const Mesh> makeSheet(int cells, double half, const Height& height) {
  auto mesh = std::make_shared<Mesh>();
  mesh->source = "sheet";
  const HeightField field = makeField(cells, half, height);
  const int columns = cells + 1;
  for (int row = 0; row <= cells; ++row)
    for (int column = 0; column <= cells; ++column)
      mesh->vertices.emplace_back(half * (2.0 * column / cells - 1.0), half * (2.0 * row / cells - 1.0),
                                  field.heights[static_cast<std::size_t>(row) * columns + column]);
  for (int row = 0; row < cells; ++row)
    for (int column = 0; column < cells; ++column) {
      const int at = row * columns + column;
      mesh->triangles.push_back({at, at + 1, at + columns + 1});
      mesh->triangles.push_back({at, at + columns + 1, at + columns});
    }
  return mesh;
}

/// A closed box whose sides are cut into cells × cells squares of two triangles.
inline std::shared_ptr<const Mesh> makeCutBox(const Eigen::Vector3d& half, int cells) {
  auto mesh = std::make_shared<Mesh>();
  mesh->source = "cut box";
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      const int first = static_cast<int>(mesh->vertices.size()), b = (axis + 1) % 3, c = (axis + 2) % 3;
      for (int i = 0; i <= cells; ++i)
        for (int j = 0; j <= cells; ++j) {
          Eigen::Vector3d p;
          p[axis] = side * half[axis];
          p[b] = half[b] * (2.0 * i / cells - 1.0), p[c] = half[c] * (2.0 * j / cells - 1.0);
          mesh->vertices.push_back(p);
        }
      for (int i = 0; i < cells; ++i)
        for (int j = 0; j < cells; ++j) {
          const int at = first + i * (cells + 1) + j, beyond = at + cells + 1;
          if (side > 0.0) {
            mesh->triangles.push_back({at, beyond, beyond + 1});
            mesh->triangles.push_back({at, beyond + 1, at + 1});
          } else {
            mesh->triangles.push_back({at, beyond + 1, beyond});
            mesh->triangles.push_back({at, at + 1, beyond + 1});
          }
        }
    }
  // equal corners of neighbouring sides become one when the shape is made, but an open seam would be told
  std::vector<int> same(mesh->vertices.size());
  for (std::size_t i = 0; i < same.size(); ++i) {
    std::size_t k = 0;
    while (mesh->vertices[k] != mesh->vertices[i]) ++k;
    same[i] = static_cast<int>(k);
  }
  for (auto& triangle : mesh->triangles)
    for (int& corner : triangle) corner = same[corner];
  return mesh;
}

/// Hills of 5 cm in a hollow that nothing rolls out of.
inline double hills(double x, double y) {
  return 0.05 * (std::sin(6.0 * x) * std::cos(5.0 * y) + std::cos(4.0 * x)) + 0.15 * (x * x + y * y);
}

}  // namespace rigor
