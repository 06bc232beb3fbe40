#include "io/page/model.h"

#include <fmt/format.h>

#include "geometry/shape_check.h"
#include "io/page/frames.h"
#include "io/page/meshes.h"
#include "io/page/text.h"

namespace rigor {
namespace {

std::string describeBodies(const Model& model) {
  std::string out = "[";
  for (int body = 0; body < model.bodyCount(); ++body) {
    const BodySpec& spec = model.body(body);
    out += fmt::format("{}{{\"name\":{},\"parent\":{},\"mass\":{}}}", body ? "," : "", quoteForPage(spec.name),
                       spec.parent, numberForPage(spec.mass.mass));
  }
  return out + "]";
}

/// Without the closing brace.
std::string describeShape(const std::string& name, int body, const Shape& shape, const Pose& X_BS, int mesh) {
  std::vector<float> pose;
  appendPose(X_BS, pose);
  std::string out = fmt::format("{{\"name\":{},\"body\":{},\"kind\":\"{}\",\"size\":{},\"pose\":{}", quoteForPage(name),
                                body, shapeKindName(shape.kind), listForPage(shape.size), listForPage(pose));
  if (mesh >= 0) out += fmt::format(",\"mesh\":{}", mesh);
  return out;
}

}  // namespace

std::string describeModelForPage(const Model& model) {
  PageMeshes meshes;
  std::string shapes, visuals;
  for (const ModelShape& shape : model.shapes())
    shapes += (shapes.empty() ? "" : ",") +
              describeShape(shape.name, shape.body, shape.shape, shape.X_BS, meshes.find(shape.shape)) + "}";
  for (int body = 0; body < model.bodyCount(); ++body)
    for (const VisualSpec& visual : model.body(body).visuals)
      visuals += (visuals.empty() ? "" : ",") +
                 describeShape(visual.name, body, visual.shape, visual.X_BS, meshes.find(visual.shape, true)) +
                 fmt::format(",\"rgba\":{}}}", listForPage(visual.rgba));
  return fmt::format("\"bodies\":{},\n\"meshes\":{},\n\"shapes\":[{}],\n\"visuals\":[{}]", describeBodies(model),
                     meshes.list(), shapes, visuals);
}

}  // namespace rigor
