// rigor's distances beside those of Coal: agreement over random pairs, and time of all three with MuJoCo.
//
// collide_peers agree COUNT   every pair of kinds at COUNT random pairs of poses
// collide_peers time          sphere, capsule, box and hull near contact
//
// Built and run by collide_peers.sh. All three are called from C++ in this one process.
#include <coal/collision.h>
#include <coal/distance.h>
#include <coal/shape/convex.h>
#include <coal/shape/geometric_shapes.h>
#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "geometry/convert.h"
#include "geometry/distance.h"
#include "geometry/polytope.h"
#include "geometry/shape_check.h"
#include "reference/random_shapes.h"
#include "rigor/collide.h"
#include "rigor/mesh.h"

namespace {

using namespace rigor;
using reference::PairStyle, reference::PosedPair;
using CoalShape = std::shared_ptr<coal::CollisionGeometry>;

constexpr ShapeKind kKinds[] = {ShapeKind::kSphere, ShapeKind::kCapsule,   ShapeKind::kBox, ShapeKind::kCylinder,
                                ShapeKind::kCone,   ShapeKind::kEllipsoid, ShapeKind::kHull};
constexpr double kTolerance = 1e-6;  ///< of the size: what Coal stops at (gjk_tolerance, epa_tolerance)

CoalShape coalOf(const Shape& shape) {
  const auto& s = shape.size;
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return std::make_shared<coal::Sphere>(s[0]);
    case ShapeKind::kCapsule:
      return std::make_shared<coal::Capsule>(s[0], 2.0 * s[1]);
    case ShapeKind::kBox:
      return std::make_shared<coal::Box>(2.0 * s[0], 2.0 * s[1], 2.0 * s[2]);
    case ShapeKind::kCylinder:
      return std::make_shared<coal::Cylinder>(s[0], 2.0 * s[1]);
    case ShapeKind::kCone:
      return std::make_shared<coal::Cone>(s[0], 2.0 * s[1]);
    case ShapeKind::kEllipsoid:
      return std::make_shared<coal::Ellipsoid>(s[0], s[1], s[2]);
    default:
      break;
  }
  auto points = std::make_shared<std::vector<coal::Vec3s>>();
  auto triangles = std::make_shared<std::vector<coal::Triangle>>();
  for (const Vec3<double>& v : shape.polytope->vertices) points->push_back(toEigen(v));
  for (std::size_t f = 0; f < shape.polytope->faces.size(); ++f) {
    const auto corners = shape.polytope->cornersOf(static_cast<int>(f));
    for (std::size_t i = 1; i + 1 < corners.size(); ++i)
      triangles->push_back(coal::Triangle(corners[0], corners[i], corners[i + 1]));
  }
  return std::make_shared<coal::Convex<coal::Triangle>>(points, points->size(), triangles, triangles->size());
}

coal::Transform3s coalPose(const Pose& X) { return {X.rotation.toRotationMatrix(), X.position}; }

/// Who is wrong is decided by separations, which are lower bounds of the distance whoever found the direction.
struct Tally {
  long pairs = 0, coal_low = 0, coal_high = 0, rigor_low = 0;
  double worst_agreeing = 0.0, worst_coal = 0.0, worst_rigor = 0.0;  ///< of the size
};

void compare(const PosedPair& pair, const CoalShape& coal_a, const CoalShape& coal_b, Tally& tally) {
  const ConvexShape a = viewOf(pair.a, toTransform(pair.X_WA)), b = viewOf(pair.b, toTransform(pair.X_WB));
  const double size = std::max(radiusAbout(a), radiusAbout(b));
  const Separation found = findSeparation(a, b);
  coal::DistanceRequest request(true, true);
  coal::DistanceResult result;
  const double theirs =
      coal::distance(coal_a.get(), coalPose(pair.X_WA), coal_b.get(), coalPose(pair.X_WB), request, result);
  ++tally.pairs;
  const double difference = (theirs - found.distance) / size;
  if (std::fabs(difference) <= kTolerance) {
    tally.worst_agreeing = std::max(tally.worst_agreeing, std::fabs(difference));
    return;
  }
  if (difference < 0.0) {  // rigor's normal proves a larger distance
    ++tally.coal_low;
    tally.worst_coal = std::max(tally.worst_coal, -difference);
    return;
  }
  const Vec3<double> their_normal = toVec3(result.normal);
  const double proven = std::max(separationAlong(their_normal, a, b), findSeparation(a, b, &their_normal).distance);
  if (proven > found.distance + 1e-9 * size) {
    ++tally.rigor_low;
    tally.worst_rigor = std::max(tally.worst_rigor, (proven - found.distance) / size);
    fmt::print("rigor is low: {} {} by {:.3g}, distance {:.6g}, size {:.3g}\n", shapeKindName(pair.a.kind),
               shapeKindName(pair.b.kind), (proven - found.distance) / size, found.distance, size);
    return;
  }
  ++tally.coal_high;
  tally.worst_coal = std::max(tally.worst_coal, difference);
}

