#include "verify/smooth_way.h"

#include <numeric>

#include "verify/limits.h"
#include "verify/shortest_solution.h"

namespace rigor::verify {
namespace {

constexpr Real kProbe = 3e-4L;    // [m or rad] way of the fastest freedom between two poses of a difference quotient
constexpr Real kClosed = 1e-17L;  // [m or rad]
constexpr int kMostProjections = 8;

/// Rate of the rotation vector θ of R exp(θ), which turns with ω about its own axes: Jr(θ)⁻¹ ω.
Vec rateOfTangent(const Vec& theta, const Vec& omega) {
  const Real square = dot(theta, theta), angle = std::sqrt(square);
  const Real second =
      angle < 1e-3L ? 1 / Real(12) + square / 720 : 1 / square - (1 + std::cos(angle)) / (2 * angle * std::sin(angle));
  const Vec once = cross(theta, omega);
  return omega + 0.5L * once + second * cross(theta, once);
}

Reals tangentRates(const World& world, const Reals& theta, const Reals& v) {
  Reals rates = v;
  for (const Body& body : world.bodies)
    for (const Joint& joint : body.joints) {
      if (joint.turn != Turn::kAll) continue;
      const int j = joint.v + joint.translations;
      const Vec rate = rateOfTangent({theta[j], theta[j + 1], theta[j + 2]}, {v[j], v[j + 1], v[j + 2]});
      rates[j] = rate.x, rates[j + 1] = rate.y, rates[j + 2] = rate.z;
    }
  return rates;
}

void addScaled(Real factor, const Reals& what, Reals& to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * what[i];
}

/// The slip goes on smoothly through a reversal: the event that ends it is looked for at the end.
Vec directionOfSlip(const Hold& hold, const Vec& slip) {
  const Real speed = norm(slip);
  if (!(speed > hold.rest)) return hold.against;
  return (dot(slip, hold.against) < 0 ? -1 / speed : 1 / speed) * slip;
}

}  // namespace

Reals wayBetweenPoses(const World& world, const Reals& q_from, const Reals& q_to) {
  Reals way(world.nv, 0);
  for (const Body& body : world.bodies)
    for (const Joint& joint : body.joints) {
      const int straight = joint.turn == Turn::kAll ? joint.translations : joint.nv;
      for (int k = 0; k < straight; ++k) way[joint.v + k] = q_to[joint.q + k] - q_from[joint.q + k];
      if (joint.turn != Turn::kAll) continue;
      const Real *a = &q_from[joint.q + straight], *b = &q_to[joint.q + straight];
      const Vec theta = rotationVector(normalized(Quaternion{a[0], -a[1], -a[2], -a[3]}) *
                                       normalized(Quaternion{b[0], b[1], b[2], b[3]}));
      way[joint.v + straight] = theta.x, way[joint.v + straight + 1] = theta.y, way[joint.v + straight + 2] = theta.z;
    }
  return way;
}

void SmoothWay::begin(const SubstepData& data) {
  data_ = &data;
  start_ = computeMotion(world_, data.q, {});
  holds_ = readHolds(world_, r_, ties_, data);
  forces_.begin(data, holds_.rubs);
  recorded_.clear(), hold_of_.clear(), first_row_.clear();
  for (std::size_t i = 0; i < holds_.held.size(); ++i) {
    first_row_.push_back(static_cast<int>(recorded_.size()));
    for (int k = 0; k < holds_.held[i].rows; ++k) {
      recorded_.push_back(holds_.held[i].force[k]);
      hold_of_.push_back(static_cast<int>(i));
    }
  }
  findIslands();
}

bool SmoothWay::isKnown() const {
  if (!holds_.known || !world_.fourth_order || world_.law != FrictionLaw::kCoulomb || !world_.own.empty()) return false;
  for (const Way& way : world_.ways)
    if (!way.time.empty()) return false;
  for (int j = 0; j < world_.nv; ++j)
    if (world_.prescribed[world_.tree[j]] && data_->v[j] != data_->v_end[j]) return false;
  return true;
}

/// Rows that no tree that forces move has in common do not feel each other.
void SmoothWay::findIslands() {
  std::vector<int> leader(world_.trees);
  std::iota(leader.begin(), leader.end(), 0);
  const auto find = [&](int tree) {
    while (leader[tree] != tree) tree = leader[tree] = leader[leader[tree]];
    return tree;
  };
  std::vector<int> tree_of_hold(holds_.held.size(), -1);
  for (std::size_t i = 0; i < holds_.held.size(); ++i)
    for (const auto& [j, value] : rowsOf(world_, ties_, holds_.held[i], start_, start_, data_->q).J[0]) {
      const int tree = world_.tree[j];
      if (world_.prescribed[tree]) continue;
      if (tree_of_hold[i] < 0) tree_of_hold[i] = tree;
      leader[find(tree)] = find(tree_of_hold[i]);
    }
  std::map<int, Island> islands;
  for (std::size_t row = 0; row < hold_of_.size(); ++row)
    if (const int tree = tree_of_hold[hold_of_[row]]; tree >= 0)
      islands[find(tree)].rows.push_back(static_cast<int>(row));
  islands_.clear();
  for (auto& [tree, island] : islands) islands_.push_back(std::move(island));
}

TreeCholesky SmoothWay::massAt(const Motion& pose) const {
  constexpr Real kUnmovable = 1e200L;  // [kg] on the diagonal: whatever pushes, nothing answers
  TreeMatrix M = massMatrix(world_, pose);
  for (int i = 0; i < world_.nv; ++i)
    if (world_.prescribed[world_.tree[i]])
      for (const int j : world_.tree_freedoms[world_.tree[i]]) M(i, j) = i == j ? kUnmovable : 0;
  return TreeCholesky(world_, M);
}

SmoothWay::Lined SmoothWay::lineUp(const Motion& pose, const Reals& q) const {
  Lined lined;
  for (const Hold& hold : holds_.held) {
    lined.of_hold.push_back(rowsOf(world_, ties_, hold, start_, pose, q));
    const HoldRows& rows = lined.of_hold.back();
    for (int k = 0; k < hold.rows; ++k) {
      lined.J.push_back(rows.J[k]);
      lined.belt.push_back(rows.belt[k]), lined.opening.push_back(rows.opening[k]);
    }
  }
  return lined;
}

/// f′(0) = (8 (f(s) − f(−s)) − (f(2s) − f(−2s)))/12 s with f(s) = J(q ⊕ s v) v + belt.
std::vector<std::array<Real, 3>> SmoothWay::turningOf(const std::vector<Hold>& holds, bool all, const Reals& q,
                                                      const Reals& v) const {
  std::vector<std::array<Real, 3>> rates(holds.size(), {0, 0, 0});
  Real fastest = 0;
  for (const Real speed : v) fastest = std::max(fastest, std::fabs(speed));
  if (!(fastest > 0) || holds.empty()) return rates;
  const Real s = kProbe / fastest;
  for (const auto& [place, weight] : {std::pair{1, 8}, {-1, -8}, {2, -1}, {-2, 1}}) {
    const Reals moved = move(world_, q, v, place * s);
    const Motion pose = computeMotion(world_, moved, {});
    for (std::size_t i = 0; i < holds.size(); ++i) {
      const HoldRows rows = rowsOf(world_, ties_, holds[i], start_, pose, moved, all);
      for (int k = 0; k < (all && holds[i].kind == Hold::kContact ? 3 : holds[i].rows); ++k)
        rates[i][k] += weight / (12 * s) * (dot(rows.J[k], v) + rows.belt[k]);
    }
  }
  return rates;
}

SmoothWay::Rates SmoothWay::ratesAt(const Reals& q, const Reals& v) const {
  Rates out;
  const Motion moving = computeMotion(world_, q, v);
  const TreeCholesky mass = massAt(moving);
  out.a = mass.solve(forces_.at(q, v, moving, out.powers));
  const Lined lined = lineUp(moving, q);
  const std::size_t rows = lined.J.size();
  out.forces = recorded_, out.responses.assign(rows, 0);
  if (rows == 0) return out;
  std::vector<Row> moved;  // M⁻¹Fᵀ
  for (std::size_t r = 0; r < rows; ++r) {
    const Hold& hold = holds_.held[hold_of_[r]];
    Row F = lined.J[r];
    if (hold.slips) {
      const HoldRows& of = lined.of_hold[hold_of_[r]];
      const Vec pull = -hold.mu * directionOfSlip(hold, slipAt(of, v));
      for (std::size_t i = 0; i < F.size(); ++i)
        F[i].second += dot(pull, {of.point[0][i].second, of.point[1][i].second, of.point[2][i].second});
    }
    moved.push_back(mass.solve(F));
  }
  const std::vector<std::array<Real, 3>> turning = turningOf(holds_.held, false, q, v);
  for (const Island& island : islands_) {
    const std::size_t n = island.rows.size();
    Reals scale(n), right(n);
    std::vector<Reals> columns(n, Reals(n));
    for (std::size_t k = 0; k < n; ++k) {
      const int row = island.rows[k];
      out.responses[row] = dot(lined.J[row], moved[row]);
      const Real size = std::fabs(out.responses[row]);
      scale[k] = size > 0 ? 1 / std::sqrt(size) : 1;
    }
    for (std::size_t i = 0; i < n; ++i) {
      const int row = island.rows[i];
      right[i] = -(dot(lined.J[row], out.a) + turning[hold_of_[row]][row - first_row_[hold_of_[row]]]);
      for (std::size_t k = 0; k < n; ++k) {
        const Real answer = dot(lined.J[row], moved[island.rows[k]]);
        columns[k][i] = scale[i] * answer * scale[k];
        right[i] -= answer * recorded_[island.rows[k]];
      }
      right[i] *= scale[i];
    }
    const ShortestSolution change = solveShortest(columns, right, kDependentRows);
    out.unique = out.unique && change.unique;
    for (std::size_t k = 0; k < n; ++k) out.forces[island.rows[k]] += scale[k] * change.x[k];
  }
  for (std::size_t r = 0; r < rows; ++r)
    for (const auto& [j, value] : moved[r]) out.a[j] += out.forces[r] * value;
  addHoldPowers(lined, v, out.forces, out.powers);
  return out;
}

/// Friction rubs on slip; what moves as it is told, and belts, do the rest of what holds push.
void SmoothWay::addHoldPowers(const Lined& lined, const Reals& v, const Reals& forces, Powers& powers) const {
  const auto add = [&](Account account, Real power) { powers[static_cast<int>(account)] += power; };
  for (std::size_t r = 0; r < lined.J.size(); ++r) {
    const Hold& hold = holds_.held[hold_of_[r]];
    const HoldRows& of = lined.of_hold[hold_of_[r]];
    add(Account::kKinematic, -forces[r] * (powerOnTold(world_, lined.J[r], v) + lined.belt[r]));
    if (!hold.slips) continue;
    const Vec slip = slipAt(of, v), friction = -hold.mu * forces[r] * directionOfSlip(hold, slip);
    const Vec told{powerOnTold(world_, of.point[0], v), powerOnTold(world_, of.point[1], v),
                   powerOnTold(world_, of.point[2], v)};
    add(Account::kFriction, dot(friction, slip));
    add(Account::kKinematic, -dot(friction, told + of.belt_velocity));
  }
}

WayPoint SmoothWay::takeStep(const WayPoint& from, Real h) const {
  static constexpr Real kReach[4] = {0, 0.5L, 0.5L, 1}, kWeight[4] = {1 / 6.0L, 1 / 3.0L, 1 / 3.0L, 1 / 6.0L};
  Reals way(world_.nv, 0), change(world_.nv, 0), rate(world_.nv, 0), a(world_.nv, 0);
  WayPoint to = from;
  for (int stage = 0; stage < 4; ++stage) {
    Reals theta(world_.nv, 0), v = from.v;
    addScaled(kReach[stage] * h, rate, theta);
    addScaled(kReach[stage] * h, a, v);
    const Rates rates = ratesAt(move(world_, from.q, theta, 1), v);
    rate = tangentRates(world_, theta, v), a = rates.a;
    addScaled(kWeight[stage] * h, rate, way);
    addScaled(kWeight[stage] * h, a, change);
    for (int account = 0; account < kAccounts; ++account)
      to.work[account] += kWeight[stage] * h * rates.powers[account];
  }
  to.q = move(world_, from.q, way, 1);
  addScaled(1, change, to.v);
  return to;
}

/// Back to where gaps, loops and stops are as they are kept, and what is held has no velocity.
void SmoothWay::project(WayPoint& point) const {
  if (recorded_.empty()) return;
  Real before = std::numeric_limits<Real>::infinity();
  for (int pass = 0; pass <= kMostProjections; ++pass) {
    const Motion pose = computeMotion(world_, point.q, {});
    const TreeCholesky mass = massAt(pose);
    const Lined lined = lineUp(pose, point.q);
    std::vector<Row> moved;
    for (const Row& row : lined.J) moved.push_back(mass.solve(row));
    Real open = 0;
    for (const Real opening : lined.opening) open = std::max(open, std::fabs(opening));
    const bool closed = open < kClosed || open > before / 2 || pass == kMostProjections;
    before = open;
    Reals shift(world_.nv, 0);
    for (const Island& island : islands_) {
      const std::size_t n = island.rows.size();
      Reals scale(n), right(n);
      std::vector<Reals> columns(n, Reals(n));
      for (std::size_t k = 0; k < n; ++k) {
        const int row = island.rows[k];
        const Real size = dot(lined.J[row], moved[row]);
        scale[k] = size > 0 ? 1 / std::sqrt(size) : 1;
      }
      for (std::size_t i = 0; i < n; ++i) {
        const int row = island.rows[i];
        right[i] = -scale[i] * (closed ? dot(lined.J[row], point.v) + lined.belt[row] : lined.opening[row]);
        for (std::size_t k = 0; k < n; ++k)
          columns[k][i] = scale[i] * dot(lined.J[row], moved[island.rows[k]]) * scale[k];
      }
      const Reals x = solveShortest(columns, right, kDependentRows).x;
      for (std::size_t k = 0; k < n; ++k)
        for (const auto& [j, value] : moved[island.rows[k]]) shift[j] += scale[k] * x[k] * value;
    }
    if (closed) {
      addScaled(1, shift, point.v);
      return;
    }
    point.q = move(world_, point.q, shift, 1);
  }
}

WayPoint SmoothWay::go(int pieces) const {
  WayPoint point{data_->q, data_->v, {}};
  for (int piece = 0; piece < pieces; ++piece) {
    point = takeStep(point, data_->h / pieces);
    project(point);
  }
  return point;
}

}  // namespace rigor::verify
