// The parts of a scene file, from tables to bodies and drives.
#pragma once

#include <string>
#include <vector>

#include "io/scene/table_reader.h"
#include "rigor/io.h"

namespace rigor {

/// One [[robot]] of the file; its bodies are contiguous in the model.
struct SceneRobot {
  std::string name, prefix;
  int first_body = 0, body_count = 0;
  bool has(const ModelJoint& joint) const { return joint.body >= first_body && joint.body < first_body + body_count; }
};

/// The scene while it is read: first everything that makes the model, then what refers to it.
struct SceneDraft {
  ModelBuilder builder;
  std::vector<SceneRobot> robots;  ///< in the order of the file
  std::vector<int> bodies;         ///< model index of each [[body]]

  explicit SceneDraft(const std::string& name) : builder(name) {}
};

/// {sphere = r}, {sphere = {radius = r}}, {box = [x, y, z]} (full lengths), {capsule = {radius = r, length = l}}.
Shape readShape(TableReader& body);
/// {triangles = "file", scale = s}: its triangles as they are.
Shape readTriangles(TableReader& reader);
/// {heightfield = {file = "heights.csv", size = [x, y], height = unit}}, or heights = [[…], …] instead of the file.
Shape readHeightField(TableReader& reader);
SceneRobot addDhRobot(TableReader& reader, bool alone, SceneDraft& draft);
void addRobots(std::vector<TableReader>& tables, const LoadOptions& options, SceneDraft& draft);
void addBodies(std::vector<TableReader>& tables, SceneDraft& draft);
void addLoops(std::vector<TableReader> tables, SceneDraft& draft);
void addGround(TableReader table, SceneDraft& draft);
void addMaterials(std::vector<TableReader> tables, SceneDraft& draft);
void addCollision(TableReader table, SceneDraft& draft);

/// Sets q and v of the scene from the tables that made the robots and bodies.
void readStarts(std::vector<TableReader>& robots, std::vector<TableReader>& bodies, const SceneDraft& draft,
                Scene& scene);
void addControllers(std::vector<TableReader> tables, const SceneDraft& draft, Scene& scene);
void addWrenches(std::vector<TableReader> tables, Scene& scene);
ResetSpec readReset(TableReader table);

/// Checks the scene and warns of robots that nothing can hold up, of parts below the floor and of joints that start
/// outside their range; under `strict` the first warning of scene or model is thrown as an Error.
void checkStart(const LoadOptions& options, Scene& scene);

}  // namespace rigor
