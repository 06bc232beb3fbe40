#include "minimal/step_record.h"

#include <algorithm>

#include "minimal/contact_rows.h"
#include "minimal/step_result.h"

namespace rigor {
namespace {

void append(const double* values, int count, std::vector<double>& to) { to.insert(to.end(), values, values + count); }

}  // namespace

void reserveRecord(int nq, int nv, StepRecord& record) {
  constexpr int kSubsteps = 32, kContacts = 256, kRows = 256;
  record.substeps.reserve(kSubsteps);
  record.q.reserve(static_cast<std::size_t>(kSubsteps) * nq);
  for (auto* array : {&record.v, &record.v_mean, &record.v_end})
    array->reserve(static_cast<std::size_t>(kSubsteps) * nv);
  record.contacts.reserve(kContacts);
  record.rows.reserve(kRows);
  record.wrenches.reserve(16);
}

void startRecord(const StepInput& input, StepRecord& record) {
  record.substeps.clear();
  for (auto* array : {&record.q, &record.v, &record.v_mean, &record.v_end}) array->clear();
  record.contacts.clear();
  record.rows.clear();
  record.input_tau = Eigen::Map<const Eigen::VectorXd>(input.tau.data(), static_cast<Eigen::Index>(input.tau.size()));
  record.wrenches = input.body_wrenches;
}

void recordSubstep(const StepContext& context, const FreeMotion& motion, const ConstraintSet& set,
                   const Islands& islands, const double* v_end, double theta, StepRecord& record) {
  const int nq = context.topology.nq, nv = context.topology.nv;
  append(context.q, nq, record.q);
  append(context.v, nv, record.v);
  append(motion.mean_velocity.data(), nv, record.v_mean);
  append(v_end, nv, record.v_end);
  for (int i = 0; i < islands.count; ++i)
    for (std::size_t k = 0; k < islands.list[i].constraints.size(); ++k) {
      const Constraint& c = set.slots[islands.list[i].constraints[k]];
      if (const ContactDetail* contact = contactOf(c, set)) {
        record.contacts.push_back(makeContact(context, set, c, *contact, islands.list[i].solution.modes[k]));
        continue;
      }
      RowImpulse& row = record.rows.emplace_back();
      row.id = c.id;
      std::copy_n(&set.impulse[c.first_row], c.rows, row.impulse);
    }
  Substep& substep = record.substeps.emplace_back();
  substep.h = motion.h;
  substep.kick = motion.kick;
  substep.theta = theta;
  substep.contact_end = static_cast<int>(record.contacts.size());
  substep.row_end = static_cast<int>(record.rows.size());
}

void recordSmoothStep(const StepContext& context, const double* node_velocity, double h, const double* v_end,
                      StepRecord& record) {
  const int nq = context.topology.nq, nv = context.topology.nv;
  append(context.q, nq, record.q);
  append(context.v, nv, record.v);
  append(node_velocity, nv, record.v_mean);
  append(v_end, nv, record.v_end);
  Substep& substep = record.substeps.emplace_back();
  substep.h = h;
  substep.kick = h;
  substep.smooth = true;
  substep.contact_end = static_cast<int>(record.contacts.size());
  substep.row_end = static_cast<int>(record.rows.size());
}

}  // namespace rigor
