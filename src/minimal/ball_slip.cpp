#include "minimal/ball_slip.h"

#include "math/rotation.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kMostTurn = 2.5;  // [rad] of a ball; with the next less than π in the frame
constexpr double kLeastCosine = 0.9;

/// The least rotation from n to n′.
Quat<double> frameOf(const ContactDetail& contact) {
  const Vec &n = contact.start.normal, &n_end = contact.end.normal, axis = cross(n, n_end);
  return normalized(Quat<double>{1.0 + dot(n, n_end), axis.x, axis.y, axis.z});
}

}  // namespace

bool turnTogether(const ContactDetail& contact) {
  const auto little = [](const Vec& turn) { return dot(turn, turn) < kMostTurn * kMostTurn; };
  return contact.pair.kind == FeatureKind::kBallBall && little(contact.turn[0]) && little(contact.turn[1]) &&
         dot(contact.start.normal, contact.end.normal) > kLeastCosine &&
         contact.end.gap > -0.5 * (contact.start.radius[0] + contact.start.radius[1]);
}

Vec slipOfBalls(ContactDetail& contact) {
  const Quat<double> Q = frameOf(contact), back{Q.w, -Q.x, -Q.y, -Q.z};
  Vec sum{};
  for (int k = 0; k < 2; ++k) {
    contact.relative_turn[k] = logQuat(back * expQuat(contact.turn[k]));
    sum += contact.start.radius[k] * contact.relative_turn[k];
  }
  return cross(contact.start.normal, sum);
}

BallSlipRow differentiateSlip(const ContactDetail& contact, const Vec& tangent) {
  const Mat3<double> Q = toMatrix(frameOf(contact));
  const double distance = contact.start.radius[0] + contact.start.radius[1] + contact.end.gap;
  BallSlipRow row;
  for (int k = 0; k < 2; ++k) {
    const Vec& rho = contact.relative_turn[k];
    const Vec across = cross(tangent, contact.start.normal);
    row.torque[k] =
        contact.start.radius[k] * (Q * leftJacobianInverseTransposeTimes(rho, expCoefficients(dot(rho, rho)), across));
  }
  const Vec &n = contact.start.normal, &n_end = contact.end.normal, sum = row.torque[0] + row.torque[1];
  const double twist = dot(sum, n_end) / (1.0 + dot(n, n_end));
  row.force = (1.0 / distance) * (cross(n_end, sum) + twist * cross(n, n_end));
  return row;
}

}  // namespace rigor
