// Time of rigor's distances and manifolds beside those of Coal and MuJoCo.
#include <coal/collision.h>
#include <coal/distance.h>
#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "../near_contact.h"
#include "collide_peers.h"

namespace rigor::peers {
namespace {

constexpr int kPoses = 64,
              kRounds = 400;  // a round of the slowest stays below 0.5 ms: no other work falls into the best

struct TimedPose : NearPose {
  coal::Transform3s coal_1, coal_2;
};

std::vector<TimedPose> timedPoses(const Shape& a, const Shape& b) {
  std::vector<TimedPose> poses;
  for (const NearPose& pose : posesNearContact(a, b, kPoses))
    poses.push_back({pose, coalPose(pose.X_1), coalPose(pose.X_2)});
  return poses;
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
  const std::vector<TimedPose> poses = timedPoses(a, b);
  double sum = 0.0;
  const OwnTimes own = timeOwnCalls(a, b, poses, kRounds, 1e-3, sum);
  const CoalShape coal_a = coalOf(a), coal_b = coalOf(b);
  const double coal_distance = timeOf(poses, kRounds, [&](const TimedPose& p) {
    coal::DistanceRequest request(true, true);
    coal::DistanceResult result;
    sum += coal::distance(coal_a.get(), p.coal_1, coal_b.get(), p.coal_2, request, result);
  });
  const double coal_collide = timeOf(poses, kRounds, [&](const TimedPose& p) {
    coal::CollisionRequest request(coal::CONTACT, 8);
    request.security_margin = 1e-3;
    coal::CollisionResult result;
    sum += static_cast<double>(coal::collide(coal_a.get(), p.coal_1, coal_b.get(), p.coal_2, request, result));
  });
  const Mujoco mujoco(a, b);
  const double mujoco_place = timeOf(poses, kRounds, [&](const TimedPose& p) { mujoco.place(p); });
  const double mujoco_distance = timeOf(poses, kRounds, [&](const TimedPose& p) {
    mujoco.place(p);
    mjtNum between[6];
    sum += mj_geomDistance(mujoco.model, mujoco.data, 0, 1, 10.0, between);
  });
  const double mujoco_collision = timeOf(poses, kRounds, [&](const TimedPose& p) {
    mujoco.place(p);
    mj_collision(mujoco.model, mujoco.data);
    sum += mujoco.data->ncon;
  });
  fmt::print("| {} | {:.0f} | {:.0f} | {:.0f} | {:.0f} | {:.0f} | {:.0f} | {:.0f} |\n", name, own.distance,
             own.with_hint, own.collide, coal_distance, coal_collide, mujoco_distance - mujoco_place,
             mujoco_collision - mujoco_place + 0.0 * sum);
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