void printAgreement(long count) {
  fmt::print("| pair | pairs | within 1e-6 of the size | Coal low | Coal high | rigor low | worst of Coal |\n");
  fmt::print("|---|---|---|---|---|---|---|\n");
  for (std::size_t i = 0; i < std::size(kKinds); ++i)
    for (std::size_t j = i; j < std::size(kKinds); ++j) {
      std::mt19937_64 random(1000 + 10 * i + j);
      Tally tally;
      for (long n = 0; n < count;) {
        const auto style = static_cast<PairStyle>(n / 16 % static_cast<int>(PairStyle::kCount));
        PosedPair pair = reference::randomPair(random, kKinds[i], kKinds[j], style);
        const CoalShape coal_a = coalOf(pair.a), coal_b = coalOf(pair.b);
        for (int k = 0; k < 16 && n < count; ++k, ++n) {  // the same shapes at more poses: making hulls takes longest
          compare(pair, coal_a, coal_b, tally);
          pair.X_WB.position = pair.X_WA.position + 0.93 * (pair.X_WB.position - pair.X_WA.position);
          if (k % 2) pair.X_WB.rotation = reference::randomRotation(random);
        }
      }
      fmt::print("| {}–{} | {} | {:.4f} % (worst {:.1e}) | {} | {} | {} | {:.1e} |\n", shapeKindName(kKinds[i]),
                 shapeKindName(kKinds[j]), tally.pairs,
                 100.0 * (tally.pairs - tally.coal_low - tally.coal_high - tally.rigor_low) / tally.pairs,
                 tally.worst_agreeing, tally.coal_low, tally.coal_high, tally.rigor_low, tally.worst_coal);
      std::fflush(stdout);
    }
}

constexpr int kPoses = 256, kRounds = 40;

struct TimedPose {
  Pose X_1, X_2;
  Transform<double> T_1, T_2;
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
    pose.T_1 = toTransform(pose.X_1), pose.T_2 = toTransform(pose.X_2);
    pose.normal = findSeparation(viewOf(a, pose.T_1), viewOf(b, pose.T_2)).normal;
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
      const Transform<double>& T = g == 0 ? pose.T_1 : pose.T_2;
      const double R[9] = {T.R.x.x, T.R.y.x, T.R.z.x, T.R.x.y, T.R.y.y, T.R.z.y, T.R.x.z, T.R.y.z, T.R.z.z};
      for (int k = 0; k < 3; ++k) data->geom_xpos[3 * g + k] = X.position[k];
      for (int k = 0; k < 9; ++k) data->geom_xmat[9 * g + k] = R[k];
    }
  }
};

void printTimes(const char* name, const Shape& a, const Shape& b) {
  const std::vector<TimedPose> poses = posesNearContact(a, b);
  double sum = 0.0;
  Collision collision;
  const double distance =
      timeOf(poses, [&](const TimedPose& p) { sum += findSeparation(viewOf(a, p.T_1), viewOf(b, p.T_2)).distance; });
  const double warm = timeOf(poses, [&](const TimedPose& p) {
    sum += findSeparation(viewOf(a, p.T_1), viewOf(b, p.T_2), &p.normal).distance;
  });
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

void printAllTimes() {
  const Shape sphere = makeSphere(0.1), capsule = makeCapsule(0.05, 0.1), box = makeBox({0.1, 0.12, 0.08});
  const Shape hull = roundHull(0.1);
  fmt::print(
      "ns per call; rigor: distance, with the last normal as hint, distance and manifold; Coal: distance, collide;\n"
      "MuJoCo: mj_geomDistance, mj_collision (with its broad phase)\n\n");
  fmt::print(
      "| pair | rigor distance | warm | manifold | Coal distance | Coal collide | MuJoCo distance | collision |\n");
  fmt::print("|---|---|---|---|---|---|---|---|\n");
  printTimes("sphere–sphere", sphere, sphere);
  printTimes("sphere–capsule", sphere, capsule);
  printTimes("sphere–box", sphere, box);
  printTimes("capsule–capsule", capsule, capsule);
  printTimes("capsule–box", capsule, box);
  printTimes("box–box", box, box);
  printTimes("box–hull (64)", box, hull);
  printTimes("hull (64)–hull (64)", hull, hull);
}

}  // namespace

int main(int count, char** arguments) {
  const std::string what = count > 1 ? arguments[1] : "";
  if (what == "agree" && count == 3) return printAgreement(std::atol(arguments[2])), 0;
  if (what == "time" && count == 2) return printAllTimes(), 0;
  fmt::print("usage: collide_peers agree COUNT | time\n");
  return 2;
}
