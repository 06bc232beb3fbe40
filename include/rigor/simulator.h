// The simulator: a scene that moves.
#pragma once

#include <functional>
#include <memory>

#include "rigor/report.h"
#include "rigor/scene.h"
#include "rigor/state.h"

namespace rigor {

struct SimulatorOptions {
  double tolerance = 1e-10;  ///< ε of the judge
  int max_halvings = 8;      ///< a refused step is retried as two of half the length, at most this deep; 0: never
};

/// Values at the node that the simulator stands at.
struct NodeValues {
  double time = 0.0;
  Eigen::VectorXd velocity;               ///< [nv]
  double kinetic = 0.0, potential = 0.0;  ///< [J]; potential of gravity and springs
  Eigen::Matrix<double, 6, 1> momentum =
      Eigen::Matrix<double, 6, 1>::Zero();  ///< linear, angular about the world origin
};

class Simulator {
 public:
  /// Checks the scene, moves interpenetrating bodies apart, closes loops and takes away velocities that would open them
  /// (see warnings()). Throws Error if a loop cannot be closed.
  explicit Simulator(const Scene& scene, const SimulatorOptions& options = {});
  Simulator(const Simulator& other);  ///< a fork: same bits, own life
  Simulator(Simulator&&) noexcept;
  ~Simulator();

  const StepReport& step();               ///< one step of dt; a refused step leaves the state as it was
  const StepReport& run(double seconds);  ///< steps until done or refused
  const StepReport& report() const;

  const Scene& scene() const;
  const State& state() const;
  Eigen::VectorXd velocity() const;  ///< node velocity at the current time, contacts as in the last step
  NodeValues node() const;           ///< the same with energy and momentum, as the next step would report them
  /// Time stays; loops that q leaves open are closed as at the start.
  void setState(const Eigen::VectorXd& q, const Eigen::VectorXd& node_velocity);
  Pose pose(int body) const;  ///< X_WB now
  Input& input();             ///< added to the scene's controllers in every step until changed
  /// Called before every step with the state; may change the input. An exception in it leaves the state untouched.
  void setController(std::function<void(const State&, Input&)> controller);

  Snapshot save() const;
  void restore(const Snapshot& snapshot);
  std::vector<Warning> warnings() const;  ///< scene and start-up

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace rigor
