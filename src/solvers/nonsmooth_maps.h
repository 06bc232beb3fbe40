// Nonsmooth equations of single blocks and their derivatives, in scaled variables (x impulse, y velocity, w = 1):
// F = 0 exactly where the block obeys its law, dF = A dy + B dx.
#pragma once

#include "rigor/contact_problem.h"

namespace rigor {

struct BlockEquation {
  double F[3], A[3][3], B[3][3];
};

/// Natural map of the friction cone, x − P_K(x − ŷ).
void linearizeNaturalMap(double mu, double bias, const double x[3], const double y[3], BlockEquation& out);

/// Alart and Curnier's augmented equation of the same law.
void linearizeAlartCurnier(double mu, double bias, const double x[3], const double y[3], BlockEquation& out);

/// One row of an at-least or box block; bias, compliance and bounds scaled like x and y.
void linearizeRow(BlockKind kind, double bias, double compliance, double lo, double hi, double x, double y,
                  BlockEquation& out);

}  // namespace rigor
