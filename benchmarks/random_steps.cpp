// Random steps by the thousand: cubes, plates of many points, snakes, a robot without power, stacks of unequal weights and fast
// spins, with any friction and any length of step. Counts refused steps and the stages that solved the others.
//
//   random_steps [STEPPER [STEPS [SEED]]]          maximal, 20000, 1
#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <random>
#include <string>

#include "rigor/rigor.h"

namespace {

using namespace rigor;
using Eigen::Vector3d;

constexpr int kStepsOfAScene = 100;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  double logarithmic(double low, double high) { return std::exp(number(std::log(low), std::log(high))); }
  int index(int count) { return std::uniform_int_distribution<int>(0, count - 1)(engine_); }
  Vector3d vector(double size) { return {number(-size, size), number(-size, size), number(-size, size)}; }
  Eigen::Quaterniond rotation() {
    std::normal_distribution<double> normal;
    return Eigen::Quaterniond(normal(engine_), normal(engine_), normal(engine_), normal(engine_)).normalized();
  }

 private:
  std::mt19937 engine_;
};

struct World {
  explicit World(Random& random) : builder("random") {
    ShapeSpec ground;
    ground.name = "ground";
    ground.shape = makePlane();
    builder.addWorldShape(ground);
    MaterialPair pair;
    pair.material_1 = "default";
    pair.friction = random.index(8) == 0 ? 0.0 : random.number(0.0, 2.0);
    pair.restitution = random.index(4) == 0 ? random.number(0.0, 1.0) : 0.0;
    builder.addMaterialPair(pair);
  }
  /// A free body where it is told to be.
  void add(const std::string& name, const std::vector<ShapeSpec>& shapes, const MassProperties& mass,
           const Pose& pose) {
    BodySpec body;
    body.name = name;
    body.joint.type = kFree;
    body.joint.name = name + "_base";
    body.mass = mass;
    body.shapes = shapes;
    const int index = builder.addBody(body);
    Eigen::VectorXd q(7);
    q << pose.position, pose.rotation.w(), pose.rotation.x(), pose.rotation.y(), pose.rotation.z();
    builder.setReference(index, q);
  }
  Scene scene() {
    Scene scene;
    scene.name = "random";
    scene.model = builder.build();
    scene.q = scene.model.q0();
    scene.v = Eigen::VectorXd::Zero(scene.model.nv());
    return scene;
  }
  ModelBuilder builder;
};

ShapeSpec shapeSpec(const std::string& name, const Shape& shape, const Pose& pose = {}) {
  ShapeSpec spec;
  spec.name = name;
  spec.shape = shape;
  spec.X_BS = pose;
  return spec;
}

Scene thrownCube(Random& random) {
  World world(random);
  const Shape box = makeBox({0.1, 0.1, 0.1});
  world.add("cube", {shapeSpec("box", box)}, computeMassProperties(box, 500.0),
            {{0, 0, random.number(0.18, 0.6)}, random.rotation()});
  Scene scene = world.scene();
  scene.v.head<3>() = random.vector(3.0);
  scene.v.tail<3>() = random.vector(10.0);
  return scene;
}

/// LT's cylinder: points on a circle.
Scene plateOfPoints(Random& random) {
  World world(random);
  std::vector<ShapeSpec> points;
  const int count = 4 + random.index(97);
  for (int i = 0; i < count; ++i) {
    const double angle = 2.0 * M_PI * i / count;
    points.push_back(shapeSpec("point_" + std::to_string(i), makeSphere(1e-3),
                               {{0.5 * std::cos(angle), 0.5 * std::sin(angle), 0.0}, Eigen::Quaterniond::Identity()}));
  }
  world.add("plate", points, computeMassProperties(makeCylinder(0.5, 0.05), 1.0 / (M_PI * 0.25 * 0.1)),
            {{0, 0, random.number(0.1, 0.55)},
             Eigen::Quaterniond(Eigen::AngleAxisd(random.number(0.0, 0.2), random.vector(1.0).normalized()))});
  Scene scene = world.scene();
  scene.v.head<3>() = random.vector(3.0);
  scene.v.tail<3>() = random.vector(6.0);
  return scene;
}

/// LT's snake: cylinders on ball joints with points at their ends.
Scene snake(Random& random) {
  World world(random);
  const int links = 2 + random.index(8);
  const MassProperties mass = computeMassProperties(makeCylinder(0.05, 0.5), 1.0 / (M_PI * 0.0025));
  for (int i = 0; i < links; ++i) {
    BodySpec body;
    body.name = "link_" + std::to_string(i);
    body.parent = i - 1;
    body.joint.name = "joint_" + std::to_string(i);
    body.joint.type = i == 0 ? kFree : kBall;
    if (i > 0) body.joint.X_PJ.position = {0, 0, 1.0};
    body.mass = mass;
    body.mass.com = {0, 0, 0.5};
    body.shapes = {
        shapeSpec("tip_" + std::to_string(i), makeSphere(0.01), {{0, 0, 1.0}, Eigen::Quaterniond::Identity()})};
    if (i == 0) body.shapes.push_back(shapeSpec("tail", makeSphere(0.01)));
    world.builder.addBody(body);
  }
  world.builder.excludeSelfCollision();
  Scene scene = world.scene();
  const Eigen::Quaterniond lying(Eigen::AngleAxisd(M_PI / 2 - random.number(0.0, 0.1), Vector3d::UnitX()));
  scene.q.head<7>() << 0, 0, 0.05 + random.number(0.0, 0.3), lying.w(), lying.x(), lying.y(), lying.z();
  scene.v = Eigen::VectorXd::NullaryExpr(scene.v.size(), [&] { return random.number(-1.0, 1.0); });
  return scene;
}

