// The parts of a scene file, from tables to bodies and drives.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "io/scene/table_reader.h"
#include "rigor/io.h"

namespace rigor {

/// One [[robot]] of the file; its bodies are contiguous in the model.
struct SceneRobot {
  std::string name, prefix;
  int first_body = 0, body_count = 0;
  std::vector<std::string> feet;  ///< links that it walks on, in the order of the file, without the prefix
  bool has_start = false;         ///< the file gives its q, whole or in part
  bool redundant = false;         ///< coordinates = "redundant"
  bool has(const ModelJoint& joint) const { return joint.body >= first_body && joint.body < first_body + body_count; }
};

/// The scene while it is read: first everything that makes the model, then what refers to it.
struct SceneDraft {
  ModelBuilder builder;
  std::vector<SceneRobot> robots;   ///< in the order of the file
  std::vector<int> bodies;          ///< model index of each [[body]]
  std::optional<SceneRobot> loose;  ///< all [[body]] as one more robot to drive, if there are [[joint]] between them
  std::vector<MotionSpec> motions;
  std::set<std::string> named_joints;              ///< whose q or v the file gives
  std::map<std::string, Place> simulation_places;  ///< where [simulation] has the keys that must go together

  explicit SceneDraft(const std::string& name) : builder(name) {}
};

/// scale = s: one number for all axes, or three; 1 if it is not there.
Eigen::Vector3d readScale(TableReader& reader);
/// {triangles = "file", scale = s}: its triangles as they are.
Shape readTriangles(TableReader& reader);
/// {heightfield = {file = "heights.csv", size = [x, y], height = unit}}, or heights = [[…], …] instead of the file.
Shape readHeightField(TableReader& reader);
/// One shape of a body, as its table has it.
struct SceneShape {
  ShapeSpec spec;
  std::optional<double> mass, density;  ///< its own [kg], [kg/m³]
  Place where;
};

/// One of the keys of shapes (docs/scenes.md); the rest of the table is the caller's.
Shape readShape(TableReader& reader);
/// shape = {…} or [[….shape]], none if there is neither; what a table leaves out is as in `otherwise`. One shape has the name
/// given there, several get numbers behind it.
std::vector<SceneShape> readShapes(TableReader& owner, const ShapeSpec& otherwise);
void readMasks(TableReader& reader, ShapeSpec& shape);  ///< `group` and `mask`
/// mass or density, com, inertia; nothing if neither the body nor its shapes say what they weigh.
std::optional<MassProperties> readBodyMass(TableReader& reader, const std::vector<SceneShape>& shapes);
/// Range, effort, damping and the like; `type` is known.
void readJointNumbers(TableReader& reader, JointSpec& joint);
/// Where the spring of a joint or loop rests, as its coordinates; empty if the table does not say.
Eigen::VectorXd readSpringReference(TableReader& reader, JointType type, double stiffness);

std::string chooseName(const std::string& given, const std::string& kind, std::set<std::string>& used);
void claimName(const std::string& name, const TableReader& reader, std::set<std::string>& used);

SceneRobot addDhRobot(TableReader& reader, bool alone, SceneDraft& draft);
void addRobots(std::vector<TableReader>& tables, const LoadOptions& options, SceneDraft& draft);
/// [[body]], tied together by [[joint]].
void addBodies(std::vector<TableReader>& tables, std::vector<TableReader>& joints, SceneDraft& draft);
void addLoops(std::vector<TableReader> tables, SceneDraft& draft);
/// [[spring]], once it is known where everything starts: they rest at their length there unless they say otherwise. Builds the
/// model again.
void addSprings(std::vector<TableReader> tables, SceneDraft& draft, Scene& scene);
/// The model so far; errors without a file are those of `file`.
Model buildModel(const SceneDraft& draft, const std::string& file);
void addPlanes(std::vector<TableReader> tables, SceneDraft& draft);
void addGround(TableReader table, SceneDraft& draft);
/// Robots with coordinates = "redundant" become free bodies and loops, after all else is read.
void makeRobotsRedundant(const std::vector<TableReader>& tables, const SceneDraft& draft, Scene& scene);
void addMaterials(std::vector<TableReader> tables, SceneDraft& draft);
void addCollision(TableReader table, SceneDraft& draft);

/// Robots whose q the file does not give take the stance that a bare model takes; pairs of a robot's links that always overlap,
/// or that no stance frees, are left out of contact. After readStarts; may build the model again.
void takeStances(SceneDraft& draft, Scene& scene);
/// Sets q and v of the scene from the tables that made the robots and bodies.
void readStarts(std::vector<TableReader>& robots, std::vector<TableReader>& bodies, std::vector<TableReader>& joints,
                SceneDraft& draft, Scene& scene);
/// motion = "file" or rows, of a kinematic body; or its constant velocities.
MotionSpec readMotion(TableReader& reader, int body, const Pose& start);
/// [[controller]] of all kinds.
void addControllers(std::vector<TableReader> tables, const SceneDraft& draft, Scene& scene);
void addWrenches(std::vector<TableReader> tables, Scene& scene);
ResetSpec readReset(TableReader table);

/// Checks the scene and warns of robots that nothing can hold up, of parts below the floor and of joints that start
/// outside their range; under `strict` the first warning of scene or model is thrown as an Error.
void checkStart(const LoadOptions& options, Scene& scene);

}  // namespace rigor
