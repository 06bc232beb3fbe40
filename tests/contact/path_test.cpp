// The interior point's condensed equations against central differences of what they condense.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "contact/friction_cone.h"
#include "contact/half_line.h"
#include "contact/interval.h"

namespace rigor {
namespace {

// As in nonsmooth_maps_test: 1e-12 of the third derivative and 1e-10 of rounding, sizes near 1.
constexpr double kStep = 1e-6, kAgreement = 1e-8;

using Equations = std::function<void(const double x[3], const double y[3], double F[3])>;

// The derivatives of a unit's path at x, y, z.
template <class Unit>
void linearize(const Unit& unit, const double* x, const double* y, double z, EquationRow out[3]) {
  double at_x[3], at_y[3];
  std::copy(x, x + Unit::kRows, at_x);
  std::copy(y, y + Unit::kRows, at_y);
  PathRows rows{};
  rows.root = 1.0;
  rows.x = at_x, rows.y = at_y, rows.z = &z;
  rows.equations = out;
  unit.linearizePath(rows);
}

// A and B are the derivatives of F, each row divided by its size.
void expectDerivatives(const Equations& equations, int rows, const double x[3], const double y[3], const double size[3],
                       const EquationRow linear[3], const char* what) {
  for (const bool by_velocity : {false, true})
    for (int c = 0; c < rows; ++c) {
      double up[2][3] = {{x[0], x[1], x[2]}, {y[0], y[1], y[2]}}, down[2][3], above[3], below[3];
      std::copy(&up[0][0], &up[0][0] + 6, &down[0][0]);
      up[by_velocity][c] += kStep;
      down[by_velocity][c] -= kStep;
      equations(up[0], up[1], above);
      equations(down[0], down[1], below);
      for (int r = 0; r < rows; ++r)
        EXPECT_NEAR((by_velocity ? linear[r].A : linear[r].B)[c], (above[r] - below[r]) / (2.0 * kStep) / size[r],
                    kAgreement)
            << what << ": d F" << r << " / d " << (by_velocity ? "y" : "x") << c;
    }
}

TEST(PathOfAContact, HasTheDerivativesOfItsTwoCones) {
  struct Case {
    const char* name;
    double mu, tau, x[3], y[3];
  };
  const Case cases[] = {{"towards sticking", 0.7, 0.3, {1.0, 0.2, -0.3}, {0.4, 0.1, 0.05}},
                        {"towards slipping", 0.5, 0.1, {1.2, -0.4, 0.3}, {0.1, 0.6, -0.5}},
                        {"towards opening", 0.9, 0.2, {0.1, 0.02, 0.01}, {2.0, 0.3, -0.4}},
                        {"strong friction", 1000.0, 0.5, {0.02, 0.2, 0.3}, {0.1, 0.2, 0.1}}};
  for (const Case& c : cases) {
    const auto slip = [&](const double x[3], const double y[3]) {
      return (c.tau - x[1] * y[1] - x[2] * y[2]) / (c.mu * x[0]);
    };
    const double psi = slip(c.x, c.y), sizes[3] = {c.x[0] + c.y[0], c.mu * c.x[0] + psi, c.mu * c.x[0] + psi};
    EquationRow linear[3];
    linearize(FrictionCone(c.mu, 0.0), c.x, c.y, psi, linear);
    expectDerivatives(
        [&](const double x[3], const double y[3], double F[3]) {
          F[0] = x[0] * y[0];
          for (int i = 1; i < 3; ++i) F[i] = c.mu * x[0] * y[i] + slip(x, y) * x[i];
        },
        3, c.x, c.y, sizes, linear, c.name);
  }
}

TEST(PathOfAContact, WithoutFrictionHasNoTangentialImpulse) {
  const double x[3] = {1.0, 0.0, 0.0}, y[3] = {0.3, 0.5, 0.6}, sizes[3] = {1.3, 1.0, 1.0};
  EquationRow linear[3];
  linearize(FrictionCone(0.0, 0.0), x, y, 0.0, linear);
  expectDerivatives([](const double at_x[3], const double at_y[3],
                       double F[3]) { F[0] = at_x[0] * at_y[0], F[1] = at_x[1], F[2] = at_x[2]; },
                    3, x, y, sizes, linear, "no friction");
}

TEST(PathOfALimit, HasTheDerivativesOfItsProduct) {
  const double x[3] = {0.7}, y[3] = {0.2}, sizes[3] = {0.9};
  EquationRow linear[3];
  linearize(HalfLine(0.0), x, y, 0.0, linear);
  expectDerivatives([](const double at_x[3], const double at_y[3], double F[3]) { F[0] = at_x[0] * at_y[0]; }, 1, x, y,
                    sizes, linear, "limit");
}

TEST(PathOfABox, HasTheDerivativesOfItsBounds) {
  struct Case {
    const char* name;
    double lo, hi, compliance, x;
  };
  for (const Case& c :
       {Case{"two bounds, compliant", -1.0, 2.0, 0.4, 0.3}, Case{"two bounds, stiff", -1.0, 2.0, 0.0, 1.8},
        Case{"lower bound only", -1.0, INFINITY, 0.4, 0.5}, Case{"no bound", -INFINITY, INFINITY, 0.4, 5.0}}) {
    const double tau = 0.2, x[3] = {c.x}, y[3] = {0.1};
    const auto lower = [&](double at) { return std::isfinite(c.lo) ? tau / (at - c.lo) : 0.0; };
    const auto upper = [&](double at) { return std::isfinite(c.hi) ? tau / (c.hi - at) : 0.0; };
    const double m_lo = lower(c.x);
    EquationRow linear[3];
    linearize(Interval(c.lo, c.hi, 0.0, c.compliance), x, &m_lo, upper(c.x), linear);
    const double sizes[3] = {1.0 / linear[0].A[0]};
    EXPECT_GE(sizes[0], 1.0) << c.name;
    expectDerivatives([&](const double at_x[3], const double at_y[3],
                          double F[3]) { F[0] = at_y[0] - lower(at_x[0]) + upper(at_x[0]) + c.compliance * at_x[0]; },
                      1, x, y, sizes, linear, c.name);
  }
}

}  // namespace
}  // namespace rigor
