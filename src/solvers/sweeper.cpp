#include "solvers/sweeper.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/judge.h"
#include "contact/row_product.h"
#include "contact/visit_block.h"
#include "rigor/solver.h"
#include "solvers/relax_unit.h"

namespace rigor {
namespace {

// u of a unit that was read already.
struct GivenVelocity {
  const double* u;
  void read(const ContactProblem&, const Iterate&, int, int rows, double* out) const { std::copy_n(u, rows, out); }
  void moved(const ContactProblem&, int, int, const double*) {}
};

// W_ii⁻¹ of a contact whose tangential rows have rank two without its normal one; false if they have not.
bool invert(const ContactBlock& block, const single_contact::Tangential& t, double inverse[3][3]) {
  constexpr double kRank = 1e-11;  // as in truncateRank
  if (!(block.W[0][0] > 0.0 && t.trace > 0.0 && t.det > kRank * t.trace * t.wtt)) return false;
  const double per = 1.0 / t.det, normal = 1.0 / block.W[0][0];
  const double T[2][2] = {{t.d * per, -t.b * per}, {-t.c * per, t.a * per}};
  const double column[2] = {block.W[1][0] * normal, block.W[2][0] * normal};
  inverse[0][0] = normal;
  for (int r = 0; r < 2; ++r) {
    inverse[0][1 + r] = -(t.k1 * T[0][r] + t.k2 * T[1][r]);
    inverse[1 + r][0] = -(T[r][0] * column[0] + T[r][1] * column[1]);
    for (int c = 0; c < 2; ++c) inverse[1 + r][1 + c] = T[r][c];
    inverse[0][0] -= inverse[0][1 + r] * column[r];
  }
  return true;
}

// How many times λ may move by `direction` until the first unit that is not there yet is at the edge of its set. Those that are
// at an edge slide along it.
double lengthToEdge(const ContactProblem& problem, const Iterate& iterate, const double* direction) {
  constexpr double kThere = 2.0;
  double least = std::numeric_limits<double>::infinity();
  forEachUnit(problem, [&](const auto& unit, int row) {
    const double length = unit.findEdge(iterate.modes[row], &iterate.impulse[row], direction + row).length;
    if (length > kThere) least = std::min(least, length);
  });
  return least;
}

}  // namespace

void Sweeper::reserve(int rows) {
  held_.resize(rows);
  before_.resize(rows);
  weight_.resize(rows);
  memory_.reserve(rows);
}

void Sweeper::hold(const ContactProblem& problem, const ContactRule& rule) {
  using Kind = HeldBlock::Kind;
  const double least = std::max(leastScale(problem), 1e-150);
  const bool inverts = rule.kind != ContactRule::Kind::kGradient;
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const Block& block = problem.blocks[i];
    HeldBlock& held = held_[i];
    held.w = blockScale(problem, block);
    double size = 0.0;
    for (int r = block.row; r < block.row + block.size; ++r) {
      size += problem.b[r] * problem.b[r];
      weight_[r] = held.w;
    }
    held.per_scale = 1.0 / std::max(std::sqrt(size), least);
    held.kind =
        visitBlock(block, []<class Unit>(UnitType<Unit>) { return Unit::kRows == 3; }) ? Kind::kContact : Kind::kOther;
    if (!inverts || held.kind == Kind::kOther) continue;
    ContactBlock alone{};
    problem.W.copyBlock<3>(block.row, alone.W);
    held.compliance = problem.compliance[block.row];
    alone.W[0][0] += held.compliance;
    held.t = single_contact::eliminateNormal(alone);
    if (invert(alone, held.t, held.inverse)) held.kind = Kind::kRegular;
    std::copy_n(&alone.W[0][0], 9, &held.W[0][0]);
    held.mu = block.mu, held.bias = problem.bias[block.row];
    held.by_compliance = block.mu > 0.0 && problem.law == Law::kCoulomb && rule.kind == ContactRule::Kind::kExact;
    held.slip_compliance = 0.0;
  }
}

// A regular contact with velocity u, all others held; false if it slips in a way that is not known here.
bool Sweeper::solveHeld(HeldBlock& held, const double* u, const double* impulse, double* change,
                        ContactMode& mode) const {
  const auto alone = [&](int r, double velocity) {
    return velocity - (held.W[r][0] * impulse[0] + held.W[r][1] * impulse[1] + held.W[r][2] * impulse[2]);
  };
  const double shifted = u[0] + held.bias + held.compliance * impulse[0], normal = alone(0, shifted);
  if (normal >= 0.0) {
    for (int r = 0; r < 3; ++r) change[r] = -impulse[r];
    mode = ContactMode::kOpen;
    return true;
  }
  for (int r = 0; r < 3; ++r)
    change[r] = -(held.inverse[r][0] * shifted + held.inverse[r][1] * u[1] + held.inverse[r][2] * u[2]);
  const double radius = held.mu * (impulse[0] + change[0]);
  const double t1 = impulse[1] + change[1], t2 = impulse[2] + change[2];
  mode = ContactMode::kStick;
  if (radius > 0.0 && t1 * t1 + t2 * t2 <= radius * radius) return true;
  if (!held.by_compliance) return false;
  single_contact::Tangential& t = held.t;
  t.normal = -normal / held.W[0][0];
  t.h1 = alone(1, u[1]) + held.W[1][0] * t.normal;
  t.h2 = alone(2, u[2]) + held.W[2][0] * t.normal;
  double next[3];
  mode = ContactMode::kSlip;
  if (!single_contact::solveSlip(t, held.mu, close_, held.slip_compliance, next)) return false;
  for (int r = 0; r < 3; ++r) change[r] = next[r] - impulse[r];
  return true;
}

