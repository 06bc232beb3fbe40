// Meshes and height fields of a page: each is written once, however many shapes have it.
#pragma once

#include <cstdint>
#include <memory>
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

/// Triangles of all meshes that are looks and nothing else; where there are more, each mesh gets the same share of them
/// (coarsen.h). What collides is always written whole.
inline constexpr std::size_t kMaxLookTriangles = 400'000;

class PageMeshes {
 public:
  /// Where the list has what this shape is made of; −1 for shapes that a formula describes, and for meshes that are missing.
  int find(const Shape& shape, bool is_look = false);
  /// JSON list of meshes {"position", "index", "wide": true where the index has 4 bytes and not 2} and of height fields
  /// {"rows", "columns", "half", "heights"}.
  std::string list() const;

 private:
  struct Entry {
    PageMesh mesh;
    std::shared_ptr<const HeightField> field;
    bool is_look = false;
  };

  std::unordered_map<const void*, int> known_;
  std::vector<Entry> entries_;
};

}  // namespace rigor
