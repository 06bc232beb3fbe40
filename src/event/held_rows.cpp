#include "event/held_rows.h"

#include <algorithm>

#include "collision/solid_search.h"
#include "dynamics/jacobian.h"
#include "event/friction_modes.h"
#include "geometry/convert.h"
#include "minimal/surface_rows.h"

namespace rigor {
namespace {

/// row += sign · (rows of a force on a link), spread over all freedoms.
void addChainRow(const Topology& topology, const Kinematics<double>& kin, int link, const Force<double>& F, double sign,
                 std::vector<double>& chain, double* row) {
  chain.resize(topology.nv);
  jacobianRow(topology, kin.S.data(), link, F, chain.data());
  const int* dofs = topology.chain.data() + topology.chain_start[link];
  for (int k = 0; k < topology.chain_length[link]; ++k) row[dofs[k]] += sign * chain[k];
}

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

GapAtPose<double> gapAt(const StepTables& tables, const FeaturePair& pair, const PlacedModel& placed) {
  return isOfSolids(pair.kind) ? gapOfSolids(pair, placed.solids) : gapOf(tables.collision, pair, placed.centres);
}

}  // namespace

void computeContact(const StepTables& tables, const FeaturePair& pair, const PlacedModel& placed,
                    ContactAtPose& contact) {
  const Topology& topology = tables.topology;
  contact.gap = gapAt(tables, pair, placed);
  contact.belt = toEigen(beltBetween(tables.collision, placed.kin, pair, contact.gap.normal));
  contact.point.setZero(3, topology.nv);
  std::vector<double> chain;
  const Vec3<double> axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int end = 0; end < 2; ++end) {
    const int link = pair.link[end];
    if (link < 0) continue;
    const Vec3<double> arm = armOf(topology, placed.kin, link, contact.gap.point);
    for (int k = 0; k < 3; ++k)
      addChainRow(topology, placed.kin, link, forceAt(arm, axes[k], {}), end == 1 ? 1.0 : -1.0, chain,
                  contact.point.row(k).data());
  }
}

void HeldRows::compute(const std::vector<Held>& held, int rows, const PlacedModel& placed, const double* q,
                       const double* v) {
  const int nv = tables_.topology.nv;
  J.setZero(rows, nv);
  openings.setZero(rows);
  belts.setZero(rows);
  if (v) F.resize(rows, nv), turning = 0.0;
  for (const Held& one : held) {
    if (one.isContact()) {
      addContact(one, placed, v);
    } else if (one.isLoop()) {
      addLoop(one, placed, q);
      if (v) F.middleRows(one.first, one.rows) = J.middleRows(one.first, one.rows);
    } else {
      J(one.first, one.index) = one.isStop() ? one.sign : 1.0;
      const int link = tables_.topology.dof_link[one.index];
      if (one.isStop()) openings[one.first] = one.sign * (q[tables_.topology.q_index[link]] - one.target);
      if (v) F.row(one.first) = J.row(one.first);
    }
  }
}

void HeldRows::addContact(const Held& held, const PlacedModel& placed, const double* v) {
  computeContact(tables_, held.pair, placed, contact_);
  const Eigen::Vector3d n = toEigen(contact_.gap.normal);
  const int row = held.first;
  openings[row] = contact_.gap.gap - held.target;
  if (v) {
    const Eigen::Map<const Eigen::VectorXd> velocity(v, tables_.topology.nv);
    const double bend = bendOf(tables_, held.pair, contact_.gap);
    if (bend > 0.0) turning = std::max(turning, (contact_.point * velocity).norm() / bend);
  }
  J.row(row).noalias() = n.transpose() * contact_.point;
  const Tangents tangents = tangentsOf(held, contact_.gap.normal);
  if (held.how == Hold::kStick) addTangents(tangents, row + 1);
  if (held.how == Hold::kEdge) addTangents(acrossEdge(held).transpose() * tangents, row + 1);
  if (!v) return;
  F.middleRows(row, held.rows) = J.middleRows(row, held.rows);
  if (!held.slips()) return;
  const Eigen::Map<const Eigen::VectorXd> velocity(v, tables_.topology.nv);
  const Eigen::Vector3d slip = slipOf(contact_, contact_.point * velocity);
  F.row(row).noalias() = (n + slidingFriction(held, tangents, slip)).transpose() * contact_.point;
}

/// Rows along directions [n × 3] of the contact that was computed last.
void HeldRows::addTangents(const Eigen::Ref<const RowMatrix>& directions, int row) {
  J.middleRows(row, directions.rows()).noalias() = directions * contact_.point;
  belts.segment(row, directions.rows()).noalias() = directions * contact_.belt;
}

void HeldRows::addLoop(const Held& held, const PlacedModel& placed, const double* q) {
  const Topology& topology = tables_.topology;
  const LoopPart& part = tables_.loops[held.index];
  const LoopOpening opening = computeOpening(part, topology, placed.kin, q);
  for (int r = 0; r < held.rows; ++r) openings[held.first + r] = opening.g[r];
  if (part.rows == LoopRows::kCoupling) {
    J(held.first, part.dof_1) += 1.0;
    J(held.first, part.dof_2) += opening.slope_2;
    return;
  }
  for (int r = 0; r < held.rows; ++r) {
    double* row = J.row(held.first + r).data();
    if (part.link_2 >= 0) addChainRow(topology, placed.kin, part.link_2, opening.F[0][r], 1.0, chain_, row);
    if (part.link_1 >= 0) addChainRow(topology, placed.kin, part.link_1, opening.F[1][r], 1.0, chain_, row);
  }
}

}  // namespace rigor
