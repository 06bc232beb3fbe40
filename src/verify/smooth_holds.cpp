#include "verify/smooth_holds.h"

#include "verify/limits.h"

namespace rigor::verify {
namespace {

int treeOfBody(const World& world, int body) { return body == kWorldBody ? -1 : world.bodies[body].tree; }

const Joint* jointWith(const World& world, int freedom) {
  for (const Body& body : world.bodies)
    for (const Joint& joint : body.joints)
      if (freedom >= joint.v && freedom < joint.v + joint.nv) return &joint;
  return nullptr;
}

/// Two unit vectors across n.
void chooseTangents(const Vec& n, Vec& t1, Vec& t2) {
  const Vec least = std::fabs(n.x) < 0.6L ? Vec{1, 0, 0} : Vec{0, 1, 0};
  t1 = least - dot(least, n) * n;
  t1 = (1 / norm(t1)) * t1;
  t2 = cross(n, t1);
}

class Reader {
 public:
  Reader(const World& world, const Recording& r, const SmoothTies& ties, const SubstepData& data)
      : world_(world), r_(r), ties_(ties), data_(data), start_(computeMotion(world, data.q, {})) {}

  Holds read() {
    const std::int64_t s = data_.index;
    for (std::int64_t c = r_.contact_start[s]; c < r_.contact_start[s + 1]; ++c) readContact(c);
    for (std::size_t part = 0; part < ties_.loops.size(); ++part) {
      Hold hold;
      hold.kind = Hold::kLoop, hold.index = static_cast<int>(part), hold.rows = ties_.loops[part].rows;
      holds_.held.push_back(hold);
    }
    for (std::int64_t row = r_.row_start[s]; row < r_.row_start[s + 1]; ++row) readRow(row);
    return std::move(holds_);
  }

 private:
  void readContact(std::int64_t entry) {
    const std::optional<Pair> pair = world_.findPair(r_.contact_id[entry]);
    if (!pair) return;
    Hold hold;
    hold.entry = entry;
    hold.pair = *pair;
    hold.pair.near_point = vectorAt(r_.contact_point, entry),
    hold.pair.near_normal = vectorAt(r_.contact_normal, entry);
    hold.pair.near_is_recorded = true;
    hold.touch = computeTouch(hold.pair, start_);
    hold.opening = hold.touch.gap;
    hold.axes[0] = hold.touch.normal;
    chooseTangents(hold.axes[0], hold.axes[1], hold.axes[2]);
    const Vec force = (1 / data_.h) * vectorAt(r_.contact_impulse, entry);
    const auto splitForce = [&] {
      for (int k = 0; k < 3; ++k) hold.force[k] = dot(hold.axes[k], force);
    };
    splitForce();
    const Surface& surface = hold.pair.surface;
    if (r_.contact_mode[entry] == 0) {
      holds_.open.push_back(hold);
      return;
    }
    if (!surface.isRound() || surface.compliance > 0) holds_.known = false;
    hold.slips = r_.contact_mode[entry] == 2 || std::max(surface.friction, surface.friction_static) == 0;
    hold.mu = hold.slips ? surface.friction : surface.friction_static;
    hold.rows = hold.slips ? 1 : 3;
    if (hold.slips) findDirection(hold);
    if (world_.law == FrictionLaw::kPyramid && hold.mu > 0) {
      hold.corners = world_.corners, hold.axis = tangentAxis(hold.axes[0]);
      if (hold.slips) findCorner(hold);
      axesAt(hold, hold.axes[0], hold.axes);
      splitForce();
    }
    holds_.held.push_back(hold);
  }

