#include "ball_scenes.h"

#include <cmath>
#include <random>
#include <string>

namespace rigor {
namespace {

constexpr double kRadius = 0.05;

void addPlane(ModelBuilder& builder, const std::string& name, const Eigen::Vector3d& point,
              const Eigen::Vector3d& normal) {
  ShapeSpec plane{name, makePlane(), {}, "wall"};
  plane.X_BS.position = point;
  plane.X_BS.rotation = Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), normal.normalized());
  builder.addWorldShape(plane);
}

struct Ball {
  double radius = kRadius, mass = 1.0, friction = 0.5;
};

Scene finish(ModelBuilder& builder, const std::vector<Eigen::Vector3d>& centres, const Ball& kind = {}) {
  for (std::size_t i = 0; i < centres.size(); ++i) {
    BodySpec ball;
    ball.name = "ball_" + std::to_string(i);
    ball.joint.type = kFree;
    ball.mass.mass = kind.mass;
    ball.mass.inertia = Eigen::Matrix3d::Identity() * (0.4 * kind.mass * kind.radius * kind.radius);
    ball.shapes.push_back({ball.name, makeSphere(kind.radius), {}, "ball"});
    const int body = builder.addBody(ball);
    Eigen::VectorXd q(7);
    q << centres[i], 1.0, 0.0, 0.0, 0.0;
    builder.setReference(body, q);
  }
  return finishScene(builder, "ball", "wall", kind.friction);
}

std::vector<Eigen::Vector3d> makeGrid(int nx, int ny, int count, double pitch, double lowest, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const double play = 0.45 * (pitch - 2.0 * kRadius);
  std::vector<Eigen::Vector3d> centres;
  for (int i = 0; i < count; ++i)
    centres.emplace_back(pitch * (i % nx - 0.5 * (nx - 1)) + play * uniform(random),
                         pitch * (i / nx % ny - 0.5 * (ny - 1)) + play * uniform(random),
                         lowest + pitch * (i / (nx * ny)) + play * uniform(random));
  return centres;
}

}  // namespace

Scene finishScene(ModelBuilder& builder, const char* material, const char* other, double friction) {
  for (const char* second : {material, other}) {
    MaterialPair pair{material, second};
    pair.friction = friction;
    builder.addMaterialPair(pair);
  }
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.v = Eigen::VectorXd::Zero(scene.model.nv());
  return scene;
}

Scene makeOpenHeap(int n) {
  ModelBuilder builder("open heap");
  addPlane(builder, "ground", {0, 0, 0}, {0, 0, 1});
  return finish(builder, makeGrid(n, n, n * n * n, 0.102, 0.06, 1));
}

Scene makeBoxHeap(int n) {
  const double pitch = 0.104, half = 0.5 * pitch * n + 0.002;
  ModelBuilder builder("box heap");
  addPlane(builder, "ground", {0, 0, 0}, {0, 0, 1});
  addPlane(builder, "left", {-half, 0, 0}, {1, 0, 0});
  addPlane(builder, "right", {half, 0, 0}, {-1, 0, 0});
  addPlane(builder, "front", {0, -half, 0}, {0, 1, 0});
  addPlane(builder, "back", {0, half, 0}, {0, -1, 0});
  return finish(builder, makeGrid(n, n, n * n * n, pitch, 0.06, 2));
}

Scene makeSixCubed() {
  constexpr int kSide = 6;
  const Ball kind{.radius = 0.1, .mass = 10.0, .friction = 0.0};
  std::mt19937 random(4);
  std::uniform_real_distribution<double> noise(-1e-3, 1e-3);
  std::vector<Eigen::Vector3d> centres;
  for (int i = 0; i < kSide * kSide * kSide; ++i)
    centres.emplace_back(0.21 * (i % kSide) + noise(random), 0.21 * (i / kSide % kSide) + noise(random),
                         0.101 + 0.21 * (i / (kSide * kSide)));
  ModelBuilder builder("six cubed");
  addPlane(builder, "ground", {0, 0, 0}, {0, 0, 1});
  return finish(builder, centres, kind);
}

Scene makeFunnel(int count) {
  ModelBuilder builder("funnel");
  addPlane(builder, "ground", {0, 0, 0}, {0, 0, 1});
  const double throat = 0.15, height = 0.3;  // planes are endless: the four slopes meet the ground around a square
  addPlane(builder, "left", {-throat, 0, 0}, {1, 0, height / throat * 0.5});
  addPlane(builder, "right", {throat, 0, 0}, {-1, 0, height / throat * 0.5});
  addPlane(builder, "front", {0, -throat, 0}, {0, 1, height / throat * 0.5});
  addPlane(builder, "back", {0, throat, 0}, {0, -1, height / throat * 0.5});
  const int n = 8;
  return finish(builder, makeGrid(n, n, count, 0.11, 0.6, 3));
}

}  // namespace rigor
