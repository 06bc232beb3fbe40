// Files: models, scenes, problems, recordings, pages.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rigor/contact_problem.h"
#include "rigor/lcp.h"
#include "rigor/mesh.h"
#include "rigor/scene.h"
#include "rigor/state.h"

namespace rigor {

enum class BaseKind : std::uint8_t { kAuto, kFixed, kFree };  ///< auto: fixed if the root link is called "world"

struct LoadOptions {
  BaseKind base = BaseKind::kAuto;
  bool strict = false;                         ///< warnings become errors
  bool lenient = false;                        ///< impossible inertias are repaired, with a warning
  bool self_collision = true;                  ///< links of one robot meet each other
  std::vector<std::string> package_path = {};  ///< folders where package:// is looked up, before ROS_PACKAGE_PATH
  std::string srdf = {};                       ///< a file whose disable_collisions hold for the robot; empty: none
  /// Taken in place of what the file says, before anything is checked: a scene may be sound with the one and not with the other.
  std::optional<std::string> stepper = {}, integrator = {}, solver = {}, law = {};
  bool visuals = false;  ///< BodySpec::visuals are read: only pages show them, and meshes take time
};

/// Adds the robot of a URDF file to a builder; `X_WR` places its root, `prefix` goes before every name.
/// Returns the index of the root body.
int addUrdf(const std::string& file, const LoadOptions& options, const Pose& X_WR, const std::string& prefix,
            ModelBuilder& builder);
Model loadModel(const std::string& file, const LoadOptions& options = {});

/// A mesh of a file: STL, OBJ and MuJoCo's .msh by rigor's own readers in doubles, DAE, glTF, PLY and more through Assimp.
/// Coordinates are taken as written, in the frame of the file: whatever axis a DAE or glTF file calls up stays what it is, as
/// in rviz and Gazebo; the unit of a DAE file is applied. Then they are multiplied by `scale`; a mirroring scale turns the
/// triangles. Vertices that are equal become one. Files that are in use already are not read again.
/// Throws Error with file, line and remedy; a mesh has at least one vertex and no coordinate that is not finite.
std::shared_ptr<const Mesh> loadMesh(const std::string& file, const Eigen::Vector3d& scale = Eigen::Vector3d::Ones());

/// The hull of loadMesh; one that is in use already is not made again.
Shape loadHull(const std::string& file, const Eigen::Vector3d& scale = Eigen::Vector3d::Ones());

/// A shape as scene files write it: {box = [1, 1, 1]}, {mesh = "file"}, … Files are looked up from the working folder.
Shape parseShapeTable(const std::string& text);

/// What a file keeps apart: an object or group of OBJ, a mesh of DAE, glTF, …; one part for STL and .msh.
struct MeshPart {
  std::string name;
  Mesh mesh;
  std::optional<Eigen::Vector4d> rgba;  ///< of the file's material
};
/// The parts of a mesh, e.g. the convex ones that a concave solid was cut into, each for makeHull.
std::vector<MeshPart> loadMeshParts(const std::string& file, const Eigen::Vector3d& scale = Eigen::Vector3d::Ones());

/// A TOML scene, or a bare model file around which a scene is made (makeModelScene). `limp`: nothing is held by PD.
Scene loadScene(const std::string& file, const LoadOptions& options = {}, bool limp = false);

/// Torques over time: a .csv that begins with `time,joint,joint,…`, or a recording (.npz), which is then replayed.
TorqueTable loadTorques(const std::string& file, const Model& model);

/// A state to evaluate a model at; v and tau are zero where the file leaves them out.
struct ModelState {
  Eigen::VectorXd q, v, tau;
};
struct StateFile {
  bool is_list = false;  ///< the file holds a list of states, not one
  std::vector<ModelState> states;
};
/// JSON: {"q", "v", "tau", "ctrl"} or a list of such objects, checked against the model.
StateFile loadStates(const std::string& file, const Model& model);

ContactProblem loadProblem(const std::string& file);  ///< .json or .npz
void saveProblem(const std::string& file, const ContactProblem& problem);
bool holdsLcp(const std::string& file);  ///< a .json or .npz with M: loadProblem would refuse it
Lcp loadLcp(const std::string& file);    ///< .json or .npz, checked
void saveLcp(const std::string& file, const Lcp& lcp);

void saveSnapshot(const std::string& file, const Scene& scene, const Snapshot& snapshot);
Snapshot loadSnapshot(const std::string& file, const Scene& scene);
/// How the run was taken that saved a snapshot; empty where an old file does not say. The same bits follow with the same alone.
struct SnapshotOptions {
  double dt = 0.0;  ///< [s]
  std::string stepper = "minimal", integrator, solver, law;
};
SnapshotOptions loadSnapshotOptions(const std::string& file);

}  // namespace rigor
