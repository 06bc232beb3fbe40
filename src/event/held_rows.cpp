#include "event/held_rows.h"

#include <algorithm>
#include <cmath>

#include "collision/solid_search.h"
#include "dynamics/jacobian.h"
#include "event/friction_modes.h"
#include "geometry/convert.h"
#include "minimal/surface_rows.h"
#include "stepping/loop_opening.h"

namespace rigor {
namespace {

/// From O of a link's tree.
Vec3<double> armOf(const Topology& topology, const Kinematics<double>& kin, int link, const Vec3<double>& point) {
  return point - kin.origin[topology.tree[link]];
}

/// [m] A length below which no surface of the two bends: the radii of balls, else the size of the smaller shape.
double bendOf(const StepTables& tables, const FeaturePair& pair, const GapAtPose<double>& gap) {
  if (!isOfSolids(pair.kind)) return gap.radius[0] + gap.radius[1];
  const std::vector<SolidPlace>& solids = tables.collision.solids;
  const SolidPlace &a = solids[pair.shape[0]], &b = solids[pair.shape[1]];
  if (a.plane >= 0) return b.bound;
  return b.plane >= 0 ? a.bound : std::min(a.bound, b.bound);
}

Vec3<double> fromEigen(const Eigen::Vector3d& a) { return {a.x(), a.y(), a.z()}; }

GapAtPose<double> gapAt(const StepTables& tables, const FeaturePair& pair, const PlacedModel& placed) {
  return isOfSolids(pair.kind) ? gapOfSolids(pair, placed.solids) : gapOf(tables.collision, pair, placed.centres);
}

/// What the rows of a contact are along at a pose.
void writeAxes(const Held& held, const Vec3<double>& normal, Vec3<double>* axes) {
  axes[0] = normal;
  if (held.rows == 1) return;
  const Tangents tangents = tangentsOf(held, normal);
  if (held.how == Hold::kEdge) {
    axes[1] = fromEigen(tangents.transpose() * acrossEdge(held));
    return;
  }
  axes[1] = fromEigen(tangents.row(0));
  axes[2] = fromEigen(tangents.row(1));
}

void writeRows(const Topology& topology, const Kinematics<double>& kin, const HeldRows::Side& side,
               const Vec3<double>* axes, const Vec3<double>& arm, double sign, double* entries) {
  const int* dofs = topology.chain.data() + topology.chain_start[side.link];
  for (int r = 0; r < side.rows; ++r) {
    const Force<double> force = forceAt<double>(arm, sign * axes[r], {});
    for (int k = 0; k < topology.chain_length[side.link]; ++k) entries[k * side.rows + r] = dot(kin.S[dofs[k]], force);
  }
}

/// Place of a freedom in the chain of its own link.
int placeInChain(const Topology& topology, int dof) {
  const int link = topology.dof_link[dof];
  return topology.chain_length[link] - topology.dofs[link] + dof - topology.v_index[link];
}

}  // namespace

void computeContact(const StepTables& tables, const FeaturePair& pair, const PlacedModel& placed,
                    ContactAtPose& contact) {
  const Topology& topology = tables.topology;
  contact.gap = gapAt(tables, pair, placed);
  contact.belt = toEigen(beltBetween(tables.collision, placed.kin, pair, contact.gap.normal));
  contact.point.setZero(3, topology.nv);
  contact.chain.resize(3 * static_cast<std::size_t>(topology.nv));
  for (int end = 0; end < 2; ++end) {
    const int link = pair.link[end];
    if (link < 0) continue;
    const Vec3<double> arm = armOf(topology, placed.kin, link, contact.gap.point);
    const Force<double> axes[3] = {forceAt<double>(arm, {1, 0, 0}, {}), forceAt<double>(arm, {0, 1, 0}, {}),
                                   forceAt<double>(arm, {0, 0, 1}, {})};
    jacobianRows<3>(topology, placed.kin.S.data(), link, axes, contact.chain.data());
    const int* dofs = topology.chain.data() + topology.chain_start[link];
    for (int k = 0; k < topology.chain_length[link]; ++k)
      for (int r = 0; r < 3; ++r) contact.point(r, dofs[k]) += (end == 1 ? 1.0 : -1.0) * contact.chain[3 * k + r];
  }
}

void HeldRows::arrange(const std::vector<Held>& held, int rows) {
  const Topology& topology = tables_.topology;
  openings.setZero(rows);
  belts.setZero(rows);
  V_.resize(topology.links);
  sides_.clear(), slips_.clear();
  first_side_.assign(1, 0);
  int entries = 0;
  const auto add = [&](const Held& one, int link, int end) {
    if (link < 0) return;
    sides_.push_back({link, one.first, one.rows, end, entries});
    entries += one.rows * topology.chain_length[link];
  };
  for (const Held& one : held) {
    if (one.isContact()) {
      add(one, one.pair.link[0], 0), add(one, one.pair.link[1], 1);
    } else if (!one.isLoop()) {
      add(one, topology.dof_link[one.index], 0);
    } else if (const LoopPart& part = tables_.loops[one.index]; part.rows == LoopRows::kCoupling) {
      add(one, topology.dof_link[part.dof_1], 0), add(one, topology.dof_link[part.dof_2], 1);
    } else {
      add(one, part.link_1, 0), add(one, part.link_2, 1);
    }
    slips_.push_back(one.isContact() && one.slips());
    first_side_.push_back(static_cast<int>(sides_.size()));
  }
  J_.assign(entries, 0.0), F_.assign(entries, 0.0);
}

void HeldRows::compute(const std::vector<Held>& held, const PlacedModel& placed, const double* q, const double* v) {
  const Topology& topology = tables_.topology;
  if (v) turning = 0.0, computeVelocities<double>(topology, placed.kin, v, V_);
  for (int i = 0; i < count(); ++i) {
    const Held& one = held[i];
    if (one.isContact()) {
      addContact(i, one, placed, v != nullptr);
    } else if (one.isLoop()) {
      addLoop(i, one, placed, q);
    } else {
      J_[sidesOf(i)[0].first + placeInChain(topology, one.index)] = one.isStop() ? one.sign : 1.0;
      const int link = topology.dof_link[one.index];
      if (one.isStop()) openings[one.first] = one.sign * (q[topology.q_index[link]] - one.target);
    }
  }
}

bool HeldRows::allFinite() const {
  return openings.allFinite() && std::all_of(J_.begin(), J_.end(), [](double x) { return std::isfinite(x); });
}

HeldRows::PointMotion HeldRows::movePoint(const FeaturePair& pair, const PlacedModel& placed) const {
  PointMotion out{gapAt(tables_, pair, placed), {}, {}};
  out.belt = beltBetween(tables_.collision, placed.kin, pair, out.gap.normal);
  for (int end = 0; end < 2; ++end) {
    const int link = pair.link[end];
    if (link < 0) continue;
    const Vec3<double> arm = armOf(tables_.topology, placed.kin, link, out.gap.point);
    const Vec3<double> velocity = V_[link].linear + cross(V_[link].angular, arm);
    out.velocity = end == 1 ? out.velocity + velocity : out.velocity - velocity;
  }
  return out;
}

void HeldRows::addContact(int index, const Held& held, const PlacedModel& placed, bool with_forces) {
  const Topology& topology = tables_.topology;
  const PointMotion moving = movePoint(held.pair, placed);
  const Vec3<double>& n = moving.gap.normal;
  openings[held.first] = moving.gap.gap - held.target;
  Vec3<double> axes[3];
  writeAxes(held, n, axes);
  for (int r = 1; r < held.rows; ++r) belts[held.first + r] = dot(axes[r], moving.belt);
  Vec3<double> push = n;
  if (with_forces) {
    const double bend = bendOf(tables_, held.pair, moving.gap);
    if (bend > 0.0) turning = std::max(turning, norm(moving.velocity) / bend);
    const Vec3<double> slip = moving.velocity - dot(n, moving.velocity) * n + moving.belt;
    if (held.slips()) push = n + fromEigen(slidingFriction(held, tangentsOf(held, n), toEigen(slip)));
  }
  for (const Side& side : sidesOf(index)) {
    const double sign = side.end == 1 ? 1.0 : -1.0;
    const Vec3<double> arm = armOf(topology, placed.kin, side.link, moving.gap.point);
    writeRows(topology, placed.kin, side, axes, arm, sign, entries(J_, side));
    axes[0] = push;
    if (with_forces && held.slips()) writeRows(topology, placed.kin, side, axes, arm, sign, entries(F_, side));
    axes[0] = n;
  }
}

void HeldRows::addLoop(int index, const Held& held, const PlacedModel& placed, const double* q) {
  const Topology& topology = tables_.topology;
  const LoopPart& part = tables_.loops[held.index];
  const LoopOpening opening = computeOpening(part, topology, placed.kin, q);
  for (int r = 0; r < held.rows; ++r) openings[held.first + r] = opening.g[r];
  const std::span<const Side> sides = sidesOf(index);
  if (part.rows == LoopRows::kCoupling) {
    J_[sides[0].first + placeInChain(topology, part.dof_1)] = 1.0;
    J_[sides[1].first + placeInChain(topology, part.dof_2)] = opening.slope_2;
    return;
  }
  for (const Side& side : sides) {
    const Force<double>* forces = opening.F[1 - side.end];
    double* rows = entries(J_, side);
    for (int k = 0; k < topology.chain_length[side.link]; ++k) {
      const Motion<double>& S = placed.kin.S[topology.chain[topology.chain_start[side.link] + k]];
      for (int r = 0; r < held.rows; ++r) rows[k * held.rows + r] = dot(S, forces[r]);
    }
  }
}

void HeldRows::multiply(const Eigen::VectorXd& x, Eigen::VectorXd& rates) const {
  const Topology& topology = tables_.topology;
  rates.setZero(openings.size());
  for (const Side& side : sides_) {
    const int* dofs = topology.chain.data() + topology.chain_start[side.link];
    const double* row = J_.data() + side.first;
    for (int k = 0; k < topology.chain_length[side.link]; ++k)
      for (int r = 0; r < side.rows; ++r) rates[side.row + r] += row[k * side.rows + r] * x[dofs[k]];
  }
}

void HeldRows::addRates(const std::vector<Held>& held, const PlacedModel& placed, const double* q, const double* v,
                        double weight, Eigen::VectorXd& rates) {
  computeVelocities<double>(tables_.topology, placed.kin, v, V_);
  for (const Held& one : held) {
    if (one.isContact()) {
      const PointMotion moving = movePoint(one.pair, placed);
      Vec3<double> axes[3];
      writeAxes(one, moving.gap.normal, axes);
      for (int r = 0; r < one.rows; ++r) rates[one.first + r] += weight * dot(axes[r], moving.velocity + moving.belt);
    } else if (!one.isLoop()) {
      rates[one.first] += weight * (one.isStop() ? one.sign : 1.0) * v[one.index];
    } else {
      const LoopPart& part = tables_.loops[one.index];
      const LoopOpening opening = computeOpening(part, tables_.topology, placed.kin, q);
      if (part.rows == LoopRows::kCoupling) {
        rates[one.first] += weight * (v[part.dof_1] + opening.slope_2 * v[part.dof_2]);
        continue;
      }
      for (int r = 0; r < one.rows; ++r) {
        if (part.link_2 >= 0) rates[one.first + r] += weight * dot(V_[part.link_2], opening.F[0][r]);
        if (part.link_1 >= 0) rates[one.first + r] += weight * dot(V_[part.link_1], opening.F[1][r]);
      }
    }
  }
}

}  // namespace rigor
