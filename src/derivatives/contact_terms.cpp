// Contacts of balls with planes, in closed form, and of balls with balls, by dual numbers.
//
//   plane and ball   the impulse f keeps its direction and attacks at c − r n, which moves as the centre does: δ(p × f) = δc × f
//                    φ(q′) − φ(q) = n·(c′ − c),  slip t·(c′ − c + hΩ × a),  a = −r n
//   two balls        normal and tangents turn with the line of centres; the slip is that of ball_slip.h
#include "derivatives/pair_terms.h"
#include "dynamics/jacobian.h"
#include "math/dual.h"
#include "math/rotation.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

/// Numbers of the motion of a ball's centre in the directions of a dual number, at the start and at the end, and of its turn.
constexpr int kCentre = 0, kCentreEnd = 6, kTurn = 12, kDirections = 18;
using Slope = Dual<kDirections>;

Vec3<Slope> variable(const Vec& a, int first) {
  return {Slope::variable(a.x, first), Slope::variable(a.y, first + 1), Slope::variable(a.z, first + 2)};
}

Vec slopeOf(const Slope& a, int first) { return {a.tangent[first], a.tangent[first + 1], a.tangent[first + 2]}; }

/// The frame of two balls, and the distance of their centres.
struct BallFrame {
  Slope distance;
  Vec3<Slope> normal, tangent_1, tangent_2;
};

BallFrame frameOf(const Vec3<Slope>& apart) {
  BallFrame frame;
  frame.distance = norm(apart);
  frame.normal = (1.0 / frame.distance) * apart;
  const Vec3<Slope>& n = frame.normal;
  // as makeTangents
  const bool along_x = !(std::fabs(n.x.value) < 0.7);
  const Vec3<Slope> other{along_x ? 0.0 : 1.0, along_x ? 1.0 : 0.0, 0.0};
  const Vec3<Slope> across = cross(n, other);
  frame.tangent_2 = (1.0 / norm(across)) * across;
  frame.tangent_1 = cross(frame.tangent_2, n);
  return frame;
}

Vec3<Slope> centreOf(const ContactDetail& contact, int ball) {
  return variable(contact.start.centre[ball].world, kCentre + 3 * ball);
}

/// Δ of slipOfBalls.
Vec3<Slope> arcOf(const ContactDetail& contact, const Vec3<Slope>& n, const Vec3<Slope>& n_end,
                  const Vec3<Slope> turn[2]) {
  const Vec3<Slope> axis = cross(n, n_end);
  const Quat<Slope> back = normalized(Quat<Slope>{1.0 + dot(n, n_end), -axis.x, -axis.y, -axis.z});
  Vec3<Slope> sum{};
  for (int k = 0; k < 2; ++k) sum += Slope(contact.start.radius[k]) * logQuat(back * expQuat(turn[k]));
  return cross(n, sum);
}

void computeBallWrench(const ContactDetail& contact, const double* impulse, PairWrench& out) {
  const Vec3<Slope> c_1 = centreOf(contact, 0), c_2 = centreOf(contact, 1);
  const BallFrame frame = frameOf(c_2 - c_1);
  const Vec3<Slope> force =
      Slope(impulse[0]) * frame.normal + Slope(impulse[1]) * frame.tangent_1 + Slope(impulse[2]) * frame.tangent_2;
  const double radius_1 = contact.start.radius[0], radius_2 = contact.start.radius[1];
  const Slope gap = frame.distance - radius_1 - radius_2;
  for (int end = 0; end < 2; ++end) {
    if (contact.pair.link[end] < 0) continue;
    const double sign = end == 1 ? 1.0 : -1.0;
    // from O: the centre and what leads from it to the contact
    const Slope reach = end == 1 ? -(radius_2 + 0.5 * gap) : radius_1 + 0.5 * gap;
    const Vec& c = contact.start.centre[end].relative;
    const Vec3<Slope> at = variable(c, kCentre + 3 * end) + reach * frame.normal;
    const Vec3<Slope> f = Slope(sign) * force, torque = cross(at, f);
    const Slope parts[6] = {f.x, f.y, f.z, torque.x, torque.y, torque.z};
    out.F[end] = {{f.x.value, f.y.value, f.z.value}, {torque.x.value, torque.y.value, torque.z.value}};
    for (int i = 0; i < 6; ++i)
      for (int ball = 0; ball < 2; ++ball)
        if (contact.pair.link[ball] >= 0)
          out.change[end].row(i).segment<6>(6 * ball) =
              rowOf(forceAt(contact.start.centre[ball].relative, slopeOf(parts[i], kCentre + 3 * ball), {}));
  }
}

