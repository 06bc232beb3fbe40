#include "io/describe_model.h"

#include <map>

#include "geometry/shape_check.h"
#include "geometry/triangle_surface.h"

namespace rigor {
namespace {

Json describePose(const Pose& pose) {
  const Eigen::Quaterniond& r = pose.rotation;
  return {{"position", list(pose.position)}, {"quaternion_wxyz", {r.w(), r.x(), r.y(), r.z()}}};
}

Json describeJoint(const JointSpec& joint) {
  Json json = {{"name", joint.name},
               {"type", jointTypeName(joint.type)},
               {"translation", translationCount(joint.type)},
               {"rotation", rotationCount(joint.type)},
               {"axis", list(joint.axis)},
               {"frame", describePose(joint.X_PJ)},
               {"range", nullptr},
               {"effort", number(joint.effort)},
               {"speed", number(joint.speed)},
               {"damping", joint.damping},
               {"dry_friction", joint.dry_friction},
               {"armature", joint.armature},
               {"rotor_inertia", joint.rotor_inertia},
               {"gear", joint.gear},
               {"stiffness", joint.stiffness},
               {"spring_reference", list(joint.spring_reference)},
               {"pitch", joint.pitch},
               {"mimic", nullptr}};
  if (joint.range) json["range"] = {number(joint.range->lower), number(joint.range->upper)};
  if (joint.mimic)
    json["mimic"] = {
        {"joint", joint.mimic->joint}, {"multiplier", joint.mimic->multiplier}, {"offset", joint.mimic->offset}};
  return json;
}

Json describeBody(const BodySpec& body) {
  const Eigen::Matrix3d& I = body.mass.inertia;
  Json joints = Json::array({describeJoint(body.joint)});
  for (const JointSpec& joint : body.more_joints) joints.push_back(describeJoint(joint));
  Json json = {{"name", body.name},
               {"parent", body.parent},
               {"mass", body.mass.mass},
               {"com", list(body.mass.com)},
               {"inertia", {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)}},  // xx, yy, zz, xy, xz, yz
               {"joints", std::move(joints)},
               {"frame", describePose(body.X_JB)}};
  if (body.kinematic) json["kinematic"] = true;  // models without such bodies keep their hash
  return json;
}

Json describeLoop(const LoopSpec& loop) {
  Json json = {{"name", loop.name},
               {"kind", loopName(loop)},
               {"body_1", loop.body_1},
               {"body_2", loop.body_2},
               {"frame_1", describePose(loop.X_1F)},
               {"frame_2", describePose(loop.X_2F)},
               {"axis", list(loop.axis)},
               {"joints", {loop.joint_1, loop.joint_2}},
               {"coefficients", list(loop.coefficients)}};
  // models without these keep their hash
  if (loop.kind == LoopKind::kOfType) {
    json["translation"] = translationCount(loop.type), json["rotation"] = rotationCount(loop.type);
    json["pitch"] = loop.pitch;
  }
  if (loop.stiffness > 0.0 || loop.damping > 0.0) {
    json["stiffness"] = loop.stiffness, json["damping"] = loop.damping;
    json["spring_reference"] = list(loop.spring_reference);
  }
  if (loop.range) json["range"] = {number(loop.range->lower), number(loop.range->upper)};
  if (loop.dry_friction > 0.0) json["dry_friction"] = loop.dry_friction;
  if (const LoopMotor& motor = loop.motor; motor.acts())
    json["motor"] = {{"kp", motor.kp},
                     {"kd", motor.kd},
                     {"target", motor.target},
                     {"torque", motor.torque},
                     {"effort", number(motor.effort)}};
  return json;
}

Json describeSpring(const SpringSpec& spring) {
  return {{"name", spring.name},
          {"body_1", spring.body_1},
          {"body_2", spring.body_2},
          {"point_1", list(spring.point_1)},
          {"point_2", list(spring.point_2)},
          {"stiffness", spring.stiffness},
          {"damping", spring.damping},
          {"length", spring.length}};
}

Json describePolytope(const Polytope& polytope) {
  Json vertices = Json::array(), faces = Json::array();
  for (const Vec3<double>& vertex : polytope.vertices) vertices.push_back({vertex.x, vertex.y, vertex.z});
  for (std::size_t face = 0; face < polytope.faces.size(); ++face)
    faces.push_back(polytope.cornersOf(static_cast<int>(face)));
  return {{"vertices", std::move(vertices)}, {"faces", std::move(faces)}};
}

/// Shapes, and the polytopes of hulls and surfaces, each once however many shapes share it.
void describeShapes(const Model& model, Json& shapes, Json& polytopes) {
  std::map<const Polytope*, std::size_t> known;
  for (const ModelShape& shape : model.shapes()) {
    Json json = {{"name", shape.name},
                 {"body", shape.body},
                 {"kind", shapeKindName(shape.shape.kind)},
                 {"size", list(shape.shape.size)},
                 {"frame", describePose(shape.X_BS)},
                 {"material", shape.material}};
    const Surface* surface = shape.shape.surface.get();
    const Polytope* polytope = surface ? &surface->core : shape.shape.polytope.get();
    if (surface || shape.shape.kind == ShapeKind::kHull) {
      const auto [place, is_new] = known.try_emplace(polytope, polytopes.size());
      if (is_new) polytopes.push_back(describePolytope(*polytope));
      json["polytope"] = place->second;
    }
    if (surface) json["two_sided"] = surface->two_sided;
    shapes.push_back(std::move(json));
  }
}

/// What a material has beyond friction and bounce; others keep their hash.
void describeSurface(const MaterialPair& pair, Json& entry) {
  if (pair.impact != ImpactLaw::kNewton) entry["impact"] = impactLawName(pair.impact);
  if (pair.torsion > 0.0) entry["torsion"] = pair.torsion;
  if (pair.rolling > 0.0) entry["rolling"] = pair.rolling;
  if (pair.compliance > 0.0) entry["compliance"] = pair.compliance;
  if (!pair.surface_velocity.isZero(0.0)) entry["surface_velocity"] = list(pair.surface_velocity);
  if (!pair.surface_velocity_2.isZero(0.0)) entry["surface_velocity_2"] = list(pair.surface_velocity_2);
  const Anisotropy& anisotropy = pair.anisotropy;
  if (anisotropy.ratio != 1.0)
    entry["anisotropy"] = {
        {"direction", list(anisotropy.direction)}, {"ratio", anisotropy.ratio}, {"of_second", anisotropy.of_second}};
}

}  // namespace

