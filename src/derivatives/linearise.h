// From an accepted sub-step, while its last pass is still in the work, to its linearised system.
#pragma once

#include <vector>

#include "algorithms/rnea_derivatives.h"
#include "derivatives/generalized_inverse.h"
#include "derivatives/pair_terms.h"
#include "derivatives/substep_system.h"
#include "minimal/step_work.h"
#include "rigor/step_derivatives.h"

namespace rigor {

/// A constraint whose rows bind, or some of them.
struct BoundRows {
  int slot = 0;
  int first = 0, rows = 0;  ///< in the system
  bool slips = false, at_bound = false;
  double mu = 0.0;
  double bounce = 0.0;  ///< e of an impact that bounces, else 0
  double scale = 1.0;   ///< w [1/kg]
};

/// Linearises sub-steps of one model; one per thread. Its memory is kept.
class Lineariser {
 public:
  Lineariser(const StepTables& tables, const std::vector<StepParameter>& parameters);

  /// Returns null, or what the sub-step used that has no derivatives.
  const char* linearise(const StepContext& context, const StepWork& work, SubstepSystem& system, SwitchMargin& margin);

 private:
  const char* findBoundRows(const StepContext& context, const StepWork& work, SwitchMargin& margin);

  // the balance of momentum (momentum_terms.cpp)
  void differentiateMomentum(const StepContext& context, const StepWork& work, SubstepSystem& system);
  void collectForces(const StepContext& context, const StepWork& work);
  void addTurningWrenches(const StepContext& context, const StepWork& work);
  void addForceChanges(const StepContext& context, const StepWork& work, SubstepSystem& system);
  void addActuators(const StepContext& context, const StepWork& work, SubstepSystem& system);
  void addInertialParameters(const StepContext& context, const StepWork& work, SubstepSystem& system);
  void rememberMean(const StepContext& context, const StepWork& work, SubstepSystem& system) const;

  // the rows that bind (row_terms.cpp)
  void respond(const StepContext& context, const StepWork& work, SubstepSystem& system);
  void differentiateRows(const StepContext& context, const StepWork& work, SubstepSystem& system);
  void differentiateWay(const StepContext& context, const StepWork& work, const Constraint& c);
  void addTurn(const StepContext& context, const StepWork& work, const Constraint& c, const ContactDetail& contact);
  void storeWay(const StepWork& work, const BoundRows& bound, SubstepSystem& system);
  void differentiateRates(const StepContext& context, const StepWork& work, const BoundRows& bound,
                          SubstepSystem& system);
  void bind(const StepContext& context, const StepWork& work, const BoundRows& bound, SubstepSystem& system);
  void bindSlip(const StepWork& work, const BoundRows& bound, SubstepSystem& system);
  void bindBox(const StepContext& context, const StepWork& work, const BoundRows& bound, SubstepSystem& system);
  void addSurfaceParameters(const StepContext& context, const StepWork& work, const BoundRows& bound,
                            SubstepSystem& system);
  bool findLanding(const StepContext& context, const StepWork& work, SubstepSystem& system);

  const std::vector<StepParameter>& parameters_;
  Parameters<double> weightless_;  ///< of impacts: nothing pulls
  GeneralizedInverse inverter_;
  StepScratch scratch_;
  RneaScratch<double> rnea_;
  RneaDerivativeScratch<double> rnea_derivatives_;
  std::vector<Force<double>> external_;
  std::vector<Motion<double>> V_;  ///< [links] scratch
  Eigen::VectorXd v_end_, acceleration_, mean_, torque_;
  std::vector<BoundRows> bound_;
  std::vector<PairWrench> wrenches_;  ///< [bound_] of contacts and loops
  PairWrench unit_;
  PairWay way_;
  Eigen::MatrixXd force_rows_, free_rows_;  ///< J and B of the rows that bind
  Eigen::MatrixXd end_rows_, start_rows_,
      turn_rows_;  ///< ways of one constraint [3 × nv]: by δq′, by δq, by δv′ of round links
};

/// True if a coefficient of surfaces is that of these two bodies.
inline bool meets(const StepParameter& parameter, int body_1, int body_2) {
  const auto is = [](int asked, int body) { return asked == StepParameter::kAnyBody || asked == body; };
  return (is(parameter.body, body_1) && is(parameter.other_body, body_2)) ||
         (is(parameter.body, body_2) && is(parameter.other_body, body_1));
}

/// Where the freedoms above a link lead: rows(row, j) += scale · S_j · F on its chain.
void addOnChain(const Topology& topology, const Motion<double>* S, int link, const Force<double>& F, double scale,
                Eigen::MatrixXd& rows, int row);

inline Force<double> forceOf(const Eigen::Matrix<double, 1, 6>& row) {
  return {{row[0], row[1], row[2]}, {row[3], row[4], row[5]}};
}

}  // namespace rigor
