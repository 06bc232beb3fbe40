#include "dynamics/integrators.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

#include "dynamics/integrate.h"
#include "rigor/error.h"

namespace rigor {
namespace {

constexpr double kRounding = 16.0 * std::numeric_limits<double>::epsilon();  // relative; iterations stop here …
constexpr double kConverged = 1e-12;  // … or where they stall below this. Worse than that is refused.
constexpr int kMaxFixedPoint = 200;   // iterations; a contraction by 0.87 reaches rounding
constexpr int kMaxNewton = 30;
constexpr double kChord = 0.1;   // Newton keeps its matrix while a step shrinks the residual to this
constexpr double kProbe = 1e-7;  // relative step of the difference quotients: they decide speed, not accuracy

/// Explicit Runge–Kutta methods: stage i starts from the slopes of those before it.
constexpr int kMostStages = 7;
struct Tableau {
  int stages;
  double stage[kMostStages][kMostStages - 1];  // weights of earlier slopes, times h
  double weight[kMostStages];
  double missed[kMostStages];  // the answer less that of the embedded method, times h; all zero without one
};
constexpr Tableau kEulerTableau{1, {}, {1}, {}};
constexpr Tableau kHeunTableau{2, {{}, {1}}, {0.5, 0.5}, {}};
constexpr Tableau kRk4Tableau{4, {{}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}, {}};
/// Dormand and Prince 1980: order 5 with an embedded method of order 4; the last stage is the answer.
constexpr Tableau kDormandPrinceTableau{
    7,
    {{},
     {1.0 / 5},
     {3.0 / 40, 9.0 / 40},
     {44.0 / 45, -56.0 / 15, 32.0 / 9},
     {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
     {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
     {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0},
    {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40}};

const Tableau& tableauOf(Integrator integrator) {
  switch (integrator) {
    case Integrator::kRk4:
      return kRk4Tableau;
    case Integrator::kDormandPrince:
      return kDormandPrinceTableau;
    case Integrator::kHeun:
      return kHeunTableau;
    default:
      return kEulerTableau;
  }
}

/// sum ← sum + h Σ weight_i slope_i.
void add(int count, double h, const double* weight, const Eigen::VectorXd* slopes, Eigen::VectorXd& sum) {
  for (int i = 0; i < count; ++i)
    if (weight[i] != 0.0) sum += weight[i] * h * slopes[i];
}

/// Rate of the tangent vector θ that leads from q to the stage q ⊕ θ, where the velocity is v. It is v itself but for
/// quaternions: R·exp(θ) turns with ω = Jr(θ)·θ̇, so θ̇ = Jr(θ)⁻¹ω. Without this, order 4 falls to 2.
void tangentRate(const Topology& topology, const double* theta, const double* v, double* rate) {
  std::copy_n(v, topology.nv, rate);
  for (int link = 0; link < topology.links; ++link) {
    if (topology.joint[link].rotation != Rotation::kAll) continue;
    const int j = topology.v_index[link] + topology.dofs[link] - 3;
    const Vec3<double> turn{theta[j], theta[j + 1], theta[j + 2]};
    const Vec3<double> omega{v[j], v[j + 1], v[j + 2]};
    const Vec3<double> r = leftJacobianInverseTransposeTimes(turn, expCoefficients(dot(turn, turn)), omega);
    rate[j] = r.x, rate[j + 1] = r.y, rate[j + 2] = r.z;
  }
}

}  // namespace

const std::vector<IntegratorInfo>& listIntegrators() {
  static const std::vector<IntegratorInfo> integrators = {
      {Integrator::kLeapfrog, "leapfrog", 2, "velocity between nodes, velocity terms at the mean of the kick"},
      {Integrator::kLeapfrogCarried, "leapfrog_carried", 1, "leapfrog with velocity terms at the carried velocity"},
      {Integrator::kExplicitEuler, "explicit_euler", 1, "all terms at the start of the step"},
      {Integrator::kSemiImplicitEuler, "semi_implicit_euler", 1, "new velocity first, then positions with it"},
      {Integrator::kHeun, "heun", 2, "explicit trapezoid"},
      {Integrator::kRk4, "rk4", 4, "classical Runge-Kutta on the manifold"},
      {Integrator::kImplicitEulerFixedPoint, "implicit_euler_fixed_point", 1, "end of the step, by fixed point"},
      {Integrator::kImplicitEulerNewton, "implicit_euler_newton", 1, "end of the step, by Newton's method"},
      {Integrator::kImplicitMidpoint, "implicit_midpoint", 2, "middle of the step, by Newton's method"},
      {Integrator::kDormandPrince, "dormand_prince", 5,
       "Runge-Kutta of order 5 on the manifold, which tells its error"},
  };
  return integrators;
}

Integrator findIntegrator(std::string_view name) {
  for (const IntegratorInfo& info : listIntegrators())
    if (info.name == name) return info.integrator;
  std::string known;
  for (const IntegratorInfo& info : listIntegrators()) known += (known.empty() ? "" : ", ") + std::string(info.name);
  throw Error("unknown integrator \"" + std::string(name) + "\"", "Known: " + known + ".");
}

NodeIntegrator::NodeIntegrator(const Topology& topology, Integrator integrator)
    : topology_(topology), integrator_(integrator) {
  q_stage_.setZero(topology.nq);
  for (Eigen::VectorXd* array :
       {&v_stage_, &acceleration_, &turn_, &unknown_, &residual_, &shifted_, &missed_q_, &missed_v_})
    array->setZero(topology.nv);
  static_assert(std::extent_v<decltype(slopes_q_)> == kMostStages);
  for (int i = 0; i < tableauOf(integrator).stages; ++i) {
    slopes_q_[i].setZero(topology.nv);
    slopes_v_[i].setZero(topology.nv);
  }
  if (integrator != Integrator::kImplicitEulerNewton && integrator != Integrator::kImplicitMidpoint) return;
  jacobian_.setZero(topology.nv, topology.nv);
  factors_ = Eigen::PartialPivLU<Eigen::MatrixXd>(topology.nv);
}

NodeStepResult NodeIntegrator::step(AccelerationField& field, const double* q, const double* v, double h, double* q_end,
                                    double* v_end) {
  const Eigen::Map<const Eigen::VectorXd> v_start(v, topology_.nv);
  Eigen::Map<Eigen::VectorXd> v_next(v_end, topology_.nv);
  NodeStepResult result;
  switch (integrator_) {
    case Integrator::kSemiImplicitEuler:
      return semiImplicit(field, q, v, h, q_end, v_end);
    case Integrator::kImplicitEulerFixedPoint:
    case Integrator::kImplicitEulerNewton:
      result = integrator_ == Integrator::kImplicitEulerNewton ? backwardByNewton(field, q, v, h)
                                                               : backwardByFixedPoint(field, q, v, h);
      v_next = unknown_;
      integrate(topology_, q, v_end, h, q_end);
      return result;
    case Integrator::kImplicitMidpoint:
      // a backward Euler step to the middle, mirrored there: v̄ = v + ½h·a(q ⊕ ½h v̄, v̄), q′ = q ⊕ h v̄, v′ = 2v̄ − v
      result = backwardByNewton(field, q, v, 0.5 * h);
      integrate(topology_, q, unknown_.data(), h, q_end);
      v_next = 2.0 * unknown_ - v_start;
      return result;
    default:
      return rungeKutta(field, q, v, h, q_end, v_end);
  }
}

NodeStepResult NodeIntegrator::rungeKutta(AccelerationField& field, const double* q, const double* v, double h,
                                          double* q_end, double* v_end) {
  const Tableau& tableau = tableauOf(integrator_);
  const Eigen::Map<const Eigen::VectorXd> v_start(v, topology_.nv);
  for (int i = 0; i < tableau.stages; ++i) {
    turn_.setZero();
    v_stage_ = v_start;
    add(i, h, tableau.stage[i], slopes_q_, turn_);
    add(i, h, tableau.stage[i], slopes_v_, v_stage_);
    integrate(topology_, q, turn_.data(), 1.0, q_stage_.data());
    tangentRate(topology_, turn_.data(), v_stage_.data(), slopes_q_[i].data());
    field.evaluate(q_stage_.data(), v_stage_.data(), slopes_v_[i].data());
  }
  if (hasErrorEstimate(integrator_)) {
    missed_q_.setZero();
    missed_v_.setZero();
    add(tableau.stages, h, tableau.missed, slopes_q_, missed_q_);
    add(tableau.stages, h, tableau.missed, slopes_v_, missed_v_);
  }
  turn_.setZero();
  v_stage_ = v_start;
  add(tableau.stages, h, tableau.weight, slopes_q_, turn_);
  add(tableau.stages, h, tableau.weight, slopes_v_, v_stage_);
  integrate(topology_, q, turn_.data(), 1.0, q_end);
  std::copy_n(v_stage_.data(), topology_.nv, v_end);
  return {};
}

NodeStepResult NodeIntegrator::semiImplicit(AccelerationField& field, const double* q, const double* v, double h,
                                            double* q_end, double* v_end) {
  field.evaluate(q, v, acceleration_.data());
  for (int j = 0; j < topology_.nv; ++j) v_end[j] = v[j] + h * acceleration_[j];
  integrate(topology_, q, v_end, h, q_end);
  return {};
}

/// residual = w − v − h·a(q ⊕ h w, w) at w = unknown
void NodeIntegrator::computeResidual(AccelerationField& field, const double* q, const double* v, double h) {
  integrate(topology_, q, unknown_.data(), h, q_stage_.data());
  field.evaluate(q_stage_.data(), unknown_.data(), acceleration_.data());
  residual_ = unknown_ - Eigen::Map<const Eigen::VectorXd>(v, topology_.nv) - h * acceleration_;
}

/// Largest entry of the residual, relative to the largest velocity in it, which at rest is h·1 m/s²; NaN stays NaN.
double NodeIntegrator::residualSize(const double* v, double h) const {
  double scale = std::fabs(h), largest = 0.0;
  for (int j = 0; j < topology_.nv; ++j) {
    scale = std::max({scale, std::fabs(unknown_[j]), std::fabs(v[j]), std::fabs(h * acceleration_[j])});
    if (!(std::fabs(residual_[j]) <= largest)) largest = std::fabs(residual_[j]);
  }
  return largest / scale;
}

/// w ← v + h·a(q ⊕ h w, w), which is w − residual.
NodeStepResult NodeIntegrator::backwardByFixedPoint(AccelerationField& field, const double* q, const double* v,
                                                    double h) {
  unknown_ = Eigen::Map<const Eigen::VectorXd>(v, topology_.nv);
  NodeStepResult result;
  double previous = std::numeric_limits<double>::infinity();
  for (; result.iterations < kMaxFixedPoint; ++result.iterations) {
    computeResidual(field, q, v, h);
    result.residual = residualSize(v, h);
    if (!std::isfinite(result.residual)) break;
    if (result.residual <= kRounding || (result.residual <= kConverged && result.residual >= previous)) return result;
    previous = result.residual;
    unknown_ -= residual_;
  }
  result.converged = false;
  return result;
}

/// ∂residual/∂w by difference quotients around the present unknown, whose residual is known.
void NodeIntegrator::computeJacobian(AccelerationField& field, const double* q, const double* v, double h) {
  shifted_ = residual_;
  const double size = unknown_.cwiseAbs().maxCoeff() + h * acceleration_.cwiseAbs().maxCoeff();
  const double probe = kProbe * std::max(size, 1.0);
  for (int j = 0; j < topology_.nv; ++j) {
    const double kept = unknown_[j];
    unknown_[j] += probe;
    computeResidual(field, q, v, h);
    jacobian_.col(j) = (residual_ - shifted_) / (unknown_[j] - kept);
    unknown_[j] = kept;
  }
  residual_ = shifted_;
  factors_.compute(jacobian_);
}

NodeStepResult NodeIntegrator::backwardByNewton(AccelerationField& field, const double* q, const double* v, double h) {
  field.evaluate(q, v, acceleration_.data());
  unknown_ = Eigen::Map<const Eigen::VectorXd>(v, topology_.nv) + h * acceleration_;
  NodeStepResult result;
  double previous = std::numeric_limits<double>::infinity();
  for (; result.iterations < kMaxNewton; ++result.iterations) {
    computeResidual(field, q, v, h);
    result.residual = residualSize(v, h);
    if (!std::isfinite(result.residual)) break;
    if (result.residual <= kRounding || (result.residual <= kConverged && result.residual >= kChord * previous))
      return result;
    if (result.iterations == 0 || result.residual > kChord * previous) computeJacobian(field, q, v, h);
    previous = result.residual;
    shifted_ = factors_.solve(residual_);
    unknown_ -= shifted_;
  }
  result.converged = false;
  return result;
}

}  // namespace rigor
