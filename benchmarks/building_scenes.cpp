#include "building_scenes.h"

#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "ball_scenes.h"
#include "rigor/mesh.h"

namespace rigor {
namespace {

void addGround(ModelBuilder& builder, const Eigen::Vector3d& point = {0, 0, 0},
               const Eigen::Vector3d& normal = {0, 0, 1}) {
  ShapeSpec plane{"ground", makePlane(), {}, "ground"};
  plane.X_BS.position = point;
  plane.X_BS.rotation = Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), normal);
  builder.addWorldShape(plane);
}

// A free solid; its frame is its centre of mass.
void addSolid(ModelBuilder& builder, const std::string& name, const Shape& shape, double mass, const Pose& pose) {
  const MassProperties unit = computeMassProperties(shape, 1.0);
  BodySpec body;
  body.name = name;
  body.joint.type = kFree;
  body.mass = {mass, unit.com, unit.inertia * (mass / unit.mass)};
  body.shapes.push_back({name, shape, {}, "solid"});
  const int index = builder.addBody(body);
  Eigen::VectorXd q(7);
  q << pose.position, pose.rotation.w(), pose.rotation.vec();
  builder.setReference(index, q);
}

Scene finish(ModelBuilder& builder, double friction) { return finishScene(builder, "solid", "ground", friction); }

// Eight corners: the quadrilateral (x, z) of the front, and the same behind.
Shape makeWedge(const Eigen::Vector2d (&corners)[4], double half_depth) {
  auto mesh = std::make_shared<Mesh>();
  mesh->source = "wedge";
  for (const double y : {-half_depth, half_depth})
    for (const Eigen::Vector2d& corner : corners) mesh->vertices.emplace_back(corner[0], y, corner[1]);
  mesh->triangles = {{0, 1, 2}};
  return makeHull(mesh);
}

}  // namespace

Scene makeWall(int columns, int rows, double mass_ratio) {
  const Eigen::Vector3d half(0.1, 0.05, 0.05);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  ModelBuilder builder("wall");
  addGround(builder);
  const Shape brick = makeBox(half);
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      Pose pose;
      pose.position << 2.0 * half[0] * column + (row % 2 == 1 ? half[0] : 0.0), 0.0, half[2] * (2 * row + 1);
      addSolid(builder, "brick_" + std::to_string(row * columns + column), brick,
               std::pow(mass_ratio, mass_ratio > 1.0 ? uniform(random) : 0.0), pose);
    }
  return finish(builder, 0.6);
}

Scene makeKapla(int blocks, int towers) {
  const Eigen::Vector3d half(0.06, 0.012, 0.004);
  ModelBuilder builder("kapla");
  addGround(builder);
  const Shape block = makeBox(half);
  const double aside = half[0] - half[1];
  for (int k = 0; k < blocks * towers; ++k) {
    const int i = k % blocks, layer = i / 2;
    const double side = i % 2 == 0 ? -aside : aside;
    const bool turned = layer % 2 == 1;
    Pose pose;
    pose.position << k / blocks + (turned ? side : 0.0), (turned ? 0.0 : side), half[2] * (2 * layer + 1);
    if (turned) pose.rotation = Eigen::AngleAxisd(0.5 * std::numbers::pi, Eigen::Vector3d::UnitZ());
    addSolid(builder, "block_" + std::to_string(k), block, 0.02, pose);
  }
  return finish(builder, 0.5);
}

Scene makeCardHouse(int levels) {
  const double length = 0.09, depth = 0.06, thickness = 0.002, mass = 0.005, tilt = 0.35;
  ModelBuilder builder("card house");
  addGround(builder);
  const Shape leaning = makeBox({0.5 * thickness, 0.5 * depth, 0.5 * length});
  const double sine = std::sin(tilt), cosine = std::cos(tilt);
  // Of a card whose lowest corner is on the floor: its centre above it, and from there to the corner that meets the other.
  const double rise = 0.5 * (length * cosine + thickness * sine);
  const double reach = 0.5 * (length * sine + thickness * cosine), pitch = 4.0 * reach + 0.004;
  const Shape roof = makeBox({0.5 * pitch - 0.001, 0.5 * depth, 0.5 * thickness});
  int card = 0;
  double floor = 0.0;
  for (int level = 0; level < levels; ++level, floor += 2.0 * rise + thickness) {
    const int pairs = levels - level;
    for (int i = 0; i < pairs; ++i) {
      const double middle = pitch * (i - 0.5 * (pairs - 1));
      for (const double side : {-1.0, 1.0}) {
        Pose pose;
        pose.position << middle + side * reach, 0.0, floor + rise;
        pose.rotation = Eigen::AngleAxisd(-side * tilt, Eigen::Vector3d::UnitY());
        addSolid(builder, "card_" + std::to_string(card++), leaning, mass, pose);
      }
    }
    for (int i = 0; i + 1 < pairs; ++i) {
      Pose pose;
      pose.position << pitch * (i - 0.5 * (pairs - 2)), 0.0, floor + 2.0 * rise + 0.5 * thickness;
      addSolid(builder, "card_" + std::to_string(card++), roof, mass, pose);
    }
  }
  return finish(builder, 0.6);
}

