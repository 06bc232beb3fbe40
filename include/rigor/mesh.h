// Meshes and height fields: what shapes are made of that no formula describes.
#pragma once

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

namespace rigor {

/// Vertices and triangles; immutable once a shape has it.
struct Mesh {
  std::string source;                         ///< file, for messages
  std::vector<Eigen::Vector3d> vertices;      ///< [m]
  std::vector<std::array<int, 3>> triangles;  ///< counter-clockwise seen from outside
};

/// What a mesh is like. It encloses a volume if every edge is passed as often in one direction as in the other.
struct MeshReport {
  int vertices = 0, triangles = 0;  ///< as listed
  int degenerate = 0;               ///< triangles without area
  int open_edges = 0;               ///< that belong to one triangle alone
  int clashing_edges = 0;           ///< between triangles of which one must be turned over
  double volume = 0.0;              ///< [m³] below zero: normals look inward; only where `closed`
  bool closed() const { return triangles > degenerate && open_edges == 0 && clashing_edges == 0; }
};

/// Throws Error for triangles whose corners are no vertices, and for vertices that are not finite.
MeshReport inspectMesh(const Mesh& mesh);

/// Ground over a rectangle that is centred at the origin of its frame. Each cell of the grid is cut into two triangles by
/// its diagonal from (row, column) to (row + 1, column + 1).
struct HeightField {
  std::string source;             ///< file, for messages
  int rows = 0, columns = 0;      ///< points along y and along x, at least two of each
  double half_x = 0, half_y = 0;  ///< [m] half extents
  std::vector<double> heights;    ///< [rows × columns] z of the points, row by row, from −half_y and −half_x on
};

}  // namespace rigor
