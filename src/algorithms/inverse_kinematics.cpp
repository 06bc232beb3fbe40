// The levels of inverse kinematics, one after the other (rigor/inverse_kinematics.h).
#include "rigor/inverse_kinematics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "algorithms/ik_rows.h"
#include "algorithms/ik_step.h"
#include "dynamics/integrate.h"
#include "math/random.h"
#include "rigor/algorithms.h"

namespace rigor {
namespace {

constexpr double kLongest = 0.7;  // [rad or m] of a step in any coordinate

/// Tasks of one level: a range of them, and of their rows.
struct Level {
  int first_task, end_task, first_row, end_row;
};

void checkTask(const Model& model, const IkTask& task, std::size_t index) {
  const std::string name = fmt::format("task {}", index);
  const auto fail = [&](const char* problem, const char* remedy) { throw Error({"", 0, name}, problem, remedy); };
  const auto sound = [](const Pose& pose) {
    return pose.position.allFinite() && std::abs(pose.rotation.norm() - 1.0) < 1e-6;
  };
  if (task.goal == IkGoal::kCenterOfMass) {
    if (!(model.mass() > 0.0)) fail("asks for the centre of mass of a model without mass", "Give its bodies masses.");
  } else if (task.body < 0 || task.body >= model.bodyCount()) {
    fail("names a body that there is not", "Use Model::findBody.");
  }
  if (!sound(task.X_BF) || !sound(task.target))
    fail("has a pose that is not finite, or a quaternion off unit length", "Give finite poses with unit quaternions.");
  if (!(task.weight > 0.0) || !(task.metres_per_rad > 0.0) || !std::isfinite(task.weight * task.metres_per_rad))
    fail("has a weight that is not positive", "Leave the task out if it does not count.");
  if (task.level < 0) fail("has a level below 0", "Level 0 goes first, then 1, 2, …");
}

}  // namespace

struct InverseKinematics::Work {
  Work(const Model& given, std::vector<IkTask> wanted, IkOptions chosen);

  const IkReport& solve(Eigen::VectorXd& q);
  /// Brings a level down from q; true if it ended at a minimum or met its tasks.
  bool descend(std::size_t level, Eigen::VectorXd& q);
  bool restore(std::size_t level, Eigen::VectorXd& q);
  void move(const Eigen::VectorXd& from, const Eigen::VectorXd& step, Eigen::VectorXd& to);
  double shorten(const Eigen::VectorXd& q, Eigen::VectorXd& step) const;
  void findBounds(const Eigen::VectorXd& q);
  void markUnmet(const Level& level);
  void scatter(std::uint64_t draw, Eigen::VectorXd& q) const;
  bool tryElsewhere(bool at_minimum, Eigen::VectorXd& q);
  void differentiate(std::size_t level);
  double cost(const Level& level) const {
    return 0.5 * errors.segment(level.first_row, level.end_row - level.first_row).squaredNorm();
  }
  bool met(int task) const {
    return std::max(rows.miss(task).distance, rows.miss(task).angle) <= options.tolerance + rows.rounding(task);
  }
  bool met(const Level& level) const;
  void fillReport(bool at_minimum);

  Model model;
  IkOptions options;
  std::vector<int> order;     ///< [tasks] as given, of each of `tasks`
  std::vector<IkTask> given;  ///< as the caller has them
  std::vector<IkTask> tasks;  ///< by level
  std::vector<Level> levels;
  IkUnknowns unknowns;
  IkRows rows;
  IkStep step;
  Eigen::MatrixXd J, H;
  Eigen::VectorXd errors, kept, gradient, delta, v, trial, best;
  std::vector<char> stuck;  ///< [unknowns] moves a task that the best configuration misses
  std::vector<AtBound> bounds;
  IkReport report;
};

namespace {

std::vector<int> orderByLevel(const std::vector<IkTask>& tasks) {
  std::vector<int> order;
  for (std::size_t t = 0; t < tasks.size(); ++t) order.push_back(static_cast<int>(t));
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return tasks[a].level < tasks[b].level; });
  return order;
}

