#include "verify/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "io/file.h"
#include "rigor/error.h"

namespace rigor::verify {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void fail(const std::string& problem) {
  throw Error({"", 0, "header"}, problem, "The recording is damaged; record the run again.");
}

Real number(const Json& json) {
  return json.is_null() ? std::numeric_limits<Real>::infinity() : Real(json.get<double>());
}
Vec vector(const Json& json) { return {number(json.at(0)), number(json.at(1)), number(json.at(2))}; }
Pose pose(const Json& json) {
  const Json& q = json.at("quaternion_wxyz");
  return {rotationOf({number(q.at(0)), number(q.at(1)), number(q.at(2)), number(q.at(3))}),
          vector(json.at("position"))};
}

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
    fail(fmt::format("joint \"{}\" has an impossible type", joint.name));
  joint.turn = turnOf(type, rotations);
  joint.free = type == "free";
  joint.frame = pose(json.at("frame"));
  const bool has_axis =
      (joint.turn != Turn::kNone && joint.turn != Turn::kAll) || joint.translations == 1 || joint.translations == 2;
  if (has_axis) joint.axes = axesAround(vector(json.at("axis")));
  joint.nv = joint.translations + rotations;
  joint.nq = joint.translations + (joint.turn == Turn::kAll ? 4 : rotations);
  if (!json.at("range").is_null()) {
    joint.limited = true;
    joint.lower = json.at("range").at(0).is_null() ? -number(nullptr) : number(json.at("range").at(0));
    joint.upper = number(json.at("range").at(1));
  }
  joint.damping = number(json.at("damping"));
  joint.dry_friction = number(json.at("dry_friction"));
  const Real gear = number(json.at("gear"));
  joint.armature = number(json.at("armature")) + gear * gear * number(json.at("rotor_inertia"));
  joint.stiffness = number(json.at("stiffness"));
  joint.pitch = number(json.at("pitch"));
  for (const Json& x : json.at("spring_reference")) joint.spring_rest.push_back(number(x));
  if (joint.spring_rest.empty()) {
    joint.spring_rest.assign(joint.nq, 0);
    if (joint.turn == Turn::kAll) joint.spring_rest[joint.translations] = 1;
  }
  if (static_cast<int>(joint.spring_rest.size()) != joint.nq)
    fail(fmt::format("joint \"{}\" has a spring reference of the wrong length", joint.name));
  return joint;
}

void readBodies(const Json& json, World& world) {
  for (const Json& item : json) {
    Body body;
    body.name = item.at("name").get<std::string>();
    body.parent = item.at("parent").get<int>();
    if (body.parent < kWorldBody || body.parent >= static_cast<int>(world.bodies.size()))
      fail(fmt::format("body \"{}\" comes before its parent", body.name));
    body.mass = number(item.at("mass"));
    body.com = vector(item.at("com"));
    const Json& I = item.at("inertia");  // xx, yy, zz, xy, xz, yz
    const Real xy = number(I.at(3)), xz = number(I.at(4)), yz = number(I.at(5));
    body.inertia = {{number(I.at(0)), xy, xz}, {xy, number(I.at(1)), yz}, {xz, yz, number(I.at(2))}};
    body.frame = pose(item.at("frame"));
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
    world.tree.resize(world.nv, body.tree);
    world.coordinate_tree.resize(world.nq, body.tree);
    world.bodies.push_back(std::move(body));
  }
}

void checkBody(int body, const World& world) {
  if (body < kWorldBody || body >= static_cast<int>(world.bodies.size()))
    fail(fmt::format("there is no body {}", body));
}

struct ShapeText {
  std::string kind, material;
  int body = kWorldBody;
  Vec size;
  Pose frame;
};

