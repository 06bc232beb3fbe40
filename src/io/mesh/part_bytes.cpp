#include "io/mesh/part_bytes.h"

#include <cstdint>
#include <cstring>

namespace rigor {
namespace {

template <class Item>
void packItems(const Item* items, std::size_t count, std::string& bytes) {
  const std::uint64_t number = count;
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
  bytes.append(reinterpret_cast<const char*>(items), count * sizeof(Item));
}

/// Takes a counted list from the front of the bytes; false if they are too few.
template <class List>
bool unpackItems(std::string_view& bytes, List& list) {
  std::uint64_t number = 0;
  if (bytes.size() < sizeof number) return false;
  std::memcpy(&number, bytes.data(), sizeof number);
  bytes.remove_prefix(sizeof number);
  constexpr std::size_t kItem = sizeof(typename List::value_type);
  if (number > bytes.size() / kItem) return false;
  list.resize(number);
  if (number > 0) std::memcpy(static_cast<void*>(list.data()), bytes.data(), number * kItem);
  bytes.remove_prefix(number * kItem);
  return true;
}

bool allCornersExist(const Mesh& mesh) {
  const int count = static_cast<int>(mesh.vertices.size());
  for (const auto& triangle : mesh.triangles)
    for (const int corner : triangle)
      if (corner < 0 || corner >= count) return false;
  return true;
}

}  // namespace

std::string packParts(const std::vector<MeshPart>& parts) {
  std::string bytes;
  for (const MeshPart& part : parts) {
    packItems(part.name.data(), part.name.size(), bytes);
    packItems(part.rgba ? part.rgba->data() : nullptr, part.rgba ? 4 : 0, bytes);
    packItems(part.mesh.vertices.data(), part.mesh.vertices.size(), bytes);
    packItems(part.mesh.triangles.data(), part.mesh.triangles.size(), bytes);
  }
  return bytes;
}

std::optional<std::vector<MeshPart>> unpackParts(std::string_view bytes) {
  std::vector<MeshPart> parts;
  while (!bytes.empty()) {
    MeshPart& part = parts.emplace_back();
    std::vector<double> rgba;
    if (!unpackItems(bytes, part.name) || !unpackItems(bytes, rgba) || !unpackItems(bytes, part.mesh.vertices) ||
        !unpackItems(bytes, part.mesh.triangles) || !allCornersExist(part.mesh))
      return {};
    if (rgba.size() == 4) part.rgba = Eigen::Vector4d(rgba[0], rgba[1], rgba[2], rgba[3]);
  }
  return parts;
}

}  // namespace rigor
