#include "verify/substep.h"

#include <cassert>

#include <fmt/format.h>

#include "verify/limits.h"

namespace rigor::verify {
namespace {

/// Two unit vectors that make (n, t1, t2) right-handed.
/// A shape, with a ball around it, over a plane: none of its corners can have sunk.
bool isAbove(const World& world, const ShapePair& shapes, const Motion& motion) {
  const Solid &plane = world.solids[shapes.shape_1], &solid = world.solids[shapes.shape_2];
  if (plane.kind != SolidKind::kHalfSpace) return false;
  const Pose ground = frameOf(motion, plane.body) * plane.frame;
  const Vec centre = (frameOf(motion, solid.body) * solid.frame).p;
  return dot(ground.R.z, centre - ground.p) > solid.bound;
}

bool allDifferent(const std::vector<RowId>& ids, std::int64_t begin, std::int64_t end) {
  std::vector<RowId> sorted(ids.begin() + begin, ids.begin() + end);
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
}

}  // namespace

SubstepJudge::SubstepJudge(const World& world, const Recording& recording, Findings& findings)
    : world_(world),
      r_(recording),
      findings_(findings),
      loop_parts_(listLoopParts(world)),
      springs_(listSprings(world)),
      freedoms_(listFreedoms(world)),
      distances_(world),
      friction_(world) {
  assert(r_.nq == world.nq && r_.nv == world.nv && "sizes were compared before the first sub-step is judged");
  scratch_.assign(world.nv, 0);
  freedom_joint_.resize(world.nv);
  for (const Body& body : world.bodies)
    for (const Joint& joint : body.joints)
      for (int k = joint.v; k < joint.v + joint.nv; ++k) freedom_joint_[k] = &joint;
}

void SubstepJudge::judge(const SubstepData& data) {
  assert(data.q.size() == static_cast<std::size_t>(world_.nq) && data.q_end.size() == data.q.size() &&
         data.v.size() == static_cast<std::size_t>(world_.nv) && data.v_end.size() == data.v.size() &&
         data.v_mean.size() == data.v.size() && "a sub-step knows where it began and ended");
  data_ = &data;
  near_ = findNearShapes(world_, data.start, data.end);
  findSoftDepths();
  judgePositions();
  if (data.h > 0)
    judgeDistances(contactNormals(), [&](int body_1, int body_2) { return takes(body_1) && takes(body_2); });
  readPushes();
  judgeBalance();
  judgeNode();
  judgeLaws();
  judgeWork();
}

void SubstepJudge::judgeWay(const SubstepData& data) {
  findings_.require(springs_.empty(), "springs were left out of a step");
  findings_.require(freedoms_.empty(), "dry friction, stops and motors of loops were left out of a step");
  data_ = &data;
  near_ = findNearShapes(world_, data.start, data.end);
  findSoftDepths();
  judgePositions();
  judgeDistances({}, [](int, int) { return true; });
}

void SubstepJudge::judgePlaces(const SubstepData& data) {
  data_ = &data;
  near_ = findNearShapes(world_, data.start, data.end);
  findSoftDepths();
  judgePositions();
  judgeDistances(contactNormals(), [](int, int) { return true; });
  readPushes();
}

std::string SubstepJudge::nameOf(const Push& push) const {
  if (push.kind == Push::kContact)
    return fmt::format("contact of \"{}\" and \"{}\"", world_.shapes[push.pair.shape_1],
                       world_.shapes[push.pair.shape_2]);
  if (push.kind == Push::kLoop) return "loop";
  static constexpr const char* kActs[] = {"lower stop", "upper stop", "dry friction", "motor"};
  if (push.kind == Push::kLoopFreedom)
    return fmt::format("{} of loop \"{}\"", kActs[static_cast<int>(push.acts)], freedoms_[push.part].along.name);
  if (push.kind == Push::kSpring)
    return fmt::format("{} of \"{}\"", push.damps ? "damper" : "spring", springs_[push.spring].name);
  static constexpr const char* kNames[] = {"", "limit", "motor", "dry friction"};
  return fmt::format("{} of \"{}\"", kNames[push.kind], world_.freedom[push.freedom]);
}

/// Pairs of balls do not sink and do not pass each other; joints keep their range; loops stay closed.
void SubstepJudge::judgePositions() {
  const SubstepData& d = *data_;
  for (const ShapePair& shapes : near_) {
    if (!takes(world_.shape_body[shapes.shape_1]) || !takes(world_.shape_body[shapes.shape_2])) continue;
    if (isAbove(world_, shapes, d.end)) continue;
    for (const Pair& pair : world_.ballPairsOf(shapes)) judgeGap(pair);
  }
  for (int k = 0; k < world_.nv; ++k) {
    const Joint& joint = jointOf(k);
    if (!joint.limited || joint.nv != 1 || !d.takes[world_.tree[k]]) continue;
    const Real a = d.q[joint.q], b = d.q_end[joint.q];
    const Real lower = std::min<Real>(a - joint.lower, 0) - (b - joint.lower);
    const Real upper = std::min<Real>(joint.upper - a, 0) - (joint.upper - b);
    const Real size = std::fabs(b) + std::max(lower > upper ? std::fabs(joint.lower) : std::fabs(joint.upper), Real(1));
    findings_.check(std::max(lower, upper), world_.wider() * kDeeper + kPositionFloor * kEps * size,
                    &VerifyWorst::limit, [&] { return fmt::format("range of joint \"{}\"", joint.name); });
  }
  judgeRanges();
  for (const LoopPart& part : loop_parts_) {
    const Loop& loop = world_.loops[part.loop];
    if (!takes(loop.body_1) || !takes(loop.body_2)) continue;
    const Opening opening = computeOpening(world_, part, d.end, d.q_end);
    for (int k = 0; k < part.rows; ++k)
      findings_.check(std::fabs(opening.g[k]), world_.wider() * kDeeper + kPositionFloor * kEps * opening.size,
                      &VerifyWorst::loop,
                      [&] { return fmt::format("loop \"{}\" is open", world_.loops[part.loop].name); });
  }
}

void SubstepJudge::readPushes() {
  pushes_.clear();
  saturated_.assign(world_.nv, 0);
  const std::int64_t s = data_->index;
  for (std::int64_t c = r_.contact_start[s]; c < r_.contact_start[s + 1]; ++c) readContact(c);
  for (std::int64_t row = r_.row_start[s]; row < r_.row_start[s + 1]; ++row) readRow(row);
  findings_.require(allDifferent(r_.contact_id, r_.contact_start[s], r_.contact_start[s + 1]) &&
                        allDifferent(r_.row_id, r_.row_start[s], r_.row_start[s + 1]),
                    "a contact or a row appears twice");
  total_.assign(world_.nv, 0);
  total_size_.assign(world_.nv, 0);
  motor_impulse_.assign(world_.nv, 0);
  pushes_of_tree_.assign(world_.trees, {});
  addOwnImpulses();
  for (std::size_t i = 0; i < pushes_.size(); ++i) {
    const Push& push = pushes_[i];
    if (push.kind == Push::kMotor) motor_impulse_[push.freedom] += push.impulse[0];
    for (int k = 0; k < push.rows; ++k)
      for (const auto& [j, value] : push.J[k]) {
        findings_.require(value == 0 || data_->takes[world_.tree[j]], "something pushes who takes no part");
        total_[j] += value * push.impulse[k];
        total_size_[j] += std::fabs(value * push.impulse[k]);
      }
    if (push.rows == 0) continue;
    for (const auto& [j, value] : push.J[0])
      if (world_.place_in_tree[j] == 0 && !world_.prescribed[world_.tree[j]])
        pushes_of_tree_[world_.tree[j]].push_back(static_cast<int>(i));
  }
}

/// What terms of a user did is taken as it is recorded: it belongs to the balance, and nobody can say whether it is right.
void SubstepJudge::addOwnImpulses() {
  const auto count = static_cast<std::int64_t>(r_.own_place.size() / 3);
  for (; own_entry_ < count && r_.own_place[3 * own_entry_] < data_->index; ++own_entry_) continue;
  for (; own_entry_ < count && r_.own_place[3 * own_entry_] == data_->index; ++own_entry_) {
    const std::int64_t term = r_.own_place[3 * own_entry_ + 1];
    const int body = static_cast<int>(r_.own_place[3 * own_entry_ + 2]);
    const bool known = term < static_cast<std::int64_t>(world_.own.size()) &&
                       (body == world_.own[term].body_1 || body == world_.own[term].body_2);
    findings_.require(known && takes(body), "an own term pushes what it does not know, or who takes no part");
    if (!known) continue;
    const double* x = &r_.own_impulse[6 * own_entry_];
    Reals on(world_.nv, 0);
    addWrench(world_, data_->start, body, data_->start.bodies[body].X.p, {x[0], x[1], x[2]}, {x[3], x[4], x[5]}, 1, on);
    for (int j = 0; j < world_.nv; ++j) total_[j] += on[j], total_size_[j] += std::fabs(on[j]);
  }
}

std::vector<int> SubstepJudge::pushesBeside(const Push& push) const {
  std::vector<int> beside;
  for (const auto& [j, value] : push.J[0])
    if (world_.place_in_tree[j] == 0)
      for (const int other : pushes_of_tree_[world_.tree[j]]) beside.push_back(other);
  std::sort(beside.begin(), beside.end());
  beside.erase(std::unique(beside.begin(), beside.end()), beside.end());
  return beside;
}

/// Round elements may meet more than once: the recording tells where.
std::optional<Pair> SubstepJudge::findContact(std::int64_t entry) const {
  std::optional<Pair> pair = world_.findPair(r_.contact_id[entry]);
  if (pair) {
    pair->near_point = vectorAt(r_.contact_point, entry), pair->near_normal = vectorAt(r_.contact_normal, entry);
    pair->near_is_recorded = true;
  }
  return pair;
}

/// What the recording says of the contact must be what the pose says.
void SubstepJudge::readContact(std::int64_t entry) {
  const SubstepData& d = *data_;
  Push push;
  push.entry = entry;
  const std::optional<Pair> found = findContact(entry);
  findings_.require(found.has_value(), "a contact has an unknown id");
  if (!found) return;
  push.pair = *found;
  const Pair& pair = push.pair;
  push.rows = pair.surface.rows();
  push.touch = computeTouch(pair, d.start);
  push.touch_end = computeTouch(carried(pair, push.touch, d.start, d.end), d.end);
  const auto name = [&](const char* what) { return [&, what] { return nameOf(push) + ": recorded " + what; }; };
  const Real floor = kDeeper / 10 + kPositionFloor * kEps * push.touch.size;
  const Real floor_end = kDeeper / 10 + kPositionFloor * kEps * push.touch_end.size;
  findings_.require(r_.contact_body[2 * entry] == pair.body_1 && r_.contact_body[2 * entry + 1] == pair.body_2,
                    "a contact names the wrong bodies");
  // elements that meet more than once may be looked for at the wrong place; without an impulse nothing depends on it
  const bool elements = pair.kind == FeatureKind::kCrossing || pair.kind == FeatureKind::kWhole;
  if (!elements || norm(vectorAt(r_.contact_impulse, entry)) > 0) {
    findings_.same(push.touch.gap, r_.contact_gap[entry], floor, name("gap"));
    findings_.same(push.touch_end.gap, r_.contact_gap_end[entry], floor_end, name("gap at the end"));
    const Real point_floor = floor + kDeeper / 10 * (std::min(push.touch.shift, kMostShift) - 1) + push.touch.blur;
    findings_.check(norm(push.touch.point - vectorAt(r_.contact_point, entry)), point_floor, nullptr, name("point"));
    findings_.check(norm(push.touch.normal - vectorAt(r_.contact_normal, entry)), floor / push.touch.reach, nullptr,
                    name("normal"));
  }

  push.axes[0] = push.touch.normal;
  makeTangents(push.axes[0], tangentAxis(push.axes[0]), push.axes[1], push.axes[2]);
  alignAxes(push);
  const Vec impulse = vectorAt(r_.contact_impulse, entry);
  const Vec torque = r_.torque_columns > 0 ? vectorAt(r_.contact_torque, entry) : Vec{};
  for (int k = 0; k < push.rows; ++k) {
    const Vec force_axis = k < 3 ? push.axes[k] : Vec{}, torque_axis = k < 3 ? Vec{} : turnAxis(push, k);
    push.impulse[k] = dot(force_axis, impulse) + dot(torque_axis, torque);
    push.J[k] = makeRow({treeOf(pair.body_1), treeOf(pair.body_2)}, [&](Reals& row) {
      addWrench(world_, d.start, pair.body_2, push.touch.point, force_axis, torque_axis, 1, row);
      addWrench(world_, d.start, pair.body_1, push.touch.point, force_axis, torque_axis, -1, row);
    });
  }
  Vec left = torque;
  for (int k = 3; k < push.rows; ++k) left = left - push.impulse[k] * turnAxis(push, k);
  findings_.require(norm(left) <= 16 * kEps * norm(torque), "a contact has a torque that it does not use");
  scaleRows(push, frictionBySpeed(push));
  pushes_.push_back(std::move(push));
}

Row SubstepJudge::normalRowAt(const Push& push, const Motion& pose) {
  const Pair& pair = push.pair;
  const Touch touch = computeTouch(carried(pair, push.touch, data_->start, pose), pose);
  return makeRow({treeOf(pair.body_1), treeOf(pair.body_2)}, [&](Reals& row) {
    addWrench(world_, pose, pair.body_2, touch.point, touch.normal, {}, 1, row);
    addWrench(world_, pose, pair.body_1, touch.point, touch.normal, {}, -1, row);
  });
}

bool SubstepJudge::readLoopRow(std::uint64_t index, Push& push) {
  const auto part = std::find_if(loop_parts_.begin(), loop_parts_.end(), [&](const LoopPart& p) {
    return static_cast<std::uint64_t>(8 * p.loop + p.part) == index;
  });
  findings_.require(part != loop_parts_.end(), "a row belongs to an unknown loop");
  if (part == loop_parts_.end()) return false;
  push.rows = part->rows;
  for (int k = 0; k < push.rows; ++k) {
    Real unit[3] = {0, 0, 0};
    unit[k] = 1;
    const Loop& loop = world_.loops[part->loop];
    const std::vector<int> trees = loop.couples ? std::vector<int>{world_.tree[loop.v_1], world_.tree[loop.v_2]}
                                                : std::vector<int>{treeOf(loop.body_1), treeOf(loop.body_2)};
    push.J[k] = makeRow(trees, [&](Reals& row) { addLoopImpulse(world_, *part, data_->start, data_->q, unit, row); });
  }
  return true;
}

bool SubstepJudge::readSpringRow(std::uint64_t index, Push& push) {
  findings_.require(index < 2 * springs_.size(), "a row belongs to an unknown spring");
  if (index >= 2 * springs_.size()) return false;
  push.spring = static_cast<int>(index / 2);
  push.damps = index % 2 == 1;
  push.rows = 1;
  const SpringPart& spring = springs_[push.spring];
  push.J[0] = makeRow({treeOf(spring.body_1), treeOf(spring.body_2)},
                      [&](Reals& row) { addSpringRow(world_, spring, push.damps, data_->start, row); });
  return true;
}

bool SubstepJudge::readJointRow(std::uint64_t index, Push& push) {
  const std::uint64_t freedom = push.kind == Push::kLimit ? index / 2 : index;
  const bool known = push.kind >= Push::kLimit && push.kind <= Push::kDryFriction &&
                     freedom < static_cast<std::uint64_t>(world_.nv) &&
                     (push.kind == Push::kDryFriction || jointOf(static_cast<int>(freedom)).nv == 1);
  findings_.require(known, "a row has an unknown id");
  if (!known) return false;
  push.freedom = static_cast<int>(freedom);
  push.upper = push.kind == Push::kLimit && index % 2 == 1;
  push.rows = 1;
  push.J[0] = makeRow({world_.tree[push.freedom]}, [&](Reals& row) { row[push.freedom] = push.upper ? -1 : 1; });
  if (push.kind == Push::kMotor) saturated_[push.freedom] = 1;
  return true;
}

/// Multipliers of a constraint that a user wrote: what they do to bodies is recorded apart.
bool SubstepJudge::isOwnRow(std::uint64_t index) const {
  const std::uint64_t constraint = index / 8;
  return constraint < static_cast<std::uint64_t>(std::count_if(
                          world_.own.begin(), world_.own.end(), [](const OwnTerm& term) { return term.holds; }));
}

void SubstepJudge::readRow(std::int64_t entry) {
  const std::uint64_t kind = r_.row_id[entry].high, index = r_.row_id[entry].low;
  Push push;
  push.entry = entry;
  push.kind = kind << 4 == 0 ? static_cast<Push::Kind>(kind >> 60) : Push::kContact;  // of which no row is
  for (int k = 0; k < 3; ++k) push.impulse[k] = r_.row_impulse[3 * entry + k];
  if (push.kind == Push::kOwn && isOwnRow(index)) return;
  const bool read = push.kind == Push::kLoop          ? readLoopRow(index, push)
                    : push.kind == Push::kSpring      ? readSpringRow(index, push)
                    : push.kind == Push::kLoopFreedom ? readFreedomRow(index, push)
                                                      : readJointRow(index, push);
  if (!read) return;
  for (int k = push.rows; k < 3; ++k)
    findings_.require(push.impulse[k] == 0, "a row has impulses that it does not use");
  pushes_.push_back(std::move(push));
}

}  // namespace rigor::verify
