// Meshes and height fields of a page: each is written once, however many shapes have it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "rigor/shape.h"

namespace rigor {

/// Vertices and triangles as they go into a page: single precision, no vertex twice.
struct PageMesh {
  std::vector<float> position;       ///< [vertices × 3]
  std::vector<std::uint32_t> index;  ///< [triangles × 3]
};

/// Unites vertices at the same place (files such as STL repeat them for every triangle) and leaves out triangles that name
/// a vertex twice or one that there is not.
PageMesh makePageMesh(const Mesh& mesh);
/// Faces cut into triangles around their first corner.
PageMesh makePageMesh(const Polytope& polytope);

class PageMeshes {
 public:
  /// Where the list has what this shape is made of; −1 for shapes that a formula describes, and for meshes that are missing.
  int find(const Shape& shape);
  /// JSON list of meshes {"position", "index", "wide": true where the index has 4 bytes and not 2} and of height fields
  /// {"rows", "columns", "half", "heights"}.
  std::string list() const { return "[" + text_ + "]"; }

 private:
  int add(const void* what, const std::function<std::string()>& describe);

  std::unordered_map<const void*, int> known_;
  std::string text_;
};

}  // namespace rigor
