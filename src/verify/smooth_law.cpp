// The law at the start of a smooth sub-step: who pushes is closed and stays so, friction is within its cone and against the slip, what is
// held has no velocity and no acceleration, what lets go does not come back.
#include "verify/friction_shape.h"
#include "verify/limits.h"
#include "verify/smooth_judge.h"

namespace rigor::verify {

namespace {

Real sumOfTerms(const Row& row, const Reals& values) {
  Real sum = 0;
  for (const auto& [j, value] : row) sum += std::fabs(value * values[j]);
  return sum;
}

}  // namespace

std::string SmoothJudge::nameOf(const Hold& hold) const {
  const auto freedom = [&] { return way_.ties().freedoms[hold.index].along.name; };
  switch (hold.kind) {
    case Hold::kContact:
      return fmt::format("contact of \"{}\" and \"{}\"", world_.shapes[hold.pair.shape_1],
                         world_.shapes[hold.pair.shape_2]);
    case Hold::kLimit:
      return fmt::format("limit of \"{}\"", world_.freedom[hold.index]);
    case Hold::kLoop:
      return fmt::format("loop \"{}\"", world_.loops[way_.ties().loops[hold.index].loop].name);
    case Hold::kStop:
      return fmt::format("stop of loop \"{}\"", freedom());
    case Hold::kJoint:
      return fmt::format("dry friction of \"{}\"", world_.freedom[hold.index]);
    case Hold::kFreedom:
      break;
  }
  return fmt::format("dry friction of loop \"{}\"", freedom());
}

SmoothJudge::Start SmoothJudge::findStart() const {
  const SubstepData& d = *data_;
  Start start;
  const Motion moving = computeMotion(world_, d.q, d.v);
  const TreeCholesky mass = way_.massAt(moving);
  Powers none{};
  start.a = mass.solve(way_.forces().at(d.q, d.v, moving, none));
  start.sizes.assign(world_.nv, 0);
  for (int j = 0; j < world_.nv; ++j) start.sizes[j] = std::fabs(start.a[j]);
  start.unsure.assign(world_.nv, 0);
  const std::vector<Hold>& held = way_.holds().held;
  start.turning = way_.turningOf(held, true, d.q, d.v);
  for (const Hold& hold : held) {
    const HoldRows rows = rowsOf(world_, way_.ties(), hold, way_.start(), moving, d.q, true);
    const int count = hold.kind == Hold::kContact ? 3 : hold.rows;
    for (int k = 0; k < count; ++k) {
      const Row moved = mass.solve(rows.J[k]);
      if (k == 0) start.weights.push_back(dot(rows.J[0], moved));
      for (const auto& [j, value] : moved) {
        start.a[j] += hold.force[k] * value;
        start.sizes[j] += std::fabs(hold.force[k] * value);
      }
    }
    start.rows.push_back(rows);
    if (hold.kind == Hold::kContact && hold.slips) {
      const Real unsure = turnedOf(start, start.rows.size() - 1) * std::hypot(hold.force[1], hold.force[2]);
      for (int k = 1; k < count; ++k)
        for (const auto& [j, value] : mass.solve(rows.J[k])) start.unsure[j] += std::fabs(unsure * value);
    }
  }
  return start;
}

SmoothJudge::RowMotion SmoothJudge::motionOf(const Start& start, const Row& row, Real belt, Real turning) const {
  const Reals& v = data_->v;
  Real fastest = 0;
  for (const auto& [j, value] : row) fastest = std::max(fastest, std::fabs(v[j]));
  const Real rates = sumOfTerms(row, v) + std::fabs(belt);
  const Real size = 1 + sumOfTerms(row, start.sizes) + std::fabs(turning) + fastest * rates;
  return {dot(row, v) + belt, dot(row, start.a) + turning, kSmoothRest + kRateRounding * kEps * rates,
          kHeldAcceleration * world_.accuracy * size + sumOfTerms(row, start.unsure)};
}

/// To how much the direction of a slip is known: as well as the slip itself, to the rounding of the velocities that it is a sum of. Slower
/// than rest it has none.
Real SmoothJudge::turnedOf(const Start& start, std::size_t index) const {
  const Hold& hold = way_.holds().held[index];
  const Real slip = std::hypot(motionOf(start, index, 1).u, motionOf(start, index, 2).u);
  return slip > hold.rest ? 2 * (hold.rest - kSmoothRest) / slip + kRateRounding * kEps : 0;
}

void SmoothJudge::judgeStart(const Start& start) {
  const std::vector<Hold>& held = way_.holds().held;
  for (std::size_t i = 0; i < held.size(); ++i) judgePushing(start, i);
  for (std::size_t i = 0; i < held.size(); ++i) judgeStaying(start, i);
  judgeOpen(start);
}

SmoothJudge::RowMotion SmoothJudge::motionOf(const Start& start, std::size_t index, int row) const {
  const HoldRows& rows = start.rows[index];
  const Real belt = row > 0 ? dot(way_.holds().held[index].axes[row], rows.belt_velocity) : 0;
  return motionOf(start, rows.J[row], belt, start.turning[index][row]);
}

/// Forces and rates.
void SmoothJudge::judgePushing(const Start& start, std::size_t index) {
  const Hold& hold = way_.holds().held[index];
  const auto name = [&](const char* what) { return [&, what] { return nameOf(hold) + ": " + what; }; };
  const bool one_sided = hold.kind == Hold::kContact || hold.kind == Hold::kLimit || hold.kind == Hold::kStop;
  for (int k = 0; k < (hold.kind == Hold::kContact ? 1 : hold.rows); ++k) {
    const RowMotion row = motionOf(start, index, k);
    findings_.check(std::fabs(row.u), row.rest, nullptr, name("moves while it is held"));
    if (!one_sided) continue;
    findings_.check(hold.opening, kTouching, nullptr, name("pushes across a gap"));
    findings_.check(-start.weights[index] * hold.force[0], row.limit, &VerifyWorst::cone, name("pulls"));
  }
  if (hold.kind == Hold::kContact) judgeFriction(start, index);
}

void SmoothJudge::judgeFriction(const Start& start, std::size_t index) {
  const Hold& hold = way_.holds().held[index];
  const auto name = [&](const char* what) { return [&, what] { return nameOf(hold) + ": " + what; }; };
  const RowMotion across[2] = {motionOf(start, index, 1), motionOf(start, index, 2)};
  const Real limit = std::max({motionOf(start, index, 0).limit, across[0].limit, across[1].limit});
  const Real weight = start.weights[index];
  const Vec friction = hold.force[1] * hold.axes[1] + hold.force[2] * hold.axes[2];
  const Vec slip = across[0].u * hold.axes[1] + across[1].u * hold.axes[2];
  const Real radius = hold.mu * std::max<Real>(hold.force[0], 0);
  const Real known_to = std::max<Real>(1, hold.mu) * limit;
  Vec axes[3];
  std::copy_n(hold.axes, 3, axes);
  if (hold.corners > 0) makeTangents(axes[0], hold.axis, axes[1], axes[2]);
  const FrictionShape shape(hold.corners);
  findings_.check(-weight * shape.room(axes, friction, radius), known_to, &VerifyWorst::cone,
                  name("friction outside its cone"));
  if (!hold.slips) {
    findings_.check(norm(slip), std::max(across[0].rest, across[1].rest), &VerifyWorst::slip,
                    name("slips although its mode is stick"));
    return;
  }
  if (hold.corners > 0) {
    const Real rest = std::max(across[0].rest, across[1].rest);
    if (!(norm(slip) > rest)) return;  // where it begins to slip, its acceleration tells
    // an own projection: friction stays where it is when it is drawn against the slip, as far as the direction of that is known
    const Vec drawn = (radius / norm(slip)) * slip;
    findings_.check(weight * shape.miss(axes, friction, drawn, radius),
                    known_to + 2 * weight * radius * (kOnBorder + rest) / norm(slip), &VerifyWorst::slip,
                    name("friction does not oppose the slip"));
    return;
  }
  if (norm(slip) <= hold.rest) {  // it has no direction yet, but friction does not drive it
    findings_.check(weight * (radius - norm(friction)), known_to, &VerifyWorst::cone,
                    name("friction does not oppose the slip"));
    findings_.check(dot(friction, slip), (known_to / weight) * norm(slip) + radius * (hold.rest - kSmoothRest),
                    &VerifyWorst::slip, name("friction drives the slip"));
    return;
  }
  const Vec against = (1 / norm(slip)) * slip;
  findings_.check(weight * norm(friction + radius * against), known_to + weight * radius * turnedOf(start, index),
                  &VerifyWorst::slip, name("friction does not oppose the slip"));
}

/// Accelerations.
void SmoothJudge::judgeStaying(const Start& start, std::size_t index) {
  const Hold& hold = way_.holds().held[index];
  const auto name = [&](const char* what) { return [&, what] { return nameOf(hold) + ": " + what; }; };
  const bool contact = hold.kind == Hold::kContact;
  for (int k = 0; k < (contact ? 1 : hold.rows); ++k) {
    const RowMotion row = motionOf(start, index, k);
    findings_.check(std::fabs(row.acceleration), row.limit, &VerifyWorst::complementarity,
                    name(contact ? "is pushed apart or sinks while it is held" : "is accelerated while it is held"));
  }
  if (!contact) return;
  const RowMotion across[2] = {motionOf(start, index, 1), motionOf(start, index, 2)};
  const Real limit = std::max(across[0].limit, across[1].limit);
  const Vec slip = across[0].u * hold.axes[1] + across[1].u * hold.axes[2];
  const Vec quickening = across[0].acceleration * hold.axes[1] + across[1].acceleration * hold.axes[2];
  if (hold.slips && hold.corners > 0) {
    const bool moves = norm(slip) > std::max(across[0].rest, across[1].rest);
    const Real out = hold.outOfSector(across[0].acceleration, across[1].acceleration);
    if (!moves)
      findings_.check(out, 2 * limit, &VerifyWorst::slip, name("begins to slip another way than its friction opposes"));
    else if (hold.on_edge)
      findings_.check(std::fabs(across[0].acceleration), limit, &VerifyWorst::slip,
                      name("leaves the border although its friction is between two corners"));
  } else if (!hold.slips)
    findings_.check(norm(quickening), limit, &VerifyWorst::slip, name("begins to slip although its mode is stick"));
  else if (norm(slip) <= hold.rest - kSmoothRest && norm(hold.against) > 0)
    findings_.check(norm(quickening - norm(quickening) * hold.against), 2 * limit, &VerifyWorst::slip,
                    name("begins to slip another way than its friction opposes"));
}

/// What touches, is at rest and does not push must not come closer.
void SmoothJudge::judgeOpen(const Start& start) {
  const SubstepData& d = *data_;
  const std::vector<Hold>& open = way_.holds().open;
  const std::vector<std::array<Real, 3>> turning = way_.turningOf(open, false, d.q, d.v);
  for (std::size_t i = 0; i < open.size(); ++i) {
    const Hold& hold = open[i];
    const auto name = [&](const char* what) { return [&, what] { return nameOf(hold) + ": " + what; }; };
    const Real force = std::max({std::fabs(hold.force[0]), std::fabs(hold.force[1]), std::fabs(hold.force[2])});
    findings_.check(force, 0, nullptr, name("pushes although its mode is open"));
    if (std::fabs(hold.opening) > kDeeper) continue;
    const HoldRows rows = rowsOf(world_, way_.ties(), hold, way_.start(), way_.start(), d.q);
    const RowMotion normal = motionOf(start, rows.J[0], rows.belt[0], turning[i][0]);
    if (std::fabs(normal.u) > normal.rest) continue;
    findings_.check(-normal.acceleration, normal.limit, &VerifyWorst::complementarity,
                    name("closes although nothing pushes"));
  }
}

/// Forces with a law of their own: springs, dampers, motors, dry friction.
void SmoothJudge::judgeForces(const SubstepJudge& places) {
  const SubstepData& d = *data_;
  std::vector<char> rubs(world_.nv, 0);
  const Motion& pose = way_.start();
  for (const Push& push : places.pushes()) {
    const Real force = push.impulse[0] / d.h;
    const auto asked = [&](Real law, Real size) {
      findings_.check(std::fabs(force - law), 1e-12L * (std::fabs(law) + size), nullptr,
                      [&] { return places.nameOf(push) + ": not what the state asks for"; });
    };
    if (push.kind == Push::kSpring) {
      const SpringPart& spring = way_.ties().springs[push.spring];
      const Real size = push.damps ? spring.damping * sumOfTerms(push.J[0], d.v)
                                   : spring.stiffness * computeStretch(spring, pose).size;
      asked(way_.forces().springForce(spring, push.damps, pose, d.v), size);
    } else if (push.kind == Push::kMotor) {
      const Joint& joint = jointOf(push.freedom);
      asked(way_.forces().driveTorque(joint, d.q, d.v),
            joint.kp * (std::fabs(d.q[joint.q]) + 1) + joint.kd * std::fabs(d.v[push.freedom]));
    } else if (push.kind == Push::kDryFriction) {
      rubs[push.freedom] = 1;
      judgeRub(push, d.v[push.freedom], jointOf(push.freedom).dry_friction, places.nameOf(push));
    } else if (push.kind == Push::kLoopFreedom && push.acts == FreedomRow::kMotor) {
      const FreedomPart& part = way_.ties().freedoms[push.part];
      const LoopMotor& motor = world_.loops[part.loop].motor;
      asked(way_.forces().motorForce(part, pose, d.v),
            motor.kp * computeFreedom(part, pose).size + motor.kd * sumOfTerms(push.J[0], d.v));
    } else if (push.kind == Push::kLoopFreedom && push.acts == FreedomRow::kFriction) {
      judgeRub(push, dot(push.J[0], d.v), world_.loops[way_.ties().freedoms[push.part].loop].dry_friction,
               places.nameOf(push));
    }
  }
  for (int j = 0; j < world_.nv; ++j)
    if (jointOf(j).dry_friction > 0 && !world_.prescribed[world_.tree[j]])
      findings_.require(rubs[j] != 0, fmt::format("dry friction of \"{}\" is missing", world_.freedom[j]).c_str());
}

void SmoothJudge::judgeRub(const Push& push, Real rate, Real bound, const std::string& name) {
  const Real force = push.impulse[0] / data_->h;
  const Real beyond =
      std::fabs(rate) > kSmoothRest ? std::fabs(force + std::copysign(bound, rate)) : std::fabs(force) - bound;
  findings_.check(beyond, 1e-12L * bound, &VerifyWorst::complementarity,
                  [&] { return name + ": not what its speed asks for"; });
}

/// The torque that was recorded is the one that acts at the start.
void SmoothJudge::judgeTorques() {
  const SubstepData& d = *data_;
  for (int j = 0; j < world_.nv; ++j) {
    if (!d.first[world_.tree[j]] || world_.prescribed[world_.tree[j]]) continue;
    const Joint& joint = jointOf(j);
    const std::size_t entry = static_cast<std::size_t>(d.step) * world_.nv + j;
    const Real given = r_.input_tau[entry], tau = r_.tau[entry];
    const Real size =
        std::fabs(tau) + std::fabs(given) + joint.kp * (std::fabs(d.q[joint.q]) + 1) + joint.kd * std::fabs(d.v[j]);
    findings_.same(given + way_.forces().driveTorque(joint, d.q, d.v), tau, 1e-12L * size,
                   [&] { return fmt::format("recorded torque of \"{}\"", world_.freedom[j]); });
  }
}

}  // namespace rigor::verify
