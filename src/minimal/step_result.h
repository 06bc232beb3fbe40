// What an accepted step leaves behind: the memory for the next one, and the report.
#pragma once

#include "minimal/assemble.h"
#include "minimal/constraints.h"
#include "rigor/report.h"

namespace rigor {

/// A report in which nothing happened yet; arrays keep their memory.
void beginReport(double time, double h, StepReport& report);

/// What parts of a refused step did has not happened: only the effort and the residual at which it ended remain.
void refuseReport(double law, StepReport& report);

/// What no step changes, and room for the rest; the blocks are written anew.
void carryOver(const Memory& before, Memory& after);
void sortById(std::vector<BlockMemory>& blocks);

/// True if a constraint that was open when the step began received an impulse.
bool hasImpact(const ConstraintSet& set);

/// Impulses and sets by id, the last increments of v (none after an impact), the length of the step.
void remember(const Part& part, const Memory& before, const FreeMotion& motion, const ConstraintSet& set,
              const Islands& islands, const double* change, Memory& after);

/// Memory after a step of length 0: the velocity is that of the node, sets by id, no impulse, nothing to extrapolate.
void rememberImpact(const Part& part, const Memory& before, const ConstraintSet& set, const Islands& islands,
                    Memory& after);

/// Node velocity at the start of the step: v′ less the part of the increment that belongs to the half after the node, so
/// always between the carried velocities before and after. Of an impact it is the velocity before it.
void computeNodeVelocity(const StepContext& context, const FreeMotion& motion, const double* v_end,
                         Eigen::VectorXd& node);

/// Actuator torques of the step: given, PD inside its limits, PD at its limits.
void computeActuatorTorques(const StepContext& context, const FreeMotion& motion, const ConstraintSet& set,
                            const double* v_end, Eigen::VectorXd& tau);

/// The same of a smooth step, at the node where it began.
void computeTorquesAtNode(const StepContext& context, const Eigen::VectorXd& node_velocity, Eigen::VectorXd& tau);

/// One contact of the step. `solved` is the set in which the solver found it: on the border of
/// two sets the contact tells which one it is.
Contact makeContact(const StepContext& context, const ConstraintSet& set, const Constraint& c,
                    const ContactDetail& detail, ContactMode solved);

/// Where contacts are in a report, by their ids; made when a second sub-step asks.
struct ReportedContacts {
  SlotMap place;
  std::size_t known = 0;  ///< the first of them are in `place`
};

/// Adds the step's contacts to those of earlier sub-steps: impulses add up, the gap at the end is the last one.
void addContacts(const StepContext& context, const ConstraintSet& set, const Islands& islands, double h,
                 ReportedContacts& reported, StepReport& report);

}  // namespace rigor
