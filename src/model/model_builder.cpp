#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "geometry/convert.h"
#include "model/check_body.h"
#include "model/check_mass_matrix.h"
#include "model/collision_rules.h"
#include "model/loop_parts.h"
#include "model/material_table.h"
#include "model/merge_links.h"
#include "model/model_data.h"
#include "model/names.h"
#include "model/spring_parts.h"
#include "text/nearest.h"

namespace rigor {
namespace {

/// Names must tell bodies apart, and joints; no name at all is fine.
void checkNames(const std::vector<BodySpec>& bodies) {
  std::set<std::string> body_names, joint_names;
  for (int i = 0; i < static_cast<int>(bodies.size()); ++i) {
    const BodySpec& body = bodies[i];
    if (!body.name.empty() && !body_names.insert(body.name).second)
      throw Error(placeOf(body, i), fmt::format("a body called \"{}\" was added before", body.name),
                  "Rename one of them, or load the second robot with a prefix.");
    std::vector<std::string> names{body.joint.name};
    for (const JointSpec& joint : body.more_joints) names.push_back(joint.name);
    for (const std::string& name : names)
      if (!name.empty() && !joint_names.insert(name).second)
        throw Error(placeOf(body, i), fmt::format("a joint called \"{}\" was added before", name),
                    "Rename one of them, or load the second robot with a prefix.");
  }
}

/// A mimic must follow another joint, and both must have one freedom.
void checkMimics(const std::vector<BodySpec>& bodies, const std::vector<ModelJoint>& joints) {
  std::map<std::string, const JointSpec*> known;
  std::vector<std::string> names;
  for (const ModelJoint& joint : joints) {
    known.emplace(joint.spec.name, &joint.spec);
    names.push_back(joint.spec.name);
  }
  for (const ModelJoint& follower : joints) {
    const JointSpec& joint = follower.spec;
    if (!joint.mimic) continue;
    const Place where = placeOf(bodies[follower.body], follower.body);
    const auto leader = known.find(joint.mimic->joint);
    if (leader == known.end() || joint.mimic->joint.empty())
      throw Error(where, fmt::format("{} mimics the unknown joint \"{}\"", describeJoint(joint), joint.mimic->joint),
                  suggestName(joint.mimic->joint, names));
    if (joint.name.empty()) throw Error(where, "its joint mimics another but has no name", "Name the joint.");
    if (leader->second == &joint)
      throw Error(where, fmt::format("{} mimics itself", describeJoint(joint)), "Name another joint.");
    for (const JointSpec* one : {&joint, leader->second})
      if (velocityCount(one->type) != 1)
        throw Error(where, fmt::format("{} has not one freedom", describeJoint(*one)),
                    "Only hinges and slides can mimic and be mimicked.");
  }
}

/// A joint that mimics another is tied to it: q = offset + multiplier · q of the leader.
void addMimics(const std::vector<BodySpec>& bodies, const std::vector<ModelJoint>& joints,
               std::vector<LoopSpec>& loops) {
  for (const ModelJoint& follower : joints) {
    const JointSpec& joint = follower.spec;
    if (!joint.mimic) continue;
    LoopSpec loop;
    loop.name = joint.name;
    loop.kind = LoopKind::kJoint;
    loop.joint_1 = joint.name, loop.joint_2 = joint.mimic->joint;
    loop.coefficients = {joint.mimic->offset, joint.mimic->multiplier, 0.0, 0.0, 0.0};
    loop.where = placeOf(bodies[follower.body], follower.body);
    loops.push_back(loop);
  }
}

std::vector<ModelShape> listShapes(const std::vector<BodySpec>& bodies, const std::vector<ShapeSpec>& world_shapes) {
  std::vector<ModelShape> shapes;
  const auto add = [&](const ShapeSpec& shape, int body) {
    shapes.push_back({shape.name, body, shape.shape, shape.X_BS, shape.material, shape.group, shape.mask});
  };
  for (int body = 0; body < static_cast<int>(bodies.size()); ++body)
    for (const ShapeSpec& shape : bodies[body].shapes) add(shape, body);
  for (const ShapeSpec& shape : world_shapes) add(shape, kWorld);
  return shapes;
}

void checkPlanes(const std::vector<BodySpec>& bodies, const std::vector<BodyPlacement>& placements) {
  for (int i = 0; i < static_cast<int>(bodies.size()); ++i)
    for (const ShapeSpec& shape : bodies[i].shapes) {
      if (placements[i].link == kWorld) continue;
      if (shape.shape.kind == ShapeKind::kPlane)
        throw Error(placeOf(bodies[i], i), "a plane is attached to a body that moves",
                    "Planes are infinite and belong to the world; use a box.");
      if (shape.shape.kind == ShapeKind::kHeightField)
        throw Error(placeOf(bodies[i], i), "a height field is attached to a body that moves",
                    "Height fields have no underside and belong to the world; use a closed mesh.");
    }
}

/// What moves as it is told hangs on the world, and nothing hangs on it that would have to answer.
void checkKinematic(const BodySpec& body, int index, const std::vector<BodySpec>& bodies) {
  if (body.kinematic && (body.joint.type != kFree || body.parent != kWorld || !body.X_JB.position.isZero(0.0) ||
                         body.X_JB.rotation.vec().norm() > 0.0))
    throw Error(placeOf(body, index), "is kinematic, but its joint is not a free one on the world",
                "Give it a free joint with X_JB left out; its motion places it.");
  int root = body.parent;
  while (root != kWorld && bodies[root].parent != kWorld) root = bodies[root].parent;
  if (root != kWorld && bodies[root].kinematic && velocityCount(body.joint.type) > 0)
    throw Error(placeOf(body, index), fmt::format("hangs by a joint on \"{}\", which is kinematic", bodies[root].name),
                "Let it be free and tie it to the kinematic body by a loop: connect, hinge or weld.");
}

/// Zero, no turn, and for free bodies the pose that their joint frame had in the world.
Eigen::VectorXd defaultReference(const std::vector<BodySpec>& bodies, const Links& links) {
  Eigen::VectorXd q0(links.topology.nq);
  for (const ModelJoint& joint : links.joints) {
    const JointType type = joint.spec.type;
    q0.segment(joint.q_index, positionCount(type)) = neutralCoordinates(type);
    if (type != kFree) continue;
    Pose X_WB = joint.spec.X_PJ;
    const int parent = bodies[joint.body].parent;
    if (parent != kWorld) X_WB = toPose(links.placements[parent].X_LB) * X_WB;
    const Eigen::Quaterniond& r = X_WB.rotation;
    q0.segment<7>(joint.q_index) << X_WB.position, r.w(), r.x(), r.y(), r.z();
  }
  return q0;
}

/// The coordinates that the user gave for the joints of a body, checked and with unit quaternions.
Eigen::VectorXd checkedReference(const BodySpec& body, int index, Eigen::VectorXd q, std::vector<Warning>& warnings) {
  const Place where = placeOf(body, index);
  std::vector<JointType> types{body.joint.type};
  for (const JointSpec& joint : body.more_joints) types.push_back(joint.type);
  int count = 0;
  for (JointType type : types) count += positionCount(type);
  if (q.size() != count)
    throw Error(where, fmt::format("reference of {} has {} numbers", describeJoint(body.joint), q.size()),
                types.size() == 1
                    ? fmt::format("A {} joint has {} coordinates.", jointTypeName(types[0]), count)
                    : fmt::format("The {} joints of this body have {} coordinates.", types.size(), count));
  if (!q.allFinite())
    throw Error(where, fmt::format("reference of {} is not finite", describeJoint(body.joint)), "Give finite numbers.");
  int first = 0;
  for (JointType type : types) {
    if (type.rotation == Rotation::kAll) {
      auto turn = q.segment<4>(first + translationCount(type));
      Eigen::Quaterniond rotation(turn[0], turn[1], turn[2], turn[3]);
      normalizeRotation(rotation, where, "quaternion of the reference", warnings);
      turn << rotation.w(), rotation.x(), rotation.y(), rotation.z();
    }
    first += positionCount(type);
  }
  return q;
}

}  // namespace

ModelBuilder::ModelBuilder(std::string name) : data_(std::make_unique<Data>()) { data_->name = std::move(name); }
ModelBuilder::~ModelBuilder() = default;
ModelBuilder::ModelBuilder(ModelBuilder&&) noexcept = default;

int ModelBuilder::addBody(BodySpec body) {
  const int index = static_cast<int>(data_->bodies.size());
  checkBody(body, index, data_->repair_inertias, data_->warnings);
  checkKinematic(body, index, data_->bodies);
  data_->bodies.push_back(std::move(body));
  return index;
}

int ModelBuilder::findBody(const std::string& name) const {
  for (std::size_t body = 0; !name.empty() && body < data_->bodies.size(); ++body)
    if (data_->bodies[body].name == name) return static_cast<int>(body);
  return kWorld - 1;
}

void ModelBuilder::addLoop(LoopSpec loop) {
  if (loop.name.empty()) loop.name = fmt::format("loop_{}", data_->loops.size() + 1);
  for (const LoopSpec& other : data_->loops)
    if (other.name == loop.name)
      throw Error(loop.where, fmt::format("a loop called \"{}\" was added before", loop.name), "Rename one of them.");
  checkLoop(loop, data_->bodies, data_->warnings);
  data_->loops.push_back(std::move(loop));
}

void ModelBuilder::addSpring(SpringSpec spring) {
  if (spring.name.empty()) spring.name = fmt::format("spring_{}", data_->springs.size() + 1);
  for (const SpringSpec& other : data_->springs)
    if (other.name == spring.name)
      throw Error(spring.where, fmt::format("a spring called \"{}\" was added before", spring.name),
                  "Rename one of them.");
  checkSpring(spring, data_->bodies);
  data_->springs.push_back(std::move(spring));
}

void ModelBuilder::addWorldShape(ShapeSpec shape) {
  checkShapeSpec(shape, Place{"", 0, "world"}, data_->warnings);
  data_->world_shapes.push_back(std::move(shape));
}

void ModelBuilder::addMaterialPair(MaterialPair pair) {
  checkMaterialPair(pair, data_->warnings);
  data_->materials.push_back(std::move(pair));
}

void ModelBuilder::setGravity(const Eigen::Vector3d& gravity) {
  if (!gravity.allFinite()) throw Error("gravity is not finite", "Give three finite numbers in m/s².");
  if (gravity.cwiseAbs().maxCoeff() > 1e9)  // one step of 1 ms would reach a speed that rounds metres away
    throw Error(fmt::format("gravity is {:.3g} m/s²", gravity.cwiseAbs().maxCoeff()),
                "Give at most 1e9 m/s²; on Earth it is 9.81.");
  data_->gravity = gravity;
}

void ModelBuilder::setReference(int body, const Eigen::VectorXd& q) {
  if (body < 0 || body >= static_cast<int>(data_->bodies.size()))
    throw Error(fmt::format("reference for body {}, which does not exist", body), "Add the body first.");
  data_->references.emplace_back(body, checkedReference(data_->bodies[body], body, q, data_->warnings));
}

void ModelBuilder::excludePair(const std::string& a, const std::string& b, const Place& where) {
  data_->collisions.excluded.push_back({a, b, where});
}

void ModelBuilder::collidePair(const std::string& a, const std::string& b, const Place& where) {
  data_->collisions.paired.push_back({a, b, where});
}

void ModelBuilder::collideOnly(const std::vector<std::string>& names, const Place& where) {
  data_->collisions.all = false;
  for (const std::string& name : names) data_->collisions.only.push_back({name, where});
}

void ModelBuilder::collideAs(const Model& model) { data_->collision_rules = model.data().collision_rules; }

void ModelBuilder::repairInertias() { data_->repair_inertias = true; }

void ModelBuilder::excludeSelfCollision() { data_->collisions.self_collision = false; }

void ModelBuilder::addWarning(Warning warning) { data_->warnings.push_back(std::move(warning)); }

CollisionRules ModelBuilder::makeCollisionRules(const Data& data, const std::vector<BodyPlacement>& placements,
                                                const std::vector<ModelShape>& shapes) {
  if (!data.collision_rules) return CollisionRules(data.bodies, placements, shapes, data.collisions);
  std::size_t count = shapes.size();
  for (const BodySpec& body : data.bodies) count += body.missing_shapes.size();
  if (static_cast<int>(count) != data.collision_rules->shapes())
    throw Error(fmt::format("collideAs: the model has {} shapes, this one {}", data.collision_rules->shapes(), count),
                "Take a model with the same shapes in the same order.");
  return *data.collision_rules;
}

Model ModelBuilder::build() const {
  checkNames(data_->bodies);
  Links links = mergeLinks(data_->bodies);
  checkMimics(data_->bodies, links.joints);
  checkPlanes(data_->bodies, links.placements);
  checkMassMatrix(data_->bodies, links);

  auto model = std::make_shared<Model::Data>();
  model->name = data_->name;
  model->bodies = data_->bodies;
  model->warnings = data_->warnings;
  model->loops = data_->loops;
  addMimics(model->bodies, links.joints, model->loops);
  for (const LoopSpec& loop : model->loops) checkLoopLinks(loop, model->bodies, links.placements);
  model->springs = data_->springs;
  for (const SpringSpec& spring : model->springs) checkSpringLinks(spring, model->bodies, links.placements);
  for (int body = 0, nq = 0, nv = 0; body < static_cast<int>(model->bodies.size()); ++body) {
    model->q_index.push_back(nq);
    model->v_index.push_back(nv);
    nq += positionCount(model->bodies[body].joint.type);
    nv += velocityCount(model->bodies[body].joint.type);
    for (const JointSpec& joint : model->bodies[body].more_joints) {
      nq += positionCount(joint.type);
      nv += velocityCount(joint.type);
    }
  }
  model->q0 = defaultReference(model->bodies, links);
  for (const auto& [body, q] : data_->references) model->q0.segment(model->q_index[body], q.size()) = q;

  model->shapes = listShapes(model->bodies, data_->world_shapes);
  model->materials = data_->materials;
  MaterialTable table = makeMaterialTable(model->shapes, model->materials, model->warnings);
  model->shape_material = std::move(table.shape_material);
  model->material_table = std::move(table.pairs);
  model->material_count = table.count;
  model->collision_rules = makeCollisionRules(*data_, links.placements, model->shapes);
  warnOfMissingKinds(model->collision_rules, model->shapes, model->warnings);
  model->missing_shapes =
      findMissingShapes(model->collision_rules, model->bodies, static_cast<int>(model->shapes.size()));

  model->joints = std::move(links.joints);
  model->topology = std::move(links.topology);
  model->parameters = std::move(links.parameters);
  model->parameters.gravity = toVec3(data_->gravity);
  model->placements = std::move(links.placements);
  Model built;
  built.data_ = std::move(model);
  return built;
}

}  // namespace rigor