  /// At which corner of the polygon its friction is, or between which two: those nearest to −slip. Where two are as near, or nothing slips
  /// yet, friction itself tells.
  void findCorner(Hold& hold) {
    Vec t1, t2;
    makeTangents(hold.axes[0], hold.axis, t1, t2);
    const Vec friction = hold.force[1] * hold.axes[1] + hold.force[2] * hold.axes[2];
    const Vec slip = slipAt(rowsOf(world_, ties_, hold, start_, start_, data_.q), data_.v);
    const Real side = 2 * std::numbers::pi_v<Real> / hold.corners;
    const auto sideOf = [&](const Vec& d) { return std::floor(std::atan2(dot(t2, d), dot(t1, d)) / side); };
    const auto alongSide = [&](const Vec& d, Real index) {
      const Real angle = (index + 0.5L) * side;
      return std::cos(angle) * dot(t2, d) - std::sin(angle) * dot(t1, d);
    };
    const bool moves = norm(slip) > kSmoothRest;
    const Vec toward = moves ? Real(-1) * slip : friction;
    const Real index = sideOf(toward), along = alongSide(toward, index);
    constexpr Real kAtCorner = 1e-9L;  // of the half side
    const Real half = hold.mu * hold.force[0] * std::sin(side / 2);
    const bool between = std::fabs(alongSide(friction, index)) < (1 - kAtCorner) * half;
    hold.on_edge = (!moves || std::fabs(along) <= kOnBorder) && between;
    if (hold.on_edge) {
      hold.turn = (index + 0.5L) * side;
      hold.rows = 2;
    } else {  // the nearest one; on a border the one where friction is
      const Real nearest = std::fabs(along) <= kOnBorder ? alongSide(friction, index) : along;
      hold.turn = (nearest > 0 ? index + 1 : index) * side;
    }
  }

  /// Of what does not slip yet its friction tells where it will.
  void findDirection(Hold& hold) {
    const HoldRows rows = rowsOf(world_, ties_, hold, start_, start_, data_.q);
    const Vec slip = slipAt(rows, data_.v);
    Real terms = norm(rows.belt_velocity);
    for (const Row& row : rows.point)
      for (const auto& [j, value] : row) terms += std::fabs(value * data_.v[j]);
    hold.rest += kRateRounding * kEps * terms;
    const Vec friction = hold.force[1] * hold.axes[1] + hold.force[2] * hold.axes[2];
    if (norm(slip) > hold.rest)
      hold.against = (1 / norm(slip)) * slip;
    else if (norm(friction) > 0)
      hold.against = (-1 / norm(friction)) * friction;
  }

  void readRow(std::int64_t entry) {
    const auto kind = static_cast<Push::Kind>(r_.row_id[entry].high >> 60);
    const std::uint64_t index = r_.row_id[entry].low;
    Hold hold;
    hold.entry = entry;
    for (int k = 0; k < 3; ++k) hold.force[k] = Real(r_.row_impulse[3 * entry + k]) / data_.h;
    if (kind == Push::kLimit && index / 2 < static_cast<std::uint64_t>(world_.nv)) {
      hold.kind = Hold::kLimit, hold.index = static_cast<int>(index / 2), hold.sign = index % 2 == 1 ? -1 : 1;
      hold.joint = jointWith(world_, hold.index);
      addStop(hold);
    }
    if (kind == Push::kDryFriction && index < static_cast<std::uint64_t>(world_.nv)) {
      hold.kind = Hold::kJoint, hold.index = static_cast<int>(index);
      hold.joint = jointWith(world_, hold.index);
      hold.bound = hold.joint->dry_friction;
      addFriction(hold);
    }
    if (kind == Push::kLoop)
      for (Hold& loop : holds_.held)
        if (loop.kind == Hold::kLoop &&
            static_cast<std::uint64_t>(8 * ties_.loops[loop.index].loop + ties_.loops[loop.index].part) == index)
          std::copy(hold.force, hold.force + 3, loop.force);
    if (kind == Push::kLoopFreedom) readFreedom(index, hold);
    if (kind == Push::kOwn) holds_.known = false;
  }

