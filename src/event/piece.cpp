#include "event/piece.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/integrate.h"
#include "geometry/convert.h"
#include "minimal/contact_rows.h"
#include "minimal/passes.h"

namespace rigor {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr int kTries = 60;           // halves of a trial that cannot be used
constexpr int kRootTrials = 120;     // false position takes about eight, halving forty
constexpr double kWidest = 1e-9;     // [s] of a bracket that no trial narrows any more
constexpr double kStable = 2.5;      // times the rate at which friction turns slip: what an explicit method can follow
constexpr double kCreeps = 10.0;     // of friction to what moves the slip: beyond, slip is too slow for its friction
constexpr double kLeastShare = 0.1;  // of the whole step: slip that asks for shorter pieces is left to the time stepper
constexpr double kMostNoise = 1e-10;  // the same of long chains that whip

bool isSame(const Watch& a, const Watch& b) { return a.what == b.what && a.index == b.index; }

/// Of the errors that are told, per second: of two ways of order p, or of the lower one of an embedded pair.
int orderOf(Integrator integrator) { return integrator == Integrator::kImplicitMidpoint ? 2 : 4; }

/// Where an event is: after `begin`, not after `finish`. False position with the weights of the Illinois method.
struct Bracket {
  double begin = 0.0, finish = 0.0;
  double weight_begin = 1.0, weight_finish = 1.0, width = 0.0;
  enum { kNeither, kBegin, kFinish } last = kNeither;  ///< which one moved

  /// Narrow enough, and what comes to rest is at rest where it begins.
  bool isClosed(const std::vector<Watch>& crossed) const {
    if (finish - begin <= 4.0 * kEps * finish) return true;
    const auto moves = [](const Watch& w) { return isSpeed(w.what) && std::fabs(w.at_start) > 0.5 * kRest; };
    return finish - begin <= kEventTime && std::none_of(crossed.begin(), crossed.end(), moves);
  }

  /// The earliest root by straight lines, or the middle where they crawl.
  double choose(const std::vector<Watch>& crossed, bool compares) {
    double length = finish;
    for (const Watch& watch : crossed) {
      const double a = weight_begin * watch.at_start, b = weight_finish * watch.at_end;
      length = std::min(length, begin + (a > 0.0 ? a / (a - b) : 0.5) * (finish - begin));
    }
    if (compares) {
      if (width > 0.0 && finish - begin > 0.5 * width) length = 0.5 * (begin + finish);
      width = finish - begin;
    }
    const double margin = std::min(0.5 * kEventTime, 0.25 * (finish - begin));
    return std::clamp(length, begin + margin, finish - margin);
  }

  /// An end that stays twice in a row counts half.
  void beginAt(double length) {
    weight_finish *= last == kBegin ? 0.5 : 1.0;
    begin = length, weight_begin = 1.0, last = kBegin;
  }
  void finishAt(double length) {
    weight_begin *= last == kFinish ? 0.5 : 1.0;
    finish = length, weight_finish = 1.0, last = kFinish;
  }
};

}  // namespace

PieceTaker::PieceTaker(const StepTables& tables, const PieceOptions& options)
    : motion(tables), tables_(tables), options_(options), integrator_(tables.topology, options.integrator) {
  const Topology& topology = tables.topology;
  pose_.kin.resize(topology);
  acceleration_.setZero(topology.nv), difference_.setZero(topology.nv);
  for (Eigen::VectorXd* q : {&end.q, &trial_.q, &before_.q, &q_half_, &q_whole_}) q->setZero(topology.nq);
  for (Eigen::VectorXd* v : {&end.v, &trial_.v, &before_.v, &v_half_, &v_whole_}) v->setZero(topology.nv);
}

bool PieceTaker::step(const double* q, const double* v, double h, Eigen::VectorXd& q_end, Eigen::VectorXd& v_end) {
  const NodeStepResult result = integrator_.step(motion, q, v, h, q_end.data(), v_end.data());
  return result.converged && q_end.allFinite() && v_end.allFinite() && motion.project(q_end, v_end);
}

/// One step that tells its error; or two of half the length beside one of the whole, whose difference tells the error of the former.
bool PieceTaker::integrate(double length, bool with_error, Trial& trial) {
  trial.length = length;
  trial.error = 0.0;
  double shrinks = 1.0;
  if (hasErrorEstimate(options_.integrator)) {
    if (!step(q_start_.data(), v_start_.data(), length, trial.q, trial.v)) return false;
    difference_ = integrator_.missedWay(), missed_v_ = integrator_.missedVelocity();
  } else {
    if (!step(q_start_.data(), v_start_.data(), 0.5 * length, q_half_, v_half_) ||
        !step(q_half_.data(), v_half_.data(), 0.5 * length, trial.q, trial.v))
      return false;
    if (!with_error) return true;
    if (!step(q_start_.data(), v_start_.data(), length, q_whole_, v_whole_)) return false;
    difference(tables_.topology, trial.q.data(), q_whole_.data(), difference_.data());
    missed_v_ = trial.v - v_whole_;
    shrinks = std::pow(2.0, orderOf(options_.integrator)) - 1.0;
  }
  const double speed = 1.0 + trial.v.lpNorm<Eigen::Infinity>();
  trial.apart = std::max(difference_.lpNorm<Eigen::Infinity>(), missed_v_.lpNorm<Eigen::Infinity>() / speed);
  trial.error = trial.apart / shrinks / allowed(length);
  return true;
}

