// Where everything is: nothing sinks into anything, nothing goes through anything, and who steps apart does not meet.
#include <fmt/format.h>

#include <algorithm>

#include "verify/limits.h"
#include "verify/substep.h"

namespace rigor::verify {
namespace {

template <class OfShapes>
std::string namesOf(const World& world, const OfShapes& pair) {
  return fmt::format("\"{}\" and \"{}\"", world.shapes[pair.shape_1], world.shapes[pair.shape_2]);
}

bool areOfDifferentParts(const World& world, int body_1, int body_2, const std::vector<std::int64_t>& part) {
  const auto tree = [&](int body) { return body == kWorldBody ? -1 : world.bodies[body].tree; };
  const int a = tree(body_1), b = tree(body_2);
  if (world.isPrescribed(body_1) || world.isPrescribed(body_2)) return false;  // they belong to all parts
  return a >= 0 && b >= 0 && part[a] != part[b];
}

}  // namespace

void SubstepJudge::judgeGap(const Pair& pair) {
  const SubstepData& d = *data_;
  const Touch from = computeTouch(pair, d.start), to = computeTouch(pair, d.end);
  const auto name = [&] { return "gap of " + namesOf(world_, pair); };
  const Real soft = allowedDepth(pair.shape_1, pair.shape_2);
  // what is soft comes out again, and where no time passes it stays
  const bool soft_moves = pair.surface.compliance > 0 && d.h > 0;
  const Real before = soft_moves ? 0 : std::min<Real>(from.gap, 0);
  const Real deeper = before - to.gap - (soft_moves ? soft : 0);
  findings_.check(deeper, world_.wider() * kDeeper + kPositionFloor * kEps * to.size, &VerifyWorst::gap, name);
  findings_.check(depthOfPassing(pair, d.start, d.end), 0, nullptr, [&] { return name() + ": passed through"; });
}

/// Where contacts were, the normals at the end prove best that nothing overlaps.
DirectionHints SubstepJudge::contactNormals() const {
  DirectionHints hints;
  for (std::int64_t c = r_.contact_start[data_->index]; c < r_.contact_start[data_->index + 1]; ++c)
    if (const std::optional<Pair> pair = findContact(c)) {
      const Touch start = computeTouch(*pair, data_->start);
      const Pair end = carried(*pair, start, data_->start, data_->end);
      hints.push_back({pair->shape_1, pair->shape_2, computeTouch(end, data_->end).normal});
    }
  return hints;
}

void SubstepJudge::judgeDistances(DirectionHints hints, const BodyFilter& wanted) {
  std::stable_sort(hints.begin(), hints.end(), [](const DirectionHint& a, const DirectionHint& b) {
    return std::pair(a.shape_1, a.shape_2) < std::pair(b.shape_1, b.shape_2);
  });
  const auto name = [&](const PairDistance& found, const char* what) {
    return fmt::format("{} {} in the step at {:.9g} s", namesOf(world_, found), what, r_.time[findings_.step()]);
  };
  distances_.look(data_->start, data_->end, near_, hints, wanted, [&](const PairDistance& found) {
    const Real depth = -found.distance - allowedDepth(found.shape_1, found.shape_2);
    findings_.check(depth, found.limit, found.deep ? nullptr : &VerifyWorst::overlap,
                    [&] { return name(found, "overlap"); });
  });
  distances_.lookBetween(wanted, [&](const PairDistance& found) {
    findings_.check(-found.distance, found.limit, nullptr, [&] { return name(found, "pass through each other"); });
  });
}

void SubstepJudge::judgeApart(const SubstepData& step, const std::vector<SubstepData>& way,
                              const std::vector<std::int64_t>& part) {
  data_ = &step;
  Reals ways(world_.solids.size(), 0);
  for (std::size_t shape = 0; shape < ways.size(); ++shape) {
    for (const SubstepData& d : way) ways[shape] += wayOfAnyPoint(world_.solids[shape], d.start, d.end);
    ways[shape] = std::max(ways[shape], wayOfAnyPoint(world_.solids[shape], step.start, step.end));
  }
  near_ = findNearShapes(world_, step.start, step.end, ways);
  judgeSolidsApart(way, part);
  const auto lengthOf = [&](const Ball& ball) {
    Real length = 0;
    for (const SubstepData& d : way)
      length += norm(pointOf(d.end, ball.body, ball.centre) - pointOf(d.start, ball.body, ball.centre));
    return length;
  };
  for (const ShapePair& shapes : near_) {
    if (!areOfDifferentParts(world_, world_.shape_body[shapes.shape_1], world_.shape_body[shapes.shape_2], part))
      continue;
    for (const Pair& pair : world_.ballPairsOf(shapes)) {
      judgeGap(pair);
      const Real both = lengthOf(pair.ball_1) + lengthOf(pair.ball_2);
      findings_.check(both, computeTouch(pair, step.start).gap, nullptr,
                      [&] { return namesOf(world_, pair) + " step apart and may meet"; });
    }
  }
}

void SubstepJudge::judgeSolidsApart(const std::vector<SubstepData>& way, const std::vector<std::int64_t>& part) {
  judgeDistances({}, [&](int a, int b) { return areOfDifferentParts(world_, a, b, part); });
  const auto lengthOf = [&](int shape) {
    Real length = 0;
    for (const SubstepData& d : way) length += wayOfAnyPoint(world_.solids[shape], d.start, d.end);
    return length;
  };
  for (const ShapePair& pair : near_) {
    if (!areOfDifferentParts(world_, world_.shape_body[pair.shape_1], world_.shape_body[pair.shape_2], part)) continue;
    const Real ways = lengthOf(pair.shape_1) + lengthOf(pair.shape_2);
    findings_.check(ways, distances_.distanceAtStart(pair, ways), nullptr,
                    [&] { return namesOf(world_, pair) + " step apart and may meet"; });
  }
}

}  // namespace rigor::verify
