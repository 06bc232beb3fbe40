#include "minimal/step_record.h"

#include <algorithm>

#include "minimal/contact_rows.h"
#include "minimal/own_record.h"
#include "minimal/step_result.h"

namespace rigor {
namespace {

/// One row: numbers of the freedoms of the part, 0 elsewhere.
void appendFreedoms(const StepContext& context, const double* values, std::vector<double>& to) {
  const std::size_t row = to.size();
  to.resize(row + context.topology.nv, 0.0);
  context.part.forEachDof([&](int j) { to[row + j] = values[j]; });
}

/// The same of coordinates.
void appendPositions(const StepContext& context, const double* values, std::vector<double>& to) {
  const std::size_t row = to.size();
  to.resize(row + context.topology.nq, 0.0);
  for (const Run& run : context.part.runs)
    std::copy(values + run.trees.first_q, values + run.trees.end_q, to.begin() + row + run.trees.first_q);
}

/// What moved: v̄ is `mean`, and kick(tree) its κ.
template <class KickOf>
Substep& startSubstep(const StepContext& context, const double* mean, const double* v_end, const KickOf& kick,
                      StepRecord& record) {
  appendPositions(context, context.q, record.q);
  appendFreedoms(context, context.v, record.v);
  appendFreedoms(context, mean, record.v_mean);
  appendFreedoms(context, v_end, record.v_end);
  for (int tree = 0; tree < context.topology.trees; ++tree)
    record.kick.push_back(context.part.has[tree] ? kick(tree) : -1.0);
  return record.substeps.emplace_back();
}

/// Contacts and other rows that took part; `held`: in modes that were chosen beforehand, and not read from what came of it.
void recordConstraints(const StepContext& context, const ConstraintSet& set, const Islands& islands, bool held,
                       StepRecord& record) {
  forEachMode(set, islands, [&](const Constraint& c, ContactMode mode) {
    if (const ContactDetail* contact = contactOf(c, set)) {
      record.contacts.push_back(makeContact(context, set, c, *contact, mode));
      if (held) record.contacts.back().mode = mode;
      return;
    }
    RowImpulse& row = record.rows.emplace_back();
    row.id = c.id;
    std::copy_n(&set.impulse[c.first_row], c.rows, row.impulse);
  });
}

}  // namespace

void reserveRecord(const Topology& topology, StepRecord& record) {
  constexpr int kSubsteps = 32, kContacts = 256, kRows = 256, kOwn = 256;
  record.substeps.reserve(kSubsteps);
  record.q.reserve(static_cast<std::size_t>(kSubsteps) * topology.nq);
  record.kick.reserve(static_cast<std::size_t>(kSubsteps) * topology.trees);
  for (auto* array : {&record.v, &record.v_mean, &record.v_end})
    array->reserve(static_cast<std::size_t>(kSubsteps) * topology.nv);
  record.contacts.reserve(kContacts);
  record.rows.reserve(kRows);
  record.own.reserve(kOwn);
  record.wrenches.reserve(16);
}

void startRecord(const StepInput& input, StepRecord& record) {
  record.substeps.clear();
  for (auto* array : {&record.kick, &record.q, &record.v, &record.v_mean, &record.v_end}) array->clear();
  record.contacts.clear();
  record.rows.clear();
  record.own.clear();
  record.input_tau = Eigen::Map<const Eigen::VectorXd>(input.tau.data(), static_cast<Eigen::Index>(input.tau.size()));
  record.wrenches = input.body_wrenches;
}

void recordSubstep(const StepContext& context, const Kinematics<double>& start, const FreeMotion& motion,
                   const ConstraintSet& set, const Islands& islands, const double* v_end, double theta,
                   StepRecord& record) {
  recordOwnTerms(context, start, motion, set, record);
  recordConstraints(context, set, islands, false, record);
  const Topology& topology = context.topology;
  const auto kick = [&](int tree) { return motion.kick[topology.v_index[topology.tree_root[tree]]]; };
  Substep& substep = startSubstep(context, motion.mean_velocity.data(), v_end, kick, record);
  substep.h = motion.h;
  substep.theta = theta;
  substep.contact_end = static_cast<int>(record.contacts.size());
  substep.row_end = static_cast<int>(record.rows.size());
}

void recordSmoothStep(const StepContext& context, const ConstraintSet& set, const Islands& islands,
                      const double* node_velocity, double h, const double* v_end, StepRecord& record) {
  recordConstraints(context, set, islands, true, record);
  Substep& substep = startSubstep(context, node_velocity, v_end, [h](int) { return h; }, record);
  substep.h = h;
  substep.smooth = true;
  substep.contact_end = static_cast<int>(record.contacts.size());
  substep.row_end = static_cast<int>(record.rows.size());
}

}  // namespace rigor
