#include "verify/world.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/file.h"
#include "verify/limits.h"

namespace rigor::verify {
namespace {

/// Axis z, and across it: the frame's axis that follows the largest component of `axis`, made perpendicular, first.
Mat axesAround(const Vec& axis) {
  const Real size[3] = {std::fabs(axis.x), std::fabs(axis.y), std::fabs(axis.z)};
  const int largest = size[0] >= size[1] && size[0] >= size[2] ? 0 : (size[1] >= size[2] ? 1 : 2);
  const Vec units[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Vec next = units[(largest + 1) % 3];
  const Vec across = next - dot(next, axis) * axis;
  const Vec first = (1 / norm(across)) * across;
  return {first, cross(axis, first), axis};
}

Turn turnOf(const std::string& type, int rotations) {
  if (type == "helical") return Turn::kHelix;
  if (type == "universal") return Turn::kTwoAxes;
  return rotations == 0 ? Turn::kNone : (rotations == 1 ? Turn::kAxis : Turn::kAll);
}

Joint readJoint(const Json& json) {
  Joint joint;
  joint.name = json.at("name").get<std::string>();
  const std::string type = json.at("type").get<std::string>();
  joint.translations = json.at("translation").get<int>();
  const int rotations = json.at("rotation").get<int>();
  if (joint.translations < 0 || joint.translations > 3 || rotations < 0 || rotations > 3)
    failHeader(fmt::format("joint \"{}\" has an impossible type", joint.name));
  joint.turn = turnOf(type, rotations);
  joint.free = type == "free";
  joint.frame = poseOf(json.at("frame"));
  const bool has_axis =
      (joint.turn != Turn::kNone && joint.turn != Turn::kAll) || joint.translations == 1 || joint.translations == 2;
  if (has_axis) joint.axes = axesAround(vectorOf(json.at("axis")));
  joint.nv = joint.translations + rotations;
  joint.nq = joint.translations + (joint.turn == Turn::kAll ? 4 : rotations);
  if (!json.at("range").is_null()) {
    joint.limited = true;
    joint.lower = json.at("range").at(0).is_null() ? -numberOf(nullptr) : numberOf(json.at("range").at(0));
    joint.upper = numberOf(json.at("range").at(1));
  }
  joint.damping = numberOf(json.at("damping"));
  joint.dry_friction = numberOf(json.at("dry_friction"));
  const Real gear = numberOf(json.at("gear"));
  joint.armature = numberOf(json.at("armature")) + gear * gear * numberOf(json.at("rotor_inertia"));
  joint.stiffness = numberOf(json.at("stiffness"));
  joint.pitch = numberOf(json.at("pitch"));
  for (const Json& x : json.at("spring_reference")) joint.spring_rest.push_back(numberOf(x));
  if (joint.spring_rest.empty()) {
    joint.spring_rest.assign(joint.nq, 0);
    if (joint.turn == Turn::kAll) joint.spring_rest[joint.translations] = 1;
  }
  if (static_cast<int>(joint.spring_rest.size()) != joint.nq)
    failHeader(fmt::format("joint \"{}\" has a spring reference of the wrong length", joint.name));
  return joint;
}

void readBodies(const Json& json, World& world) {
  for (const Json& item : json) {
    Body body;
    body.name = item.at("name").get<std::string>();
    body.parent = item.at("parent").get<int>();
    if (body.parent < kWorldBody || body.parent >= static_cast<int>(world.bodies.size()))
      failHeader(fmt::format("body \"{}\" comes before its parent", body.name));
    body.mass = numberOf(item.at("mass"));
    body.com = vectorOf(item.at("com"));
    const Json& I = item.at("inertia");  // xx, yy, zz, xy, xz, yz
    const Real xy = numberOf(I.at(3)), xz = numberOf(I.at(4)), yz = numberOf(I.at(5));
    body.inertia = {{numberOf(I.at(0)), xy, xz}, {xy, numberOf(I.at(1)), yz}, {xz, yz, numberOf(I.at(2))}};
    body.frame = poseOf(item.at("frame"));
    if (body.parent != kWorldBody) body.chain = world.bodies[body.parent].chain;
    for (const Json& entry : item.at("joints")) {
      Joint joint = readJoint(entry);
      joint.q = world.nq, joint.v = world.nv;
      world.nq += joint.nq, world.nv += joint.nv;
      for (int k = 0; k < joint.nv; ++k) {
        body.chain.push_back(joint.v + k);
        world.freedom.push_back(joint.nv == 1 ? joint.name : fmt::format("{}.{}", joint.name, k));
      }
      body.joints.push_back(std::move(joint));
    }
    if (body.parent != kWorldBody) body.tree = world.bodies[body.parent].tree;
    if (body.tree < 0 && !body.chain.empty()) body.tree = world.trees++;
    body.kinematic = item.contains("kinematic");
    world.prescribed.resize(world.trees, 0);
    if (body.kinematic && body.tree >= 0) world.prescribed[body.tree] = 1;
    world.tree.resize(world.nv, body.tree);
    world.coordinate_tree.resize(world.nq, body.tree);
    world.bodies.push_back(std::move(body));
  }
}

void sortByTree(World& world) {
  world.tree_freedoms.resize(world.trees), world.tree_coordinates.resize(world.trees);
  for (int j = 0; j < world.nv; ++j) {
    world.place_in_tree.push_back(static_cast<int>(world.tree_freedoms[world.tree[j]].size()));
    world.tree_freedoms[world.tree[j]].push_back(j);
  }
  for (int j = 0; j < world.nq; ++j) world.tree_coordinates[world.coordinate_tree[j]].push_back(j);
}

void checkBody(int body, const World& world) {
  if (body < kWorldBody || body >= static_cast<int>(world.bodies.size()))
    failHeader(fmt::format("there is no body {}", body));
}

Joint* findJoint(const std::string& name, World& world) {
  for (Body& body : world.bodies)
    for (Joint& joint : body.joints)
      if (joint.name == name && joint.nv > 0) return &joint;
  return nullptr;
}

/// Coordinates of a joint where its spring rests: as written, or zero and no turn.
Reals readRest(const Json& json, int translations, Turn turn, int rotations) {
  Reals rest;
  for (const Json& x : json) rest.push_back(numberOf(x));
  if (!rest.empty()) return rest;
  rest.assign(translations + (turn == Turn::kAll ? 4 : rotations), 0);
  if (turn == Turn::kAll) rest[translations] = 1;
  return rest;
}

/// Stops, dry friction and motor of a loop with one freedom.
void readLoopFreedom(const Json& item, Loop& loop, int rotations) {
  if (item.contains("range")) {
    loop.limited = true;
    const Json& lower = item.at("range").at(0);
    loop.lower = lower.is_null() ? -numberOf(nullptr) : numberOf(lower), loop.upper = numberOf(item.at("range").at(1));
  }
  if (item.contains("dry_friction")) loop.dry_friction = numberOf(item.at("dry_friction"));
  if (item.contains("motor")) {
    const Json& motor = item.at("motor");
    loop.motor = {true,
                  numberOf(motor.at("kp")),
                  numberOf(motor.at("kd")),
                  numberOf(motor.at("target")),
                  numberOf(motor.at("torque")),
                  numberOf(motor.at("effort"))};
  }
  if ((loop.limited || loop.dry_friction > 0 || loop.motor.acts) && loop.translations + rotations != 1)
    failHeader(fmt::format("loop \"{}\" has stops, dry friction or a motor, and not one freedom", loop.name));
}

/// What a loop between two frames leaves free.
void readLoopType(const Json& item, const std::string& kind, Loop& loop) {
  int rotations = kind == "connect" ? 3 : (kind == "hinge" ? 1 : 0);
  if (item.contains("translation")) {
    loop.translations = item.at("translation").get<int>(), rotations = item.at("rotation").get<int>();
    if (kind == "helical") loop.pitch = numberOf(item.at("pitch"));
  }
  if (loop.translations < 0 || loop.translations > 3 || rotations < 0 || rotations > 3)
    failHeader(fmt::format("loop \"{}\" has an impossible type", loop.name));
  loop.turn = turnOf(kind, rotations);
  const bool has_axis =
      (loop.turn != Turn::kNone && loop.turn != Turn::kAll) || loop.translations == 1 || loop.translations == 2;
  if (has_axis) loop.axes = axesAround(vectorOf(item.at("axis")));
  readLoopFreedom(item, loop, rotations);
  if (!item.contains("stiffness")) return;
  loop.stiffness = numberOf(item.at("stiffness")), loop.damping = numberOf(item.at("damping"));
  loop.spring_rest = readRest(item.at("spring_reference"), loop.translations, loop.turn, rotations);
  const int coordinates = loop.translations + (loop.turn == Turn::kAll ? 4 : rotations);
  if (static_cast<int>(loop.spring_rest.size()) != coordinates)
    failHeader(fmt::format("loop \"{}\" has a spring reference of the wrong length", loop.name));
}

void readLoops(const Json& json, World& world) {
  for (const Json& item : json) {
    Loop loop;
    loop.name = item.at("name").get<std::string>();
    const std::string kind = item.at("kind").get<std::string>();
    loop.couples = kind == "joint";
    for (int k = 0; k < 5; ++k) loop.coefficients[k] = numberOf(item.at("coefficients").at(k));
    if (loop.couples) {
      const Joint* joint_1 = findJoint(item.at("joints").at(0).get<std::string>(), world);
      const Joint* joint_2 = findJoint(item.at("joints").at(1).get<std::string>(), world);
      if (!joint_1 || !joint_2) failHeader(fmt::format("loop \"{}\" couples a joint that is not there", loop.name));
      loop.q_1 = joint_1->q, loop.v_1 = joint_1->v, loop.q_2 = joint_2->q, loop.v_2 = joint_2->v;
    } else {
      loop.body_1 = item.at("body_1").get<int>(), loop.body_2 = item.at("body_2").get<int>();
      checkBody(loop.body_1, world), checkBody(loop.body_2, world);
      loop.frame_1 = poseOf(item.at("frame_1")), loop.frame_2 = poseOf(item.at("frame_2"));
      readLoopType(item, kind, loop);
    }
    world.loops.push_back(std::move(loop));
  }
}

void readSprings(const Json& model, World& world) {
  if (!model.contains("springs")) return;
  for (const Json& item : model.at("springs")) {
    PointSpring spring;
    spring.name = item.at("name").get<std::string>();
    spring.body_1 = item.at("body_1").get<int>(), spring.body_2 = item.at("body_2").get<int>();
    checkBody(spring.body_1, world), checkBody(spring.body_2, world);
    spring.point_1 = vectorOf(item.at("point_1")), spring.point_2 = vectorOf(item.at("point_2"));
    spring.stiffness = numberOf(item.at("stiffness")), spring.damping = numberOf(item.at("damping"));
    spring.length = numberOf(item.at("length"));
    world.springs.push_back(std::move(spring));
  }
}

/// Holds count the joints that move, in the order of q; so do the columns of their targets.
void readDrives(const Json& drives, World& world) {
  std::vector<Joint*> joints;
  for (Body& body : world.bodies)
    for (Joint& joint : body.joints)
      if (joint.nv > 0) joints.push_back(&joint);
  for (const Json& hold : drives.at("holds")) {
    const int index = hold.at("joint").get<int>();
    if (index < 0 || index >= static_cast<int>(joints.size()) || joints[index]->nv != 1)
      failHeader("a controller holds a joint that is not there");
    const Real kp = numberOf(hold.at("kp")), kd = numberOf(hold.at("kd"));
    if (!(kp > 0 || kd > 0)) continue;
    joints[index]->kp = kp, joints[index]->kd = kd;
    joints[index]->effort = numberOf(hold.at("effort"));
  }
  for (Joint* joint : joints)
    if (joint->kp > 0 || joint->kd > 0) joint->drive = world.drives++;
  const Json& reset = drives.at("reset");
  world.resets = numberOf(reset.at("every")) > 0 || numberOf(reset.at("rest_energy")) > 0;
}

void readWays(const Json& drives, World& world) {
  if (!drives.contains("motions")) return;
  for (const Json& item : drives.at("motions")) {
    Way way;
    way.body = item.at("body").get<int>();
    checkBody(way.body, world);
    if (!world.isPrescribed(way.body)) failHeader("a motion moves a body that is not kinematic");
    for (const Json& time : item.at("time")) way.time.push_back(numberOf(time));
    for (const Json& pose : item.at("poses")) {
      const Json& q = pose.at("quaternion_wxyz");
      way.positions.push_back(vectorOf(pose.at("position")));
      way.turns.push_back({numberOf(q.at(0)), numberOf(q.at(1)), numberOf(q.at(2)), numberOf(q.at(3))});
    }
    way.velocity = vectorOf(item.at("velocity"));
    way.angular_velocity = vectorOf(item.at("angular_velocity"));
    if (way.time.empty() ? way.positions.size() != 1 : way.time.size() < 2 || way.positions.size() != way.time.size())
      failHeader("a motion has not one pose per time");
    world.ways.push_back(std::move(way));
  }
}

/// Recordings of before other steppers say minimal, or nothing.
void readStepper(const Json& options, World& world) {
  const std::string stepper = options.value("stepper", "minimal");
  world.maximal = stepper == "maximal";
  world.event = stepper == "event";
  if (world.event) world.materials.bounceAbove(kSmoothRest);
  if (!world.maximal && !world.event && stepper != "minimal")
    failHeader(fmt::format("names the stepper \"{}\", which is not known", stepper));
  if (world.maximal && (!world.leapfrog || world.carried))
    failHeader("names an integrator that stepper maximal does not have");
}

void readOwnTerms(const Json& json, World& world) {
  if (!json.contains("own_terms")) return;
  for (const Json& item : json.at("own_terms")) {
    OwnTerm term{item.at("name").get<std::string>(), item.at("kind") == "constraint", item.at("body_1").get<int>(),
                 item.at("body_2").get<int>()};
    for (const int body : {term.body_1, term.body_2})
      if (body < kWorldBody || body >= static_cast<int>(world.bodies.size()))
        failHeader(fmt::format("own term \"{}\" names a body that does not exist", term.name));
    world.own.push_back(std::move(term));
  }
}

/// Recordings of before other laws say coulomb, or nothing.
void readLaw(const Json& options, World& world) {
  world.sequential = options.value("impacts", "simultaneous") == "sequential";
  const std::string law = options.value("law", "coulomb");
  if (law == "dissipation")
    world.law = FrictionLaw::kDissipation;
  else if (law == "pyramid")
    world.law = FrictionLaw::kPyramid;
  else if (law != "coulomb")
    failHeader(fmt::format("names the law \"{}\", which is not known", law));
  world.corners = options.value("directions", world.corners);
  if (world.corners < 3 || world.corners > 1000) failHeader("has a polygon of friction that cannot be");
}

}  // namespace

World readWorld(const std::string& header) {
  World world;
  try {
    const Json json = Json::parse(header);
    const Json& model = json.at("model");
    if (computeHash(model.dump(-1, ' ', false, Json::error_handler_t::replace)) != json.at("hash").get<std::string>())
      failHeader("the model in the header is not the one that was simulated: its hash differs");
    world.gravity = vectorOf(model.at("gravity"));
    readBodies(model.at("bodies"), world);
    sortByTree(world);
    readShapes(model, world);
    readLoops(model.at("loops"), world);
    readSprings(model, world);
    readOwnTerms(json, world);
    readDrives(json.at("drives"), world);
    readWays(json.at("drives"), world);
    const Json& options = json.at("options");
    const std::string integrator = options.at("integrator").get<std::string>();
    world.carried = integrator == "leapfrog_carried";
    world.leapfrog = integrator == "leapfrog" || world.carried;
    world.fourth_order = integrator != "implicit_midpoint";
    if (options.contains("accuracy")) world.accuracy = numberOf(options.at("accuracy"));
    readStepper(options, world);
    readLaw(options, world);
  } catch (const Json::exception& problem) {
    failHeader(fmt::format("cannot be read: {}", problem.what()));
  }
  return world;
}

}  // namespace rigor::verify
