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
constexpr int kTries = 60;             // halves of a trial that cannot be used
constexpr int kRootTrials = 120;       // false position takes about eight, halving forty
constexpr double kForceSlack = 1e-9;   // of a contact's own force at the start: below zero, rounding
constexpr double kOtherSlack = 1e-12;  // of the largest force
constexpr double kOutside = 1e-9;      // [m] beyond its face or edge
constexpr double kStable = 2.5;   // times the rate at which friction turns slip: what an explicit method can follow
constexpr double kCreeps = 10.0;  // of friction to what moves the slip: beyond, slip is too slow for its friction
constexpr double kLeastShare =
    1.0 / 64;                     // of the whole step: slip that asks for shorter pieces is left to the time stepper
constexpr double kNoise = 1e-13;  // of 1 + the largest velocity: what rounding makes of a piece however short
constexpr double kAside = 0.1;    // of the slip at the start: what turns aside by more does not simply reverse

bool isSame(const Watch& a, const Watch& b) { return a.what == b.what && a.index == b.index; }

/// [m or rad] To how much a gap is known: a position is a sum over the links of a chain.
double gapRounding(const ConstraintSet& set, const Constraint& c) {
  double links = 0.0;
  for (const Side& side : set.sidesOf(c)) links += side.length;
  const ContactDetail* contact = contactOf(c, set);
  const double size = contact ? absoluteSum(contact->start.point) : std::fabs(set.joints[c.detail].bound);
  return 4.0 * kEps * (1.0 + links) * (0.25 + size);
}

int orderOf(Integrator integrator) { return integrator == Integrator::kRk4 ? 4 : 2; }

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

/// One step, or two of half the length beside one of the whole, whose difference tells the error of the former.
bool PieceTaker::integrate(double length, bool with_error, Trial& trial) {
  trial.length = length;
  trial.error = 0.0;
  if (!step(q_start_.data(), v_start_.data(), 0.5 * length, q_half_, v_half_) ||
      !step(q_half_.data(), v_half_.data(), 0.5 * length, trial.q, trial.v))
    return false;
  if (!with_error) return true;
  if (!step(q_start_.data(), v_start_.data(), length, q_whole_, v_whole_)) return false;
  difference(tables_.topology, trial.q.data(), q_whole_.data(), difference_.data());
  const double speed = 1.0 + trial.v.lpNorm<Eigen::Infinity>();
  trial.apart = std::max(difference_.lpNorm<Eigen::Infinity>(), (trial.v - v_whole_).lpNorm<Eigen::Infinity>() / speed);
  const double shrinks = std::pow(2.0, orderOf(options_.integrator)) - 1.0;
  trial.error = trial.apart / shrinks / std::max(options_.accuracy * length, kNoise);
  return true;
}