Scene limpRobot(Random& random) {
  Scene scene = loadScene(RIGOR_SCENES_DIR "/a1_stand.toml");
  scene.holds.clear();
  scene.q[2] = random.number(0.25, 0.6);
  scene.v = Eigen::VectorXd::NullaryExpr(scene.v.size(), [&] { return random.number(-2.0, 2.0); });
  return scene;
}

/// Two to four cubes on each other, up to a million times as heavy as others.
Scene unequalStack(Random& random) {
  World world(random);
  const int count = 2 + random.index(3);
  const Shape box = makeBox({0.1, 0.1, 0.1});
  for (int i = 0; i < count; ++i)
    world.add("cube_" + std::to_string(i), {shapeSpec("box_" + std::to_string(i), box)},
              computeMassProperties(box, random.logarithmic(1.0, 1e6)),
              {{0, 0, 0.1 + 0.2 * i}, Eigen::Quaterniond::Identity()});
  Scene scene = world.scene();
  scene.v.head<3>() << random.number(-1.0, 1.0), 0, 0;
  return scene;
}

/// A disc that turns by up to one radian in a step.
Scene spinningDisc(Random& random, double dt) {
  World world(random);
  const Shape disc = makeCylinder(0.2, 0.02);
  world.add("disc", {shapeSpec("disc", disc)}, computeMassProperties(disc, 1000.0),
            {{0, 0, random.number(0.21, 0.5)}, random.rotation()});
  Scene scene = world.scene();
  scene.v.head<3>() = random.vector(2.0);
  scene.v.tail<3>() = random.number(0.0, 1.0) / dt * random.vector(1.0).normalized();
  return scene;
}

struct Count {
  std::int64_t scenes = 0, steps = 0, refused = 0, passes = 0, substeps = 0;
  std::map<std::string, std::int64_t> stages;
};

}  // namespace

int main(int count, char** arguments) {
  const std::string stepper = count > 1 ? arguments[1] : "maximal";
  const std::int64_t steps = count > 2 ? std::atoll(arguments[2]) : 20000;
  Random random(count > 3 ? static_cast<unsigned>(std::atoi(arguments[3])) : 1);
  static constexpr const char* kKinds[] = {"cube", "plate", "snake", "limp A1", "stack", "spinning disc"};
  Count counts[6];
  for (std::int64_t taken = 0; taken < steps;) {
    const int kind = random.index(6);
    const double dt = random.logarithmic(1e-3, 3e-2);
    Scene scene = kind == 0   ? thrownCube(random)
                  : kind == 1 ? plateOfPoints(random)
                  : kind == 2 ? snake(random)
                  : kind == 3 ? limpRobot(random)
                  : kind == 4 ? unequalStack(random)
                              : spinningDisc(random, dt);
    scene.dt = dt;
    scene.stepper = stepper;
    Count& sum = counts[kind];
    ++sum.scenes;
    Simulator simulator(scene);
    for (int i = 0; i < kStepsOfAScene; ++i) {
      const StepReport& report = simulator.step();
      ++taken, ++sum.steps;
      sum.passes += report.passes, sum.substeps += report.substeps;
      if (!report.accepted()) {
        ++sum.refused;
        fmt::print("refused: {} in step {} of {:.3g} ms, scene {}: {}\n", kKinds[kind], i, 1e3 * dt,
                   counts[0].scenes + counts[1].scenes + counts[2].scenes + counts[3].scenes + counts[4].scenes +
                       counts[5].scenes,
                   report.explain());
        break;
      }
      ++sum.stages[report.solves == 0 ? "none" : report.stage[0] == '\0' ? "nothing to solve" : report.stage];
    }
  }
  for (int kind = 0; kind < 6; ++kind) {
    const Count& sum = counts[kind];
    if (sum.steps == 0) continue;
    fmt::print("{:14} scenes {:6} steps {:8} refused {:4} passes {:5.2f} sub-steps {:5.2f} ", kKinds[kind], sum.scenes,
               sum.steps, sum.refused, static_cast<double>(sum.passes) / static_cast<double>(sum.steps),
               static_cast<double>(sum.substeps) / static_cast<double>(sum.steps));
    for (const auto& [stage, times] : sum.stages)
      fmt::print(" {} {:.2f} %", stage, 100.0 * static_cast<double>(times) / static_cast<double>(sum.steps));
    fmt::print("\n");
  }
  return 0;
}