std::vector<IkTask> inOrder(const std::vector<IkTask>& tasks, const std::vector<int>& order) {
  std::vector<IkTask> sorted;
  for (const int t : order) sorted.push_back(tasks[t]);
  return sorted;
}

}  // namespace

InverseKinematics::Work::Work(const Model& given_model, std::vector<IkTask> wanted, IkOptions chosen)
    : model(given_model),
      options(std::move(chosen)),
      order(orderByLevel(wanted)),
      given(std::move(wanted)),
      tasks(inOrder(given, order)),
      unknowns(model, options.held, options.limits),
      rows(model, tasks, unknowns),
      step(unknowns.count, rows.count()),
      J(Eigen::MatrixXd::Zero(rows.count(), unknowns.count)),
      H(unknowns.count, unknowns.count),
      errors(rows.count()),
      kept(rows.count()),
      gradient(unknowns.count),
      delta(unknowns.count),
      v(model.nv()),
      trial(model.nq()),
      best(model.nq()),
      stuck(unknowns.count),
      bounds(unknowns.count) {
  for (int t = 0; t < static_cast<int>(tasks.size()); ++t) {
    if (t == 0 || tasks[t].level != tasks[t - 1].level) levels.push_back({t, t, rows.firstRow(t), 0});
    levels.back().end_task = t + 1;
    levels.back().end_row = t + 1 < static_cast<int>(tasks.size()) ? rows.firstRow(t + 1) : rows.count();
  }
  report.misses.resize(tasks.size());
}

bool InverseKinematics::Work::met(const Level& level) const {
  for (int t = level.first_task; t < level.end_task; ++t)
    if (!met(t)) return false;
  return true;
}

void InverseKinematics::Work::move(const Eigen::VectorXd& from, const Eigen::VectorXd& by, Eigen::VectorXd& to) {
  unknowns.expand(by, v);
  integrate(model.topology(), from.data(), v.data(), 1.0, to.data());
  unknowns.tidy(to);
}

/// No longer than kLongest, and to the first bound on the way.
double InverseKinematics::Work::shorten(const Eigen::VectorXd& q, Eigen::VectorXd& by) const {
  double share = 1.0;
  const double most = by.cwiseAbs().maxCoeff();
  if (most > kLongest) share = kLongest / most;
  for (int u = 0; u < unknowns.count; ++u) {
    if (unknowns.q_index[u] < 0 || by[u] == 0.0) continue;
    const double room = (by[u] > 0.0 ? unknowns.upper[u] : unknowns.lower[u]) - q[unknowns.q_index[u]];
    if (std::abs(room) < share * std::abs(by[u])) share = std::max(0.0, room / by[u]);
  }
  by *= share;
  return share;
}

void InverseKinematics::Work::findBounds(const Eigen::VectorXd& q) {
  for (int u = 0; u < unknowns.count; ++u) {
    bounds[u] = AtBound::kNone;
    if (unknowns.q_index[u] < 0) continue;
    const double value = q[unknowns.q_index[u]];
    // a step that was cut at a bound ends there but for a rounding
    const double near = 1e-15 * (1.0 + std::abs(value));
    const bool low = value <= unknowns.lower[u] + near, high = value >= unknowns.upper[u] - near;
    if (low || high) bounds[u] = low && high ? AtBound::kBoth : low ? AtBound::kLower : AtBound::kUpper;
  }
}

void InverseKinematics::Work::differentiate(std::size_t level) {
  rows.differentiate(model, tasks, 0, levels[level].end_task, J);
  rows.square(levels[level].first_task, levels[level].end_task, J, errors, H, gradient);
}

/// Brings the levels above back to the errors that they were left with; false if that cannot be done nearby.
bool InverseKinematics::Work::restore(std::size_t level, Eigen::VectorXd& q) {
  constexpr int kMoves = 6;
  const int higher = levels[level].first_row, tasks_above = levels[level].first_task;
  double before = INFINITY;
  for (int pass = 0;; ++pass) {
    rows.evaluate(model, tasks, q, errors);
    auto off = errors.head(higher);
    off -= kept.head(higher);
    const double size = off.cwiseAbs().maxCoeff();
    const bool near = size <= 0.5 * options.tolerance;
    if (near || pass == kMoves || !(size < before)) {
      off += kept.head(higher);
      return near;
    }
    before = size;
    rows.differentiate(model, tasks, 0, tasks_above, J);
    rows.square(0, tasks_above, J, errors, H, gradient);
    findBounds(q);
    step.solve(H, gradient, J, 0, bounds, 1e-13 * H.diagonal().maxCoeff());
    delta = step.step();
    shorten(q, delta);
    move(q, delta, q);
  }
}

