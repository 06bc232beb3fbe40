// A recording: what a run did, step by step, as flat arrays. Written as .npz or .csv, played by the page, judged again
// by verify.h. The format is described in docs/formats.md.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rigor/run.h"
#include "rigor/run_summary.h"
#include "rigor/simulator.h"

namespace rigor {

struct EnergyLedger;  // rigor/ledger.h

/// n steps between n + 1 nodes; S sub-steps, C contacts and R rows in all.
struct Recording {
  std::string header;  ///< JSON: version, model and its hash, names, options, start
  /// 7: no stops, dry friction and motors of loops; 6: other slip of balls, coarser points of rims; 5: ids of 64 bits in files;
  /// 4: no contacts of solids; 3: one kick for all trees; 2: other ids; 1: no sub-steps
  int version = 8;
  int nq = 0, nv = 0, nu = 0;  ///< coordinates, velocities, drives
  int torque_columns = 0;      ///< 3 where a material has torsion or rolling
  int kick_columns = 1;        ///< trees, but 1 until version 3: all of them have the same kick
  double dt = 0.0;             ///< length of a step [s]

  // nodes, [n + 1]
  std::vector<double> time;      ///< k·dt, no sum
  std::vector<double> q;         ///< [· × nq]
  std::vector<double> v;         ///< [· × nv] node values
  std::vector<double> energy;    ///< [· × 2] kinetic, potential
  std::vector<double> momentum;  ///< [· × 6] linear, angular about the world origin

  // steps, [n]
  std::vector<double> tau;                       ///< [n × nv] actuator torques of the first sub-step
  std::vector<double> input_tau;                 ///< [n × nv] the part of them that did not come from PD
  std::vector<double> ctrl;                      ///< [n × nu] targets of the drives (listDrives)
  std::vector<double> residual;                  ///< [n × 3] law, equation, step
  std::vector<double> penetration;               ///< [n]
  std::vector<std::int32_t> iterations, passes;  ///< [n]
  std::vector<std::uint8_t> fresh;               ///< [n] 1: the state was set from outside before this step
  std::vector<std::int64_t> wrench_start;        ///< [n + 1] into the two below
  std::vector<std::int32_t> wrench_body;         ///< [· × 2] body; 0 axes of the world, 1 of the body
  std::vector<double> wrench;                    ///< [· × 6] force at the centre of mass, torque

  // sub-steps, [S] (step_record.h)
  std::vector<std::int64_t> substep_start;  ///< [n + 1] into the arrays below
  std::vector<double> substep_h, substep_theta;
  std::vector<double> substep_kick;  ///< [S × kick_columns] −1: the tree takes no part
  std::vector<std::uint8_t> substep_smooth;
  std::vector<double> substep_q;       ///< [S × nq] at its start
  std::vector<double> substep_v;       ///< [S × nv] carried into it
  std::vector<double> substep_v_mean;  ///< [S × nv] where velocity-dependent terms were taken
  std::vector<double> substep_v_end;   ///< [S × nv] carried out of it

  // contacts of sub-steps (version 1: of steps)
  std::vector<std::int64_t> contact_start;  ///< [S + 1] into the arrays below
  std::vector<RowId> contact_id;
  std::vector<std::int32_t> contact_body;  ///< [C × 2], −1 the world
  std::vector<double> contact_point;       ///< [C × 3] world
  std::vector<double> contact_normal;      ///< [C × 3] world, body 1 to body 2
  std::vector<double> contact_gap;         ///< at the start of the sub-step
  std::vector<double> contact_gap_end;
  std::vector<double> contact_impulse;     ///< [C × 3] on body 2, world axes
  std::vector<double> contact_torque;      ///< [C × torque_columns] on body 2, of torsion and rolling, world axes
  std::vector<std::uint8_t> contact_mode;  ///< 0 open, 1 stick, 2 slip

  // limits, motors at their bounds, dry friction, loops and what acts on their freedoms, springs, own constraints
  std::vector<std::int64_t> row_start;  ///< [S + 1] into the arrays below
  std::vector<RowId> row_id;
  std::vector<double> row_impulse;  ///< [R × 3]

  // own potentials and constraints (own_terms.h), whose functions no recording has
  std::vector<std::int64_t> own_place;  ///< [· × 3] sub-step, ascending; term of the header's `own_terms`; body
  std::vector<double> own_impulse;      ///< [· × 6] at the origin of the body's frame, angular about it, world axes

  int steps() const { return static_cast<int>(passes.size()); }
  /// The contacts of a step begin and end here, all sub-steps together.
  std::int64_t contactBegin(int step) const { return contact_start[version == 1 ? step : substep_start[step]]; }
  std::int64_t contactEnd(int step) const { return contactBegin(step + 1); }

  /// Appends the simulator's last step, which must be accepted; `q_start` is the pose at which it began.
  void append(const Eigen::VectorXd& q_start, const StepReport& report);
  /// The node that the simulator stands at is the last one; nothing is appended after it. Where its forces cannot be
  /// found (Simulator::node), its velocity is the carried one.
  void finish(Simulator& simulator);
};

Recording makeRecording(const Scene& scene);  ///< empty, with its header

/// Records the accepted steps of the run that it watches.
class Recorder final : public RunObserver {
 public:
  explicit Recorder(const Scene& scene) : recording_(makeRecording(scene)) {}

  const Recording& recording() const { return recording_; }  ///< whole when the run has ended

  ReportParts wants() const override { return {.energy = true, .momentum = true, .torques = true, .record = true}; }
  void see(const Simulator& simulator, const RunStep& step) override;
  void end(Simulator& simulator, const RunOutcome& outcome) override;

 private:
  Recording recording_;
};

void saveRecording(const std::string& file, const Recording& recording);  ///< .npz or .csv by ending
Recording loadRecording(const std::string& file);  ///< versions 1 to 8; Error for arrays that do not fit together

/// One self-contained HTML page that plays the recording; works from file:// with the network off. With the summary of
/// the run it says the same verdict as the terminal, with the ledger it shows where the energy went.
void savePage(const std::string& file, const Scene& scene, const Recording& recording,
              const RunSummary* summary = nullptr, const EnergyLedger* ledger = nullptr);

}  // namespace rigor
