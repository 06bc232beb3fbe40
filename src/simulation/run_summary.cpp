#include "rigor/run_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rigor {
namespace {

constexpr double kHarmlessRounding = 1e-11;  // [m] the depth that a step may leave

// max() would drop a NaN; here the first one stays.
void keepWorst(double& worst, double value) {
  if (!std::isnan(worst) && !(value <= worst)) worst = value;
}

template <class T>
void cutFront(std::vector<T>& queue, std::size_t& head) {
  if (2 * head <= queue.size()) return;
  queue.erase(queue.begin(), queue.begin() + static_cast<std::ptrdiff_t>(head));
  head = 0;
}

void addTimes(PhaseTimes& sum, const PhaseTimes& times) {
  sum.kinematics += times.kinematics;
  sum.free_motion += times.free_motion;
  sum.collide += times.collide;
  sum.assemble += times.assemble;
  sum.solve += times.solve;
  sum.judge += times.judge;
  sum.integrate += times.integrate;
}

void countStage(std::vector<RunSummary::Stage>& stages, const char* name) {
  if (*name == '\0') return;
  auto stage = std::find_if(stages.begin(), stages.end(), [&](const auto& known) { return known.name == name; });
  if (stage == stages.end()) stage = stages.insert(stage, {name, 0});
  ++stage->steps;
}

double worstResidual(const StepReport& report) {
  double worst = report.law;
  keepWorst(worst, report.equation);
  keepWorst(worst, report.step);
  return worst;
}

double ratio(double sum, std::int64_t count) { return count > 0 ? sum / static_cast<double>(count) : 0.0; }

/// Huge impulses make Wλ uncertain, and the judge takes that off, up to 1e-6. Who trusts the residual must be told.
std::string describeFloor(const RunSummary& summary) {
  if (summary.accepted_by_floor == 0) return "";
  return fmt::format("; {} step{} above it, {:.2g} at most, excused by the rounding of large impulses",
                     summary.accepted_by_floor, summary.accepted_by_floor == 1 ? "" : "s", summary.floor_max);
}

std::string describeCreep(const Creep& creep) {
  if (creep.contacts == 0) return "none to measure: no contact stuck through the last second";
  return fmt::format("{:.2g} m/s, the worst of {} contact{} that stuck through the last second", creep.speed,
                     creep.contacts, creep.contacts == 1 ? "" : "s");
}

}  // namespace

std::string durationText(double seconds) {
  // by what three digits round to: 999.6 µs is 1 ms
  const double size = std::fabs(seconds) * (1.0 + 5e-4);
  if (size < 1e-6 && size > 0.0) return fmt::format("{:.3g} ns", 1e9 * seconds);
  if (size < 1e-3 && size > 0.0) return fmt::format("{:.3g} µs", 1e6 * seconds);
  if (size < 1.0 && size > 0.0) return fmt::format("{:.3g} ms", 1e3 * seconds);
  return size < 1e3 ? fmt::format("{:.3g} s", seconds) : fmt::format("{:.0f} s", seconds);
}

void StickWindow::forgetBefore(double time) {
  while (step_head_ < steps_.size() && steps_[step_head_].time + 0.5 * steps_[step_head_].dt < time)
    stick_head_ += static_cast<std::size_t>(steps_[step_head_++].sticks);
  cutFront(steps_, step_head_);
  cutFront(sticks_, stick_head_);
}

void StickWindow::add(const StepReport& report) {
  Step step{report.time, report.dt, 0};
  for (const Contact& contact : report.contacts) {
    if (contact.mode != ContactMode::kStick) continue;
    sticks_.push_back({contact.id, contact.slip * report.dt});
    ++step.sticks;
  }
  std::sort(sticks_.end() - step.sticks, sticks_.end(), [](const Stick& a, const Stick& b) { return a.id < b.id; });
  steps_.push_back(step);
  // A step belongs to the window if its middle does: the window is full to half a step.
  forgetBefore(report.time + report.dt - kLength);
}

Creep StickWindow::creep() const {
  double length = 0.0;
  for (std::size_t i = step_head_; i < steps_.size(); ++i) length += steps_[i].dt;
  if (steps_.empty() || length < kLength - 0.51 * steps_.back().dt) return {};

  // Begin with the contacts of the oldest step and keep those that are found in every later one.
  auto stick = sticks_.begin() + static_cast<std::ptrdiff_t>(stick_head_);
  // Both are sorted by id.
  std::vector<Stick> held(stick, stick + steps_[step_head_].sticks);
  stick += steps_[step_head_].sticks;
  for (std::size_t i = step_head_ + 1; i < steps_.size(); ++i) {
    const auto end = stick + steps_[i].sticks;
    std::erase_if(held, [&](Stick& candidate) {
      while (stick != end && stick->id < candidate.id) ++stick;
      const bool found = stick != end && stick->id == candidate.id;
      if (found) candidate.drift += stick->drift;
      return !found;
    });
    stick = end;
  }

  Creep creep{0.0, static_cast<int>(held.size())};
  for (const Stick& contact : held) keepWorst(creep.speed, contact.drift.norm() / length);
  return creep;
}

void ContactEvents::add(const std::vector<Contact>& contacts) {
  std::swap(before_, now_);
  now_.clear();
  for (const Contact& contact : contacts)
    if (contact.mode != ContactMode::kOpen) now_.push_back({contact.id, contact.mode});
  std::sort(now_.begin(), now_.end(), [](const Seen& a, const Seen& b) { return a.id < b.id; });
  auto old = before_.begin();
  for (const Seen& contact : now_) {
    for (; old != before_.end() && old->id < contact.id; ++old) ++separations;
    const bool known = old != before_.end() && old->id == contact.id;
    if (!known || old->mode != contact.mode) ++(contact.mode == ContactMode::kStick ? sticks : slips);
    if (known) ++old;
  }
  separations += before_.end() - old;
}