// One block, by w |Δλ|.
double Sweeper::move(const ContactProblem& problem, int index, double relaxation, const ContactRule& rule,
                     Iterate& iterate) {
  const Block& block = problem.blocks[index];
  HeldBlock& held = held_[index];
  if (held.kind == HeldBlock::Kind::kOther)
    return held.w * relaxBlock(problem, block, relaxation, rule, DenseVelocity{}, iterate);
  double *impulse = &iterate.impulse[block.row], u[3], change[3];
  multiplyRows<3>(problem.W, block.row, iterate.impulse.data(), u);
  for (int r = 0; r < 3; ++r) u[r] += problem.b[block.row + r];
  if (held.kind == HeldBlock::Kind::kContact)
    return held.w * relaxBlock(problem, block, relaxation, rule, GivenVelocity{u}, iterate);

  if (!solveHeld(held, u, impulse, change, iterate.modes[block.row]))
    return held.w * relaxBlock(problem, block, relaxation, rule, GivenVelocity{u}, iterate);
  double moved = 0.0;
  for (int r = 0; r < 3; ++r) {
    change[r] *= relaxation;
    impulse[r] += change[r];
    moved += change[r] * change[r];
  }
  return held.w * std::sqrt(moved);
}

// The largest move, each in units of what the judge measures its block by.
double Sweeper::sweep(const ContactProblem& problem, bool forward, double relaxation, const ContactRule& rule,
                      Iterate& iterate) {
  const int count = static_cast<int>(problem.blocks.size());
  double moved = 0.0;
  const int first = turns_ && count > 1 ? 1 : 0;
  visits_ += count - first;
  for (int i = first; i < count; ++i) {
    const int index = forward ? i : count - 1 - i;
    moved = std::max(moved, held_[index].per_scale * move(problem, index, relaxation, rule, iterate));
  }
  turns_ = rule.kind != ContactRule::Kind::kGradient;  // a block that took only a step is not done
  return moved;
}

int Sweeper::relax(const ContactProblem& problem, const SweepLimits& limits, Relaxation relaxation,
                   const ContactRule& rule, Iterate& iterate) {
  constexpr int kOften = 7, kSlow = 32,
                kPatience = 240;  // sweeps between two judgements; that are slow; that go in circles
  constexpr double kNear = 10.0;
  const bool gradient = rule.kind == ContactRule::Kind::kGradient;
  const bool single = problem.blocks.size() == 1 && !gradient;
  const bool extrapolates = limits.extrapolate && !gradient && !single;
  hold(problem, rule);
  close_ = 1e-3 * std::sqrt(limits.tolerance);
  memory_.begin(problem.rows());
  turns_ = false;
  visits_ = 0;
  ContactRule present = rule;
  bool near = false;
  double alpha = relaxation.first, residual_per_move = 0.3, way = 0.0;
  for (int sweeps = 1;; ++sweeps) {
    const bool forward = sweeps % 2 == 1, last = sweeps == limits.max_sweeps || isRaised(limits.stop);
    if (sweeps == 1 || (forward && extrapolates)) std::copy_n(iterate.impulse.data(), problem.rows(), before_.data());
    const double moved = sweep(problem, forward, alpha, present, iterate);
    alpha = relaxation.least + relaxation.decay * (alpha - relaxation.least);
    if (last || single || near || sweeps % kOften == 0 || residual_per_move * moved <= limits.tolerance) {
      judgeIterate(problem, iterate);
      const Residuals& found = iterate.residuals;
      const bool enough = sweeps >= (gradient ? 30 * kSlow : kSlow) && accepts(found, limits.enough);
      if (last || !found.finite || accepts(found, limits.tolerance) || enough) break;
      near = gradient && found.law <= kNear * limits.tolerance;  // in heavy stacks one sweep in some gets there
      if (moved > 0.0) residual_per_move = std::clamp(found.law / moved, 0.1, 1e3);
    }
    if (!forward && extrapolates) extrapolate(problem, iterate);
    if (!gradient) continue;
    way += moved;
    if (sweeps % kPatience != 0) continue;
    if (goesInCircles(problem, iterate, way)) present.step *= 0.5;
    way = 0.0;
  }
  const int count = std::max(1, static_cast<int>(problem.blocks.size()));
  return (visits_ + count - 1) / count;
}

// A gradient step that is too long for a contact whose normal and friction couple (the Painlevé range, μ|Wnt| > Wnn) goes to
// and fro between two points for ever: a long way, and nothing gained.
bool Sweeper::goesInCircles(const ContactProblem& problem, const Iterate& iterate, double way) {
  constexpr double kGained = 1e-4;
  double gained = 0.0;
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const Block& block = problem.blocks[i];
    for (int r = block.row; r < block.row + block.size; ++r)
      gained = std::max(gained, held_[i].per_scale * held_[i].w * std::abs(iterate.impulse[r] - before_[r]));
  }
  std::copy_n(iterate.impulse.data(), problem.rows(), before_.data());
  return gained < kGained * way;
}

void Sweeper::extrapolate(const ContactProblem& problem, Iterate& iterate) {
  constexpr double kNever = 1e9;
  const SweepGuess guess = memory_.extrapolate(before_.data(), weight_.data(), iterate.impulse.data());
  if (guess == SweepGuess::kDrift) {
    memory_.forget();
    for (int r = 0; r < problem.rows(); ++r) before_[r] = iterate.impulse[r] - before_[r];
    const double length = lengthToEdge(problem, iterate, before_.data());
    if (!(length < kNever)) return;
    for (int r = 0; r < problem.rows(); ++r) iterate.impulse[r] += length * before_[r];
  } else if (guess != SweepGuess::kMixed) {
    return;
  }
  projectImpulse(problem, iterate.impulse);
  turns_ = false;
}

}  // namespace rigor
