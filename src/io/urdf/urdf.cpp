#include "io/urdf/urdf.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "io/file.h"
#include "io/srdf/srdf.h"

namespace rigor {
namespace {

bool isFree(const UrdfRobot& robot, const UrdfLink& root, BaseKind base) {
  if (base == BaseKind::kAuto) return root.name != "world";
  if (base == BaseKind::kFree && root.mass.mass == 0.0 && root.name == "world")
    throw Error(root.where, "the root link \"world\" cannot be free: it has no mass",
                fmt::format("Leave out --base free for {}, or remove the link \"world\".", robot.file));
  return base == BaseKind::kFree;
}

JointSpec makeRootJoint(const UrdfRobot& robot, bool free, const Pose& X_WR) {
  JointSpec joint;
  joint.name = "root_joint";
  while (std::any_of(robot.joints.begin(), robot.joints.end(),
                     [&](const UrdfJoint& other) { return other.spec.name == joint.name; }))
    joint.name += "_";
  joint.type = free ? kFree : kFixed;
  if (!free) joint.X_PJ = X_WR;  // a free root is placed by its coordinates
  return joint;
}

// Frames without mass are common and harmless where they are fixed to something; the model refuses the others. One with a
// shape is no mere frame: its mass was forgotten.
void warnOfMassless(const UrdfRobot& robot, const std::vector<UrdfVisit>& order, ModelBuilder& builder) {
  for (const UrdfVisit& visit : order) {
    const UrdfLink& link = robot.links[visit.link];
    if (link.mass.mass == 0.0 && link.name != "world")
      builder.addWarning({link.where,
                          "has no mass: it adds nothing to the motion. Give it an <inertial> unless it is "
                          "only a frame.",
                          false, link.shapes.empty() ? WarningKind::kNotice : WarningKind::kOther});
  }
}

}  // namespace

Eigen::VectorXd freeCoordinates(const Pose& pose) {
  Eigen::VectorXd q(7);
  q << pose.position, pose.rotation.w(), pose.rotation.x(), pose.rotation.y(), pose.rotation.z();
  return q;
}

void checkPackagePath(const LoadOptions& options) {
  for (const std::string& folder : options.package_path)
    if (std::error_code none; !std::filesystem::is_directory(folder, none))
      throw Error({folder, 0, ""}, "there is no such folder, and packages shall be looked up in it",
                  "Correct the name given to --package-path, or leave it out.");
}

UrdfRobot loadUrdf(const std::string& file, const LoadOptions& options) {
  if (endsWith(file, ".toml"))
    throw Error({file, 0, ""}, "is a scene, not a model", "Give a URDF file, or a command that takes scenes.");
  if (endsWith(file, ".xacro"))
    throw Error({file, 0, ""}, "is a xacro template, not a URDF file",
                "Expand it first, with the arguments that it asks for: xacro FILE.xacro > FILE.urdf");
  return parseUrdf(readFile(file, kTextLimit), file, options);
}

int addRobot(const UrdfRobot& robot, const LoadOptions& options, const UrdfPlacement& placement,
             ModelBuilder& builder) {
  if (options.lenient) builder.repairInertias();
  if (!options.self_collision) builder.excludeSelfCollision();
  const std::vector<UrdfVisit> order = orderLinks(robot);
  std::vector<int> body_of(robot.links.size(), kWorld);
  for (const UrdfVisit& visit : order) {
    const UrdfLink& link = robot.links[visit.link];
    BodySpec body;
    body.name = placement.prefix + link.name;
    body.mass = link.mass;
    body.shapes = link.shapes;
    for (ShapeSpec& shape : body.shapes) shape.name = placement.prefix + shape.name;
    body.missing_shapes = link.missing_shapes;
    for (MissingShape& shape : body.missing_shapes) shape.name = placement.prefix + shape.name;
    body.visuals = link.visuals;
    for (VisualSpec& visual : body.visuals) visual.name = placement.prefix + visual.name;
    body.where = link.where;
    const bool is_root = visit.joint < 0;
    bool free_root = false;
    if (is_root) {
      free_root = isFree(robot, link, options.base);
      body.joint = makeRootJoint(robot, free_root, placement.X_WR);
    } else {
      body.joint = robot.joints[visit.joint].spec;
      body.parent = body_of[visit.parent];
    }
    body.joint.name = placement.prefix + body.joint.name;
    if (body.joint.mimic) body.joint.mimic->joint = placement.prefix + body.joint.mimic->joint;
    body_of[visit.link] = builder.addBody(std::move(body));
    if (free_root) builder.setReference(body_of[visit.link], freeCoordinates(placement.X_WR));
  }
  if (!options.srdf.empty()) addSrdf(options.srdf, robot, placement.prefix, builder);
  warnOfMassless(robot, order, builder);
  for (const Warning& warning : robot.warnings) builder.addWarning(warning);
  return body_of[order.front().link];
}

void refuseWarnings(const std::vector<Warning>& warnings) {
  for (const Warning& warning : warnings)
    if (warning.kind == WarningKind::kLastingOverlap)
      throw Error(
          warning.where, warning.message,
          "Refused because of --strict: say that these pairs shall not meet ([collision] exclude of a scene, or "
          "an SRDF file), or leave --strict out.");
    else if (warning.kind != WarningKind::kNotice)
      throw Error(warning.where, warning.message,
                  "Refused because of --strict: correct the file or leave --strict out.");
}

int addUrdf(const std::string& file, const LoadOptions& options, const Pose& X_WR, const std::string& prefix,
            ModelBuilder& builder) {
  checkPackagePath(options);
  return addRobot(loadUrdf(file, options), options, {X_WR, prefix}, builder);
}

Model loadModel(const std::string& file, const LoadOptions& options) {
  checkPackagePath(options);
  const UrdfRobot robot = loadUrdf(file, options);
  ModelBuilder builder(robot.name);
  addRobot(robot, options, {}, builder);
  Model model = builder.build();
  if (options.strict) refuseWarnings(model.warnings());
  return model;
}

}  // namespace rigor