void RunSummary::add(const StepReport& report) {
  ++steps;
  dt = report.dt;
  addTimes(nanoseconds, report.nanoseconds);
  if (!report.accepted()) {
    if (!first_failure)
      first_failure = {report.index, report.status, report.stage, worstResidual(report), {}, report.fastest};
    ++failed_steps;
    return;
  }
  energy_end = report.kinetic + report.potential;
  if (accepted() == 1) energy_start = energy_end;
  if (report.smooth) ++smooth_steps;
  if (report.substeps > 1) substeps += report.substeps;
  iterations += report.iterations;
  passes += report.passes;
  iterations_max = std::max(iterations_max, report.iterations);
  passes_max = std::max(passes_max, report.passes);
  contacts_max = std::max(contacts_max, static_cast<int>(report.contacts.size()));
  keepWorst(law, report.law);
  keepWorst(law_gap_max, report.law_gap);
  law_gap_sum += report.law_gap;
  keepWorst(equation, report.equation);
  keepWorst(step, report.step);
  keepWorst(floor_max, report.floor);
  keepWorst(position_rounding_max, report.position_rounding);
  if (report.by_floor) ++accepted_by_floor;
  impacts += report.impacts;
  unmet_bounces += report.unmet_bounces, impacts_cut += report.impacts_cut;
  fallbacks += report.fallbacks;
  step_error += report.step_error;
  for (const Event& event : report.events) settled += event.kind == EventKind::kSettles;
  if (!(report.theta >= theta_min)) theta_min = report.theta;
  keepWorst(energy_gain_max, report.energy_gain);
  keepWorst(penetration_max, report.penetration);
  keepWorst(loop_gap_max, report.loop_gap);
  countStage(stages, report.stage);
  algebra = std::max(algebra, report.algebra);
  sticking.add(report);
  events.add(report.contacts);
}

double RunSummary::meanIterations() const { return ratio(static_cast<double>(iterations), accepted()); }
double RunSummary::meanLawGap() const { return ratio(law_gap_sum, accepted() - smooth_steps); }
double RunSummary::meanPasses() const { return ratio(static_cast<double>(passes), accepted()); }
double RunSummary::microsecondsPerStep() const { return ratio(1e6 * step_time, steps); }
double RunSummary::microsecondsPerStep(double PhaseTimes::* phase) const {
  return ratio(1e-3 * (nanoseconds.*phase), steps);
}

std::string RunSummary::text() const {
  double worst = law;
  keepWorst(worst, equation);
  keepWorst(worst, step);
  std::string text;
  const auto line = [&text](const char* name, const std::string& value) {
    text += fmt::format("{}  {:<20} {}", text.empty() ? "" : "\n", name, value);
  };
  if (accepted() > 0) {
    line("simulated", fmt::format("{:g} s in {}, {} per step of {}", simTime(), durationText(wall_time),
                                  durationText(1e-6 * microsecondsPerStep()), fmt::format("{:g} ms", 1e3 * dt)));
    line("worst residual", fmt::format("{:.2g}, the limit is {:g}{}", worst, tolerance, describeFloor(*this)));
    if (approximate_law)
      line("law gap", fmt::format("{:.2g} at worst, {:.2g} in the mean: what Coulomb's law misses of this one",
                                  law_gap_max, meanLawGap()));
    if (position_rounding_max > kHarmlessRounding)
      line("far from the origin",
           fmt::format("positions of contacts are known to {:.2g} m only", position_rounding_max));
    line("deepest penetration",
         fmt::format("{:.2g} m by the gaps of contacts, most at once: {}", penetration_max, contacts_max));
    if (true_penetration_max)
      line("true penetration", fmt::format("{:.2g} m, measured by separate code", *true_penetration_max));
    if (loop_gap_max > 0.0) line("widest loop gap", fmt::format("{:.2g} m or rad", loop_gap_max));
    line("creep at rest", describeCreep(sticking.creep()));
    if (theta_min < 1.0)
      line("bounces",
           fmt::format("{} impacts; the energy guard shortened some, to {:.3g} at least", impacts, theta_min));
    if (unmet_bounces > 0)
      line("bounces by Stronge", fmt::format("{} gave back less work than the law says", unmet_bounces));
    if (fallbacks > 0)
      line("fallbacks", fmt::format("{} stretch{} of time stepping, where no smooth motion was found", fallbacks,
                                    fallbacks == 1 ? "" : "es"));
    if (step_error > 0.0)
      line("error of pieces", fmt::format("{:.2g} in sum, as each one is estimated [m or rad]", step_error));
    if (impacts_cut > 0)
      line("sequences of impacts", fmt::format("{} did not end one by one: what was left struck at once", impacts_cut));
    line("energy", fmt::format("{:.6g} J at the start, {:.6g} J at the end", energy_start, energy_end));
    if (!last_node_missed.empty())
      line("last node",
           fmt::format("not found: {}. Its velocity and energy are those of the last step", last_node_missed));
  }
  line("failed steps",
       fmt::format("{} of {}", failed_steps, steps) + (substeps > 0 ? fmt::format(", {} sub-steps", substeps) : ""));
  return text;
}

}  // namespace rigor