Scene makeArch(int stones) {
  const double inner = 0.9, outer = 1.1, half_depth = 0.2, density = 2000.0;
  ModelBuilder builder("arch");
  addGround(builder);
  const double wedge = std::numbers::pi / stones, half = 0.5 * wedge;
  // Frame at the middle of the wedge's mean radius, x outward.
  const Eigen::Vector2d corners[4] = {{inner * std::cos(half) - 1.0, inner * std::sin(half)},
                                      {outer * std::cos(half) - 1.0, outer * std::sin(half)},
                                      {outer * std::cos(half) - 1.0, -outer * std::sin(half)},
                                      {inner * std::cos(half) - 1.0, -inner * std::sin(half)}};
  const Shape stone = makeWedge(corners, half_depth);
  const double mass = density * computeVolume(stone);
  for (int i = 0; i < stones; ++i) {
    const double angle = (i + 0.5) * wedge;
    Pose pose;
    pose.position << std::cos(angle), 0.0, std::sin(angle);
    pose.rotation = Eigen::AngleAxisd(-angle, Eigen::Vector3d::UnitY());
    addSolid(builder, "stone_" + std::to_string(i), stone, mass, pose);
  }
  return finish(builder, 0.7);
}

Scene makeBoxColumn(int boxes, double mass_ratio, double gap) {
  ModelBuilder builder("column");
  addGround(builder);
  const Shape box = makeBox({0.05, 0.05, 0.05});
  for (int i = 0; i < boxes; ++i) {
    Pose pose;
    pose.position << 0.0, 0.0, 0.05 + 0.1 * i + gap * (i + 1);
    const double share = boxes > 1 ? static_cast<double>(i) / (boxes - 1) : 0.0;
    addSolid(builder, "box_" + std::to_string(i), box, std::pow(mass_ratio, share), pose);
  }
  return finish(builder, 0.5);
}

Scene makeChainHeap(int count) {
  const double radius = 0.02, half_length = 0.05, mass = 0.2;
  constexpr int kLinks = 6;
  ModelBuilder builder("chains");
  addGround(builder);
  for (const double side : {-1.0, 1.0}) {
    addGround(builder, {0.45 * side, 0, 0}, {-side, 0, 0});
    addGround(builder, {0, 0.45 * side, 0}, {0, -side, 0});
  }
  const Shape capsule = makeCapsule(radius, half_length);
  const MassProperties unit = computeMassProperties(capsule, 1.0);
  for (int chain = 0; chain < count; ++chain) {
    int parent = kWorld;
    for (int link = 0; link < kLinks; ++link) {
      BodySpec body;
      body.name = "link_" + std::to_string(chain) + "_" + std::to_string(link);
      body.parent = parent;
      body.mass = {mass, Eigen::Vector3d::Zero(), unit.inertia * (mass / unit.mass)};
      body.shapes.push_back({body.name, capsule, {}, "solid"});
      if (link == 0) {
        body.joint.type = kFree;
      } else {
        body.joint.type = kHinge;
        body.joint.axis = link % 2 == 0 ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitY();
        body.joint.X_PJ.position << 0.0, 0.0, half_length + 1.1 * radius;
        body.X_JB.position << 0.0, 0.0, half_length + 1.1 * radius;
      }
      parent = builder.addBody(body);
      if (link > 0) continue;
      Eigen::VectorXd q(7);
      const double low = -(kLinks - 1) * (half_length + 1.1 * radius);
      const Eigen::Quaterniond lie =
          chain % 2 == 0
              ? Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), Eigen::Vector3d(1.0, 0.1 * chain, 0.05))
              : Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), Eigen::Vector3d(0.07 * chain, 1.0, 0.03));
      const Eigen::Vector3d start = lie * Eigen::Vector3d(0, 0, low) + Eigen::Vector3d(0.0, 0.0, 0.1 + 0.12 * chain);
      q << start, lie.w(), lie.vec();
      builder.setReference(parent, q);
    }
  }
  return finish(builder, 0.5);
}

}  // namespace rigor
