#include "io/urdf/visual.h"

#include <fmt/format.h>

#include "text/number.h"

namespace rigor {

VisualReader::VisualReader(const XmlElement& robot, UrdfReader& reader) : reader_(reader) {
  learnMaterials(robot);
  for (const XmlElement& link : robot.children)
    if (link.name == "link")
      for (const XmlElement& visual : link.children)
        if (visual.name == "visual") learnMaterials(visual);
}

void VisualReader::learnMaterials(const XmlElement& element) {
  for (const XmlElement& material : element.children) {
    const std::string* name = material.attribute("name");
    if (material.name != "material" || !name) continue;
    if (const auto colour = colourOf(material)) materials_.try_emplace(*name, *colour);
  }
}

std::optional<Eigen::Vector4d> VisualReader::colourOf(const XmlElement& material) {
  const XmlElement* colour = material.child("color");
  const std::string* text = colour ? colour->attribute("rgba") : nullptr;
  if (text) try {
      const std::vector<double> values = parseNumbers(*text, 4, "rgba", reader_.place(*colour));
      return Eigen::Vector4d(values[0], values[1], values[2], values[3]).cwiseMax(0.0).cwiseMin(1.0);
    } catch (const Error&) {  // told where it is used
    }
  const std::string* name = material.attribute("name");
  const auto known = name ? materials_.find(*name) : materials_.end();
  return known == materials_.end() ? std::optional<Eigen::Vector4d>() : known->second;
}

const std::vector<VisualReader::Piece>& VisualReader::piecesOf(const UrdfMesh& mesh) {
  const std::string key = fmt::format("{} {} {} {}", mesh.file, mesh.scale.x(), mesh.scale.y(), mesh.scale.z());
  if (const auto known = pieces_.find(key); known != pieces_.end()) return known->second;
  std::vector<Piece> pieces;
  for (MeshPart& part : loadMeshParts(mesh.file, mesh.scale)) {
    if (part.mesh.triangles.empty()) continue;
    Piece piece;
    piece.rgba = part.rgba;
    piece.shape.kind = ShapeKind::kTriangles;
    for (const Eigen::Vector3d& vertex : part.mesh.vertices)
      piece.shape.size = piece.shape.size.cwiseMax(vertex.cwiseAbs());
    piece.shape.mesh = std::make_shared<const Mesh>(std::move(part.mesh));
    pieces.push_back(std::move(piece));
  }
  return pieces_.emplace(key, std::move(pieces)).first->second;
}

void VisualReader::readOne(const XmlElement& visual, const std::string& link, std::vector<VisualSpec>& visuals) {
  const XmlElement* geometry = reader_.onlyChild(visual, "geometry");
  if (!geometry) reader_.fail(visual, "<visual> has no <geometry>", "Add a shape or leave <visual> out.");
  VisualSpec spec;
  const std::string* name = visual.attribute("name");
  spec.name = name && !name->empty() ? *name : link + "_visual";
  spec.X_BS = reader_.origin(visual);
  if (const XmlElement* material = visual.child("material")) spec.rgba = colourOf(*material).value_or(spec.rgba);
  if (const std::optional<Shape> primitive = readPrimitive(*geometry, reader_)) {
    spec.shape = *primitive;
    visuals.push_back(spec);
    return;
  }
  const Eigen::Vector4d given = spec.rgba;
  for (const Piece& piece : piecesOf(readMeshElement(*geometry, reader_))) {
    spec.shape = piece.shape;
    spec.rgba = piece.rgba.value_or(given);
    visuals.push_back(spec);
  }
}

std::vector<VisualSpec> VisualReader::read(const XmlElement& link) {
  std::vector<VisualSpec> visuals;
  const std::string* name = link.attribute("name");
  for (const XmlElement& visual : link.children) {
    if (visual.name != "visual") continue;
    try {
      readOne(visual, name ? *name : "", visuals);
    } catch (const Error& error) {
      const std::string place = error.where().file == reader_.file() ? "" : fmt::format("\"{}\": ", error.where().file);
      reader_.warn(visual, fmt::format("not drawn: {}{}. {}", place, error.problem(), error.remedy()));
    }
  }
  return visuals;
}

}  // namespace rigor
