#include "verify/solid_scenes.h"

#include <random>

#include "rigor/mesh.h"

namespace rigor {
namespace {

using Eigen::Vector3d;

/// Collects bodies with their poses.
class SceneMaker {
 public:
  SceneMaker(const std::string& name, double friction) : builder_(name), name_(name) {
    builder_.addMaterialPair({"default", "default", friction, -1.0, 0.0, 0.01});
  }

  void fix(const std::string& name, const Shape& shape, const Vector3d& at) {
    builder_.addWorldShape({name, shape, {at, Eigen::Quaterniond::Identity()}, "default"});
  }
  void add(const std::string& name, const Shape& shape, const Vector3d& at, const Vector3d& turn = Vector3d::Zero(),
           const Vector3d& velocity = Vector3d::Zero()) {
    BodySpec body;
    body.name = name, body.joint.name = name + "_joint", body.joint.type = kFree;
    body.mass = computeMassProperties(shape, 1000.0);
    body.shapes.push_back({name, shape, {}, "default"});
    const Eigen::Quaterniond r(Eigen::AngleAxisd(turn.norm(), turn.norm() > 0 ? turn.normalized() : Vector3d::UnitX()));
    Eigen::VectorXd q(7);
    q << at, r.w(), r.x(), r.y(), r.z();
    builder_.setReference(builder_.addBody(body), q);
    velocities_.push_back(velocity);
  }
  Scene finish(double dt) const {
    Scene scene;
    scene.name = name_;
    scene.model = builder_.build();
    scene.dt = dt;
    scene.q = scene.model.q0();
    scene.v = Eigen::VectorXd::Zero(scene.model.nv());
    for (std::size_t i = 0; i < velocities_.size(); ++i) scene.v.segment<3>(6 * i) = velocities_[i];
    return scene;
  }

 private:
  ModelBuilder builder_;
  std::string name_;
  std::vector<Vector3d> velocities_;
};

/// Points on an ellipsoid, by chance; their hull has nearly all of them as vertices.
Shape makePebble(int vertices, const Vector3d& size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  auto mesh = std::make_shared<Mesh>();
  for (int i = 0; i < vertices; ++i)
    mesh->vertices.push_back(Vector3d(normal(random), normal(random), normal(random)).normalized().cwiseProduct(size));
  return makeHull(mesh);
}

/// A block with its upper edges cut off.
Shape makeAnvil(const Vector3d& half) {
  auto mesh = std::make_shared<Mesh>();
  for (int corner = 0; corner < 8; ++corner) {
    const double x = corner & 1 ? half.x() : -half.x(), y = corner & 2 ? half.y() : -half.y();
    const double z = corner & 4 ? half.z() : -half.z(), top = corner & 4 ? 0.8 : 1.0;
    mesh->vertices.emplace_back(top * x, top * y, z);
  }
  return makeHull(mesh);
}

}  // namespace

Scene makeBoxOnBox() {
  SceneMaker maker("box_on_box", 0.4);
  maker.fix("table", makeBox({0.5, 0.4, 0.1}), {0.0, 0.0, -0.1});
  maker.add("box", makeBox({0.1, 0.15, 0.05}), {0.0, 0.0, 0.0501}, {0.0, 0.0, 0.33}, {0.5, 0.2, 0.0});
  return maker.finish(2e-3);
}

Scene makeStack() {
  SceneMaker maker("stack", 0.5);
  maker.fix("table", makeBox({0.5, 0.5, 0.1}), {0.0, 0.0, -0.1});
  for (int i = 0; i < 5; ++i)
    maker.add("box_" + std::to_string(i), makeBox({0.05, 0.06, 0.05}), {0.003 * i, -0.002 * i, 0.051 + 0.101 * i},
              {0.0, 0.0, 0.1 * i});
  return maker.finish(2e-3);
}

Scene makeTiltedLanding() {
  SceneMaker maker("tilted_landing", 0.3);
  maker.fix("table", makeBox({0.5, 0.5, 0.1}), {0.0, 0.0, -0.1});
  maker.add("box", makeBox({0.06, 0.1, 0.04}), {0.45, 0.0, 0.15}, {0.5, 0.4, 0.3}, {0.1, 0.0, -0.5});
  return maker.finish(2e-3);
}

Scene makeCapsuleOnBox() {
  SceneMaker maker("capsule_on_box", 0.4);
  maker.fix("beam", makeBox({0.08, 0.5, 0.1}), {0.0, 0.0, -0.1});
  maker.add("capsule", makeCapsule(0.04, 0.15), {0.0, -0.2, 0.041}, {0.0, 1.5707963, 0.0}, {0.0, 0.3, 0.0});
  maker.add("ball", makeSphere(0.05), {0.07, 0.3, 0.051}, {}, {0.1, -0.2, 0.0});
  maker.add("rod", makeCapsule(0.02, 0.1), {0.0, -0.2, 0.15}, {1.5707963, 0.0, 0.0});
  return maker.finish(2e-3);
}

Scene makeHullOnHull() {
  SceneMaker maker("hull_on_hull", 0.5);
  maker.fix("anvil", makeAnvil({0.5, 0.5, 0.1}), {0.0, 0.0, -0.1});
  maker.add("pebble", makePebble(64, {0.1, 0.08, 0.05}, 1), {0.0, 0.0, 0.06});
  maker.add("stone", makePebble(12, {0.06, 0.06, 0.04}, 2), {0.01, 0.0, 0.16}, {0.3, 0.0, 0.0});
  return maker.finish(2e-3);
}

Scene makeMixedHeap(std::uint64_t seed, int count) {
  std::mt19937_64 random(seed);
  const auto between = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
  };
  SceneMaker maker("mixed_heap", between(0.1, 0.8));
  maker.fix("table", makeBox({1.0, 1.0, 0.1}), {0.0, 0.0, -0.1});
  for (int i = 0; i < count; ++i) {
    const double size = between(0.03, 0.06);
    const Shape shapes[] = {makeBox({size, between(0.03, 0.06), 0.04}), makeCapsule(0.5 * size, size), makeSphere(size),
                            makePebble(8 + 4 * i, {size, 0.05, 0.04}, seed + i)};
    maker.add("thing_" + std::to_string(i), shapes[random() % 4],
              {between(-0.05, 0.05), between(-0.05, 0.05), 0.12 + 0.17 * i},
              {between(-2.0, 2.0), between(-2.0, 2.0), between(-2.0, 2.0)});
  }
  return maker.finish(5e-3);
}

}  // namespace rigor
