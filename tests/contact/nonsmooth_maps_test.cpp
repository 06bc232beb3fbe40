// The equations behind the semismooth stages: their derivatives against central differences for every kind of block and
// every branch, and their zeros against the judge.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "contact/dissipation_cone.h"
#include "contact/friction_cone.h"
#include "contact/half_line.h"
#include "contact/interval.h"
#include "contact/pyramid_cone.h"

namespace rigor {
namespace {

// Central differences of a twice differentiable F with a step of 1e-6 err by 1e-12 of its third derivative and 1e-10 of
// rounding; sizes here are near 1.
constexpr double kStep = 1e-6, kAgreement = 1e-8;

using Map = std::function<void(const double x[3], const double y[3], EquationRow* out)>;

// dF = A dy + B dx entry by entry.
void expectExactDerivatives(const Map& map, int size, const double x[3], const double y[3], const char* what) {
  EquationRow at[3] = {}, above[3] = {}, below[3] = {};
  map(x, y, at);
  for (const bool by_velocity : {false, true})
    for (int c = 0; c < size; ++c) {
      double up[2][3] = {{x[0], x[1], x[2]}, {y[0], y[1], y[2]}}, down[2][3];
      std::copy(&up[0][0], &up[0][0] + 6, &down[0][0]);
      up[by_velocity][c] += kStep;
      down[by_velocity][c] -= kStep;
      map(up[0], up[1], above);
      map(down[0], down[1], below);
      for (int r = 0; r < size; ++r) {
        const double difference = (above[r].F - below[r].F) / (2.0 * kStep);
        EXPECT_NEAR((by_velocity ? at[r].A : at[r].B)[c], difference, kAgreement * std::max(1.0, std::abs(difference)))
            << what << ": d F" << r << " / d " << (by_velocity ? "y" : "x") << c;
      }
    }
}

struct ContactCase {
  const char* name;
  double mu, bias;
  double x[3], y[3];
};

// No point lies on an edge between two branches: there a derivative does not exist.
const ContactCase kContacts[] = {
    {"sticks", 0.7, 0.1, {1.0, 0.2, -0.3}, {0.05, 0.02, 0.01}},
    {"strong friction", 1000.0, 0.0, {0.8, 0.2, -0.3}, {-0.1, 0.3, 0.4}},
    {"slips", 0.5, 0.2, {1.0, 0.6, 0.5}, {0.1, -0.8, 0.3}},
    {"slips, little friction", 0.01, 0.0, {1.0, 0.3, 0.2}, {-0.2, 0.4, 0.9}},
    {"is open", 0.8, 0.3, {0.1, 0.02, 0.01}, {2.0, 0.1, 0.2}},
    {"is open and pulled", 0.8, 0.0, {-0.5, 0.3, 0.1}, {1.5, 0.4, -0.2}},
    {"pressed without friction", 0.0, 0.1, {1.0, 0.2, 0.3}, {-0.4, 0.5, 0.6}},
    {"open without friction", 0.0, 0.1, {0.2, 0.1, 0.3}, {0.9, 0.5, 0.6}},
};

TEST(NaturalMap, HasTheDerivativesOfCentralDifferences) {
  for (const ContactCase& c : kContacts)
    expectExactDerivatives([&](const double x[3], const double y[3],
                               EquationRow* out) { FrictionCone(c.mu, c.bias).linearizeNaturalMap(x, y, out); },
                           3, c.x, c.y, c.name);
}

TEST(NaturalMap, OfOtherLawsHasTheDerivativesOfCentralDifferences) {
  for (const ContactCase& c : kContacts) {
    expectExactDerivatives(
        [&](const double x[3], const double y[3], EquationRow* out) {
          // μ|k| < 1, as in a block that does not jam
          const double couple = 0.6 / (1.0 + c.mu);
          DissipationCone(c.mu, c.bias, couple, -0.5 * couple).linearizeNaturalMap(x, y, out);
        },
        3, c.x, c.y, c.name);
    for (const int corners : {4, 6, 12})
      expectExactDerivatives(
          [&](const double x[3], const double y[3], EquationRow* out) {
            PyramidCone(c.mu, c.bias, polygonOf(corners)).linearizeNaturalMap(x, y, out);
          },
          3, c.x, c.y, c.name);
  }
}

TEST(AlartCurnier, HasTheDerivativesOfCentralDifferences) {
  for (const ContactCase& c : kContacts)
    expectExactDerivatives([&](const double x[3], const double y[3],
                               EquationRow* out) { FrictionCone(c.mu, c.bias).linearizeAlartCurnier(x, y, out); },
                           3, c.x, c.y, c.name);
}

struct RowCase {
  const char* name;
  BlockKind kind;
  double bias, compliance, lo, hi, x, y;
};

const RowCase kRows[] = {
    {"limit, pressed", BlockKind::kAtLeast, 0.2, 0.0, 0.0, 0.0, 1.0, -0.3},
    {"limit, open", BlockKind::kAtLeast, 0.2, 0.0, 0.0, 0.0, 0.1, 0.8},
    {"box, inside", BlockKind::kBox, -0.3, 0.4, -1.0, 2.0, 0.5, 0.1},
    {"box, at the lower bound", BlockKind::kBox, 0.5, 0.4, -1.0, 2.0, -0.9, 0.6},
    {"box, at the upper bound", BlockKind::kBox, -0.5, 0.4, -1.0, 2.0, 1.9, -0.9},
    {"box, one bound only", BlockKind::kBox, 0.5, 0.0, -INFINITY, 2.0, -3.0, 0.6},
};

TEST(RowEquation, HasTheDerivativesOfCentralDifferences) {
  for (const RowCase& c : kRows) {
    const double x[3] = {c.x, 0.0, 0.0}, y[3] = {c.y, 0.0, 0.0};
    expectExactDerivatives(
        [&](const double* at_x, const double* at_y, EquationRow* out) {
          if (c.kind == BlockKind::kBox)
            Interval(c.lo, c.hi, c.bias, c.compliance).linearizeNaturalMap(at_x, at_y, out);
          else
            HalfLine(c.bias).linearizeNaturalMap(at_x, at_y, out);
        },
        1, x, y, c.name);
  }
}

// F vanishes where the law holds, whichever map is asked.
TEST(NonsmoothMaps, VanishWhereTheLawHolds) {
  const double mu = 0.5, bias = 0.25;
  const double lawful[][6] = {
      {2.0, 0.6, -0.7, -bias, 0.0, 0.0},           // sticks inside the cone
      {2.0, -0.6, 0.8, -bias, 0.3, -0.4},          // slips against its friction, |λt| = μ λn = 1
      {0.0, 0.0, 0.0, 0.5, 0.3, -0.4},             // open
      {0.0, 0.0, 0.0, -bias + 1e-3, 1000.0, 0.0},  // about to touch, sliding fast
  };
  for (const auto& point : lawful) {
    EquationRow equations[3];
    FrictionCone(mu, bias).linearizeNaturalMap(point, point + 3, equations);
    for (const EquationRow& row : equations) EXPECT_NEAR(row.F, 0.0, 1e-12) << "natural map";
    FrictionCone(mu, bias).linearizeAlartCurnier(point, point + 3, equations);
    for (const EquationRow& row : equations) EXPECT_NEAR(row.F, 0.0, 1e-12) << "Alart–Curnier";
  }
}

}  // namespace
}  // namespace rigor
