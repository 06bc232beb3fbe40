#include "minimal/split_step.h"

#include <algorithm>
#include <utility>

#include "minimal/attempt.h"
#include "minimal/passes.h"
#include "minimal/step_judge.h"
#include "minimal/step_record.h"
#include "minimal/step_result.h"
#include "minimal/substeps.h"

namespace rigor {
namespace {

/// Marks the trees that an attempt failed for. Returns false if it cannot be told.
bool markTroubled(const StepTask& task, const Snapshot& from, StepStatus status, Split& split) {
  StepWork& work = task.work;
  const ConstraintSet& set = work.set;
  const StepContext context = task.from(from);
  bool found = false;
  const auto mark = [&](int tree) { split.troubled[tree] = found = true; };
  const auto markConstraint = [&](const Constraint& c) { mark(treeOf(context.topology, set, c)); };
  if (status == StepStatus::kAccepted && work.closing.time == 0.0) {
    for (const int slot : set.active)
      if (strikesAtNode(set, set.slots[slot])) markConstraint(set.slots[slot]);
  } else if (status == StepStatus::kAccepted) {
    forEachClosing(context, work.motion, set, work.islands, task.length,
                   [&](const Constraint& c, const Closing&) { markConstraint(c); });
  } else if (status == StepStatus::kTooFast) {
    for (const int tree : context.part.trees) {
      if (!turnsTooFar(context, Trees(context.topology, tree, tree + 1), work.attempted, task.length)) continue;
      if (context.tables.is_prescribed[tree]) return false;  // all that it may touch must follow
      mark(tree);
    }
  } else if (status == StepStatus::kGivesEnergy || status == StepStatus::kLoopSwings) {
    const auto isTooFast = [&](const Island& island) {
      return status == StepStatus::kGivesEnergy ? givesEnergy(task, context, island, work.attempted)
                                                : loopsSwingTooFast(task, context, island, work.attempted);
    };
    for (int i = 0; i < work.islands.count; ++i)
      if (isTooFast(work.islands.list[i])) markConstraint(set.slots[work.islands.list[i].constraints[0]]);
  } else {
    for (int i = 0; i < work.islands.count; ++i)
      if (!(judgePositions(set, work.islands.list[i]).law <= task.options.tolerance))
        markConstraint(set.slots[work.islands.list[i].constraints[0]]);
  }
  return found;
}

/// Springs tie trees together also while their points coincide and they have no row, and own potentials, which have none.
void uniteSprung(const StepTables& tables, TreeGroups& groups) {
  for (const SpringPart& spring : tables.springs)
    if (tables.answers(spring.link_1) && tables.answers(spring.link_2))
      groups.unite(tables.topology.tree[spring.link_1], tables.topology.tree[spring.link_2]);
  for (const PotentialPart& own : tables.own.potentials)
    if (tables.answers(own.frames.link_1) && tables.answers(own.frames.link_2))
      groups.unite(tables.topology.tree[own.frames.link_1], tables.topology.tree[own.frames.link_2]);
}

void findTroubledGroups(Split& split) {
  std::fill(split.group_troubled.begin(), split.group_troubled.end(), 0);
  for (int tree = 0; tree < split.groups.size(); ++tree)
    if (split.troubled[tree]) split.group_troubled[split.groups.groupOf(tree)] = 1;
}

/// Calls visit(pair) for pairs of features, or of solids, whose trees are of different parts: the groups without trouble are
/// one part. Those that it returns true for come into one group. Returns whether there were any.
template <class Pair, class Visit>
bool uniteParts(const StepTask& task, const std::vector<Pair>& pairs, const Visit& visit) {
  Split& split = task.work.split;
  const Topology& topology = task.tables.topology;
  bool united = false;
  for (const Pair& pair : pairs) {
    if (!task.tables.answers(pair.link[0]) || !task.tables.answers(pair.link[1])) continue;
    const int a = split.groups.groupOf(topology.tree[pair.link[0]]),
              b = split.groups.groupOf(topology.tree[pair.link[1]]);
    if (a == b || (!split.group_troubled[a] && !split.group_troubled[b]) || !visit(pair)) continue;
    split.groups.unite(a, b);
    split.group_troubled[std::min(a, b)] = united = true;
  }
  return united;
}

/// Lists whoever is not farther away from others at the start than their ways together.
void lookAround(const StepTask& task, const Ways& way) {
  StepWork& work = task.work;
  const CollisionTable& collision = task.tables.collision;
  const bool changed = work.set.neighbours.coverReach(collision.all_trees, work.start.pose.shapes(), [&](int shape) {
    const SolidPlace& place = collision.solids[shape];
    const auto first = way.balls.begin() + place.first_ball;
    const double of_balls = place.balls > 0 ? *std::max_element(first, first + place.balls) : 0.0;
    return std::max(of_balls, way.solids[shape]) + 1e-9;
  });
  if (changed) work.set.followList();
}

/// The same for solids that are not farther apart at the start than their ways together.
bool uniteSolids(const StepTask& task, const Ways& way) {
  const std::vector<PlacedSolid>& solids = task.work.start.pose.solids;
  const CollisionTable& collision = task.tables.collision;
  return uniteParts(task, task.work.set.neighbours.lists().solid_pairs, [&](const SolidPair& pair) {
    const auto [a, b] = pair.shape;
    const double ways = way.solids[a] + way.solids[b];
    if (norm(solids[b].X_WS.p - solids[a].X_WS.p) > collision.solids[a].bound + collision.solids[b].bound + ways)
      return false;
    if (pair.surface >= 0)
      return mayBeNear({solids[pair.shape[pair.surface]], solids[pair.shape[1 - pair.surface]], ways});
    return findSeparation(solids[a].view(), solids[b].view()).distance <= ways;
  });
}

/// Whoever a group with trouble may reach in this step, however it is deflected, belongs to it. Less would be found out
/// afterwards, at the price of another round.
void uniteWithinReach(const StepTask& task) {
  StepWork& work = task.work;
  const std::vector<double>& reach = work.split.reach.balls;
  const FeatureCentres& centres = work.start.pose.centres;
  findTroubledGroups(work.split);
  lookAround(task, work.split.reach);
  const auto isReached = [&](const FeaturePair& pair) {
    return gapOf(task.tables.collision, pair, centres).gap <= reach[pair.feature[0]] + reach[pair.feature[1]];
  };
  for (bool united = true; united;) {
    united = uniteParts(task, work.set.neighbours.lists().pairs, isReached);
    united = uniteSolids(task, work.split.reach) || united;
  }
}

/// Of more than a few that may meet, the step itself closes the gaps (findCrowds): only what is trouble all the same stays so.
void calmCrowds(const StepTask& task, const Snapshot& from, StepStatus status) {
  StepWork& work = task.work;
  Split& split = work.split;
  work.crowds.tried = true;
  work.crowds.met.assign(split.groups.size(), 0);
  for (int tree = 0; tree < split.groups.size(); ++tree) ++work.crowds.met[split.groups.groupOf(tree)];
  for (int tree = 0; tree < split.groups.size(); ++tree)
    work.crowds.met[tree] = work.crowds.met[split.groups.groupOf(tree)];
  if (status != StepStatus::kAccepted) return;
  findCrowds(task.from(from), work.crowds, work.set);
  for (const int tree : work.part.trees) split.troubled[tree] = 0;  // others have their trouble from before
  markTroubled(task, from, status, split);
}

/// Groups, and which of them an attempt failed for.
void findTrouble(const StepTask& task, const Snapshot& from, StepStatus status) {
  StepWork& work = task.work;
  uniteConnected(task.tables.topology, work.set, work.split.groups);
  uniteSprung(task.tables, work.split.groups);
  if (!markTroubled(task, from, status, work.split))
    for (const int tree : work.part.trees) work.split.troubled[tree] = 1;
  uniteWithinReach(task);
  calmCrowds(task, from, status);
  findTroubledGroups(work.split);
}

/// One group with trouble that has more than half of the trees: its attempt would only be repeated without the others.
bool isHardlyWorthIt(Split& split) {
  int groups = 0, trees = 0;
  for (int tree = 0; tree < split.groups.size(); ++tree) {
    const int group = split.groups.groupOf(tree);
    groups += group == tree && split.group_troubled[group];
    trees += split.group_troubled[group] != 0;
  }
  return groups == 1 && 2 * trees > split.groups.size();
}

/// Trees of the part whose group has no trouble.
void findCalm(const Part& part, Split& split, std::vector<int>& calm) {
  calm.clear();
  for (const int tree : part.trees)
    if (!split.group_troubled[split.groups.groupOf(tree)]) calm.push_back(tree);
}

/// Leaves in the work of an attempt what belongs to some of the trees that it was made for: others answer to other forces.
void keepOnly(const StepTask& task, const Snapshot& from, const std::vector<int>& trees) {
  StepWork& work = task.work;
  take(task.tables, trees, work.part);
  cutIntoRuns(task.tables.topology, from.memory, work.part);
  const auto stays = [&](int slot) {
    return work.part.has[treeOf(task.tables.topology, work.set, work.set.slots[slot])] != 0;
  };
  for (const int slot : work.set.active)
    if (!stays(slot)) work.set.slots[slot].active = false;
  std::erase_if(work.set.active, [&](int slot) { return !stays(slot); });
  Islands& islands = work.islands;
  int kept = 0;
  for (int i = 0; i < islands.count; ++i)
    if (stays(islands.list[i].constraints[0])) std::swap(islands.list[kept++], islands.list[i]);
  islands.count = kept;
  islands.made_of.clear();
  islands.found = 0;
  work.verdict.law = work.verdict.law_gap = work.verdict.floor = 0.0;
  work.verdict.by_floor = false;
  work.verdict.add(judgeIslands(work), task.options.tolerance);
}

/// Takes the groups without trouble as one part, if there are any. Returns whether `to` knows them.
bool stepCalm(const StepTask& task, const Snapshot& from, StepStatus status, Snapshot& to) {
  StepWork& work = task.work;
  Split& split = work.split;
  for (;;) {
    findCalm(work.part, split, split.trees);
    if (split.trees.empty()) return false;
    if (status == StepStatus::kAccepted && work.closing.time > 0.0) {
      keepOnly(task, from, split.trees);
    } else {
      take(task.tables, split.trees, work.part);
      work.crowds.stops = 0;
      status = attempt(task, from, task.length, false, to);
      if (status != StepStatus::kAccepted || work.closing.found()) {
        findTrouble(task, from, status);
        continue;
      }
      uniteConnected(task.tables.topology, work.set, split.groups);
    }
    accept(task, from, task.length, to);
    return true;
  }
}

/// Split::members.
void findMembers(Split& split) {
  split.members.clear();
  for (int tree = 0; tree < split.groups.size(); ++tree)
    if (split.group_troubled[split.groups.groupOf(tree)]) split.members.push_back(tree);
  std::sort(split.members.begin(), split.members.end(), [&](int a, int b) {
    return std::pair(split.groups.groupOf(a), a) < std::pair(split.groups.groupOf(b), b);
  });
}

/// Adds what a part came to.
void merge(const Part& part, const Snapshot& end, Snapshot& to) {
  copyPositions(part, end.state.q, to.state.q);
  copyFreedoms(part, end.state.v, to.state.v);
  for (int k = 0; k < 3; ++k) copyFreedoms(part, end.memory.rates[k], to.memory.rates[k]);
  to.memory.momentum.resize(end.memory.momentum.size());
  if (end.memory.momentum.size() > 0) copyFreedoms(part, end.memory.momentum, to.memory.momentum);
  for (const int tree : part.trees) {
    to.memory.last_step[tree] = end.memory.last_step[tree];
    to.memory.increments[tree] = end.memory.increments[tree];
  }
  to.memory.blocks.insert(to.memory.blocks.end(), end.memory.blocks.begin(), end.memory.blocks.end());
}

/// Every part on its own way, after an attempt at the whole that ended with `status`.
StepStatus stepApart(const StepTask& task, const Snapshot& from, StepStatus status, Snapshot& to) {
  StepWork& work = task.work;
  Split& split = work.split;
  split.way.setZero();
  if (!stepCalm(task, from, status, to)) carryOver(from.memory, to.memory);
  findMembers(split);
  for (std::size_t first = 0, end = 0; first < split.members.size(); first = end) {
    const int group = split.groups.groupOf(split.members[first]);
    while (end < split.members.size() && split.groups.groupOf(split.members[end]) == group) ++end;
    take(task.tables, std::span(split.members).subspan(first, end - first), work.part);
    work.part.reported = false;
    const StepStatus own = advance(task, from, task.length, 0, split.end);
    if (own != StepStatus::kAccepted) return own;
    merge(work.part, split.end, to);
  }
  to.state.time = from.state.time + task.length;
  sortById(to.memory.blocks);
  return StepStatus::kAccepted;
}

/// Joins the groups of trees of different parts that may have met on their ways, or overlap at the end. Returns whether
/// there were any.
bool uniteWhoMet(const StepTask& task, const Snapshot& from, const Snapshot& to) {
  StepWork& work = task.work;
  const CollisionTable& collision = task.tables.collision;
  const std::vector<double>& way = work.split.way.balls;
  takeAll(task.tables, work.part);
  place(task.tables, work.part, from.state.q, work.start);
  place(task.tables, work.part, to.state.q, work.end);
  const FeatureCentres &begin = work.start.pose.centres, &end = work.end.pose.centres;
  lookAround(task, work.split.way);
  if (work.set.neighbours.coverWay(work.part.trees, work.start.pose.shapes(), work.end.pose.shapes()))
    work.set.followList();
  const bool balls = uniteParts(task, work.set.neighbours.lists().pairs, [&](const FeaturePair& pair) {
    return gapOf(collision, pair, begin).gap <= way[pair.feature[0]] + way[pair.feature[1]] ||
           isViolated(pair, collision.shapes, wayOf(pair, begin, end));
  });
  return uniteSolids(task, work.split.way) || balls;
}

/// Forgets all parts of this step but the effort that they took.
void beginAnew(const StepTask& task, const Snapshot& from) {
  StepReport& report = task.report;
  const int passes = report.passes, solves = report.solves, iterations = report.iterations;
  const PhaseTimes nanoseconds = report.nanoseconds;
  beginReport(from.state.time, task.length, report);
  report.passes = passes, report.solves = solves, report.iterations = iterations;
  report.nanoseconds = nanoseconds;
  startRecord(task.input, report.record);
  beginWhole(task);
}

}  // namespace

void Split::resize(const StepTables& tables) {
  const int count = tables.topology.trees;
  groups.reset(count);
  troubled.resize(count);
  group_troubled.resize(count);
  trees.reserve(count);
  members.reserve(count);
  way.resize(tables);
  reach.resize(tables);
}

void beginWhole(const StepTask& task) {
  if (!task.work.part.whole) takeAll(task.tables, task.work.part);
  task.work.part.reported = false;
}

void beginStep(const StepTask& task) {
  StepWork& work = task.work;
  work.set.beginStep();
  if (work.set.slots.empty()) work.islands.made_of.clear();
  beginWhole(task);
  work.crowds.tried = false;
  work.crowds.stops = 0;
}

StepStatus takeStep(const StepTask& task, const Snapshot& from, Snapshot& to) {
  StepWork& work = task.work;
  beginStep(task);
  StepStatus status = attempt(task, from, task.length, false, to);
  if (status == StepStatus::kAccepted && !work.closing.found()) {
    accept(task, from, task.length, to);
    return status;
  }
  const bool together = task.tables.topology.trees == 1 || !isLeapfrog(task.options.integrator);
  if (status == StepStatus::kInterrupted) return status;
  if (together || status == StepStatus::kNotFinite) return advance(task, from, task.length, 0, to, status);
  work.split.groups.reset(task.tables.topology.trees);
  for (;;) {
    std::fill(work.split.troubled.begin(), work.split.troubled.end(), 0);
    work.split.reach.setZero();
    addWays(task, from.state.v.data(), task.length, work.split.reach);
    findTrouble(task, from, status);
    if (isHardlyWorthIt(work.split)) return advance(task, from, task.length, 0, to, status);
    status = stepApart(task, from, status, to);
    if (status != StepStatus::kAccepted) return status;
    if (!uniteWhoMet(task, from, to)) break;
    beginAnew(task, from);
    work.crowds.stops = 0;
    status = attempt(task, from, task.length, false, to);
    if (status == StepStatus::kAccepted && !work.closing.found()) {
      accept(task, from, task.length, to);
      return status;
    }
  }
  std::swap(work.start, work.end);
  return status;
}

}  // namespace rigor
