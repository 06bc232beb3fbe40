#include "verify/ledger_substep.h"

#include "verify/nodes.h"

namespace rigor::verify {

LedgerSubstep::LedgerSubstep(const World& world, const Recording& recording, LedgerBook& book)
    : world_(world),
      r_(recording),
      book_(book),
      joint_(world.nv),
      loop_parts_(listLoopParts(world)),
      ties_(listSprings(world)),
      freedoms_(listFreedoms(world)) {
  for (const Body& body : world.bodies)
    for (const Joint& joint : body.joints)
      for (int k = joint.v; k < joint.v + joint.nv; ++k) joint_[k] = &joint;
}

void LedgerSubstep::enter(const SubstepData& data) {
  data_ = &data;
  start_ = computeMotion(world_, data.q, {});
  before_ = world_.maximal ? data.momentum.v_begin : data.v;
  after_ = world_.maximal ? data.momentum.v_end : data.v_end;
  share(data);
  saturated_.assign(world_.nv, 0);
  const std::int64_t s = data.index;
  for (std::int64_t row = r_.row_start[s]; row < r_.row_start[s + 1]; ++row) enterRow(row);
  for (std::int64_t c = r_.contact_start[s]; c < r_.contact_start[s + 1]; ++c) enterContact(c);
  if (!data.impact) enterForces();
}

void LedgerSubstep::share(const SubstepData& data) {
  shares_.assign(world_.trees, {});
  for (int tree = 0; tree < world_.trees; ++tree) {
    const Real kick = kickOf(r_, data.index, tree);
    Share& share = shares_[tree];
    share.after = data.h > 0 && kick > 0 ? data.h / (2 * kick) : (data.impact ? 1 : 0);
    share.begins = data.step;
    share.ends = data.first[tree] ? data.step - 1 : data.step;
  }
}

const Share& LedgerSubstep::shareOf(int tree_1, int tree_2) const {
  const bool second = tree_1 < 0 || world_.prescribed[tree_1];
  return shares_[second && tree_2 >= 0 ? tree_2 : tree_1];
}

void LedgerSubstep::push(Account account, const Share& share, int freedom, Real impulse) {
  const Real v = before_[freedom], v_end = after_[freedom];
  const bool told = world_.prescribed[world_.tree[freedom]];
  book_.enter(account, told ? share : shares_[world_.tree[freedom]], impulse, v, v_end);
  if (told) book_.enter(Account::kKinematic, share, -impulse, v, v_end);
}

void LedgerSubstep::pushBody(Account account, const Share& share, int body, const Wrench& wrench, Real sign) {
  if (body == kWorldBody) return;
  for (const int j : world_.bodies[body].chain) {
    const Column& column = start_.columns[j];
    push(account, share, j,
         sign * (dot(column.speedOf(wrench.point), wrench.impulse) + dot(column.axis, wrench.torque)));
  }
}

void LedgerSubstep::enterContact(std::int64_t entry) {
  const int body_1 = r_.contact_body[2 * entry], body_2 = r_.contact_body[2 * entry + 1];
  const int bodies = static_cast<int>(world_.bodies.size());
  if (std::min(body_1, body_2) < kWorldBody || std::max(body_1, body_2) >= bodies)
    return;  // damaged; the judge says so
  if (treeOf(body_1) < 0 && treeOf(body_2) < 0) return;
  const Vec impulse = vectorAt(r_.contact_impulse, entry), normal = vectorAt(r_.contact_normal, entry);
  const Vec point = vectorAt(r_.contact_point, entry), pressure = dot(impulse, normal) * normal;
  const Wrench across{point, pressure, {}};
  const Wrench along{point, impulse - pressure, r_.torque_columns == 3 ? vectorAt(r_.contact_torque, entry) : Vec{}};
  const Share& share = shareOf(treeOf(body_1), treeOf(body_2));
  const Account pressing = data_->impact ? Account::kImpacts : Account::kContacts;
  const Account rubbing = data_->impact ? Account::kImpacts : Account::kFriction;
  pushBody(pressing, share, body_2, across, 1), pushBody(pressing, share, body_1, across, -1);
  pushBody(rubbing, share, body_2, along, 1), pushBody(rubbing, share, body_1, along, -1);
  if (world_.materials.haveSoft() && data_->h > 0) enterSpring(entry);
  if (world_.materials.haveBelts()) enterBelt(entry, share, along.impulse);
}

/// Of what the normal impulses of a soft contact do, the part that it stores on the way of the step, φ²/2C, or gives back.
void LedgerSubstep::enterSpring(std::int64_t entry) {
  const std::optional<Pair> pair = world_.findPair(r_.contact_id[entry]);
  if (!pair || !(pair->surface.compliance > 0)) return;
  const auto stored = [&](Real gap) { return gap < 0 ? gap * gap / (2 * pair->surface.compliance) : 0; };
  Spring& spring = springs_.try_emplace(r_.contact_id[entry], Spring{stored(r_.contact_gap[entry])}).first->second;
  const Real now = stored(r_.contact_gap_end[entry]);
  store(data_->step, now - spring.stored);
  spring = {now, data_->step};
}

void LedgerSubstep::store(std::int64_t step, Real taken) {
  book_.add(Account::kCompliance, step, -taken);
  book_.add(Account::kContacts, step, taken);
}

void LedgerSubstep::endStep(std::int64_t step, bool set) {
  for (auto spring = springs_.begin(); spring != springs_.end();) {
    const bool opened = spring->second.step < step;
    if (opened) store(step, -spring->second.stored);
    spring = opened ? springs_.erase(spring) : std::next(spring);
  }
  if (set) springs_.clear();
}

/// Friction rubs against the belt as well as against the body that carries it, and the belt does what that takes.
void LedgerSubstep::enterBelt(std::int64_t entry, const Share& share, const Vec& friction) {
  const std::optional<Pair> pair = world_.findPair(r_.contact_id[entry]);
  if (!pair) return;
  const Real work = dot(friction, beltBetween(world_, start_, *pair, vectorAt(r_.contact_normal, entry)));
  const Account rubbing = data_->impact ? Account::kImpacts : Account::kFriction;
  for (const auto& [account, done] : {std::pair{rubbing, work}, std::pair{Account::kKinematic, -work}}) {
    book_.add(account, share.ends, (1 - share.after) * done);
    book_.add(account, share.begins, share.after * done);
  }
}

void LedgerSubstep::enterRow(std::int64_t entry) {
  const std::uint64_t index = r_.row_id[entry].low;
  const auto kind = static_cast<Push::Kind>(r_.row_id[entry].high >> 60);
  Real impulse[3];
  for (int k = 0; k < 3; ++k) impulse[k] = r_.row_impulse[3 * entry + k];
  if (kind == Push::kLoop) return enterLoop(index, impulse);
  if (kind == Push::kSpring) return enterTie(index, impulse[0]);
  if (kind == Push::kLoopFreedom) return enterFreedom(index, impulse[0]);
  const std::uint64_t freedom = kind == Push::kLimit ? index / 2 : index;
  if (freedom >= static_cast<std::uint64_t>(world_.nv)) return;  // damaged; the judge says so
  const int j = static_cast<int>(freedom);
  if (kind == Push::kMotor) saturated_[j] = 1;
  const bool upper = kind == Push::kLimit && index % 2 == 1;
  const Account account = data_->impact          ? Account::kImpacts
                          : kind == Push::kLimit ? Account::kLimits
                          : kind == Push::kMotor ? Account::kDrives
                                                 : Account::kJointFriction;
  push(account, shares_[world_.tree[j]], j, upper ? -impulse[0] : impulse[0]);
}

void LedgerSubstep::enterLoop(std::uint64_t id, const Real* impulse) {
  for (const LoopPart& part : loop_parts_) {
    if (static_cast<std::uint64_t>(8 * part.loop + part.part) != id) continue;
    const Loop& loop = world_.loops[part.loop];
    const bool joints = loop.couples;
    const int tree_1 = joints ? world_.tree[loop.v_1] : treeOf(loop.body_1);
    const int tree_2 = joints ? world_.tree[loop.v_2] : treeOf(loop.body_2);
    Reals generalised(world_.nv, 0);
    addLoopImpulse(world_, part, start_, data_->q, impulse, generalised);
    for (int j = 0; j < world_.nv; ++j)
      if (generalised[j] != 0)
        push(data_->impact ? Account::kImpacts : Account::kLoops, shareOf(tree_1, tree_2), j, generalised[j]);
  }
}

/// What springs store is part of the energy: only bodies that move as they are told add to it. Dampers take.
void LedgerSubstep::enterTie(std::uint64_t id, Real impulse) {
  if (id >= 2 * ties_.size()) return;  // damaged; the judge says so
  const SpringPart& tie = ties_[id / 2];
  const bool damps = id % 2 == 1;
  const Share& share = shareOf(treeOf(tie.body_1), treeOf(tie.body_2));
  Reals row(world_.nv, 0);
  addSpringRow(world_, tie, damps, start_, row);
  for (int j = 0; j < world_.nv; ++j) {
    if (row[j] == 0) continue;
    if (damps)
      push(data_->impact ? Account::kImpacts : Account::kDampers, share, j, row[j] * impulse);
    else if (world_.prescribed[world_.tree[j]])
      book_.enter(Account::kKinematic, share, -row[j] * impulse, data_->v[j], data_->v_end[j]);
  }
}

/// Stops, dry friction and motors of loops, as those of joints.
void LedgerSubstep::enterFreedom(std::uint64_t id, Real impulse) {
  const auto row = static_cast<FreedomRow>(id % kFreedomRows);
  const Account account = data_->impact                  ? Account::kImpacts
                          : row == FreedomRow::kFriction ? Account::kJointFriction
                          : row == FreedomRow::kMotor    ? Account::kDrives
                                                         : Account::kLimits;
  for (const FreedomPart& part : freedoms_) {
    if (static_cast<std::uint64_t>(part.loop) != id / kFreedomRows) continue;
    Reals along(world_.nv, 0);
    addSpringRow(world_, part.along, false, start_, along);
    const Real sign = row == FreedomRow::kUpper ? -1 : 1;
    for (int j = 0; j < world_.nv; ++j)
      if (along[j] != 0)
        push(account, shareOf(treeOf(part.along.body_1), treeOf(part.along.body_2)), j, sign * impulse * along[j]);
  }
}

Real LedgerSubstep::targetOf(const SubstepData& data, const Joint& joint) const {
  return joint.drive < 0 ? 0 : Real(r_.ctrl[static_cast<std::size_t>(data.step) * world_.drives + joint.drive]);
}

Reals LedgerSubstep::wrenches(std::int64_t step, const Motion& motion) const {
  Reals force(world_.nv, 0);
  for (std::int64_t w = r_.wrench_start[step]; w < r_.wrench_start[step + 1]; ++w) {
    const int body = r_.wrench_body[2 * w];
    Vec pull = vectorAt(r_.wrench, 2 * w), torque = vectorAt(r_.wrench, 2 * w + 1);
    const Mat& R = motion.bodies[body].X.R;
    if (r_.wrench_body[2 * w + 1] == 1) pull = R * pull, torque = R * torque;
    addWrench(world_, motion, body, pointOf(motion, body, world_.bodies[body].com), pull, torque, 1, force);
  }
  return force;
}

/// The kicks of forces: PD at the end of the step, dampers at the mean velocity (docs/step.md).
void LedgerSubstep::enterForces() {
  const SubstepData& d = *data_;
  const Reals outside = wrenches(d.step, start_);
  for (int j = 0; j < world_.nv; ++j) {
    const int tree = world_.tree[j];
    if (!d.takes[tree] || world_.prescribed[tree]) continue;
    const Joint& joint = *joint_[j];
    const Share& share = shares_[tree];
    const Real kick = d.kick[j], v = d.v[j], v_end = d.v_end[j], from = before_[j], to = after_[j];
    const Real given = r_.input_tau[static_cast<std::size_t>(d.step) * world_.nv + j];
    book_.enter(Account::kTorques, share, kick * given, from, to);
    book_.enter(Account::kWrenches, share, kick * outside[j], from, to);
    book_.enter(Account::kDampers, share, -kick * joint.damping * (v + v_end) / 2, from, to);
    if (joint.nv != 1 || joint.drive < 0 || saturated_[j]) continue;
    const Real stretch = targetOf(d, joint) - d.q[joint.q] - d.h * v_end;
    book_.enter(Account::kDrives, share, kick * (joint.kp * stretch - joint.kd * v_end), from, to);
  }
}

LedgerSubstep::Powers LedgerSubstep::powersAt(const SubstepData& data, const Reals& q, const Reals& v,
                                              const Reals& way) const {
  const Reals outside = wrenches(data.step, computeMotion(world_, q, {}));
  Powers powers;
  for (int j = 0; j < world_.nv; ++j) {
    const Joint& joint = *joint_[j];
    powers.torques += way[j] * r_.input_tau[static_cast<std::size_t>(data.step) * world_.nv + j];
    powers.wrenches += way[j] * outside[j];
    powers.dampers -= way[j] * joint.damping * v[j];
    if (joint.nv == 1 && joint.drive >= 0)
      powers.drives += way[j] * (joint.kp * (targetOf(data, joint) - q[joint.q]) - joint.kd * v[j]);
  }
  return powers;
}

void LedgerSubstep::enterSmooth(const SubstepData& data, Real last_kick, const Reals& q_end) {
  const auto book = [&](std::int64_t step, Real duration, const Powers& powers) {
    book_.add(Account::kDrives, step, duration * powers.drives);
    book_.add(Account::kTorques, step, duration * powers.torques);
    book_.add(Account::kWrenches, step, duration * powers.wrenches);
    book_.add(Account::kDampers, step, duration * powers.dampers);
  };
  Reals half(world_.nv);
  for (int j = 0; j < world_.nv; ++j) half[j] = (data.v[j] + data.v_mean[j]) / 2;
  const bool first = data.index == r_.substep_start[data.step];
  book(first ? data.step - 1 : data.step, last_kick, powersAt(data, data.q, data.v_mean, half));
  book(data.step, data.h / 2, powersAt(data, data.q, data.v_mean, data.v_mean));
  book(data.step, data.h / 2, powersAt(data, q_end, data.v_end, data.v_end));
}

}  // namespace rigor::verify
