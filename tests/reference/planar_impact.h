// One contact in the plane, struck by Poisson's or Stronge's law: all cases of stick and slip tried one by one, and Stronge's share by
// bisection. Slow and obvious twin of minimal/decompression.h. Friction belongs to the velocity at the end of a phase, as there.
#pragma once

#include <cmath>
#include <optional>

namespace rigor::slow {

struct Planar {
  double n = 0.0, t = 0.0;  ///< normal first
};

/// u⁺ = u + W λ of a contact with friction μ.
struct PlanarContact {
  double nn = 1.0, nt = 0.0, tt = 1.0;  ///< W
  double mu = 0.0;

  Planar after(const Planar& u, const Planar& l) const {
    return {u.n + nn * l.n + nt * l.t, u.t + nt * l.n + tt * l.t};
  }
  /// Friction for a given normal impulse.
  Planar give(const Planar& u, double normal) const {
    const double free = u.t + nt * normal, stick = -free / tt;
    if (std::fabs(stick) <= mu * normal) return {normal, stick};
    return {normal, std::copysign(mu * normal, stick)};
  }
  /// 0 ≤ λn ⟂ un⁺ ≥ 0.
  Planar press(const Planar& u) const {
    if (u.n >= 0.0) return {};
    const double det = nn * tt - nt * nt;
    const Planar stick{(-u.n * tt + u.t * nt) / det, (-u.t * nn + u.n * nt) / det};
    if (stick.n >= 0.0 && std::fabs(stick.t) <= mu * stick.n) return stick;
    for (const double slip : {1.0, -1.0}) {
      const double normal = -u.n / (nn - slip * mu * nt);
      const Planar impulse{normal, -slip * mu * normal};
      if (normal >= 0.0 && slip * after(u, impulse).t >= 0.0) return impulse;
    }
    return {};
  }
  /// Decompression that gives back `returned`; more where the contact would approach.
  Planar giveBack(const Planar& u, double returned) const {
    const Planar given = give(u, returned);
    return after(u, given).n >= 0.0 ? given : press(u);
  }
};

/// Sum of both phases.
inline Planar strikeByPoisson(const PlanarContact& contact, const Planar& u, double e) {
  const Planar first = contact.press(u), second = contact.giveBack(contact.after(u, first), e * first.n);
  return {first.n + second.n, first.t + second.t};
}

inline Planar strikeByStronge(const PlanarContact& contact, const Planar& u, double e) {
  const Planar first = contact.press(u), middle = contact.after(u, first);
  const double asked = -e * e * first.n * (u.n + middle.n);
  const auto work = [&](double share) {
    const Planar second = contact.giveBack(middle, share * first.n);
    return second.n * (middle.n + contact.after(middle, second).n);
  };
  double low = 0.0, high = 1.0;
  while (work(high) < asked) high *= 2.0;
  for (int i = 0; i < 200; ++i) {
    const double share = 0.5 * (low + high);
    (work(share) < asked ? low : high) = share;
  }
  const Planar second = contact.giveBack(middle, high * first.n);
  return {first.n + second.n, first.t + second.t};
}

}  // namespace rigor::slow
