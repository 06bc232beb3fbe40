// Time of rigor's distances and manifolds beside those of Coal and MuJoCo.
#include <coal/collision.h>
#include <coal/distance.h>
#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "collide_peers.h"
#include "geometry/convert.h"
#include "geometry/distance.h"
#include "reference/random_shapes.h"
#include "rigor/collide.h"
#include "rigor/mesh.h"

namespace rigor::peers {
namespace {

constexpr int kPoses = 64,
              kRounds = 400;  // a round of the slowest stays below 0.5 ms: no other work falls into the best

struct TimedPose {
  Pose X_1, X_2;
  ConvexShape view_1, view_2;  ///< placed before the clock starts, as MuJoCo's geoms and Coal's transforms are
  Vec3<double> normal;
  coal::Transform3s coal_1, coal_2;
};

/// Random rotations, half of them flat on each other, at gaps between −1e-4 and 1e-4 m.
std::vector<TimedPose> posesNearContact(const Shape& a, const Shape& b) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<TimedPose> poses;
  for (int i = 0; i < kPoses; ++i) {
    TimedPose pose;
    pose.X_1.rotation = reference::randomRotation(random);
    const double yaw = normal(random);
    pose.X_2.rotation = i % 2 ? reference::randomRotation(random)
                              : pose.X_1.rotation * Eigen::Quaterniond(std::cos(yaw), 0.0, 0.0, std::sin(yaw));
    const Eigen::Vector3d way = i % 2 ? reference::randomRotation(random) * Eigen::Vector3d::UnitZ()
                                      : pose.X_1.rotation * Eigen::Vector3d::UnitZ();
    pose.X_2.position = 2.0 * way;
    for (int step = 0; step < 8; ++step) {
      const Collision c = collide(a, pose.X_1, b, pose.X_2, 0.0);
      pose.X_2.position += (1e-4 * std::sin(i) - c.distance) * c.normal;
    }
    pose.view_1 = viewOf(a, toTransform(pose.X_1)), pose.view_2 = viewOf(b, toTransform(pose.X_2));
    pose.normal = findSeparation(pose.view_1, pose.view_2).normal;
    pose.coal_1 = coalPose(pose.X_1), pose.coal_2 = coalPose(pose.X_2);
    poses.push_back(pose);
  }
  return poses;
}

/// Best of the rounds [ns per call].
template <class Call>
double timeOf(const std::vector<TimedPose>& poses, Call call) {
  double best = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (const TimedPose& pose : poses) call(pose);
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count() / kPoses);
  }
  return best;
}

std::string mujocoGeom(const Shape& shape, const std::string& mesh) {
  const auto& s = shape.size;
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return fmt::format("type='sphere' size='{}'", s[0]);
    case ShapeKind::kCapsule:
      return fmt::format("type='capsule' size='{} {}'", s[0], s[1]);
    case ShapeKind::kBox:
      return fmt::format("type='box' size='{} {} {}'", s[0], s[1], s[2]);
    default:
      return "type='mesh' mesh='" + mesh + "'";
  }
}

std::string meshAsset(const Shape& shape, const std::string& name) {
  if (!shape.mesh) return "";
  std::string text = "<mesh name='" + name + "' vertex='";
  for (const Eigen::Vector3d& v : shape.mesh->vertices) text += fmt::format("{} {} {} ", v.x(), v.y(), v.z());
  return text + "'/>";
}

/// Two bodies whose geoms are placed directly: kinematics takes no part.
struct Mujoco {
  mjModel* model = nullptr;
  mjData* data = nullptr;

  Mujoco(const Shape& a, const Shape& b) {
    const std::string text = "<mujoco><option><flag nativeccd='enable'/></option><asset>" + meshAsset(a, "a") +
                             meshAsset(b, "b") + "</asset><worldbody><body><freejoint/><geom margin='0.001' " +
                             mujocoGeom(a, "a") + "/></body><body><freejoint/><geom margin='0.001' " +
                             mujocoGeom(b, "b") + "/></body></worldbody></mujoco>";
    char error[500] = "";
    mjSpec* spec = mj_parseXMLString(text.c_str(), nullptr, error, sizeof(error));
    if (spec) model = mj_compile(spec, nullptr);
    if (!model) {
      fmt::print("MuJoCo: {}\n", error);
      std::exit(1);
    }
    mj_deleteSpec(spec);
    data = mj_makeData(model);
    mj_forward(model, data);
  }
  ~Mujoco() { mj_deleteData(data), mj_deleteModel(model); }

