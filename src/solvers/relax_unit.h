// One unit moves while all others are held: what every sweep is made of. `Velocity` says what the velocity of its rows is,
// and is told of the move.
#pragma once

#include <algorithm>
#include <cmath>

#include "contact/row_product.h"
#include "contact/visit_block.h"
#include "solvers/block_sor.h"

namespace rigor {

// One of listSingleSolves. The interval is what the judge will ask for: a share of the velocity that the contact has
// without its impulse, as an impulse.
template <class Unit>
ContactMode solveSingly(const ContactRule& rule, const Unit& unit, const double W[3][3], const double* free,
                        double* next) {
  ContactBlock block;
  block.mu = unit.mu;
  double size = 0.0;
  for (int r = 0; r < 3; ++r) {
    block.b[r] = free[r];
    size += free[r] * free[r];
    for (int c = 0; c < 3; ++c) block.W[r][c] = W[r][c];
  }
  block.b[0] += unit.bias, block.W[0][0] += unit.compliance;
  const double w = (W[0][0] + W[1][1] + W[2][2]) / 3.0;
  const ContactAnswer answer = rule.single(block, w > 0.0 ? rule.accuracy * std::sqrt(size) / w : 0.0);
  std::copy_n(answer.impulse, 3, next);
  return answer.mode;
}

// PC eq. 17–18: the normal row first, then friction with the velocity that this left; each divided by its own diagonal, both
// tangents by the larger one (which of the two is larger depends on the frame).
template <class Unit>
ContactMode stepAgainstVelocity(double step, const Unit& unit, const double W[3][3], const double* free,
                                const double* impulse, double* next) {
  std::copy_n(impulse, 3, next);
  double u[3];
  for (int r = 0; r < 3; ++r) u[r] = free[r] + W[r][0] * impulse[0] + W[r][1] * impulse[1] + W[r][2] * impulse[2];
  const double shifted = u[0] + unit.bias + unit.compliance * impulse[0], stiffness = W[0][0] + unit.compliance;
  if (stiffness > 0.0) next[0] = std::max(0.0, impulse[0] - step * shifted / stiffness);
  const double larger = std::max(W[1][1], W[2][2]);
  for (int r = 1; r < 3 && larger > 0.0; ++r) next[r] -= step * (u[r] + W[r][0] * (next[0] - impulse[0])) / larger;
  double wanted[2] = {next[1], next[2]};
  unit.limitFriction(next[0], next + 1);
  if (!(next[0] > 0.0)) return ContactMode::kOpen;
  return wanted[0] == next[1] && wanted[1] == next[2] ? ContactMode::kStick : ContactMode::kSlip;
}

template <class Unit>
ContactMode moveContact(const ContactRule& rule, const Unit& unit, const double W[3][3], const double* free,
                        const double* impulse, double* next) {
  if constexpr (requires { unit.limitFriction(0.0, next); })
    if (rule.kind == ContactRule::Kind::kGradient) return stepAgainstVelocity(rule.step, unit, W, free, impulse, next);
  if (rule.kind == ContactRule::Kind::kSingle) return solveSingly(rule, unit, W, free, next);
  return unit.solveAlone(W, free, impulse, next);
}

// Solves the unit with all others held, moves by the relaxed difference. Returns |Δλ|.
template <class Unit, class Velocity>
double relaxUnit(const ContactProblem& problem, const Unit& unit, int row, double relaxation, const ContactRule& rule,
                 Velocity& velocity, Iterate& iterate) {
  constexpr int kRows = Unit::kRows;
  double* impulse = iterate.impulse.data() + row;
  double W[kRows][kRows], free[kRows], solved[kRows], changes[kRows], moved = 0.0;
  problem.W.copyBlock<kRows>(row, W);
  velocity.read(problem, iterate, row, kRows, free);
  for (int r = 0; r < kRows; ++r)
    for (int c = 0; c < kRows; ++c) free[r] -= W[r][c] * impulse[c];
  if constexpr (kRows == 3)
    iterate.modes[row] = moveContact(rule, unit, W, free, impulse, solved);
  else
    iterate.modes[row] = unit.solveAlone(W, free, impulse, solved);
  for (int r = 0; r < kRows; ++r) {
    const double change = relaxation * (solved[r] - impulse[r]);
    impulse[r] += change;  // K is convex: a relaxed step between two of its points stays inside
    moved += change * change;
    changes[r] = change;
  }
  velocity.moved(problem, row, kRows, changes);
  return std::sqrt(moved);
}

// u of a unit's rows, at the present impulses.
struct DenseVelocity {
  void read(const ContactProblem& problem, const Iterate& iterate, int row, int rows, double* u) const {
    for (int r = 0; r < rows; ++r) u[r] = multiplyRow(problem.W, row + r, iterate.impulse.data()) + problem.b[row + r];
  }
  void moved(const ContactProblem&, int, int, const double*) {}
};

// All units of a block. Returns the largest |Δλ|.
template <class Velocity>
double relaxBlock(const ContactProblem& problem, const Block& block, double relaxation, const ContactRule& rule,
                  Velocity&& velocity, Iterate& iterate) {
  double moved = 0.0;
  forEachUnitByLaw(problem, block, [&](const auto& unit, int row) {
    moved = std::max(moved, relaxUnit(problem, unit, row, relaxation, rule, velocity, iterate));
  });
  return moved;
}

}  // namespace rigor
