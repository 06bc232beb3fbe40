// What the rows of one unit hand to a solver and get back from it. A unit is the least number of rows that a law ties
// together: a friction cone has three, four or six, a half line, an interval and an equal row have one.
#pragma once

#include "rigor/contact_problem.h"

namespace rigor {

constexpr int kMostUnitRows = 6;  ///< rows of the largest unit

/// One row of the equations F = 0 that hold exactly where a unit obeys its law, and of their derivative
/// dF = A dy + B dx by the velocities y and impulses x of the unit's rows.
struct EquationRow {
  double F, A[kMostUnitRows], B[kMostUnitRows];
};

/// Where an impulse that moves along a line reaches the edge of what its mode allows.
struct UnitEdge {
  double length;     ///< in units of the direction; infinite if it never does
  ContactMode mode;  ///< what follows there
};

/// Numbers of a slipping unit: friction coefficient, direction d of λt, −(d·ut)/(μ λn).
struct SlipFrame {
  double mu, d1, d2, turn;
  double more[kMostUnitRows - 3];  // of d, beyond two tangential rows
};

/// What a unit in its mode leaves to Newton's method: `count` unknowns, on plain rows of W or, where it slips, on rows
/// that its frame combines. The first row carries the bias.
struct Piece {
  BlockKind kind;
  int size;  // of the block
  int row, count;
  bool slip;
  SlipFrame frame;
  double compliance;  // R, of the first unknown
  double trace;       // of the block of W
};

/// Arrays of the interior point at the first row of a unit, in scaled variables.
struct PathRows {
  double root;            // √w of the block
  double *x, *dx, *px;    // impulse, its step, the predictor's step
  double *y, *dy, *py;    // contact: s, ut; at-least: s; box: multiplier of the lower bound
  double *z, *dz, *pz;    // contact: ψ on the first row; box: multiplier of the upper bound
  double* gap;            // what is missing in the linear equation of the row
  double* first_product;  // contact: what is missing in the first entry of the Jordan product
  double* right;          // right-hand side of the linear system
  EquationRow* equations;
  double *side, *dside, *pside;  // law pyramid: [directions] friction along the corners, its step, the predictor's step
};

/// Largest step in [0, 1] that keeps t > 0.
inline double stepOfLine(double t, double dt) { return dt < 0.0 && -t / dt < 1.0 ? -t / dt : 1.0; }

}  // namespace rigor
