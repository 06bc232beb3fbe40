#include "io/header.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "geometry/shape_check.h"
#include "geometry/triangle_surface.h"
#include "io/file.h"

namespace rigor {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

template <class Vector>
Json list(const Vector& values) {
  Json json = Json::array();
  for (const double value : values) json.push_back(number(value));
  return json;
}

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

/// Shapes that may touch: [a, b], or [a, first, last] for a and each of first … last; a is the smallest.
Json describePairs(const Model& model) {
  Json pairs = Json::array();
  for (const auto& [shape, first, last] : model.collisionRanges())
    pairs.push_back(first == last ? Json{shape, first} : Json{shape, first, last});
  return pairs;
}

/// As it was until recordings of version 5 and snapshots of version 3: one by one, a plane first.
Json describePairsOneByOne(const Model& model) {
  Json pairs = Json::array();
  for (const auto& [first, second] : model.collisionPairs()) pairs.push_back({first, second});
  return pairs;
}

/// What a material has beyond friction and bounce; others keep their hash.
void describeSurface(const MaterialPair& pair, Json& entry) {
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

/// `old`: without what models are told by since then, so that their hashes stay.
Json describeModel(const Model& model, Json pairs, bool old = false) {
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

/// What the columns of q and v are called: the joint, and behind it which of its coordinates if it has several.
Json describeNames(const Model& model) {
  Json bodies = Json::array(), joints = Json::array(), q = Json::array(), v = Json::array();
  for (int body = 0; body < model.bodyCount(); ++body) bodies.push_back(model.body(body).name);
  for (const ModelJoint& joint : model.joints()) {
    const JointType type = joint.spec.type;
    joints.push_back(joint.spec.name);
    const auto add = [&](int count, Json& names) {
      for (int k = 0; k < count; ++k)
        names.push_back(count == 1 ? joint.spec.name : fmt::format("{}.{}", joint.spec.name, k));
    };
    add(positionCount(type), q);
    add(velocityCount(type), v);
  }
  return {{"bodies", std::move(bodies)}, {"joints", std::move(joints)}, {"q", std::move(q)}, {"v", std::move(v)}};
}

Json describeMotions(const Scene& scene) {
  Json motions = Json::array();
  for (const MotionSpec& motion : scene.motions) {
    Json poses = Json::array();
    for (const Pose& pose : motion.poses) poses.push_back(describePose(pose));
    motions.push_back({{"body", motion.body},
                       {"time", list(motion.time)},
                       {"poses", std::move(poses)},
                       {"velocity", list(motion.velocity)},
                       {"angular_velocity", list(motion.angular_velocity)}});
  }
  return motions;
}

Json describeDrives(const Scene& scene) {
  Json holds = Json::array(), wrenches = Json::array();
  for (const HoldSpec& hold : listDrives(scene))
    holds.push_back({{"joint", hold.joint},
                     {"kp", hold.kp},
                     {"kd", hold.kd},
                     {"target", hold.target},
                     {"effort", number(hold.effort)}});
  for (const WrenchSpec& wrench : scene.wrenches)
    wrenches.push_back({{"body", wrench.body},
                        {"force", list(wrench.force)},
                        {"torque", list(wrench.torque)},
                        {"frame", wrench.in_world ? "world" : "body"},
                        {"from", wrench.from},
                        {"until", number(wrench.until)}});
  Json json = {
      {"holds", std::move(holds)},
      {"torques", scene.torques ? Json(scene.torques->time.size()) : Json(nullptr)},
      {"wrenches", std::move(wrenches)},
      {"reset",
       {{"every", scene.reset.every}, {"rest_energy", scene.reset.rest_energy}, {"rest_for", scene.reset.rest_for}}}};
  if (!scene.motions.empty()) json["motions"] = describeMotions(scene);
  return json;
}

// Names from files may hold bytes that are no UTF-8; JSON must not fail for them.
std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// As listDrives: a header may hold what does nothing, and its holds may stand in any order.
std::vector<double> readTargets(const Json& json) {
  std::map<int, double> by_joint;
  if (!json.contains("drives")) return {};
  for (const Json& hold : json["drives"].at("holds"))
    if (hold.at("kp").get<double>() > 0.0 || hold.at("kd").get<double>() > 0.0)
      by_joint[hold.at("joint").get<int>()] = hold.at("target").get<double>();
  std::vector<double> targets;
  for (const auto& [joint, target] : by_joint) targets.push_back(target);
  return targets;
}

/// Functions cannot be written down: names and bodies, in the order that recordings number them.
Json describeOwnTerms(const Scene& scene) {
  Json terms = Json::array();
  const auto add = [&](const char* kind, const auto& list) {
    for (const auto& term : list)
      terms.push_back({{"name", term.name}, {"kind", kind}, {"body_1", term.body_1}, {"body_2", term.body_2}});
  };
  add("potential", scene.potentials);
  add("constraint", scene.constraints);
  return terms;
}

}  // namespace

std::string computeModelHash(const Model& model) {
  return computeHash(dump(describeModel(model, describePairs(model))));
}

std::string computeOldModelHash(const Model& model) {
  return computeHash(dump(describeModel(model, describePairsOneByOne(model), true)));
}

std::string makeHeader(const Scene& scene, const std::string& format, int version) {
  Json model = describeModel(scene.model, describePairs(scene.model));
  const std::string hash = computeHash(dump(model));
  Json json = {{"format", format},
               {"version", version},
               {"scene", scene.name},
               {"file", scene.file},
               {"hash", hash},
               {"options",
                {{"dt", scene.dt},
                 {"time", scene.time},
                 {"stepper", scene.stepper},
                 {"solver", scene.solver},
                 {"law", scene.law},
                 {"directions", scene.directions},
                 {"accuracy", scene.accuracy},
                 {"integrator", scene.integrator}}},
               {"names", describeNames(scene.model)},
               {"drives", describeDrives(scene)},
               {"start", {{"q", list(scene.q)}, {"v", list(scene.v)}}},
               {"model", std::move(model)}};
  if (!scene.potentials.empty() || !scene.constraints.empty()) json["own_terms"] = describeOwnTerms(scene);
  return dump(json);
}

HeaderFacts parseHeader(const std::string& text, const std::string& format, int newest, const std::string& file) {
  const Place where{file, 0, "header"};
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("format") || json["format"] != format)
    throw Error(where, fmt::format("this is not a {}", format),
                fmt::format("Give a file that rigor wrote as a {}.", format));
  HeaderFacts facts;
  if (json.contains("version") && json["version"].is_number_integer()) facts.version = json["version"].get<int>();
  if (facts.version < 1 || facts.version > newest)
    throw Error(where, "was written by another version of rigor", "Write it again with this version.");
  try {
    facts.dt = json.at("options").at("dt").get<double>();
    facts.scene = json.at("scene").get<std::string>();
    facts.hash = json.at("hash").get<std::string>();
    facts.targets = readTargets(json);
    facts.bodies = static_cast<int>(json.at("model").at("bodies").size());
    for (const Json& shape : json.at("model").at("shapes"))
      facts.is_plane.push_back(shape.at("kind") == shapeKindName(ShapeKind::kPlane));
    if (json.contains("names")) {
      json["names"].at("q").get_to(facts.q_names);
      json["names"].at("v").get_to(facts.v_names);
    }
  } catch (const Json::exception&) {
    throw Error(where, "the header is incomplete", "The file is damaged; write it again.");
  }
  return facts;
}

}  // namespace rigor
