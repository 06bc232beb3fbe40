#include "experiments/pendulum_residual.h"

#include <cmath>

namespace rigor::experiments {
namespace {

constexpr long double kHalf = 0.5L, kGravity = 9.81L;

}  // namespace

std::optional<double> PendulumResidual::look(const Simulator& simulator) {
  const Model& model = simulator.scene().model;
  const State& state = simulator.state();
  if (simulator.report().substeps != 1) {
    last_ = {};
    return std::nullopt;
  }
  Stride stride;
  Real angle = 0, turn = 0;  // against the world
  for (const ModelJoint& joint : model.joints()) {
    const double* q = state.q.data() + joint.q_index;
    angle += joint.spec.type == kHinge ? Real(q[0]) : 2 * std::atan2(Real(q[1]), Real(q[0]));
    turn += h_ * Real(state.v[joint.v_index]);
    stride.angle.push_back(angle - turn);
    stride.turn.push_back(turn);
  }
  std::optional<double> residual;
  if (!last_.turn.empty()) residual = residualAt(last_, stride);
  last_ = std::move(stride);
  return residual;
}

std::vector<PendulumResidual::Point> PendulumResidual::centreMoves(const Stride& stride) const {
  std::vector<Point> moves;
  Point joint;  // how far the upper joint moved
  for (std::size_t i = 0; i < stride.angle.size(); ++i) {
    // differences of sine and cosine without loss of digits
    const Real mean = stride.angle[i] + stride.turn[i] / 2, chord = 2 * std::sin(stride.turn[i] / 2);
    const Real y = chord * std::cos(mean), z = chord * std::sin(mean);
    moves.push_back({(joint.y + kHalf * y) / h_, (joint.z + kHalf * z) / h_});
    joint = {joint.y + y, joint.z + z};
  }
  return moves;
}

double PendulumResidual::residualAt(const Stride& before, const Stride& after) const {
  const std::vector<Point> old = centreMoves(before), now = centreMoves(after);
  Point below;  // λ of the next rod
  Real squares = 0;
  for (std::size_t i = old.size(); i-- > 0;) {
    const Point here{below.y + mass_ * (now[i].y - old[i].y),
                     below.z + mass_ * (now[i].z - old[i].z) + h_ * mass_ * kGravity};
    const Point arm{kHalf * std::sin(after.angle[i]), -kHalf * std::cos(after.angle[i])};
    const Real turned = inertia_ * (std::sin(after.turn[i]) - std::sin(before.turn[i])) / h_;
    const Real rho = turned + arm.y * (here.z + below.z) - arm.z * (here.y + below.y);
    squares += rho * rho;
    below = here;
  }
  return static_cast<double>(std::sqrt(squares));
}

}  // namespace rigor::experiments
