#include <algorithm>
#include <cassert>

#include "rigor/run_summary.h"

namespace rigor {

void Summarizer::begin(const Simulator& simulator, std::int64_t /*steps*/) {
  assert(!missing_ && "a Summarizer adds up one run; take a new one for the next");
  summary_.tolerance = simulator.scene().accuracy;
  summary_.approximate_law = simulator.scene().law != "coulomb";
  missing_.emplace(simulator.scene().model);
  missing_->see(simulator.state().time, simulator.state().q);
}

void Summarizer::see(const Simulator& simulator, const RunStep& step) {
  summary_.step_time += step.seconds;
  summary_.add(step.report);
  if (!step.report.accepted()) {
    if (summary_.failed_steps == 1) summary_.first_failure->certificate = simulator.lastProblem().certificate;
    return;
  }
  // A reset puts the scene back to its start: a jump, not a way on which shapes could have met.
  const State& state = simulator.state();
  if (simulator.isFresh())
    missing_->restart(state.time, state.q);
  else
    missing_->see(state.time, state.q);
}

void Summarizer::end(Simulator& simulator, const RunOutcome& outcome) {
  const StepReport& node = simulator.node();
  summary_.energy_end = node.kinetic + node.potential;  // no step's report has this node
  if (node.accepted())
    summary_.energy_gain_max = std::max(summary_.energy_gain_max, node.energy_gain);
  else
    summary_.last_node_missed = reasonOf(node.status);
  summary_.wall_time = outcome.seconds;
  summary_.ignored_pairs = missing_->pairs();
  summary_.ignored_shapes = missing_->shapes();
  summary_.missing_contact = missing_->text();
  summary_.status = outcome.status;
  if (outcome.status == RunStatus::kDone && !missing_->complete()) summary_.status = RunStatus::kIncomplete;
}

}  // namespace rigor