  void readFreedom(std::uint64_t id, Hold& hold) {
    for (std::size_t i = 0; i < ties_.freedoms.size(); ++i) {
      if (static_cast<std::uint64_t>(ties_.freedoms[i].loop) != id / kFreedomRows) continue;
      hold.index = static_cast<int>(i);
      const auto row = static_cast<FreedomRow>(id % kFreedomRows);
      if (row == FreedomRow::kMotor) return;
      hold.sign = row == FreedomRow::kUpper ? -1 : 1;
      hold.kind = row == FreedomRow::kFriction ? Hold::kFreedom : Hold::kStop;
      hold.bound = world_.loops[ties_.freedoms[i].loop].dry_friction;
      if (row == FreedomRow::kFriction)
        addFriction(hold);
      else
        addStop(hold);
    }
  }

  /// A stop that is listed without a force holds where its gap is the same at the end.
  void addStop(Hold& hold) {
    const auto openingAt = [&](const Motion& pose, const Reals& q) {
      return rowsOf(world_, ties_, hold, start_, pose, q).opening[0];
    };
    hold.opening = openingAt(start_, data_.q);
    const bool stays =
        !data_.q_end.empty() && std::fabs(openingAt(computeMotion(world_, data_.q_end, {}), data_.q_end)) <= kDeeper;
    (hold.force[0] > 0 || stays ? holds_.held : holds_.open).push_back(hold);
  }

  void addFriction(const Hold& hold) {
    const Real rate = dot(rowsOf(world_, ties_, hold, start_, start_, data_.q).J[0], data_.v);
    constexpr Real kInside = 1 - 1e-12L;
    if (std::fabs(rate) <= kSmoothRest && std::fabs(hold.force[0]) < kInside * hold.bound)
      holds_.held.push_back(hold);
    else
      holds_.rubs.push_back({hold.kind == Hold::kJoint, hold.index,
                             std::copysign(hold.bound, std::fabs(rate) > kSmoothRest ? -rate : hold.force[0])});
  }

  const World& world_;
  const Recording& r_;
  const SmoothTies& ties_;
  const SubstepData& data_;
  Motion start_;
  Holds holds_;
};

void addContactRows(const World& world, const Hold& hold, const Motion& start, const Motion& pose, bool all,
                    HoldRows& rows) {
  const Pair& pair = hold.pair;
  const Touch touch = computeTouch(carried(pair, hold.touch, start, pose), pose);
  const auto along = [&](const Vec& axis) {
    return rowOn(world, {treeOfBody(world, pair.body_1), treeOfBody(world, pair.body_2)}, [&](Reals& row) {
      addWrench(world, pose, pair.body_2, touch.point, axis, {}, 1, row);
      addWrench(world, pose, pair.body_1, touch.point, axis, {}, -1, row);
    });
  };
  Vec directions[3];
  axesAt(hold, touch.normal, directions);
  rows.normal = touch.normal;
  rows.belt_velocity = beltBetween(world, pose, pair, touch.normal);
  rows.opening[0] = touch.gap - hold.opening;
  rows.J[0] = along(touch.normal);
  for (int k = 1; k < (all ? 3 : hold.rows); ++k) {
    rows.J[k] = along(directions[k]);
    rows.belt[k] = dot(directions[k], rows.belt_velocity);
  }
  if (!hold.slips && !all) return;
  const Vec axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int k = 0; k < 3; ++k) rows.point[k] = along(axes[k]);
}

void addLoopRows(const World& world, const LoopPart& part, const Motion& pose, const Reals& q, HoldRows& rows) {
  const Loop& loop = world.loops[part.loop];
  const Opening opening = computeOpening(world, part, pose, q);
  const int tree_1 = loop.couples ? world.tree[loop.v_1] : treeOfBody(world, loop.body_1);
  const int tree_2 = loop.couples ? world.tree[loop.v_2] : treeOfBody(world, loop.body_2);
  for (int k = 0; k < part.rows; ++k) {
    Real unit[3] = {0, 0, 0};
    unit[k] = 1;
    rows.opening[k] = opening.g[k];
    rows.J[k] = rowOn(world, {tree_1, tree_2}, [&](Reals& row) { addLoopImpulse(world, part, pose, q, unit, row); });
  }
}

}  // namespace

