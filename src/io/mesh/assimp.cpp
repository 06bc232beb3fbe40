// The one unit that knows Assimp.
//
// Assimp crashes on some damaged files and never comes back from others, so it reads in a process of its own.
#include <assimp/config.h>
#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <assimp/Importer.hpp>

#include "io/mesh/child_process.h"
#include "io/mesh/part_bytes.h"
#include "io/mesh/readers.h"

namespace rigor {
namespace {

constexpr int kMostNodes = 100000;  // visits; a file that lists a mesh under a million nodes is damaged

/// Colour of the surface in daylight; nothing where the file gives none.
std::optional<Eigen::Vector4d> colourOf(const aiScene& scene, const aiMesh& mesh) {
  if (mesh.mMaterialIndex >= scene.mNumMaterials) return {};
  const aiMaterial& material = *scene.mMaterials[mesh.mMaterialIndex];
  aiString name;
  if (material.Get(AI_MATKEY_NAME, name) == AI_SUCCESS && name == aiString(AI_DEFAULT_MATERIAL_NAME)) return {};
  aiColor4D colour;
  if (aiGetMaterialColor(&material, AI_MATKEY_COLOR_DIFFUSE, &colour) != AI_SUCCESS) return {};
  float opacity = 1.0f;
  if (aiGetMaterialFloat(&material, AI_MATKEY_OPACITY, &opacity) != AI_SUCCESS) opacity = colour.a;
  const Eigen::Vector4d rgba(colour.r, colour.g, colour.b, opacity);
  if (!rgba.allFinite()) return {};
  return rgba.cwiseMax(0.0).cwiseMin(1.0);
}

class AssimpScene {
 public:
  AssimpScene(const aiScene& scene, const std::string& file) : scene_(scene), file_(file) {}

  std::vector<MeshPart> read() {
    if (scene_.mRootNode) visit(*scene_.mRootNode, aiMatrix4x4());
    return std::move(parts_);
  }

 private:
  void visit(const aiNode& node, const aiMatrix4x4& X_parent) {
    if (++visits_ > kMostNodes) throw Error({file_, 0, ""}, "more than 100000 nodes", "Join the parts of the mesh.");
    const aiMatrix4x4 X = X_parent * node.mTransformation;
    for (unsigned i = 0; i < node.mNumMeshes; ++i) add(*scene_.mMeshes[node.mMeshes[i]], node.mName.C_Str(), X);
    for (unsigned i = 0; i < node.mNumChildren; ++i) visit(*node.mChildren[i], X);
  }

  void add(const aiMesh& source, const std::string& name, const aiMatrix4x4& X) {
    MeshPart part;
    part.name = name;
    part.rgba = colourOf(scene_, source);
    for (unsigned i = 0; i < source.mNumVertices; ++i) {
      const aiVector3D p = X * source.mVertices[i];
      const Eigen::Vector3d vertex(p.x, p.y, p.z);
      if (!vertex.allFinite())
        throw Error({file_, 0, fmt::format("part \"{}\"", name)}, fmt::format("vertex {} is not finite", i),
                    "Export the mesh again.");
      part.mesh.vertices.push_back(vertex);
    }
    const bool mirrored = X.Determinant() < 0.0f;
    for (unsigned i = 0; i < source.mNumFaces; ++i) {
      const aiFace& face = source.mFaces[i];
      if (face.mNumIndices != 3) continue;  // points and lines
      std::array<int, 3> triangle;
      for (int k = 0; k < 3; ++k) {
        if (face.mIndices[k] >= source.mNumVertices)
          throw Error({file_, 0, fmt::format("part \"{}\"", name)},
                      fmt::format("a face with vertex {}, of {}", face.mIndices[k], source.mNumVertices),
                      "Export the mesh again.");
        triangle[k] = static_cast<int>(face.mIndices[k]);
      }
      if (mirrored) std::swap(triangle[1], triangle[2]);
      part.mesh.triangles.push_back(triangle);
    }
    if (!part.mesh.triangles.empty()) parts_.push_back(std::move(part));
  }

  const aiScene& scene_;
  const std::string& file_;
  int visits_ = 0;
  std::vector<MeshPart> parts_;
};

std::vector<MeshPart> readHere(const std::string& file) {
  Assimp::Importer importer;
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  importer.SetPropertyInteger(AI_CONFIG_PP_RVC_FLAGS,
                              aiComponent_NORMALS | aiComponent_TANGENTS_AND_BITANGENTS | aiComponent_COLORS |
                                  aiComponent_TEXCOORDS | aiComponent_BONEWEIGHTS | aiComponent_ANIMATIONS |
                                  aiComponent_TEXTURES | aiComponent_LIGHTS | aiComponent_CAMERAS);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
  const aiScene* scene = nullptr;
  std::string trouble;
  try {
    scene = importer.ReadFile(file, aiProcess_RemoveComponent | aiProcess_Triangulate | aiProcess_SortByPType);
    trouble = importer.GetErrorString();
  } catch (const std::exception& error) {
    trouble = error.what();
  }
  if (!scene)
    throw Error({file, 0, ""},
                fmt::format("cannot be read as a mesh: \"{}\"", trouble.empty() ? "no reason given" : trouble),
                "Export the mesh again, or as STL or OBJ.");
  return AssimpScene(*scene, file).read();
}

}  // namespace

bool assimpReads(const std::string& ending) {
  return !ending.empty() && Assimp::Importer().IsExtensionSupported(ending);
}

std::vector<MeshPart> readWithAssimp(const std::string& file) {
  const std::optional<std::string> bytes = runInChild([&] { return packParts(readHere(file)); }, file);
  std::optional<std::vector<MeshPart>> parts = bytes ? unpackParts(*bytes) : std::nullopt;
  if (!parts)
    throw Error({file, 0, ""}, "Assimp crashed or did not end while it read the file",
                "The file is damaged; export the mesh again, or as STL or OBJ.");
  return *std::move(parts);
}

}  // namespace rigor