bool InverseKinematics::Work::descend(std::size_t index, Eigen::VectorXd& q) {
  constexpr double kStill = 1e-9;   // of the size of errors and derivatives: no direction helps any more
  constexpr double kFloor = 1e-12;  // of the largest diagonal entry: freedoms that do nothing stay where they are
  constexpr double kSoft = 1e-3, kHard = 1e12;  // damping per squared error: at the start, and where nothing helps
  const Level& level = levels[index];
  double soft = kSoft, now = cost(level);
  bool fresh = true;  // the derivatives are not those of q
  for (int i = 0; i < options.iterations; ++i, ++report.iterations) {
    if (met(level)) return true;
    if (fresh) differentiate(index);
    findBounds(q);
    double scale = 0.0;
    for (int u = 0; u < unknowns.count; ++u) scale = std::max(scale, H(u, u));
    if (!(scale > 0.0)) return true;  // nothing moves these tasks
    step.solve(H, gradient, J, level.first_row, bounds, kFloor * scale + soft * now);
    if (step.pull() <= kStill * std::sqrt(scale * now)) return true;
    delta = step.step();
    shorten(q, delta);
    move(q, delta, trial);
    bool better = true;
    if (level.first_row > 0)
      better = restore(index, trial);
    else
      rows.evaluate(model, tasks, trial, errors);
    const double next = cost(level);
    if (better && next < now) {
      std::swap(q, trial);
      now = next, soft = std::max(0.1 * soft, 1e-8), fresh = true;
      continue;
    }
    soft *= 10.0;
    rows.evaluate(model, tasks, q, errors);
    fresh = level.first_row > 0;
    if (soft * now > kHard * scale || delta.cwiseAbs().maxCoeff() < 1e-14) return true;  // rounding
  }
  return met(level);
}

void InverseKinematics::Work::markUnmet(const Level& level) {
  std::fill(stuck.begin(), stuck.end(), false);
  for (int t = level.first_task; t < level.end_task; ++t)
    for (const int u : rows.unknownsOf(t)) stuck[u] |= !met(t);
}

/// From the best configuration so far: joints with a range anywhere in it, angles without one anywhere in a turn; in turns those
/// that move the tasks that it misses, which leaves limbs that are where they should be, and all. What floats stays.
void InverseKinematics::Work::scatter(std::uint64_t draw, Eigen::VectorXd& q) const {
  q = best;
  for (int u = 0; u < unknowns.count; ++u) {
    if (unknowns.q_index[u] < 0 || !(stuck[u] || draw % 2 == 0)) continue;
    const double share = uniformOf(mixBits(mixBits(draw) ^ static_cast<std::uint64_t>(u)));
    double& value = q[unknowns.q_index[u]];
    if (std::isfinite(unknowns.upper[u] - unknowns.lower[u]))
      value = unknowns.lower[u] + share * (unknowns.upper[u] - unknowns.lower[u]);
    else if (unknowns.turns[u])
      value += (2.0 * share - 1.0) * std::numbers::pi;
  }
  unknowns.tidy(q);
}

/// The first level from other starts, as long as it is not met; the best is kept. True if that is a minimum.
bool InverseKinematics::Work::tryElsewhere(bool at_minimum, Eigen::VectorXd& q) {
  const Level& level = levels[0];
  double least = cost(level);
  best = q;
  markUnmet(level);
  while (report.restarts < options.restarts && !met(level)) {
    scatter(static_cast<std::uint64_t>(++report.restarts), q);
    rows.evaluate(model, tasks, q, errors);
    const bool ended = descend(0, q);
    if (!(cost(level) < least)) continue;
    least = cost(level), best = q, at_minimum = ended;
    markUnmet(level);
  }
  q = best;
  rows.evaluate(model, tasks, q, errors);
  return at_minimum;
}