/// Centre for a sphere; both ends of a capsule, −z first; corners of a box, signs of x, y, z in bits 0, 1, 2.
std::vector<Ball> ballsOf(const ShapeText& shape) {
  std::vector<Ball> balls;
  const auto add = [&](const Vec& c, Real radius) {
    balls.push_back({shape.body, shape.frame.p + shape.frame.R * c, radius});
  };
  if (shape.kind == "sphere") add({}, shape.size.x);
  if (shape.kind == "capsule") add({0, 0, -shape.size.y}, shape.size.x), add({0, 0, shape.size.y}, shape.size.x);
  if (shape.kind == "box")
    for (int corner = 0; corner < 8; ++corner)
      add({corner & 1 ? shape.size.x : -shape.size.x, corner & 2 ? shape.size.y : -shape.size.y,
           corner & 4 ? shape.size.z : -shape.size.z},
          0);
  return balls;
}

/// The pair of both materials; else the first that names one of them and no other; else friction 0.8 and no bounce.
void setMaterial(const Json& materials, const std::string& a, const std::string& b, Pair& pair) {
  const Json* found = nullptr;
  for (const Json& one : materials) {
    const std::string first = one.at("pair").at(0).get<std::string>(), second = one.at("pair").at(1).get<std::string>();
    if ((first == a && second == b) || (first == b && second == a)) {
      found = &one;
      break;
    }
  }
  for (const Json& one : materials) {
    if (found) break;
    const std::string first = one.at("pair").at(0).get<std::string>(), second = one.at("pair").at(1).get<std::string>();
    if (second.empty() && (first == a || first == b)) found = &one;
  }
  pair.friction = found ? number(found->at("friction")) : 0.8L;
  pair.friction_static = found ? number(found->at("friction_static")) : -1;
  if (pair.friction_static < 0) pair.friction_static = pair.friction;
  pair.restitution = found ? number(found->at("restitution")) : 0;
  pair.threshold = found ? number(found->at("threshold")) : 0.01L;
}

/// Names of contacts: until version 2 shape · 2³⁶ + shape · 2¹² + feature · 2⁶ + feature.
std::uint64_t contactId(int version, std::uint64_t shapes, std::uint64_t a, std::uint64_t b, bool plane,
                        std::uint64_t i, std::uint64_t j) {
  if (version < 3) return a << 36 | b << 12 | i << 6 | j;
  return (a * shapes + b) << 36 | std::uint64_t(plane ? 0 : 1) << 32 | i << 16 | j;
}

void readPairs(const Json& model, int version, World& world) {
  std::vector<ShapeText> shapes;
  for (const Json& item : model.at("shapes")) {
    ShapeText shape{item.at("kind").get<std::string>(), item.at("material").get<std::string>(),
                    item.at("body").get<int>(), vector(item.at("size")), pose(item.at("frame"))};
    checkBody(shape.body, world);
    world.shapes.push_back(item.at("name").get<std::string>());
    world.shape_body.push_back(shape.body);
    shapes.push_back(std::move(shape));
  }
  for (const Json& item : model.at("pairs")) {
    int a = item.at(0).get<int>(), b = item.at(1).get<int>();
    if (a < 0 || b < 0 || a >= static_cast<int>(shapes.size()) || b >= static_cast<int>(shapes.size()))
      fail("a pair of shapes names a shape that is not there");
    if (shapes[b].kind == "plane") std::swap(a, b);
    Pair pair;
    pair.shape_1 = a, pair.shape_2 = b;
    pair.plane = shapes[a].kind == "plane";
    pair.plane_body = shapes[a].body, pair.plane_frame = shapes[a].frame;
    setMaterial(model.at("materials"), shapes[a].material, shapes[b].material, pair);
    const std::vector<Ball> balls_1 = pair.plane ? std::vector<Ball>(1) : ballsOf(shapes[a]),
                            balls_2 = ballsOf(shapes[b]);
    for (std::size_t i = 0; i < balls_1.size(); ++i)
      for (std::size_t j = 0; j < balls_2.size(); ++j) {
        pair.id = contactId(version, shapes.size(), a, b, pair.plane, i, j);
        pair.ball_1 = balls_1[i], pair.ball_2 = balls_2[j];
        world.pairs.push_back(pair);
      }
  }
  std::sort(world.pairs.begin(), world.pairs.end(), [](const Pair& x, const Pair& y) { return x.id < y.id; });
}