void computeBallWay(const ContactDetail& contact, PairWay& out) {
  const Vec3<Slope> c[2] = {centreOf(contact, 0), centreOf(contact, 1)};
  Vec3<Slope> c_end[2], turn[2];
  for (int k = 0; k < 2; ++k) {
    c_end[k] = variable(contact.end.centre[k].world, kCentreEnd + 3 * k);
    turn[k] = variable(contact.turn[k], kTurn + 3 * k);
    out.turns[k] = contact.pair.link[k] >= 0 && contact.start.radius[k] > 0.0;
  }
  const BallFrame frame = frameOf(c[1] - c[0]), frame_end = frameOf(c_end[1] - c_end[0]);
  Vec3<Slope> slip{};
  if (contact.together) {
    slip = arcOf(contact, frame.normal, frame_end.normal, turn);
  } else {
    for (int k = 0; k < 2; ++k) {
      const double sign = k == 1 ? 1.0 : -1.0;
      const Vec3<Slope> arm = Slope(-sign * contact.start.radius[k]) * frame.normal;
      slip += Slope(sign) * ((c_end[k] - c[k]) + cross(turn[k], arm));
    }
  }
  const Slope ways[3] = {frame_end.distance - frame.distance, dot(frame.tangent_1, slip), dot(frame.tangent_2, slip)};
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < 2; ++k) {
      if (contact.pair.link[k] < 0) continue;
      const Vec &at = contact.start.centre[k].relative, &at_end = contact.end.centre[k].relative;
      out.by_start.row(r).segment<6>(6 * k) = rowOf(forceAt(at, slopeOf(ways[r], kCentre + 3 * k), {}));
      out.by_end.row(r).segment<6>(6 * k) = rowOf(forceAt(at_end, slopeOf(ways[r], kCentreEnd + 3 * k), {}));
      out.by_turn[k].row(r) = columnOf(slopeOf(ways[r], kTurn + 3 * k)).transpose();
    }
}

}  // namespace

void computeContactWrench(const ContactDetail& contact, const double* impulse, PairWrench& out) {
  if (contact.pair.kind == FeatureKind::kBallBall) return computeBallWrench(contact, impulse, out);
  const Vec f = impulse[0] * contact.start.normal + impulse[1] * contact.tangent_1 + impulse[2] * contact.tangent_2;
  const Vec& c = contact.start.centre[1].relative;
  out.F[1] = forceAt(c - contact.start.radius[1] * contact.start.normal, f, {});
  out.change[1].bottomRightCorner<3, 6>() = -crossMatrix(f) * movesPoint(c);
}

void computeContactWay(const ContactDetail& contact, PairWay& out) {
  if (contact.pair.kind == FeatureKind::kBallBall) return computeBallWay(contact, out);
  const Vec axes[3] = {contact.start.normal, contact.tangent_1, contact.tangent_2};
  const Vec arm = -contact.start.radius[1] * contact.start.normal;
  out.turns[1] = contact.start.radius[1] > 0.0;
  for (int r = 0; r < 3; ++r) {
    out.by_end.row(r).tail<6>() = rowOf(forceAt(contact.end.centre[1].relative, axes[r], {}));
    out.by_start.row(r).tail<6>() = -rowOf(forceAt(contact.start.centre[1].relative, axes[r], {}));
    if (r > 0 && out.turns[1]) out.by_turn[1].row(r) = columnOf(cross(arm, axes[r])).transpose();
  }
}

}  // namespace rigor
