#include "io/header.h"

#include <fmt/format.h>

#include "io/describe_model.h"
#include "io/file.h"
#include "rigor/integrator.h"

namespace rigor {
namespace {

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
                 {"start", scene.start},
                 {"solver", scene.solver},
                 {"law", scene.law},
                 {"directions", scene.directions},
                 {"impact_stops", scene.impact_stops},
                 {"impacts", scene.impacts},
                 {"accuracy", scene.accuracy},
                 {"step_accuracy", stepAccuracyOf(scene)},
                 {"integrator", integratorOf(scene)}}},
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
    const Json& options = json.at("options");
    facts.dt = options.at("dt").get<double>();
    for (auto [key, value] : {std::pair{"stepper", &facts.stepper},
                              {"integrator", &facts.integrator},
                              {"solver", &facts.solver},
                              {"law", &facts.law}})
      *value = options.value(key, *value);
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