Holds readHolds(const World& world, const Recording& recording, const SmoothTies& ties, const SubstepData& data) {
  return Reader(world, recording, ties, data).read();
}

HoldRows rowsOf(const World& world, const SmoothTies& ties, const Hold& hold, const Motion& start, const Motion& pose,
                const Reals& q, bool all) {
  HoldRows rows;
  if (hold.kind == Hold::kContact) {
    addContactRows(world, hold, start, pose, all, rows);
  } else if (hold.kind == Hold::kLoop) {
    addLoopRows(world, ties.loops[hold.index], pose, q, rows);
  } else if (hold.kind == Hold::kLimit || hold.kind == Hold::kJoint) {
    rows.J[0] = rowOn(world, {world.tree[hold.index]}, [&](Reals& row) { row[hold.index] = hold.sign; });
    if (hold.kind == Hold::kLimit)
      rows.opening[0] =
          hold.sign * (q[hold.joint->q] - (hold.sign < 0 ? hold.joint->upper : hold.joint->lower)) - hold.opening;
  } else {
    const FreedomPart& part = ties.freedoms[hold.index];
    const Loop& loop = world.loops[part.loop];
    rows.J[0] = rowOn(world, {treeOfBody(world, loop.body_1), treeOfBody(world, loop.body_2)},
                      [&](Reals& row) { addSpringRow(world, part.along, false, pose, row); });
    for (auto& [j, value] : rows.J[0]) value *= hold.sign;
    const Real gap = gapOfStop(loop, hold.sign < 0, computeFreedom(part, pose).x);
    if (hold.kind == Hold::kStop) rows.opening[0] = gap - hold.opening;
  }
  return rows;
}

void axesAt(const Hold& hold, const Vec& normal, Vec axes[3]) {
  if (hold.corners == 0) {
    std::copy_n(hold.axes, 3, axes);
    return;
  }
  Vec t1, t2;
  makeTangents(normal, hold.axis, t1, t2);
  axes[0] = normal, axes[1] = t1, axes[2] = t2;
  if (!hold.on_edge) return;
  axes[2] = std::cos(hold.turn) * t1 + std::sin(hold.turn) * t2;
  axes[1] = std::cos(hold.turn) * t2 - std::sin(hold.turn) * t1;
}

Vec slidingFriction(const Hold& hold, const Vec& normal, const Vec& slip) {
  if (hold.corners > 0) {
    Vec axes[3];
    axesAt(hold, normal, axes);
    const Vec toward = hold.on_edge ? axes[2] : std::cos(hold.turn) * axes[1] + std::sin(hold.turn) * axes[2];
    return (hold.mu * hold.reach()) * toward;
  }
  // the slip goes on smoothly through a reversal: the event that ends it is looked for at the end
  const Real speed = norm(slip);
  if (!(speed > hold.rest)) return -hold.mu * hold.against;
  return (dot(slip, hold.against) < 0 ? hold.mu / speed : -hold.mu / speed) * slip;
}

Real Hold::outOfSector(Real slip_1, Real slip_2) const {
  if (on_edge) return std::max(std::fabs(slip_1), slip_2);  // across and along
  const Real half = std::numbers::pi_v<Real> / corners;
  const auto across = [&](Real angle) { return std::cos(angle) * slip_2 - std::sin(angle) * slip_1; };
  return std::max(across(turn - half), -across(turn + half));
}

Vec slipAt(const HoldRows& rows, const Reals& v) {
  const Vec velocity = Vec{dot(rows.point[0], v), dot(rows.point[1], v), dot(rows.point[2], v)};
  return velocity - dot(velocity, rows.normal) * rows.normal + rows.belt_velocity;
}

}  // namespace rigor::verify
