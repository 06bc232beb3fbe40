// What a trial crossed.
#include <algorithm>
#include <cmath>
#include <limits>

#include "event/piece.h"
#include "geometry/convert.h"
#include "minimal/contact_rows.h"

namespace rigor {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr double kForceSlack = 1e-9;   // of a contact's own force at the start: below zero, rounding
constexpr double kOtherSlack = 1e-12;  // of the largest force
constexpr double kOutside = 1e-9;      // [m] beyond its face or edge
constexpr double kAside = 0.1;         // of the slip at the start: what turns aside by more does not simply reverse

/// [m or rad] To how much a gap is known: a position is a sum over the links of a chain.
double gapRounding(const ConstraintSet& set, const Constraint& c) {
  double links = 0.0;
  for (const Side& side : set.sidesOf(c)) links += side.length;
  const ContactDetail* contact = contactOf(c, set);
  const double size = contact ? absoluteSum(contact->start.point) : std::fabs(set.joints[c.detail].bound);
  return 4.0 * kEps * (1.0 + links) * (0.25 + size);
}

/// True if slip turns by so much that it does not simply reverse.
bool turnsAside(const Held& held, const Eigen::Vector3d& before, const Eigen::Vector3d& after) {
  if (!(after.norm() > kRest)) return false;
  const Eigen::Vector3d d = toEigen(held.direction);
  const double aside = (after - after.dot(d) * d).norm();
  return after.dot(d) < 0.5 * after.norm() && aside > kAside * before.norm();
}

}  // namespace

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
    if (watch.at_end < 0.0 && !still_leaves && !isHeldOtherwise(task, c)) crossed.push_back(watch);
    if (!c.touching || !(rate > kRest)) continue;
    watch.what = Watched::kSettling;
    watch.at_start = rate;
    watch.at_end = rate_end;
    const double height = 0.5 * trial.length * rate * rate / (rate - watch.at_end);  // of a parabola with these slopes
    if (watch.at_end < 0.0 && height <= kHover) crossed.push_back(watch);
  }
}

/// True if a contact is where another one of the same shapes is held: a rim that is held by its lowest point, wherever that runs, is held by
/// the material point that is there too.
bool PieceTaker::isHeldOtherwise(const StepTask& task, const Constraint& c) const {
  constexpr double kSamePoint = 1e-7;  // [m]
  const ContactDetail* contact = contactOf(c, task.work.set);
  if (!contact || !isOfSolids(contact->pair.kind)) return false;
  const std::vector<PlacedSolid>& solids = task.work.end.pose.solids;
  const Vec3<double> point = gapOfSolids(contact->pair, solids).point;
  return std::any_of(motion.held.begin(), motion.held.end(), [&](const Held& held) {
    return held.isContact() && std::equal(held.pair.shape, held.pair.shape + 2, contact->pair.shape) &&
           isOfSolids(held.pair.kind) && norm(gapOfSolids(held.pair, solids).point - point) <= kSamePoint;
  });
}

/// The forces and slips of what is held, and of joints that rub.
bool PieceTaker::lookAtForces(const Trial& trial, std::vector<Watch>& crossed) {
  const auto add = [&](const Watch& watch) {
    if (watch.at_end < 0.0) crossed.push_back(watch);
  };
  for (int j = 0; tables_.rubs && j < tables_.topology.nv; ++j)
    if (motion.rubbing(j) != 0.0)
      add({Watched::kRub, j, rowId(RowSource::kDryFriction, j), rubRate(j, v_start_), rubRate(j, trial.v)});
  if (motion.rows() == 0) return true;
  evaluateAt(trial);
  const int count = static_cast<int>(motion.held.size());
  for (int i = 0; i < count; ++i) {
    const Held& held = motion.held[i];
    if (held.isLoop()) continue;
    if (!trusts_forces && held.canOpen())
      add({Watched::kPush, i, held.id, push(held, forces_start_), push(held, motion.forces())});
    if (!trusts_forces && (held.rubs() || held.how == Hold::kStick))
      add({Watched::kCone, i, held.id, room(held, forces_start_), room(held, motion.forces())});
    if (!trusts_forces && held.how == Hold::kEdge)
      add({Watched::kEdge, i, held.id, room(held, forces_start_), room(held, motion.forces())});
    if (held.isContact() && distanceOutside(held, trial) < 0.0)
      crossed.push_back({Watched::kOutside, i, held.id, kOutside, distanceOutside(held, trial)});
    if (!held.slips() || !(held.mu > 0.0)) continue;  // without friction nothing changes with slip
    const SlipAt before = slipAt(held, q_start_, v_start_), after = slipAt(held, trial.q, trial.v);
    if (!held.polygon && !held.begins && turnsAside(held, before.slip, after.slip)) return false;
    const double least = held.begins ? kRest : 0.0;
    add({Watched::kSlip, i, held.id, std::max(speedOf(held, before), least), speedOf(held, after)});
    if (held.polygon && held.how == Hold::kSlip) {
      const Eigen::Vector2d start = before.along();
      add({Watched::kSector, i, held.id, sectorRoom(held, start, start), sectorRoom(held, after.along(), start)});
    }
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

double PieceTaker::room(const Held& held, const Eigen::VectorXd& forces) const {
  return frictionRoom(held, &forces[held.first]) + slack(held, forces);
}

/// Speed of a joint against which its dry friction acts; one that has only begun to move may stand still.
double PieceTaker::rubRate(int dof, const Eigen::VectorXd& v) const {
  const double begins = std::fabs(v_start_[dof]) > kRest ? 0.0 : kRest;
  return -std::copysign(1.0, motion.rubbing(dof)) * v[dof] + begins;
}

PieceTaker::SlipAt PieceTaker::slipAt(const Held& held, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  rigor::place(tables_.topology, tables_.parameters, tables_.collision, q.data(), pose_);
  computeContact(tables_, held.pair, pose_, contact_);
  return {slipOf(contact_, contact_.point * v), tangentsOf(held, contact_.gap.normal)};
}

/// Of slip the way that its friction is against; what has only begun to slip may stand still.
double PieceTaker::speedOf(const Held& held, const SlipAt& at) const {
  return slipSpeed(held, at.tangents, at.slip) + (held.begins ? kRest : 0.0);
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
    case Watched::kEdge:
      return room(motion.held[watch.index], motion.forces());
    case Watched::kRub:
      return rubRate(watch.index, trial.v);
    case Watched::kOutside:
      return distanceOutside(motion.held[watch.index], trial);
    case Watched::kSlip:
    case Watched::kSector:
      break;
  }
  const Held& held = motion.held[watch.index];
  const SlipAt at = slipAt(held, trial.q, trial.v);
  if (watch.what == Watched::kSlip) return speedOf(held, at);
  return sectorRoom(held, at.along(), slipAt(held, q_start_, v_start_).along());
}

}  // namespace rigor
