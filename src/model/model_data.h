// What a Model and a ModelBuilder hold.
#pragma once

#include <optional>
#include <utility>

#include "model/collision_rules.h"
#include "model/parameters.h"
#include "rigor/model.h"

namespace rigor {

struct Model::Data {
  std::string name;
  std::vector<BodySpec> bodies;
  std::vector<int> q_index, v_index;  ///< [bodies]
  std::vector<ModelJoint> joints;     ///< [links]
  std::vector<ModelShape> shapes;     ///< of the bodies in their order, then of the world
  std::vector<LoopSpec> loops;
  std::vector<SpringSpec> springs;
  std::vector<MaterialPair> materials;
  std::vector<int> shape_material;           ///< [shapes] row of the table below
  std::vector<MaterialPair> material_table;  ///< [distinct materials × distinct materials]
  int material_count = 0;
  CollisionRules collision_rules;
  std::vector<MissingShape> missing_shapes;
  Eigen::VectorXd q0;
  std::vector<Warning> warnings;
  Topology topology;
  Parameters<double> parameters;
  std::vector<BodyPlacement> placements;
};

struct ModelBuilder::Data {
  std::string name;
  std::vector<BodySpec> bodies;
  std::vector<LoopSpec> loops;
  std::vector<SpringSpec> springs;
  std::vector<ShapeSpec> world_shapes;
  std::vector<MaterialPair> materials;
  Eigen::Vector3d gravity{0.0, 0.0, -9.81};
  std::vector<std::pair<int, Eigen::VectorXd>> references;  ///< body, coordinates of its joint
  CollisionFilter collisions;
  std::optional<CollisionRules> collision_rules;  ///< in place of the filter
  bool repair_inertias = false;
  std::vector<Warning> warnings;
};

}  // namespace rigor
