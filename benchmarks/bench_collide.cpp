// Time of a collision between two shapes on one core: near contact, as in a simulation, over many poses.
// Run alone: nothing keeps a build beside it from the caches.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <string_view>
#include <vector>

#include "geometry/convert.h"
#include "geometry/distance.h"
#include "rigor/collide.h"
#include "rigor/mesh.h"

namespace rigor {
namespace {

constexpr int kPoses = 256, kRounds = 40;
constexpr double kMargin = 1e-3;

struct Named {
  const char* name;
  Shape shape;
};

/// 64 points of a sphere: no four in a plane.
Shape roundHull(double radius) {
  auto mesh = std::make_shared<Mesh>();
  for (int i = 0; i < 64; ++i) {
    const double z = 1.0 - (2.0 * i + 1.0) / 64.0, angle = 2.399963229728653 * i, r = std::sqrt(1.0 - z * z);
    mesh->vertices.emplace_back(radius * r * std::cos(angle), radius * r * std::sin(angle), radius * z);
  }
  return makeHull(mesh);
}

struct PosedPair {
  Pose X_1, X_2;
  Transform<double> T_1, T_2;
  Vec3<double> normal;
};

/// Random rotations, brought to a gap between −1e-4 and 1e-4 m along the normal; half of them lie flat.
std::vector<PosedPair> posesNearContact(const Shape& a, const Shape& b) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<PosedPair> poses;
  for (int i = 0; i < kPoses; ++i) {
    PosedPair pose;
    const auto turn = [&] {
      return Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random));
    };
    pose.X_1.rotation = turn().normalized();
    const double yaw = normal(random);
    pose.X_2.rotation =
        i % 2 ? turn().normalized() : pose.X_1.rotation * Eigen::Quaterniond(std::cos(yaw), 0.0, 0.0, std::sin(yaw));
    const Eigen::Vector3d way = i % 2 ? Eigen::Vector3d(normal(random), normal(random), normal(random)).normalized()
                                      : pose.X_1.rotation * Eigen::Vector3d::UnitZ();
    pose.X_2.position = 2.0 * way;
    for (int step = 0; step < 8; ++step) {
      const Collision c = collide(a, pose.X_1, b, pose.X_2, 0.0);
      pose.X_2.position += (1e-4 * std::sin(i) - c.distance) * c.normal;
    }
    pose.T_1 = toTransform(pose.X_1), pose.T_2 = toTransform(pose.X_2);
    pose.normal = findSeparation(viewOf(a, pose.T_1), viewOf(b, pose.T_2)).normal;
    poses.push_back(pose);
  }
  return poses;
}

/// Best of the rounds [ns per call].
template <class Call>
double timeOf(const std::vector<PosedPair>& poses, Call call) {
  double best = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (const PosedPair& pose : poses) call(pose);
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count() / kPoses);
  }
  return best;
}

void printPair(const Named& a, const Named& b) {
  const std::vector<PosedPair> poses = posesNearContact(a.shape, b.shape);
  double sum = 0.0;
  Collision collision;
  const double cold = timeOf(poses, [&](const PosedPair& p) {
    sum += findSeparation(viewOf(a.shape, p.T_1), viewOf(b.shape, p.T_2)).distance;
  });
  const double warm = timeOf(poses, [&](const PosedPair& p) {
    sum += findSeparation(viewOf(a.shape, p.T_1), viewOf(b.shape, p.T_2), &p.normal).distance;
  });
  const double whole = timeOf(poses, [&](const PosedPair& p) {
    collide(a.shape, p.X_1, b.shape, p.X_2, kMargin, collision);
    sum += collision.distance;
  });
  std::size_t points = 0;
  for (const PosedPair& p : poses) points += collide(a.shape, p.X_1, b.shape, p.X_2, kMargin).manifold.size();
  fmt::print("{:10} {:10} {:10.0f} {:10.0f} {:10.0f} {:8.2f}\n", a.name, b.name, cold, warm, whole,
             static_cast<double>(points) / kPoses + 0.0 * sum);
}

}  // namespace
}  // namespace rigor

int main(int count, char** arguments) {
  using namespace rigor;
  const std::string_view only = count > 1 ? arguments[1] : "";  // part of a shape's name that both must have
  const std::vector<Named> shapes = {
      {"sphere", makeSphere(0.1)},         {"capsule", makeCapsule(0.05, 0.1)},
      {"box", makeBox({0.1, 0.12, 0.08})}, {"cylinder", makeCylinder(0.1, 0.1)},
      {"cone", makeCone(0.1, 0.1)},        {"ellipsoid", makeEllipsoid({0.1, 0.12, 0.08})},
      {"hull (64)", roundHull(0.1)}};
  fmt::print("ns per call, gaps within 0.1 mm; collide with its manifold, mean number of points\n");
  fmt::print("{:21} {:>10} {:>10} {:>10} {:>8}\n", "", "distance", "with hint", "collide", "points");
  for (std::size_t i = 0; i < shapes.size(); ++i)
    for (std::size_t j = i; j < shapes.size(); ++j)
      if (std::string_view(shapes[i].name).find(only) != only.npos &&
          std::string_view(shapes[j].name).find(only) != only.npos)
        printPair(shapes[i], shapes[j]);
}
