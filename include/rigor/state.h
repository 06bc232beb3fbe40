// What survives a step. State is the physics, Snapshot is the bits.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "rigor/row_id.h"

namespace rigor {

/// q at the node `time`; v is the carried mid-step velocity of the leapfrog, or with Memory::last_step 0 that of the node.
/// Users give and see node velocities: Simulator::setState, Simulator::velocity.
struct State {
  double time = 0.0;
  Eigen::VectorXd q;  ///< [nq]
  Eigen::VectorXd v;  ///< [nv]
};

/// What acts during the next step: generalised forces, targets of the drives, wrenches.
struct Input {
  Eigen::VectorXd tau;  ///< [nv]
  /// [nu] targets of the drives [rad or m] in the order of listDrives; empty: those of the scene
  Eigen::VectorXd ctrl;
  struct Wrench {
    int body;
    Eigen::Vector3d force, torque;  ///< [N], [N m] about the body's centre of mass
    bool in_world = true;           ///< axes of the world, else of the body
  };
  std::vector<Wrench> wrenches;
};

enum class ContactMode : std::uint8_t { kOpen = 0, kStick = 1, kSlip = 2 };

inline constexpr int kMostRows = 6;  ///< of one block

/// Impulse of one block of rows, remembered by its id for the next step's warm start.
struct BlockMemory {
  RowId id;
  int rows = 0;                    ///< how many of the impulses are meant
  double impulse[kMostRows] = {};  ///< contact: normal, tangent, tangent; loop: its rows; else one [N s]
  ContactMode mode = ContactMode::kOpen;
  bool impact = false;  ///< it closed in the last step: this step takes the rest of the impact
};

/// Everything besides the state that decides the bits of the next step.
struct Memory {
  std::vector<double> last_step;  ///< [trees] h of the last (sub-)step [s]; 0: v is a node velocity
  std::vector<int> increments;    ///< [trees] how many of the rates below are valid (0 after an impact)
  Eigen::VectorXd rates[3];       ///< [nv] last (v′ − v)/κ, κ the length of the kick, youngest first
  /// [nv] stepper maximal: discrete momentum at the node, of trees whose last_step is not 0 (docs/maximal.md); else empty
  Eigen::VectorXd momentum;
  double event_step = 0.0;            ///< [s] stepper event: length that its accuracy allows; 0: not known
  std::vector<BlockMemory> blocks;    ///< sorted by id
  std::vector<double> controller;     ///< states of the controllers
  std::vector<std::uint64_t> random;  ///< states of the random generators
};

/// Of a state that follows from nothing.
inline Memory makeMemory(int trees, int nv) {
  Memory memory;
  memory.last_step.assign(trees, 0.0);
  memory.increments.assign(trees, 0);
  for (Eigen::VectorXd& rate : memory.rates) rate = Eigen::VectorXd::Zero(nv);
  return memory;
}

struct Snapshot {
  State state;
  Memory memory;
};

}  // namespace rigor
