// The robots and chains that are timed, as plain numbers, with random states.
#include <Eigen/Geometry>
#include <random>

#include "peer_case.h"
#include "rigor/rigor.h"

namespace rigor::peers {
namespace {

constexpr int kStates = 16;  // few enough to stay in the cache, enough to keep a branch predictor honest

PlainBody toPlain(const BodySpec& spec) {
  PlainBody body;
  body.parent = spec.parent;
  if (spec.joint.type == kFree) body.joint = PlainJoint::kFree;
  if (spec.joint.type == kHinge) body.joint = PlainJoint::kHinge;
  const Eigen::Matrix3d R = spec.joint.X_PJ.rotation.toRotationMatrix(), &I = spec.mass.inertia;
  for (int i = 0; i < 3; ++i) {
    body.axis[i] = spec.joint.axis[i];
    body.p_PJ[i] = spec.joint.X_PJ.position[i];
    body.com[i] = spec.mass.com[i];
    for (int j = 0; j < 3; ++j) body.R_PJ[3 * i + j] = R(i, j);
  }
  body.mass = spec.mass.mass;
  body.armature = spec.joint.armature;
  body.inertia = {I(0, 0), I(0, 1), I(1, 1), I(0, 2), I(1, 2), I(2, 2)};
  return body;
}

PlainState randomState(const Model& model, bool free_base, std::mt19937_64& engine) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  PlainState state;
  for (int i = 0; i < model.nq(); ++i) state.q.push_back(unit(engine));
  if (free_base) {
    Eigen::Map<Eigen::Vector4d> quaternion(state.q.data() + 3);
    quaternion.normalize();
  }
  for (int i = 0; i < model.nv(); ++i) {
    state.v.push_back(unit(engine));
    state.tau.push_back(10.0 * unit(engine));
    state.a.push_back(unit(engine));
  }
  return state;
}

/// Contacts on the last bodies of the branches in turn, each time at another point: four feet, then two points a foot.
std::vector<PlainContact> contactsOf(const std::vector<PlainBody>& bodies) {
  std::vector<int> leaves;
  for (int body = 0; body < static_cast<int>(bodies.size()); ++body) {
    bool leaf = true;
    for (const PlainBody& other : bodies) leaf = leaf && other.parent != body;
    if (leaf) leaves.push_back(body);
  }
  std::vector<PlainContact> contacts;
  for (int k = 0; k < 8; ++k) contacts.push_back({leaves[k % leaves.size()], {0.01 * k, 0.02 * (k % 3), -0.05}});
  return contacts;
}

PeerCase makeCase(const std::string& name, const Model& model) {
  PeerCase made;
  made.name = name;
  for (int body = 0; body < model.bodyCount(); ++body) made.bodies.push_back(toPlain(model.body(body)));
  made.base_freedoms = made.bodies[0].joint == PlainJoint::kFree ? 6 : 0;
  std::mt19937_64 engine(1);
  for (int i = 0; i < kStates; ++i) made.states.push_back(randomState(model, made.base_freedoms > 0, engine));
  made.contacts = contactsOf(made.bodies);
  return made;
}

/// Hinges about y and x in turn; links of 0.1 m that hang from the world.
Model makeChain(int links) {
  ModelBuilder builder("chain");
  for (int link = 0; link < links; ++link) {
    BodySpec body;
    body.name = "link" + std::to_string(link);
    body.parent = link - 1;
    body.joint.name = "joint" + std::to_string(link);
    body.joint.type = kHinge;
    body.joint.axis = link % 2 ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitY();
    if (link > 0) body.joint.X_PJ.position = {0.0, 0.0, -0.1};
    body.mass = computeMassProperties(makeCapsule(0.02, 0.04), 1000.0);
    body.mass.com = {0.0, 0.0, -0.05};
    builder.addBody(body);
  }
  return builder.build();
}

}  // namespace

std::vector<PeerCase> makeCases(const std::string& scenes) {
  LoadOptions floating;
  floating.base = BaseKind::kFree;
  std::vector<PeerCase> cases;
  for (const char* robot : {"anymal", "humanoid"})
    cases.push_back(makeCase(robot, loadModel(scenes + "/" + robot + ".urdf", floating)));
  for (const int links : {10, 30, 100, 300, 1000})
    cases.push_back(makeCase("chain of " + std::to_string(links), makeChain(links)));
  return cases;
}

}  // namespace rigor::peers
