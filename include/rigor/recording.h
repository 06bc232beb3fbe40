// A recording: what a run did, step by step, as flat arrays. Written as .npz or .csv, played by the page.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rigor/run_summary.h"
#include "rigor/simulator.h"

namespace rigor {

/// Row i describes the step that began at time[i]: pose, node velocity, forces and contacts at its start.
struct Recording {
  std::string header;  ///< JSON: version, model text and hash, options, seed
  int nq = 0, nv = 0;
  std::vector<double> time;                      ///< [n]
  std::vector<double> q;                         ///< [n × nq]
  std::vector<double> v;                         ///< [n × nv] node values
  std::vector<double> tau;                       ///< [n × nv]
  std::vector<double> energy;                    ///< [n × 2] kinetic, potential
  std::vector<double> momentum;                  ///< [n × 6]
  std::vector<double> residual;                  ///< [n × 3] law, equation, step
  std::vector<double> penetration;               ///< [n]
  std::vector<std::int32_t> iterations, passes;  ///< [n]
  std::vector<std::int64_t> contact_start;       ///< [n + 1] into the arrays below
  std::vector<std::uint64_t> contact_id;
  std::vector<std::int32_t> contact_body;  ///< [· × 2], −1 the world
  std::vector<double> contact_point;       ///< [· × 3] world
  std::vector<double> contact_normal;      ///< [· × 3] world, body 1 to body 2
  std::vector<double> contact_gap;
  std::vector<double> contact_impulse;     ///< [· × 3] on body 2, world axes
  std::vector<std::uint8_t> contact_mode;  ///< 0 open, 1 stick, 2 slip

  int steps() const { return static_cast<int>(time.size()); }
  /// Appends the simulator's last step; `q` is the pose at which that step began.
  void append(const Eigen::VectorXd& q_start, const StepReport& report);
};

Recording makeRecording(const Scene& scene);                              ///< empty, with its header
void saveRecording(const std::string& file, const Recording& recording);  ///< .npz or .csv by ending
Recording loadRecording(const std::string& file);

/// One self-contained HTML page that plays the recording; works from file:// with the network off. With the summary of
/// the run it says the same verdict as the terminal.
void savePage(const std::string& file, const Scene& scene, const Recording& recording,
              const RunSummary* summary = nullptr);

}  // namespace rigor
