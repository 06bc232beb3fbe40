// Mesh files by their endings; scale, welding, and what is in use already.
#include <fmt/format.h>
#include <sys/stat.h>

#include <cctype>
#include <filesystem>
#include <map>
#include <mutex>
#include <tuple>

#include "geometry/weld.h"
#include "io/file.h"
#include "io/mesh/readers.h"

namespace rigor {
namespace {

constexpr std::uint64_t kMeshLimit = std::uint64_t{1} << 30;  // [bytes] twenty million triangles

std::vector<MeshPart> readParts(const std::string& file) {
  if (endsWith(file, ".obj")) return readObj(readFile(file, kMeshLimit), file);
  std::vector<MeshPart> parts;
  if (endsWith(file, ".stl")) {
    parts.push_back({"", readStl(readFile(file, kMeshLimit), file), {}});
  } else if (endsWith(file, ".msh")) {
    parts.push_back({"", readMsh(readFile(file, kMeshLimit), file), {}});
  } else {
    const std::string ending = std::filesystem::path(file).extension().string();
    if (!assimpReads(ending))
      throw Error({file, 0, ""}, fmt::format("\"{}\" is no ending of a mesh file", ending),
                  "Known: .stl, .obj, .msh, .dae, .gltf, .glb, .ply and whatever else Assimp reads.");
    readFile(file, kMeshLimit);  // for the usual messages about files that cannot be read
    parts = readWithAssimp(file);
  }
  return parts;
}

void checkScale(const std::string& file, const Eigen::Vector3d& scale) {
  if (!scale.allFinite() || scale.cwiseAbs().minCoeff() == 0.0)
    throw Error({file, 0, ""}, fmt::format("the scale is ({}, {}, {})", scale.x(), scale.y(), scale.z()),
                "Give three finite numbers that are not zero.");
}

void applyScale(Mesh& mesh, const Eigen::Vector3d& scale) {
  for (Eigen::Vector3d& vertex : mesh.vertices) vertex = vertex.cwiseProduct(scale);
  if (scale.prod() < 0.0)
    for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
}

/// Equal vertices become one.
void weld(Mesh& mesh) {
  const std::vector<int> first = findFirstOfEach(mesh.vertices);
  std::vector<int> place(first.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] == static_cast<int>(i)) {
      place[i] = static_cast<int>(count);
      mesh.vertices[count++] = mesh.vertices[i];
    } else {
      place[i] = place[first[i]];
    }
  }
  mesh.vertices.resize(count);
  for (auto& triangle : mesh.triangles)
    for (int& corner : triangle) corner = place[corner];
}

void requireVertices(const Mesh& mesh, const std::string& file) {
  if (mesh.vertices.empty())
    throw Error({file, 0, ""}, "the mesh is empty", "Export it again, with its geometry as triangles.");
}

Mesh join(std::vector<MeshPart> parts) {
  if (parts.size() == 1) return std::move(parts[0].mesh);
  Mesh all;
  for (const MeshPart& part : parts) {
    const int base = static_cast<int>(all.vertices.size());
    all.vertices.insert(all.vertices.end(), part.mesh.vertices.begin(), part.mesh.vertices.end());
    for (const auto& [a, b, c] : part.mesh.triangles) all.triangles.push_back({base + a, base + b, base + c});
  }
  return all;
}

/// A file as it was at some time, and the scale that it is taken at.
using MeshKey = std::tuple<std::string, std::int64_t, std::int64_t, std::int64_t, double, double, double>;

MeshKey keyOf(const std::string& file, const Eigen::Vector3d& scale) {
  std::error_code none;
  const std::filesystem::path real = std::filesystem::canonical(file, none);
  struct stat status{};
  ::stat(file.c_str(), &status);
  return {none ? file : real.string(),
          status.st_size,
          status.st_mtim.tv_sec,
          status.st_mtim.tv_nsec,
          scale.x(),
          scale.y(),
          scale.z()};
}

/// Meshes and hulls that some shape holds; those that nobody holds any more are forgotten.
class MeshesInUse {
 public:
  std::shared_ptr<const Mesh> findMesh(const MeshKey& key) {
    const std::lock_guard lock(mutex_);
    const auto known = entries_.find(key);
    return known == entries_.end() ? nullptr : known->second.mesh.lock();
  }
  /// Without polytope if it is not known.
  Shape findHull(const MeshKey& key) {
    const std::lock_guard lock(mutex_);
    const auto known = entries_.find(key);
    if (known == entries_.end()) return {};
    return {ShapeKind::kHull, known->second.size, known->second.mesh.lock(), {}, known->second.polytope.lock()};
  }
  void add(const MeshKey& key, const std::shared_ptr<const Mesh>& mesh) {
    const std::lock_guard lock(mutex_);
    std::erase_if(entries_, [](const auto& entry) { return entry.second.mesh.expired(); });
    entries_[key] = {mesh, {}, {}};
  }
  void add(const MeshKey& key, const Shape& hull) {
    const std::lock_guard lock(mutex_);
    entries_[key] = {hull.mesh, hull.polytope, hull.size};
  }

 private:
  struct Entry {
    std::weak_ptr<const Mesh> mesh;
    std::weak_ptr<const Polytope> polytope;
    Eigen::Vector3d size;  ///< of the hull
  };
  std::mutex mutex_;
  std::map<MeshKey, Entry> entries_;
};

MeshesInUse& meshesInUse() {
  static MeshesInUse in_use;
  return in_use;
}

}  // namespace

std::vector<MeshPart> loadMeshParts(const std::string& file, const Eigen::Vector3d& scale) {
  checkScale(file, scale);
  std::vector<MeshPart> parts = readParts(file);
  if (parts.empty()) requireVertices({}, file);
  for (MeshPart& part : parts) {
    requireVertices(part.mesh, file);
    part.mesh.source = file;
    weld(part.mesh);
    applyScale(part.mesh, scale);
  }
  return parts;
}

std::shared_ptr<const Mesh> loadMesh(const std::string& file, const Eigen::Vector3d& scale) {
  checkScale(file, scale);
  const MeshKey key = keyOf(file, scale);
  if (auto known = meshesInUse().findMesh(key)) return known;
  Mesh mesh = join(readParts(file));
  requireVertices(mesh, file);
  mesh.source = file;
  weld(mesh);
  applyScale(mesh, scale);
  auto shared = std::make_shared<const Mesh>(std::move(mesh));
  meshesInUse().add(key, shared);
  return shared;
}

Shape loadHull(const std::string& file, const Eigen::Vector3d& scale) {
  checkScale(file, scale);
  const MeshKey key = keyOf(file, scale);
  if (Shape known = meshesInUse().findHull(key); known.mesh && known.polytope) return known;
  Shape hull = makeHull(loadMesh(file, scale));
  meshesInUse().add(key, hull);
  return hull;
}

}  // namespace rigor
