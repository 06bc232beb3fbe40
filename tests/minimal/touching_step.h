// The parts of one step, made by hand: random trees that touch, with every kind of row, moved to a guessed end.
#pragma once

#include <Eigen/Core>

#include "dynamics/integrate.h"
#include "minimal/assemble.h"
#include "minimal/secant.h"
#include "reference/touching_trees.h"

namespace rigor {

/// All trees with the same past.
inline void makeOneRun(const Topology& topology, double last_step, Part& part) {
  part.runs.clear();
  part.runs.push_back({Trees(topology), last_step, 0});
}

class TouchingStep {
 public:
  TouchingStep(std::uint64_t seed, double h, int trees = 2)
      : model(makeTouchingTrees(seed, trees)),
        topology(model.topology()),
        random(seed + 7),
        tables(model),
        q(randomPosition(model, random)),
        v(randomVelocity(model, random)),
        v_end(v + 0.3 * randomVelocity(model, random)) {
    input = makeIdleInput(model.nv());
    for (int link = 0; link < topology.links; ++link)
      for (int j = topology.v_index[link]; j < topology.v_index[link] + topology.dofs[link]; ++j) {
        const bool held = topology.dofs[link] == 1;
        input.tau[j] = random.number(-3.0, 3.0);
        const double kp = held ? random.number(0.0, 50.0) : 0.0, kd = held ? random.number(0.1, 5.0) : 0.0;
        const double target = random.number(-1.0, 1.0);
        if (held) setDrive({j, topology.q_index[link], kp, kd, target, 0.5}, input);
      }
    motion.resize(topology, model.parameters(), Formulation::kMinimal);
    for (int j = 0; j < model.nv(); ++j) {
      motion.predicted[j] = random.number(-0.2, 0.2);
      motion.saturated[j] = input.drive_of[j] >= 0 && random.index(3) == 0;
      motion.saturations += motion.saturated[j];
    }
    begin(h, 0.9 * h);  // as after a shorter step
  }

  /// A step of a given model without any forces but gravity, from a node.
  TouchingStep(const Model& given, const Eigen::VectorXd& velocity, double h)
      : model(given),
        topology(model.topology()),
        random(1),
        tables(model),
        q(model.q0()),
        v(velocity),
        v_end(velocity) {
    input = makeIdleInput(model.nv());
    motion.resize(topology, model.parameters(), Formulation::kMinimal);
    begin(h, 0.5 * h);
  }

  StepContext context() const { return makeContext(tables, part, input, memory, q.data(), v.data()); }

  /// u of all rows if the step ends with the velocity `velocity`.
  Eigen::VectorXd secants(const Eigen::VectorXd& velocity) {
    q_end.resize(model.nq());
    integrate(topology, q.data(), velocity.data(), motion.h, q_end.data());
    look(q_end, end);
    computeSecants(context(), start, {end, q_end.data(), velocity.data(), motion.h}, set);
    return Eigen::Map<const Eigen::VectorXd>(set.velocity.data(), rows());
  }

  /// Secants and constraint rows at v_end.
  void linearise() {
    secants(v_end);
    computeConstraintRows(context(), start, {end, q_end.data(), v_end.data(), motion.h}, motion, set);
  }

  /// Factors the mass matrix in the given way instead of the chosen one.
  void factorBy(MassMethod method) {
    motion.mass.resize(topology, method);
    computeMass(part, model.parameters(), start.kin, motion);
    factorMass(part, model.parameters(), input, motion);
    computeKick(part, model.parameters(), input, q.data(), v.data(), motion);
    computeResponses(topology, motion, 0, set);
  }

  /// Of all constraints: each has joined once, so slots and rows are in their order.
  int rows() const { return static_cast<int>(set.velocity.size()); }

  /// Rows of all constraints from one of the packed arrays, dense [rows × nv].
  Eigen::MatrixXd dense(const std::vector<double>& packed) const {
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(rows(), topology.nv);
    for (const Constraint& c : set.slots)
      for (const Side& side : set.sidesOf(c))
        for (int k = 0; k < side.length; ++k)
          for (int r = 0; r < c.rows; ++r)
            J(c.first_row + r, topology.chain[topology.chain_start[side.link] + k]) +=
                packed[side.offset + k * c.rows + r];
    return J;
  }

  Model model;
  const Topology& topology;
  Random random;
  StepTables tables;
  StepInput input;
  Memory memory;
  Part part;
  Eigen::VectorXd q, v, v_end, q_end;
  PlacedModel start, end;
  FreeMotion motion;
  ConstraintSet set;

 private:
  /// Free motion and constraints at the start.
  void begin(double h, double kick) {
    takeAll(tables, part);
    makeOneRun(topology, 2.0 * kick - h, part);
    setLengths(part, h, motion);
    motion.velocity_scale = h;
    start.kin.resize(topology);
    end.kin.resize(topology);
    look(q, start);
    computeFreeMotion(part, model.parameters(), start.kin, input, q.data(), v.data(), motion);
    set.prepare(tables, start, std::numeric_limits<double>::infinity());
    searchNear(context(), start, motion, set);
    addConstraints(context(), start, motion, set);
    computeResponses(topology, motion, 0, set);
  }

  void look(const Eigen::VectorXd& at, PlacedModel& pose) const {
    place(topology, model.parameters(), tables.collision, at.data(), pose);
  }
};

}  // namespace rigor
