#include "page/made_up_shapes.h"

#include <cmath>
#include <numbers>

#include "geometry/polytope.h"
#include "page/made_up_recording.h"
#include "rigor/mesh.h"

namespace rigor {
namespace {

using Eigen::AngleAxisd, Eigen::Quaterniond, Eigen::Vector3d, Eigen::Vector4d, Eigen::VectorXd;

/// A house: a box with a roof, five faces with four corners and two with five.
Shape makeHouse() {
  auto mesh = std::make_shared<Mesh>();
  mesh->vertices = {{-.2, -.15, -.1}, {.2, -.15, -.1}, {.2, .15, -.1}, {-.2, .15, -.1}, {-.2, -.15, .1},
                    {.2, -.15, .1},   {.2, .15, .1},   {-.2, .15, .1}, {-.2, 0, .25},   {.2, 0, .25}};
  return makeHull(mesh);
}

Shape makeHills() {
  auto field = std::make_shared<HeightField>();
  field->rows = 41, field->columns = 61, field->half_x = 3.0, field->half_y = 2.0;
  for (int row = 0; row < field->rows; ++row)
    for (int column = 0; column < field->columns; ++column)
      field->heights.push_back(0.15 * std::sin(0.2 * column) * std::cos(0.3 * row) - 0.2);
  return makeHeightField(*field);
}

MadeUpRun startRun(const std::string& name, ModelBuilder& builder) {
  MadeUpRun run;
  run.scene.name = name;
  run.scene.model = builder.build();
  run.recording = makeEmptyRecording(run.scene);
  return run;
}

void addFree(ModelBuilder& builder, const std::string& name, const Shape& shape) {
  BodySpec body = makeBody(name, kWorld, kFree, Vector3d::Zero());
  addShape(body, shape);
  builder.addBody(body);
}

}  // namespace

Mesh makeRing(int sides, double ring, double tube) {
  Mesh mesh;
  const double turn = 2.0 * std::numbers::pi / sides;
  for (int i = 0; i < sides; ++i)
    for (int k = 0; k < sides; ++k) {
      const double r = ring + tube * std::cos(k * turn);
      mesh.vertices.push_back({r * std::cos(i * turn), r * std::sin(i * turn), tube * std::sin(k * turn)});
      const int a = i * sides + k, b = (i + 1) % sides * sides + k;
      const int a_next = i * sides + (k + 1) % sides, b_next = (i + 1) % sides * sides + (k + 1) % sides;
      mesh.triangles.push_back({a, b, b_next});
      mesh.triangles.push_back({a, b_next, a_next});
    }
  return mesh;
}

MadeUpRun makeShapes() {
  ModelBuilder builder("shapes");
  const Quaterniond tilt(AngleAxisd(0.5, Vector3d(1, 2, 0).normalized()));
  const auto ring = std::make_shared<const Mesh>(makeRing(24, 0.2, 0.07));
  builder.addWorldShape({"hills", makeHills(), {Vector3d(0, 0, -0.3), Quaterniond::Identity()}, "default"});
  builder.addWorldShape({"pillar", makeCylinder(0.1, 0.6), {Vector3d(-1.5, 1.0, 0.2), tilt}, "default"});
  builder.addWorldShape({"arch", makeTriangles(ring), {Vector3d(1.5, 1.0, 0.1), tilt}, "default"});
  const Shape house = makeHouse();
  const std::vector<std::pair<std::string, Shape>> bodies{{"sphere", makeSphere(0.15)},
                                                          {"capsule", makeCapsule(0.08, 0.2)},
                                                          {"box", makeBox({0.2, 0.15, 0.1})},
                                                          {"cylinder", makeCylinder(0.15, 0.2)},
                                                          {"cone", makeCone(0.2, 0.25)},
                                                          {"ellipsoid", makeEllipsoid({0.25, 0.12, 0.18})},
                                                          {"hull", house},
                                                          {"triangles", makeTriangles(ring)},
                                                          {"twin", house}};
  for (const auto& [name, shape] : bodies) addFree(builder, name, shape);
  MadeUpRun run = startRun("shapes", builder);
  for (int row = 0; row < 200; ++row) {
    const double t = 0.01 * row;
    VectorXd q(run.recording.nq);
    for (int i = 0; i < 9; ++i)
      setFree(q, 7 * i, {-1.0 + i % 3, -1.0 + i / 3, 0.4 + 0.1 * t},
              Quaterniond(AngleAxisd(0.8 * t + i, Vector3d(1.0, 0.5 * i, -0.3).normalized())));
    addRow(run.recording, {t, q});
  }
  return run;
}

MadeUpRun makeArm() {
  ModelBuilder builder("arm");
  builder.addWorldShape({"floor", makePlane(), {Vector3d(0, 0, -1.2), Quaterniond::Identity()}, "default"});
  const auto ring = std::make_shared<const Mesh>(makeRing(20, 0.1, 0.03));
  int parent = kWorld;
  for (int i = 0; i < 4; ++i) {
    const std::string name = "link " + std::to_string(i);
    BodySpec link = makeBody(name, parent, i == 3 ? kSlide : kHinge, {0.0, 0.0, i == 0 ? 1.0 : -0.35});
    addShape(link, makeCapsule(0.05, 0.1), {0.0, 0.0, -0.17});
    const Vector4d colors[] = {{0.9, 0.1, 0.1, 1.0}, {0.1, 0.6, 0.2, 0.5}, Vector4d::Constant(-1.0)};
    const Pose upright{{0.0, 0.0, -0.17}, Quaterniond(AngleAxisd(std::numbers::pi / 2, Vector3d::UnitX()))};
    if (i < 3) link.visuals.push_back({name + " looks", makeTriangles(ring), upright, colors[i]});
    parent = builder.addBody(link);
  }
  MadeUpRun run = startRun("arm", builder);
  for (int row = 0; row < 3000; ++row) {
    const double t = 1e-3 * row;
    VectorXd q(4), v(4), tau(4);
    for (int i = 0; i < 4; ++i) {
      q[i] = 0.1 * (i + 1) * std::sin(3.0 * t);
      v[i] = 0.3 * (i + 1) * std::cos(3.0 * t);
      tau[i] = i + std::cos(7.0 * t);
    }
    const Vector3d push(0.003, 0.0, 0.004);
    addRow(run.recording,
           {t,
            q,
            {{kWorld, 3, {0, 0, -0.2}, push, ContactMode::kSlip}, {2, 3, {0, 0, 0}, push, ContactMode::kStick}},
            v,
            tau});
  }
  return run;
}

MadeUpRun makeHeap(int count) {
  ModelBuilder builder("heap");
  builder.addWorldShape({"floor", makePlane(), {}, "default"});
  const int side = static_cast<int>(std::ceil(std::cbrt(count)));
  for (int i = 0; i < count; ++i)
    addFree(builder, "thing " + std::to_string(i),
            i % 2 ? makeBox({0.04, 0.03 + 0.00001 * i, 0.05}) : makeSphere(0.05));
  MadeUpRun run = startRun("heap", builder);
  for (int row = 0; row < 60; ++row) {
    const double t = row / 60.0;
    VectorXd q(run.recording.nq);
    MadeUpRow added{t, {}, {}, {}, {}};
    for (int i = 0; i < count; ++i) {
      const Vector3d place(0.12 * (i % side), 0.12 * (i / side % side), 0.06 + 0.12 * (i / side / side));
      setFree(q, 7 * i, place + Vector3d(0, 0, 0.02 * std::sin(6 * t + i)),
              Quaterniond(AngleAxisd(t * i, Vector3d::UnitZ())));
      for (const double x : {-0.02, 0.02})
        added.contacts.push_back(
            {i ? i - 1 : kWorld, i, place + Vector3d(x, 0, -0.05), {0, 0, 0.005}, ContactMode::kStick});
    }
    added.q = q;
    addRow(run.recording, added);
  }
  return run;
}

MadeUpRun makeStray() {
  ModelBuilder builder("stray");
  builder.addWorldShape({"floor", makePlane(), {}, "default"});
  for (int i = 0; i < 6; ++i) addFree(builder, i == 5 ? "stray" : "ball " + std::to_string(i), makeSphere(0.1));
  MadeUpRun run = startRun("stray", builder);
  for (int row = 0; row < 300; ++row) {
    const double t = 0.01 * row;
    VectorXd q(run.recording.nq);
    for (int i = 0; i < 5; ++i)
      setFree(q, 7 * i, {0.4 * std::cos(t + i), 0.4 * std::sin(t + i), 0.1}, Quaterniond::Identity());
    setFree(q, 35, {40.0 * t, 0.3, 0.1 + 5.0 * t}, Quaterniond::Identity());
    VectorXd v = VectorXd::Zero(run.recording.nv);
    v.tail<6>() << 40.0, 0.0, 5.0, 0.0, 3.0, 4.0;
    addRow(run.recording, {t, q, {}, v, {}});
  }
  return run;
}

MadeUpRun makeHumanoid(int sides) {
  ModelBuilder builder("humanoid");
  builder.addWorldShape({"floor", makePlane(), {}, "default"});
  int parent = kWorld, torso = kWorld;
  for (int i = 0; i < 50; ++i) {
    const int limb = (i - 1) / 10;
    if (i % 10 == 1) parent = torso;
    const double angle = 2.0 * std::numbers::pi * limb / 5.0;
    const Vector3d at =
        i % 10 == 1 ? Vector3d(0.2 * std::cos(angle), 0.2 * std::sin(angle), 0) : Vector3d(0.02, 0, -0.09);
    BodySpec link = makeBody("link " + std::to_string(i), parent, i ? kHinge : kFree, i ? at : Vector3d::Zero());
    const auto mesh = std::make_shared<const Mesh>(makeRing(sides, 0.04 + 0.0001 * i, 0.03));
    link.visuals.push_back(
        {"look " + std::to_string(i), makeTriangles(mesh), {}, {0.3 + 0.01 * i, 0.5, 0.9 - 0.01 * i, 1}});
    parent = builder.addBody(link);
    if (i == 0) torso = parent;
  }
  MadeUpRun run = startRun("humanoid", builder);
  for (int row = 0; row < 2000; ++row) {
    const double t = 1e-3 * row;
    VectorXd q = VectorXd::Constant(run.recording.nq, 0.2 * std::sin(3.0 * t));
    setFree(q, 0, {0.1 * t, 0.0, 1.1}, Quaterniond::Identity());
    addRow(run.recording, {t, q, {}, VectorXd::Constant(run.recording.nv, 0.6 * std::cos(3.0 * t)), {}});
  }
  return run;
}

}  // namespace rigor