  void place(const TimedPose& pose) const {
    for (int g = 0; g < 2; ++g) {
      const Pose& X = g == 0 ? pose.X_1 : pose.X_2;
      const Transform<double>& T = (g == 0 ? pose.view_1 : pose.view_2).X_WS;
      const double R[9] = {T.R.x.x, T.R.y.x, T.R.z.x, T.R.x.y, T.R.y.y, T.R.z.y, T.R.x.z, T.R.y.z, T.R.z.z};
      for (int k = 0; k < 3; ++k) data->geom_xpos[3 * g + k] = X.position[k];
      for (int k = 0; k < 9; ++k) data->geom_xmat[9 * g + k] = R[k];
    }
  }
};

void printPair(const char* name, const Shape& a, const Shape& b) {
  const std::vector<TimedPose> poses = posesNearContact(a, b);
  double sum = 0.0;
  Collision collision;
  const double distance =
      timeOf(poses, [&](const TimedPose& p) { sum += findSeparation(p.view_1, p.view_2).distance; });
  const double warm =
      timeOf(poses, [&](const TimedPose& p) { sum += findSeparation(p.view_1, p.view_2, &p.normal).distance; });
  const double manifold = timeOf(poses, [&](const TimedPose& p) {
    collide(a, p.X_1, b, p.X_2, 1e-3, collision);
    sum += collision.distance;
  });
  const CoalShape coal_a = coalOf(a), coal_b = coalOf(b);
  const double coal_distance = timeOf(poses, [&](const TimedPose& p) {
    coal::DistanceRequest request(true, true);
    coal::DistanceResult result;
    sum += coal::distance(coal_a.get(), p.coal_1, coal_b.get(), p.coal_2, request, result);
  });
  const double coal_collide = timeOf(poses, [&](const TimedPose& p) {
    coal::CollisionRequest request(coal::CONTACT, 8);
    request.security_margin = 1e-3;
    coal::CollisionResult result;
    sum += static_cast<double>(coal::collide(coal_a.get(), p.coal_1, coal_b.get(), p.coal_2, request, result));
  });
  const Mujoco mujoco(a, b);
  const double mujoco_place = timeOf(poses, [&](const TimedPose& p) { mujoco.place(p); });
  const double mujoco_distance = timeOf(poses, [&](const TimedPose& p) {
    mujoco.place(p);
    mjtNum between[6];
    sum += mj_geomDistance(mujoco.model, mujoco.data, 0, 1, 10.0, between);
  });
  const double mujoco_collision = timeOf(poses, [&](const TimedPose& p) {
    mujoco.place(p);
    mj_collision(mujoco.model, mujoco.data);
    sum += mujoco.data->ncon;
  });
  fmt::print("| {} | {:.0f} | {:.0f} | {:.0f} | {:.0f} | {:.0f} | {:.0f} | {:.0f} |\n", name, distance, warm, manifold,
             coal_distance, coal_collide, mujoco_distance - mujoco_place, mujoco_collision - mujoco_place + 0.0 * sum);
}

Shape roundHull(double radius) {
  auto mesh = std::make_shared<Mesh>();
  for (int i = 0; i < 64; ++i) {
    const double z = 1.0 - (2.0 * i + 1.0) / 64.0, angle = 2.399963229728653 * i, r = std::sqrt(1.0 - z * z);
    mesh->vertices.emplace_back(radius * r * std::cos(angle), radius * r * std::sin(angle), radius * z);
  }
  return makeHull(mesh);
}

}  // namespace

void printTimes() {
  const Shape sphere = makeSphere(0.1), capsule = makeCapsule(0.05, 0.1), box = makeBox({0.1, 0.12, 0.08});
  const Shape hull = roundHull(0.1);
  fmt::print(
      "ns per call; rigor: distance, with the last normal as hint, distance and manifold; Coal: distance, collide;\n"
      "MuJoCo: mj_geomDistance, mj_collision (with its broad phase)\n\n");
  fmt::print(
      "| pair | rigor distance | warm | manifold | Coal distance | Coal collide | MuJoCo distance | collision |\n");
  fmt::print("|---|---|---|---|---|---|---|---|\n");
  printPair("sphere–sphere", sphere, sphere);
  printPair("sphere–capsule", sphere, capsule);
  printPair("sphere–box", sphere, box);
  printPair("capsule–capsule", capsule, capsule);
  printPair("capsule–box", capsule, box);
  printPair("box–box", box, box);
  printPair("box–hull (64)", box, hull);
  printPair("hull (64)–hull (64)", hull, hull);
}

}  // namespace rigor::peers
