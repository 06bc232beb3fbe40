// Poses near contact and the clock for calls on them: what the benchmarks of collisions share.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <vector>

#include "geometry/convert.h"
#include "geometry/distance.h"
#include "rigor/collide.h"
#include "rigor/mesh.h"

namespace rigor {

/// 64 points of a sphere: no four in a plane.
inline Shape roundHull(double radius) {
  auto mesh = std::make_shared<Mesh>();
  for (int i = 0; i < 64; ++i) {
    const double z = 1.0 - (2.0 * i + 1.0) / 64.0, angle = 2.399963229728653 * i, r = std::sqrt(1.0 - z * z);
    mesh->vertices.emplace_back(radius * r * std::cos(angle), radius * r * std::sin(angle), radius * z);
  }
  return makeHull(mesh);
}

struct NearPose {
  Pose X_1, X_2;
  ConvexShape view_1, view_2;  ///< placed before the clock starts
  Vec3<double> normal;
};

/// Random rotations, brought to a gap between −1e-4 and 1e-4 m along the normal; half of them lie flat. The shapes must stay.
inline std::vector<NearPose> posesNearContact(const Shape& a, const Shape& b, int count) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  const auto turn = [&] {
    const double w = normal(random), x = normal(random), y = normal(random), z = normal(random);
    return Eigen::Quaterniond(w, x, y, z).normalized();
  };
  std::vector<NearPose> poses;
  for (int i = 0; i < count; ++i) {
    NearPose pose;
    pose.X_1.rotation = turn();
    const double yaw = normal(random);
    pose.X_2.rotation = i % 2 ? turn() : pose.X_1.rotation * Eigen::Quaterniond(std::cos(yaw), 0.0, 0.0, std::sin(yaw));
    pose.X_2.position = 2.0 * ((i % 2 ? turn() : pose.X_1.rotation) * Eigen::Vector3d::UnitZ());
    for (int step = 0; step < 8; ++step) {
      const Collision c = collide(a, pose.X_1, b, pose.X_2, 0.0);
      pose.X_2.position += (1e-4 * std::sin(i) - c.distance) * c.normal;
    }
    pose.view_1 = viewOf(a, toTransform(pose.X_1)), pose.view_2 = viewOf(b, toTransform(pose.X_2));
    pose.normal = findSeparation(pose.view_1, pose.view_2).normal;
    poses.push_back(pose);
  }
  return poses;
}

/// Best of the rounds [ns per call].
template <class Poses, class Call>
double timeOf(const Poses& poses, int rounds, Call call) {
  double best = 1e9;
  for (int round = 0; round < rounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (const auto& pose : poses) call(pose);
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count() / static_cast<double>(poses.size()));
  }
  return best;
}

/// What rigor's own calls take on such poses [ns].
struct OwnTimes {
  double distance = 0.0, with_hint = 0.0, collide = 0.0;
};
template <class Poses>
OwnTimes timeOwnCalls(const Shape& a, const Shape& b, const Poses& poses, int rounds, double margin, double& sum) {
  Collision collision;
  OwnTimes times;
  times.distance =
      timeOf(poses, rounds, [&](const NearPose& p) { sum += findSeparation(p.view_1, p.view_2).distance; });
  times.with_hint =
      timeOf(poses, rounds, [&](const NearPose& p) { sum += findSeparation(p.view_1, p.view_2, &p.normal).distance; });
  times.collide = timeOf(poses, rounds, [&](const NearPose& p) {
    collide(a, p.X_1, b, p.X_2, margin, collision);
    sum += collision.distance;
  });
  return times;
}

}  // namespace rigor