PieceEnd PieceTaker::take(const StepTask& task, const StepContext& context, double longest) {
  q_start_ = Eigen::Map<const Eigen::VectorXd>(context.q, context.topology.nq);
  v_start_ = Eigen::Map<const Eigen::VectorXd>(context.v, context.topology.nv);
  motion.evaluate(q_start_.data(), v_start_.data(), acceleration_.data());
  forces_start_ = motion.forces();
  const double exponent = 1.0 / orderOf(options_.integrator);
  double length = longest;
  for (const Held& held : motion.held) length = std::min(length, longestFor(held, length));
  stiff = length < std::min(kLeastShare * task.length, longest);
  if (stiff) return {StepStatus::kNotIntegrated, {}};
  if (suggested > 0.0) length = std::min(length, suggested);
  std::vector<Watch> crossed;
  double apart = std::numeric_limits<double>::infinity();
  for (int tries = 0; tries < kTries; ++tries) {
    if (isRaised(task.options.stop)) return {StepStatus::kInterrupted, {}};
    while (turnsTooFar(context, v_start_.data(), length)) length *= 0.5;
    if (!integrate(length, true, trial_)) {
      length *= 0.5;
      continue;
    }
    const bool rounding = trial_.apart >= 0.5 * apart && trial_.apart <= kMostNoise;  // shorter is no better
    if (trial_.error > 1.0 && !rounding) {
      apart = trial_.apart;
      length *= std::clamp(0.9 * std::pow(trial_.error, -exponent), 0.1, 0.8);
      continue;
    }
    crossed.clear();
    if (!look(task, context, trial_, crossed)) {
      length *= 0.5;
      continue;
    }
    suggested = suggest(length, longest);
    if (!crossed.empty()) return locate(task, context, crossed);
    std::swap(end, trial_);
    return {};
  }
  return {StepStatus::kNotIntegrated, {}};
}

/// Length of the next piece, of a good one: what its error leaves room for; after one whose error is rounding a much longer one.
double PieceTaker::suggest(double length, double longest) const {
  constexpr double kLonger = 8.0;
  if (trial_.error > 1.0) return kLonger * length;
  const double room = 0.9 * std::pow(std::max(trial_.error, 1e-6), -1.0 / orderOf(options_.integrator));
  return length < longest ? length * std::clamp(room, 0.2, 4.0)
                          : std::max(suggested, length * std::clamp(room, 1.0, 4.0));
}

/// Friction turns a slip u that is not along its force at the rate μ λn W/|u|, which has no bound: explicit methods follow it for 2.5 over that.
/// What slows down against its friction comes to rest before. By law pyramid friction does not turn with the slip.
double PieceTaker::longestFor(const Held& held, double length) {
  if (held.how != Hold::kSlip || held.polygon || !(held.mu > 0.0)) return length;
  rigor::place(tables_.topology, tables_.parameters, tables_.collision, q_start_.data(), pose_);
  computeContact(tables_, held.pair, pose_, contact_);
  const Eigen::Vector3d d = toEigen(held.direction);
  const double speed = slipOf(contact_, contact_.point * v_start_).norm(),
               gains = d.dot(contact_.point * acceleration_);
  const double friction = held.mu * forces_start_[held.first] * std::fabs(motion.mobility(held.first));
  if (gains * kCreeps < -friction)
    return length;  // it stops within the time in which friction would turn it a few times
  if (held.begins) return friction > kCreeps * std::fabs(gains) ? 0.0 : length;
  return std::min(length, kStable * speed / friction);
}

/// The earliest event between the node and a trial that is beyond it, whose crossings are known. `end` is left just before it, or where it is
/// a contact that leaves its features just behind.
PieceEnd PieceTaker::locate(const StepTask& task, const StepContext& context, std::vector<Watch>& crossed) {
  Bracket bracket{.finish = trial_.length};
  before_.length = 0.0, before_.q = q_start_, before_.v = v_start_;
  std::swap(end, trial_);  // `end`: the earliest trial beyond the event
  std::vector<Watch> found;
  for (int trials = 0; trials < kRootTrials && !bracket.isClosed(crossed); ++trials) {
    if (isRaised(task.options.stop)) return {StepStatus::kInterrupted, {}};
    const double length = bracket.choose(crossed, trials % 3 == 2);
    found.clear();
    const bool usable = integrate(length, false, trial_) && look(task, context, trial_, found);
    if (usable && found.empty()) {
      for (Watch& watch : crossed) watch.at_start = valueAt(task, watch, trial_);  // its pose and forces are there
      bracket.beginAt(length);
      std::swap(before_, trial_);
      continue;
    }
    for (Watch& now : found) {  // where the bracket begins it was what it was; of others that is not known
      const auto known = std::find_if(crossed.begin(), crossed.end(), [&](const Watch& w) { return isSame(w, now); });
      now.at_start = known == crossed.end() ? 0.0 : known->at_start;
    }
    if (usable) crossed = found;
    bracket.finishAt(length);
    std::swap(end, trial_);
  }
  const bool behind =
      std::all_of(crossed.begin(), crossed.end(), [](const Watch& w) { return w.what == Watched::kOutside; });
  if (!behind) std::swap(end, before_);
  const bool found_it = bracket.finish - bracket.begin <= kWidest;
  return {found_it ? StepStatus::kAccepted : StepStatus::kNotIntegrated, crossed};
}

}  // namespace rigor
