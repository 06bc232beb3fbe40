// What the links of a URDF robot look like.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "io/urdf/geometry.h"
#include "io/urdf/robot.h"

namespace rigor {

/// Colours are those of the mesh file; where it has none, those of the <material>, which may be given in the visual, elsewhere
/// in the file under its name, or not at all. Nothing here is an error: what cannot be read is told and not drawn.
class VisualReader {
 public:
  /// Both stay where they are as long as this reads.
  VisualReader(const XmlElement& robot, UrdfReader& reader);

  std::vector<VisualSpec> read(const XmlElement& link);

 private:
  struct Piece {
    Shape shape;
    std::optional<Eigen::Vector4d> rgba;
  };
  void readOne(const XmlElement& visual, const std::string& link, std::vector<VisualSpec>& visuals);
  const std::vector<Piece>& piecesOf(const UrdfMesh& mesh);
  std::optional<Eigen::Vector4d> colourOf(const XmlElement& material);
  void learnMaterials(const XmlElement& element);

  UrdfReader& reader_;
  std::map<std::string, Eigen::Vector4d> materials_;  // by name
  std::map<std::string, std::vector<Piece>> pieces_;  // by file and scale: legs share their meshes
};

}  // namespace rigor