Joint* findJoint(const std::string& name, World& world) {
  for (Body& body : world.bodies)
    for (Joint& joint : body.joints)
      if (joint.name == name && joint.nv > 0) return &joint;
  return nullptr;
}

void readLoops(const Json& json, World& world) {
  for (const Json& item : json) {
    Loop loop;
    loop.name = item.at("name").get<std::string>();
    const std::string kind = item.at("kind").get<std::string>();
    loop.kind = kind == "connect"
                    ? LoopKind::kConnect
                    : (kind == "hinge" ? LoopKind::kHinge : (kind == "weld" ? LoopKind::kWeld : LoopKind::kJoint));
    for (int k = 0; k < 5; ++k) loop.coefficients[k] = number(item.at("coefficients").at(k));
    if (loop.kind == LoopKind::kJoint) {
      const Joint* joint_1 = findJoint(item.at("joints").at(0).get<std::string>(), world);
      const Joint* joint_2 = findJoint(item.at("joints").at(1).get<std::string>(), world);
      if (!joint_1 || !joint_2) fail(fmt::format("loop \"{}\" couples a joint that is not there", loop.name));
      loop.q_1 = joint_1->q, loop.v_1 = joint_1->v, loop.q_2 = joint_2->q, loop.v_2 = joint_2->v;
    } else {
      loop.body_1 = item.at("body_1").get<int>(), loop.body_2 = item.at("body_2").get<int>();
      checkBody(loop.body_1, world), checkBody(loop.body_2, world);
      loop.frame_1 = pose(item.at("frame_1")), loop.frame_2 = pose(item.at("frame_2"));
      loop.axes = axesAround(vector(item.at("axis")));
    }
    world.loops.push_back(std::move(loop));
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
      fail("a controller holds a joint that is not there");
    const Real kp = number(hold.at("kp")), kd = number(hold.at("kd"));
    if (!(kp > 0 || kd > 0)) continue;
    joints[index]->kp = kp, joints[index]->kd = kd;
    joints[index]->effort = number(hold.at("effort"));
  }
  for (Joint* joint : joints)
    if (joint->kp > 0 || joint->kd > 0) joint->drive = world.drives++;
  const Json& reset = drives.at("reset");
  world.resets = number(reset.at("every")) > 0 || number(reset.at("rest_energy")) > 0;
}

}  // namespace

const Pair* World::findPair(std::uint64_t id) const {
  const auto found = std::lower_bound(pairs.begin(), pairs.end(), id,
                                      [](const Pair& pair, std::uint64_t key) { return pair.id < key; });
  return found != pairs.end() && found->id == id ? &*found : nullptr;
}

World readWorld(const std::string& header, int version) {
  World world;
  try {
    const Json json = Json::parse(header);
    const Json& model = json.at("model");
    if (computeHash(model.dump(-1, ' ', false, Json::error_handler_t::replace)) != json.at("hash").get<std::string>())
      fail("the model in the header is not the one that was simulated: its hash differs");
    world.gravity = vector(model.at("gravity"));
    readBodies(model.at("bodies"), world);
    readPairs(model, version, world);
    readLoops(model.at("loops"), world);
    readDrives(json.at("drives"), world);
    const Json& options = json.at("options");
    const std::string integrator = options.at("integrator").get<std::string>();
    world.carried = integrator == "leapfrog_carried";
    world.leapfrog = integrator == "leapfrog" || world.carried;
    if (options.contains("accuracy")) world.accuracy = number(options.at("accuracy"));
  } catch (const Json::exception& problem) {
    fail(fmt::format("cannot be read: {}", problem.what()));
  }
  return world;
}

}  // namespace rigor::verify
