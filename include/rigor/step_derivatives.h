// Derivatives of a step through hard contact, exact: no smoothing, no finite differences (docs/step-derivatives.md).
//
//     Simulator sim(scene);
//     StepDerivatives derivatives(sim, {findStepParameter(scene.model, "friction"), findStepParameter(scene.model, "mass:block")});
//     derivatives.step(sim);                         // a step of the simulator, linearised as it is taken
//     StepGradient by_end = …;                       // of a cost, by q′ and v′
//     StepGradient by_start = derivatives.pullBack(by_end);
//
// A step maps the state it begins at, and the forces that act, to the state it ends at. Its contacts stick, slip or are open; in that
// mode the map is smooth, and its derivative is that of the equations of the step by the implicit function theorem. Where a mode is
// about to change the map has a kink, and what is told is the derivative of one side of it: SwitchMargin tells how far it is.
//
// q is changed in its tangent space: δq means q ⊕ δq (rigor/algorithms.h). v is the velocity that State carries, in the middle of a
// step; of a state that was set, that of the node. All else that a snapshot remembers is held, unless it is asked for.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "rigor/report.h"
#include "rigor/row_id.h"
#include "rigor/scene.h"

namespace rigor {

class Simulator;

/// A number of the scene that steps can be differentiated by.
struct StepParameter {
  enum class Kind : std::uint8_t {
    kFriction,     ///< the coefficient that acted: of sliding, or where a surface has one, of rest
    kRestitution,  ///< of Newton's law
    kMass,         ///< [kg] of a body; its centre and its moments about it stay
    kCentre,       ///< [m] x, y or z of a body's centre of mass in its frame
    kInertia,      ///< [kg m²] xx, yy, zz, xy, xz or yz about the centre, in the axes of the body's frame
  };
  static constexpr int kAnyBody = -2;

  Kind kind = Kind::kFriction;
  int axis = 0;                                ///< of a centre 0–2, of moments 0–5 in the order above
  int body = kAnyBody, other_body = kAnyBody;  ///< surfaces: of all contacts of the one, with the other
  std::string name;                            ///< as findStepParameter takes it
};

/// By name: `friction`, `friction:BODY`, `friction:BODY,BODY`, `restitution…` the same, `mass:BODY`, `centre.x:BODY`, `inertia.xy:BODY`;
/// `world` is a body too where surfaces meet. Throws Error for what does not exist.
StepParameter findStepParameter(const Model& model, const std::string& name);

/// How far the step was from another mode: the smallest, over contacts, limits, dry friction and motors, of the velocity by which the one
/// side of the law holds strictly. Near 0 the derivative is one-sided.
struct SwitchMargin {
  double velocity;  ///< [m/s or rad/s]; infinite: there was nothing to switch
  RowId id;         ///< whose
  SwitchMargin();
};

/// Changes of a state, or gradients by it.
struct StateTangent {
  Eigen::VectorXd q, v;  ///< [nv]
};
/// Of what a snapshot remembers besides: with it, steps are chained exactly.
struct MemoryTangent {
  Eigen::VectorXd last_step;  ///< [nv] of Memory::last_step of the freedom's tree [s]
  Eigen::VectorXd rates[3];   ///< [nv] of Memory::rates
};
struct StepTangent {
  StateTangent state;
  MemoryTangent memory;
  Eigen::VectorXd tau, ctrl, parameters;  ///< of a start alone
};

/// ∂(q′, v′)/∂…, dense.
struct StepJacobians {
  Eigen::MatrixXd dq_dq, dq_dv, dq_dtau;           ///< [nv × nv]
  Eigen::MatrixXd dv_dq, dv_dv, dv_dtau;           ///< [nv × nv]
  Eigen::MatrixXd dq_dctrl, dv_dctrl;              ///< [nv × drives]
  Eigen::MatrixXd dq_dparameters, dv_dparameters;  ///< [nv × parameters]
};

class StepDerivatives {
 public:
  explicit StepDerivatives(const Simulator& simulator, std::vector<StepParameter> parameters = {});
  ~StepDerivatives();
  StepDerivatives(StepDerivatives&&) noexcept;

  /// One step of a simulator of the same scene, as Simulator::step takes it, and linearised.
  const StepReport& step(Simulator& simulator);

  /// False if the step was refused, or used what has no derivatives: then all below throw Error.
  bool known() const;
  std::string reason() const;  ///< why not, in words; empty: known
  int substeps() const;        ///< that the step took
  /// True if a sub-step took the mean velocity ½(v + v′) by iteration, so that what the memory holds plays no part in it. Its
  /// derivative is that of the equation; the iteration itself stops within 1e-7 of it.
  bool iteratesMean() const;
  SwitchMargin margin() const;
  std::string describeMargin() const;  ///< in words, with the names of whom it is about

  /// Zeros of the right sizes, for a start (with forces and parameters) or an end.
  StepTangent zeroStart() const;
  StepTangent zeroEnd() const;
  /// Changes of the end by changes of the start.
  void pushForward(const StepTangent& start, StepTangent& end);
  /// Gradients by the start from gradients by the end: the transpose.
  void pullBack(const StepTangent& end, StepTangent& start);
  /// All of them; what a snapshot remembers is held.
  const StepJacobians& jacobians();

  const std::vector<StepParameter>& parameters() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace rigor
