// One contact by brute force: every slip direction is tried. Written from the law alone, in long double.
#pragma once

#include <vector>

namespace rigor::reference {

struct SlowContact {
  double W[3][3], b[3], mu;  ///< b with the bias on its normal entry
};

struct SlowAnswer {
  long double impulse[3];
  int mode;  ///< 0 open, 1 stick, 2 slip
};

/// The impulse that stops every row, W x = −b; false where W is singular.
bool findStickImpulse(const SlowContact& contact, long double x[3]);

/// All answers of the law that a scan over `directions` slip directions finds, each refined by bisection. W regular.
std::vector<SlowAnswer> findAllAnswers(const SlowContact& contact, int directions);

/// How far an impulse is from obeying Signorini and Coulomb, in m/s, from u = W λ + b alone; works for any rank.
long double lawDefect(const SlowContact& contact, const double impulse[3]);

}  // namespace rigor::reference