Json describePairs(const Model& model) {
  Json pairs = Json::array();
  for (const auto& [shape, first, last] : model.collisionRanges())
    pairs.push_back(first == last ? Json{shape, first} : Json{shape, first, last});
  return pairs;
}

Json describePairsOneByOne(const Model& model) {
  Json pairs = Json::array();
  for (const auto& [first, second] : model.collisionPairs()) pairs.push_back({first, second});
  return pairs;
}

Json describeModel(const Model& model, Json pairs, bool old) {
  Json bodies = Json::array(), shapes = Json::array(), materials = Json::array();
  Json polytopes = Json::array();
  for (int body = 0; body < model.bodyCount(); ++body) bodies.push_back(describeBody(model.body(body)));
  describeShapes(model, shapes, polytopes);
  for (const MaterialPair& pair : model.materials()) {
    materials.push_back({{"pair", {pair.material_1, pair.material_2}},
                         {"friction", pair.friction},
                         {"friction_static", pair.friction_static},
                         {"restitution", pair.restitution},
                         {"threshold", pair.threshold}});
    if (pair.fallback && !old) materials.back()["fallback"] = true;
    describeSurface(pair, materials.back());
  }
  Json loops = Json::array();
  for (const LoopSpec& loop : model.loops()) loops.push_back(describeLoop(loop));
  Json json = {{"name", model.name()},
               {"gravity", list(model.gravity())},
               {"bodies", std::move(bodies)},
               {"shapes", std::move(shapes)},
               {"materials", std::move(materials)},
               {"pairs", std::move(pairs)},
               {"loops", std::move(loops)},
               {"q0", list(model.q0())}};
  for (const SpringSpec& spring : model.springs()) json["springs"].push_back(describeSpring(spring));
  if (!polytopes.empty()) json["polytopes"] = std::move(polytopes);  // models without hulls keep their hash
  return json;
}

}  // namespace rigor
