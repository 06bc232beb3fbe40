// The arrays of a recording by name: one list for writing, reading and checking.
#pragma once

#include "rigor/recording.h"

namespace rigor {

/// How many of each thing there are; the first dimension of an array is one of them.
struct RecordingCounts {
  std::size_t nodes = 0, steps = 0, step_ends = 0, wrenches = 0, substeps = 0, substep_ends = 0, contacts = 0, rows = 0,
              own = 0;
};
using CountOf = std::size_t RecordingCounts::*;
inline constexpr int kFlat = -1;  ///< width of a one-dimensional array

/// By the arrays that name things; all others must have these lengths. A run without a step may lack its end node.
inline RecordingCounts countArrays(const Recording& r) {
  RecordingCounts counts;
  counts.steps = r.passes.size();
  counts.step_ends = counts.steps + 1;
  counts.nodes = r.version == 1 || (counts.steps == 0 && r.time.empty()) ? counts.steps : counts.steps + 1;
  counts.wrenches = r.wrench_body.size() / 2;
  counts.substeps = r.substep_h.size();
  counts.substep_ends = (r.version == 1 ? counts.steps : counts.substeps) + 1;
  counts.contacts = r.contact_id.size();
  counts.rows = r.row_id.size();
  counts.own = r.own_place.size() / 3;
  return counts;
}

/// Calls visit(name, array, count, width) for every array of the recording's version. Ids are one entry each, two columns
/// of a file.
template <class R, class Visit>
void visitArrays(R& r, const Visit& visit) {
  using C = RecordingCounts;
  visit("time", r.time, &C::nodes, kFlat);
  visit("q", r.q, &C::nodes, r.nq);
  visit("v", r.v, &C::nodes, r.nv);
  visit("energy", r.energy, &C::nodes, 2);
  visit("momentum", r.momentum, &C::nodes, 6);
  visit("tau", r.tau, &C::steps, r.nv);
  visit("residual", r.residual, &C::steps, 3);
  visit("penetration", r.penetration, &C::steps, kFlat);
  visit("iterations", r.iterations, &C::steps, kFlat);
  visit("passes", r.passes, &C::steps, kFlat);
  visit("contact_start", r.contact_start, &C::substep_ends, kFlat);
  visit("contact_id", r.contact_id, &C::contacts, kFlat);
  visit("contact_body", r.contact_body, &C::contacts, 2);
  visit("contact_point", r.contact_point, &C::contacts, 3);
  visit("contact_normal", r.contact_normal, &C::contacts, 3);
  visit("contact_gap", r.contact_gap, &C::contacts, kFlat);
  visit("contact_impulse", r.contact_impulse, &C::contacts, 3);
  visit("contact_mode", r.contact_mode, &C::contacts, kFlat);
  if (r.version == 1) return;
  visit("input_tau", r.input_tau, &C::steps, r.nv);
  visit("ctrl", r.ctrl, &C::steps, r.nu);
  visit("fresh", r.fresh, &C::steps, kFlat);
  visit("wrench_start", r.wrench_start, &C::step_ends, kFlat);
  visit("wrench_body", r.wrench_body, &C::wrenches, 2);
  visit("wrench", r.wrench, &C::wrenches, 6);
  visit("substep_start", r.substep_start, &C::step_ends, kFlat);
  visit("substep_h", r.substep_h, &C::substeps, kFlat);
  visit("substep_kick", r.substep_kick, &C::substeps, r.version < 4 ? kFlat : r.kick_columns);
  visit("substep_theta", r.substep_theta, &C::substeps, kFlat);
  visit("substep_smooth", r.substep_smooth, &C::substeps, kFlat);
  visit("substep_q", r.substep_q, &C::substeps, r.nq);
  visit("substep_v", r.substep_v, &C::substeps, r.nv);
  visit("substep_v_mean", r.substep_v_mean, &C::substeps, r.nv);
  visit("substep_v_end", r.substep_v_end, &C::substeps, r.nv);
  visit("contact_gap_end", r.contact_gap_end, &C::contacts, kFlat);
  visit("contact_torque", r.contact_torque, &C::contacts, r.torque_columns);
  visit("row_start", r.row_start, &C::substep_ends, kFlat);
  visit("row_id", r.row_id, &C::rows, kFlat);
  visit("row_impulse", r.row_impulse, &C::rows, 3);
  visit("own_place", r.own_place, &C::own, 3);
  visit("own_impulse", r.own_impulse, &C::own, 6);
}

}  // namespace rigor