void InverseKinematics::Work::fillReport(bool at_minimum) {
  report.residual = 0.0;
  report.unmet = -1;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    report.misses[order[t]] = rows.miss(static_cast<int>(t));
    report.residual = std::max({report.residual, rows.miss(t).distance, rows.miss(t).angle});
  }
  for (const Level& level : levels) {
    if (met(level)) continue;
    double worst = -1.0;
    for (int t = level.first_task; t < level.end_task; ++t)
      if (const double miss = std::max(rows.miss(t).distance, rows.miss(t).angle); miss > worst)
        worst = miss, report.unmet = order[t];
    break;
  }
  report.status = report.unmet < 0 ? IkStatus::kSolved : at_minimum ? IkStatus::kUnreachable : IkStatus::kUnsolved;
}

const IkReport& InverseKinematics::Work::solve(Eigen::VectorXd& q) {
  checkState(model, q);
  report.iterations = report.restarts = 0;
  unknowns.tidy(q);
  rows.evaluate(model, tasks, q, errors);
  bool at_minimum = true;
  for (std::size_t level = 0; level < levels.size(); ++level) {
    at_minimum &= descend(level, q);
    if (level == 0 && !met(levels[0])) at_minimum = tryElsewhere(at_minimum, q);
    const int first = levels[level].first_row, count = levels[level].end_row - first;
    if (met(levels[level]))
      kept.segment(first, count).setZero();
    else
      kept.segment(first, count) = errors.segment(first, count);
  }
  fillReport(at_minimum);
  return report;
}

InverseKinematics::InverseKinematics(const Model& model, std::vector<IkTask> tasks, IkOptions options) {
  if (tasks.empty()) throw Error("inverse kinematics has no task", "Give one at least.");
  for (std::size_t t = 0; t < tasks.size(); ++t) checkTask(model, tasks[t], t);
  if (!(options.tolerance >= 0.0) || options.iterations < 1 || options.restarts < 0)
    throw Error("inverse kinematics with a negative tolerance, no iterations or negative restarts",
                "Leave out what you do not want to choose.");
  work_ = std::make_unique<Work>(model, std::move(tasks), std::move(options));
}
InverseKinematics::~InverseKinematics() = default;
InverseKinematics::InverseKinematics(InverseKinematics&&) noexcept = default;

const std::vector<IkTask>& InverseKinematics::tasks() const { return work_->given; }

void InverseKinematics::setTarget(int task, const Pose& target) {
  if (task < 0 || task >= static_cast<int>(work_->given.size()))
    throw Error(fmt::format("there is no task {}", task), "Tasks are numbered as they were given.");
  if (!target.position.allFinite() || !(std::abs(target.rotation.norm() - 1.0) < 1e-6))
    throw Error({"", 0, fmt::format("task {}", task)}, "the target is not finite, or its quaternion is off unit length",
                "Give a finite pose with a unit quaternion.");
  work_->given[task].target = target;
  const auto at = std::find(work_->order.begin(), work_->order.end(), task) - work_->order.begin();
  work_->tasks[at].target = target;
}

const IkReport& InverseKinematics::solve(Eigen::VectorXd& q) { return work_->solve(q); }
const IkReport& InverseKinematics::report() const { return work_->report; }

const char* ikStatusName(IkStatus status) {
  constexpr const char* kNames[] = {"solved", "unreachable", "unsolved"};
  return kNames[static_cast<int>(status)];
}

std::string IkReport::explain(const Model& model, const std::vector<IkTask>& tasks) const {
  if (unmet < 0) return "every task is met";
  const IkTask& task = tasks[unmet];
  const std::string what = task.goal == IkGoal::kCenterOfMass
                               ? "the centre of mass"
                               : fmt::format("\"{}\"", printable(model.body(task.body).name));
  return fmt::format("task {}: {} stays {:.3g} m and {:.3g} rad from its target ({})", unmet, what,
                     misses[unmet].distance, misses[unmet].angle, ikStatusName(status));
}

}  // namespace rigor
