#include "experiments/a1.h"

#include "experiments/maximal_models.h"
#include "rigor/io.h"

namespace rigor::experiments {
namespace {

constexpr double kFriction = 0.2, kStep = 1e-3;
constexpr std::array<const char*, 3> kParts = {"hip", "thigh", "calf"};
constexpr double kStiffness[] = {100.0, 80.0, 60.0}, kDamping[] = {5.0, 4.0, 3.0};
const Eigen::Vector3d kFoot(0.0, 0.0, -0.2);  // in the calf

int partOf(const std::string& joint) {
  for (std::size_t part = 0; part < kParts.size(); ++part)
    if (joint.find(kParts[part]) != std::string::npos) return static_cast<int>(part);
  return -1;
}

/// Points cannot be seen: what a page shows instead.
std::vector<VisualSpec> drawn(const BodySpec& body) {
  std::vector<VisualSpec> visuals;
  for (const ShapeSpec& shape : body.shapes)
    visuals.push_back({.name = shape.name, .shape = shape.shape, .X_BS = shape.X_BS});
  if (body.name.ends_with("thigh") || body.name.ends_with("calf")) {
    visuals.push_back({.name = body.name, .shape = makeCapsule(0.012, 0.1)});
    visuals.back().X_BS.position = {0.0, 0.0, -0.1};
  }
  return visuals;
}

}  // namespace

Scene makeA1(const Request& request) {
  const Model robot = loadModel(request.scenes + "/a1.urdf");
  ModelBuilder builder("a1");
  for (int b = 0; b < robot.bodyCount(); ++b) {
    BodySpec body = robot.body(b);
    body.joint.range.reset();
    body.visuals = drawn(body);
    body.shapes.clear();
    if (body.name.ends_with("calf")) body.shapes = {makeContactPoint(body.name.substr(0, 2) + "_foot", kFoot)};
    builder.addBody(body);
  }
  addGround(builder, kFriction);
  Scene scene = makeMaximalScene("a1", builder.build(), kStep);
  for (std::size_t j = 0; j < scene.model.joints().size(); ++j)
    if (const int part = partOf(scene.model.joints()[j].spec.name); part >= 0)
      scene.holds.push_back({.joint = static_cast<int>(j), .kp = kStiffness[part], .kd = kDamping[part]});
  return scene;
}

A1Targets::A1Targets(const Scene& scene) {
  for (const HoldSpec& drive : listDrives(scene)) {
    const std::string& name = scene.model.joints()[static_cast<std::size_t>(drive.joint)].spec.name;
    drives_.push_back({partOf(name), name.starts_with("FL") || name.starts_with("RR")});
  }
}

void A1Targets::set(const std::array<double, 3>& right_front, const std::array<double, 3>& left_front,
                    Eigen::VectorXd& ctrl) const {
  ctrl.resize(std::ssize(drives_));
  for (std::size_t i = 0; i < drives_.size(); ++i)
    ctrl[static_cast<Eigen::Index>(i)] =
        (drives_[i].left_front ? left_front : right_front)[static_cast<std::size_t>(drives_[i].part)];
}

std::array<double, 4> footHeights(const Simulator& simulator) {
  std::array<double, 4> heights;
  for (std::size_t i = 0; i < kA1Legs.size(); ++i) {
    const int calf = simulator.scene().model.findBody(std::string(kA1Legs[i]) + "_calf");
    heights[i] = (simulator.pose(calf) * kFoot).z() - kPointRadius;
  }
  return heights;
}

void setLeg(const Model& model, const std::string& leg, const std::array<double, 3>& angles, Eigen::VectorXd& q) {
  for (std::size_t part = 0; part < kParts.size(); ++part) {
    const int joint = model.findJoint(leg + "_" + kParts[part] + "_joint");
    q[model.joints()[static_cast<std::size_t>(joint)].q_index] = angles[part];
  }
}

}  // namespace rigor::experiments