PieceEnd PieceTaker::take(const StepTask& task, const StepContext& context, double longest) {
  q_start_ = Eigen::Map<const Eigen::VectorXd>(context.q, context.topology.nq);
  v_start_ = Eigen::Map<const Eigen::VectorXd>(context.v, context.topology.nv);
  motion.evaluate(q_start_.data(), v_start_.data(), acceleration_.data());
  forces_start_ = motion.forces();
  const double exponent = 1.0 / orderOf(options_.integrator);
  double length = suggested > 0.0 ? std::min(longest, suggested) : longest;
  for (const Held& held : motion.held) length = std::min(length, longestFor(held, length));
  stiff = length < std::min(kLeastShare * task.length, longest);
  if (stiff) return {StepStatus::kNotIntegrated, {}};
  std::vector<Watch> crossed;
  double apart = std::numeric_limits<double>::infinity();
  for (int tries = 0; tries < kTries; ++tries) {
    if (isRaised(task.options.stop)) return {StepStatus::kInterrupted, {}};
    while (turnsTooFar(context, v_start_.data(), length)) length *= 0.5;
    if (!integrate(length, true, trial_)) {
      length *= 0.5;
      continue;
    }
    if (trial_.error > 1.0 && trial_.apart < 0.5 * apart) {  // else rounding: shorter is no better
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
/// What slows down against its friction comes to rest before.
double PieceTaker::longestFor(const Held& held, double length) {
  if (held.how != Hold::kSlip || !(held.mu > 0.0)) return length;
  rigor::place(tables_.topology, tables_.parameters, tables_.collision, q_start_.data(), pose_);
  computeContact(tables_, held.pair, pose_, contact_);
  const Eigen::Vector3d d = toEigen(held.direction);
  const double speed = slipOf(contact_, contact_.point * v_start_).norm(),
               gains = d.dot(contact_.point * acceleration_);
  const double friction =
      held.mu * forces_start_[held.first] * std::fabs(motion.problemMatrix()(held.first, held.first));
  if (gains * kCreeps < -friction)
    return length;  // it stops within the time in which friction would turn it a few times
  if (held.begins) return friction > kCreeps * std::fabs(gains) ? 0.0 : length;
  return std::min(length, kStable * speed / friction);
}

/// False if the trial is too long to be understood.
bool PieceTaker::look(const StepTask& task, const StepContext& context, const Trial& trial,
                      std::vector<Watch>& crossed) {
  lookAtGaps(task, context, trial, crossed);
  if (task.work.set.solids.unresolved) return false;
  return lookAtForces(trial, crossed);
}

void PieceTaker::lookAtGaps(const StepTask& task, const StepContext& context, const Trial& trial,
                            std::vector<Watch>& crossed) {
  StepWork& work = task.work;
  ConstraintSet& set = work.set;
  place(tables_, work.part, trial.q, work.end);
  const StepEnd there{work.end.pose, trial.q.data(), trial.v.data(), trial.length};
  appendViolated(context, work.start.pose, there, work.motion, set);
  for (const int slot : set.active) {
    const Constraint& c = set.slots[slot];
    const bool is_held =
        std::any_of(motion.held.begin(), motion.held.end(), [&](const Held& h) { return h.slot == slot; });
    if (!c.can_open || is_held) continue;
    Watch watch{Watched::kGap, slot, c.id, c.gap, 0.0};
    watch.at_end = valueAt(task, watch, trial);
    const double rate = rateOfGap(set, c), rate_end = c.touching ? gapRateAt(task, slot, trial) : 0.0;
    const bool still_leaves = rate_end > 0.0 && watch.at_end > std::min(c.gap, 0.0) - gapRounding(set, c);
    if (watch.at_end < 0.0 && !still_leaves) crossed.push_back(watch);
    if (!c.touching || !(rate > kRest)) continue;
    watch.what = Watched::kSettling;
    watch.at_start = rate;
    watch.at_end = rate_end;
    const double height = 0.5 * trial.length * rate * rate / (rate - watch.at_end);  // of a parabola with these slopes
    if (watch.at_end < 0.0 && height <= kHover) crossed.push_back(watch);
  }
}

/// The forces and slips of what is held, and of joints that rub.
bool PieceTaker::lookAtForces(const Trial& trial, std::vector<Watch>& crossed) {
  const auto add = [&](const Watch& watch) {
    if (watch.at_end < 0.0) crossed.push_back(watch);
  };
  for (int j = 0; tables_.rubs && j < tables_.topology.nv; ++j)
    if (tables_.parameters.dry_friction[j] > 0.0 && std::fabs(v_start_[j]) > kRest)
      add({Watched::kRub, j, {}, std::fabs(v_start_[j]), rubRate(j, trial)});
  if (motion.rows() == 0) return true;
  evaluateAt(trial);
  const int count = static_cast<int>(motion.held.size());
  for (int i = 0; i < count; ++i) {
    const Held& held = motion.held[i];
    if (held.isLoop()) continue;
    if (!trusts_forces && held.isClosed())
      add({Watched::kPush, i, held.id, push(held, forces_start_), push(held, motion.forces())});
    const bool rubs = held.source == RowSource::kDryFriction, sticks = held.how == Hold::kStick;
    if (!trusts_forces && (rubs || sticks))
      add({Watched::kCone, i, held.id, cone(held, forces_start_), cone(held, motion.forces())});
    if (held.isContact() && distanceOutside(held, trial) < 0.0)
      crossed.push_back({Watched::kOutside, i, held.id, kOutside, distanceOutside(held, trial)});
    if (held.how != Hold::kSlip) continue;
    const Eigen::Vector3d before = slipAt(held, q_start_, v_start_), after = slipAt(held, trial.q, trial.v);
    const Eigen::Vector3d d = toEigen(held.direction);
    const double back = after.dot(d) + (held.begins ? kRest : 0.0);
    if (!held.begins && after.norm() > kRest) {
      const double aside = (after - after.dot(d) * d).norm();
      if (after.dot(d) < 0.5 * after.norm() && aside > kAside * before.norm()) return false;
    }
    add({Watched::kSlip, i, held.id, std::max(before.dot(d), 0.0) + (held.begins ? kRest : 0.0), back});
  }
  return true;
}

/// Pose and forces of a trial, unless they are there already.
void PieceTaker::evaluateAt(const Trial& trial) {
  if (motion.rows() > 0) motion.evaluate(trial.q.data(), trial.v.data(), acceleration_.data());
}

double PieceTaker::slack(const Held& held, const Eigen::VectorXd& forces) const {
  return kForceSlack * forces_start_.segment(held.first, held.rows).lpNorm<Eigen::Infinity>() +
         kOtherSlack * std::max(forces_start_.lpNorm<Eigen::Infinity>(), forces.lpNorm<Eigen::Infinity>());
}

double PieceTaker::push(const Held& held, const Eigen::VectorXd& forces) const {
  return forces[held.first] + slack(held, forces);
}

/// Distance to the border of the cone, or of dry friction [N or N m].
double PieceTaker::cone(const Held& held, const Eigen::VectorXd& forces) const {
  if (!held.isContact()) return held.bound - std::fabs(forces[held.first]) + slack(held, forces);
  const double tangential = forces.segment<2>(held.first + 1).norm();
  return held.mu * forces[held.first] - tangential + slack(held, forces);
}

double PieceTaker::rubRate(int dof, const Trial& trial) const {
  return std::copysign(1.0, v_start_[dof]) * trial.v[dof];
}

Eigen::Vector3d PieceTaker::slipAt(const Held& held, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  rigor::place(tables_.topology, tables_.parameters, tables_.collision, q.data(), pose_);
  computeContact(tables_, held.pair, pose_, contact_);
  return slipOf(contact_, contact_.point * v);
}

/// Positive while the features of a contact are opposite each other.
double PieceTaker::distanceOutside(const Held& held, const Trial& trial) {
  if (!isOfSolids(held.pair.kind)) return kOutside;
  rigor::place(tables_.topology, tables_.parameters, tables_.collision, trial.q.data(), pose_);
  return faceEachOther(held.pair, pose_.solids) ? kOutside - rigor::distanceOutside(held.pair, pose_.solids)
                                                : -kOutside;
}

/// Gap of a constraint of the set, and how fast it opens.
double PieceTaker::gapAt(const StepTask& task, int slot, const Trial& trial) {
  const Constraint& c = task.work.set.slots[slot];
  if (const ContactDetail* contact = contactOf(c, task.work.set)) {
    const PlacedModel& pose = task.work.end.pose;
    return isOfSolids(contact->pair.kind) ? gapOfSolids(contact->pair, pose.solids).gap
                                          : gapOf(tables_.collision, contact->pair, pose.centres).gap;
  }
  const JointDetail& joint = task.work.set.joints[c.detail];
  return joint.sign * (trial.q[tables_.topology.q_index[tables_.topology.dof_link[c.index]]] - joint.bound);
}

double PieceTaker::gapRateAt(const StepTask& task, int slot, const Trial& trial) {
  const Constraint& c = task.work.set.slots[slot];
  const ContactDetail* contact = contactOf(c, task.work.set);
  if (!contact) return task.work.set.joints[c.detail].sign * trial.v[c.index];
  computeContact(tables_, contact->pair, task.work.end.pose, contact_);
  return toEigen(contact_.gap.normal).dot(contact_.point * trial.v);
}

/// Of a trial whose pose is in the work, and whose forces were evaluated last.
double PieceTaker::valueAt(const StepTask& task, const Watch& watch, const Trial& trial) {
  switch (watch.what) {
    case Watched::kGap:
      return gapAt(task, watch.index, trial);
    case Watched::kSettling:
      return gapRateAt(task, watch.index, trial);
    case Watched::kPush:
      return push(motion.held[watch.index], motion.forces());
    case Watched::kCone:
      return cone(motion.held[watch.index], motion.forces());
    case Watched::kRub:
      return rubRate(watch.index, trial);
    case Watched::kOutside:
      return distanceOutside(motion.held[watch.index], trial);
    case Watched::kSlip:
      break;
  }
  const Held& held = motion.held[watch.index];
  return slipAt(held, trial.q, trial.v).dot(toEigen(held.direction)) + (held.begins ? kRest : 0.0);
}

/// The earliest event between the node and a trial that is beyond it. `end` is left just before it, or where it is a contact that leaves
/// its features just behind.
PieceEnd PieceTaker::locate(const StepTask& task, const StepContext& context, std::vector<Watch>& crossed) {
  double begin = 0.0, finish = trial_.length;
  before_.length = 0.0, before_.q = q_start_, before_.v = v_start_;
  std::swap(end, trial_);  // `end`: the earliest trial beyond the event
  enum { kNeither, kBegin, kFinish } moved = kNeither;
  std::vector<Watch> found;
  double width = finish;
  for (int trials = 0; trials < kRootTrials && finish - begin > std::max(kEventTime, 4.0 * kEps * finish); ++trials) {
    if (isRaised(task.options.stop)) return {StepStatus::kInterrupted, {}};
    double length = finish;
    for (const Watch& watch : crossed) {
      const double share = watch.at_start > 0.0 ? watch.at_start / (watch.at_start - watch.at_end) : 0.5;
      length = std::min(length, begin + share * (finish - begin));
    }
    if (trials % 3 == 2) {  // false position that crawls is halved
      if (finish - begin > 0.5 * width) length = 0.5 * (begin + finish);
      width = finish - begin;
    }
    length = std::clamp(length, begin + 0.5 * kEventTime, finish - 0.5 * kEventTime);
    found.clear();
    const bool usable = integrate(length, false, trial_) && look(task, context, trial_, found);
    if (usable && found.empty()) {
      begin = length;
      for (Watch& watch : crossed) {  // its pose is in the work, and its forces were evaluated
        watch.at_start = valueAt(task, watch, trial_);
        if (moved == kBegin) watch.at_end *= 0.5;
      }
      moved = kBegin;
      std::swap(before_, trial_);
      continue;
    }
    finish = length;
    for (Watch& now : found) {  // where the bracket begins it was what it was; of others that is not known
      const auto known = std::find_if(crossed.begin(), crossed.end(), [&](const Watch& w) { return isSame(w, now); });
      now.at_start = known == crossed.end() ? 0.0 : (moved == kFinish ? 0.5 : 1.0) * known->at_start;
    }
    moved = kFinish;
    if (!found.empty()) crossed = found;
    std::swap(end, trial_);
  }
  const bool behind =
      std::all_of(crossed.begin(), crossed.end(), [](const Watch& w) { return w.what == Watched::kOutside; });
  if (!behind) std::swap(end, before_);
  return {StepStatus::kAccepted, crossed};
}

}  // namespace rigor
