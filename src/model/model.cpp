#include "rigor/model.h"

#include <fmt/format.h>

#include "geometry/features.h"
#include "model/model_data.h"

namespace rigor {
namespace {

/// Pairs of shapes that are wanted; a plane comes first, else the smaller index.
template <class Wanted>
std::vector<std::pair<int, int>> listPairs(const std::vector<ModelShape>& shapes, const Wanted& wanted) {
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < static_cast<int>(shapes.size()); ++i)
    for (int j = i + 1; j < static_cast<int>(shapes.size()); ++j) {
      if (!wanted(i, j)) continue;
      const bool swap = shapes[j].shape.kind == ShapeKind::kPlane;
      pairs.emplace_back(swap ? j : i, swap ? i : j);
    }
  return pairs;
}

/// A misspelt name gives −2, and with it one looks for a body next.
int checkedBody(const std::vector<BodySpec>& bodies, int body) {
  if (body < 0 || body >= static_cast<int>(bodies.size()))
    throw Error(fmt::format("there is no body {}, the model has {}", body, bodies.size()),
                "findBody gives −2 for a name that no body has; the world is not a body.");
  return body;
}

}  // namespace

const Model::Data& Model::data() const {
  if (data_ == nullptr) throw Error("this Model is empty", "Make one by ModelBuilder::build or loadModel.");
  return *data_;
}

int Model::nq() const { return data().topology.nq; }
int Model::nv() const { return data().topology.nv; }
int Model::bodyCount() const { return static_cast<int>(data().bodies.size()); }
Eigen::Vector3d Model::gravity() const {
  const Vec3<double>& g = data().parameters.gravity;
  return {g.x, g.y, g.z};
}
const std::string& Model::name() const { return data().name; }

double Model::mass() const {
  double sum = 0.0;
  for (const BodySpec& body : data().bodies) sum += body.mass.mass;
  return sum;
}

const BodySpec& Model::body(int body) const { return data().bodies[checkedBody(data().bodies, body)]; }
int Model::qIndex(int body) const { return data().q_index[checkedBody(data().bodies, body)]; }
int Model::vIndex(int body) const { return data().v_index[checkedBody(data().bodies, body)]; }

int Model::findBody(const std::string& name) const {
  for (int body = 0; !name.empty() && body < bodyCount(); ++body)
    if (data().bodies[body].name == name) return body;
  return kWorld - 1;
}

const std::vector<ModelJoint>& Model::joints() const { return data().joints; }

int Model::findJoint(const std::string& name) const {
  for (int joint = 0; !name.empty() && joint < static_cast<int>(joints().size()); ++joint)
    if (joints()[joint].spec.name == name) return joint;
  return -1;
}

const std::vector<LoopSpec>& Model::loops() const { return data().loops; }
const std::vector<SpringSpec>& Model::springs() const { return data().springs; }
const std::vector<ModelShape>& Model::shapes() const { return data().shapes; }
const std::vector<MaterialPair>& Model::materials() const { return data().materials; }
const MaterialPair& Model::material(int shape_1, int shape_2) const {
  const Data& d = data();
  return d.material_table[d.shape_material[shape_1] * d.material_count + d.shape_material[shape_2]];
}
bool Model::mayCollide(int shape_1, int shape_2) const {
  const Data& d = data();
  return haveContactCode(d.shapes[shape_1].shape.kind, d.shapes[shape_2].shape.kind) &&
         d.collision_rules.mayTouch(shape_1, shape_2);
}
bool Model::isExplicitPair(int shape_1, int shape_2) const {
  return data().collision_rules.isExplicit(shape_1, shape_2);
}
std::vector<std::pair<int, int>> Model::collisionPairs() const {
  return listPairs(shapes(), [&](int i, int j) { return mayCollide(i, j); });
}
std::vector<std::array<int, 3>> Model::collisionRanges() const {
  std::vector<std::array<int, 3>> ranges;
  for (const auto& [shape, first, last] : listPairRanges(data().collision_rules, shapes()))
    ranges.push_back({shape, first, last});
  return ranges;
}
std::vector<std::pair<int, int>> Model::missingPairs() const {
  std::vector<std::pair<int, int>> pairs = findMissingPairs(data().collision_rules, shapes());
  for (auto& [first, second] : pairs)
    if (shapes()[second].shape.kind == ShapeKind::kPlane) std::swap(first, second);
  return pairs;
}
const std::vector<MissingShape>& Model::missingShapes() const { return data().missing_shapes; }
const Eigen::VectorXd& Model::q0() const { return data().q0; }
const std::vector<Warning>& Model::warnings() const { return data().warnings; }
const Topology& Model::topology() const { return data().topology; }
const Parameters<double>& Model::parameters() const { return data().parameters; }
const std::vector<BodyPlacement>& Model::placements() const { return data().placements; }

}  // namespace rigor
