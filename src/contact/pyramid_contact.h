// One contact by law pyramid, all others held: find λ with u = W λ + b that obeys it. Kernel code as in single_contact.h.
// Open, stick, or slip on one of 2 n faces, each a linear system:
//
//   edge j   λ = λn (1, μ d_j),  un = 0: λn = −bn / (Wnn + μ Wnt·d_j),     −ut nearest to d_j of all corners
//   side j   λ = λn (1, μ cos(π/n) m_j) + s (0, m_j⊥),  un = 0, ut·m_j⊥ = 0,  |s| ≤ μ λn sin(π/n),  −ut·m_j ≥ 0
//
// Faces are tried from the one that Coulomb's friction points to outwards; the first that obeys the law is the answer. By
// Stewart and Trinkle's LCP, copositive, there is one wherever the normal can move and W is regular.
#pragma once

#include "contact/friction_polygon.h"
#include "contact/single_contact.h"

namespace rigor {

namespace single_contact {

/// How far a face is from obeying the law, relative to the velocities and impulses at hand; 0: it does.
inline double tryEdge(const ContactBlock& block, const FrictionPolygon& polygon, int j, double impulse[3]) {
  const auto& W = block.W;
  const double g1 = block.mu * polygon.corner[j][0], g2 = block.mu * polygon.corner[j][1];
  const double normal = -block.b[0] / (W[0][0] + W[0][1] * g1 + W[0][2] * g2);
  if (!(normal > 0.0 && std::isfinite(normal))) return std::numeric_limits<double>::infinity();
  impulse[0] = normal, impulse[1] = g1 * normal, impulse[2] = g2 * normal;
  double u[2], size = 0.0;
  for (int r = 0; r < 2; ++r) {
    const double push = W[1 + r][0] * normal + W[1 + r][1] * impulse[1] + W[1 + r][2] * impulse[2];
    u[r] = block.b[1 + r] + push;
    size += std::abs(block.b[1 + r]) + std::abs(push);
  }
  // −ut in the normal cone of the corner, between the middles of its two sides
  const double *next = polygon.middle[j], *before = polygon.middle[polygon.previous(j)];
  const double left = -u[1] * next[0] + u[0] * next[1], right = -u[1] * before[0] + u[0] * before[1];
  // left = next × (−ut) must not be positive, right = before × (−ut) not negative
  return std::max({0.0, left, -right}) / std::max(size, 1e-300);
}

inline double trySide(const ContactBlock& block, const FrictionPolygon& polygon, int j, double impulse[3]) {
  const auto& W = block.W;
  const double *m = polygon.middle[j], reach = block.mu * polygon.apothem;
  const double f[3] = {1.0, reach * m[0], reach * m[1]}, s[3] = {0.0, -m[1], m[0]};
  double Wf[3], Ws[3];
  for (int r = 0; r < 3; ++r) {
    Wf[r] = W[r][0] * f[0] + W[r][1] * f[1] + W[r][2] * f[2];
    Ws[r] = W[r][1] * s[1] + W[r][2] * s[2];
  }
  // un = 0 and ut·m⊥ = 0
  const double a = Wf[0], b = Ws[0], c = s[1] * Wf[1] + s[2] * Wf[2], d = s[1] * Ws[1] + s[2] * Ws[2];
  const double p = -block.b[0], q = -(s[1] * block.b[1] + s[2] * block.b[2]), det = a * d - b * c;
  const double normal = (p * d - b * q) / det, along = (a * q - c * p) / det;
  if (!(normal > 0.0 && std::isfinite(normal) && std::isfinite(along))) return std::numeric_limits<double>::infinity();
  for (int r = 0; r < 3; ++r) impulse[r] = normal * f[r] + along * s[r];
  const double beyond = std::abs(along) - block.mu * normal * polygon.half_side;
  double out = 0.0, size = 0.0;  // ut·m must not be positive
  for (int r = 0; r < 2; ++r) {
    const double push = normal * Wf[1 + r] + along * Ws[1 + r];
    out += m[r] * (block.b[1 + r] + push);
    size += std::abs(block.b[1 + r]) + std::abs(push);
  }
  return std::max({0.0, beyond / std::max(block.mu * normal, 1e-300), out / std::max(size, 1e-300)});
}

}  // namespace single_contact

/// Open, stick or slip by law pyramid.
inline ContactAnswer solvePyramid(const ContactBlock& block, const FrictionPolygon& polygon) {
  using namespace single_contact;
  constexpr double kRounding = 1e-14;
  ContactAnswer answer;
  if (block.b[0] >= 0.0) return answer;
  if (!(block.W[0][0] > 0.0)) {
    answer.solved = false;
    return answer;
  }
  ContactAnswer round = solveSingleContact(block);  // Coulomb's answer inside the polygon is also this law's
  const double out = std::max(std::abs(round.impulse[1]), std::abs(round.impulse[2]));
  const int first = polygon.sideOf(round.impulse[1], round.impulse[2]);
  const double* m = polygon.middle[first];
  const bool inside =
      m[0] * round.impulse[1] + m[1] * round.impulse[2] <= block.mu * polygon.apothem * round.impulse[0];
  if (block.mu <= 0.0 || out == 0.0 || (round.solved && round.mode == ContactMode::kStick && inside)) return round;
  answer.mode = ContactMode::kSlip;
  answer.painleve = round.painleve;
  double best = std::numeric_limits<double>::infinity();
  const auto offer = [&](double miss, const double* impulse) {
    if (miss < best) best = miss, std::copy_n(impulse, 3, answer.impulse);
  };
  // sides and corners in turn: first, first ± 1, …
  for (int i = 0; i < polygon.corners && best > kRounding; ++i) {
    const int away = (i + 1) / 2 * (i % 2 == 1 ? 1 : -1);
    const int j = (first + away + polygon.corners) % polygon.corners;
    double impulse[3];
    offer(trySide(block, polygon, j, impulse), impulse);
    if (best > kRounding) offer(tryEdge(block, polygon, j, impulse), impulse);
  }
  answer.solved = std::isfinite(best);
  return answer;
}

}  // namespace rigor
