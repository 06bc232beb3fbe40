#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "io/mesh/readers.h"

namespace rigor {

Mesh readMsh(std::string_view bytes, const std::string& file) {
  const char* remedy = "Only MuJoCo's binary .msh is read; export the mesh as STL or OBJ.";
  std::array<std::int32_t, 4> counts{};  // vertices, normals, texture coordinates, faces
  if (bytes.size() < sizeof counts)
    throw Error({file, 0, ""}, fmt::format("{} bytes are no mesh", bytes.size()), remedy);
  std::memcpy(counts.data(), bytes.data(), sizeof counts);
  const auto [vertices, normals, texture, faces] = counts;
  if (vertices < 0 || normals < 0 || texture < 0 || faces < 0)
    throw Error({file, 0, ""}, "a count in the header is below zero", remedy);
  const std::int64_t expected = 16 + 12 * std::int64_t{vertices} + 12 * std::int64_t{normals} +
                                8 * std::int64_t{texture} + 12 * std::int64_t{faces};
  if (static_cast<std::int64_t>(bytes.size()) != expected)
    throw Error(
        {file, 0, ""},
        fmt::format("{} vertices and {} faces take {} bytes; the file has {}", vertices, faces, expected, bytes.size()),
        remedy);
  Mesh mesh;
  const char* at = bytes.data() + sizeof counts;
  for (int i = 0; i < vertices; ++i, at += 12) {
    float p[3];
    std::memcpy(p, at, sizeof p);
    if (!std::isfinite(p[0]) || !std::isfinite(p[1]) || !std::isfinite(p[2]))
      throw Error({file, 0, fmt::format("vertex {}", i)}, "a coordinate is not finite", "Export the mesh again.");
    mesh.vertices.push_back({p[0], p[1], p[2]});
  }
  at += 12 * std::int64_t{normals} + 8 * std::int64_t{texture};
  for (int i = 0; i < faces; ++i, at += 12) {
    std::int32_t corners[3];
    std::memcpy(corners, at, sizeof corners);
    for (const int corner : corners)
      if (corner < 0 || corner >= vertices)
        throw Error({file, 0, fmt::format("face {}", i)},
                    fmt::format("has the corner {}, of {} vertices", corner, vertices), "Export the mesh again.");
    mesh.triangles.push_back({corners[0], corners[1], corners[2]});
  }
  return mesh;
}

}  // namespace rigor
