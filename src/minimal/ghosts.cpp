#include "minimal/ghosts.h"

#include <algorithm>
#include <cmath>

#include "minimal/contact_rows.h"
#include "minimal/surface_rows.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

/// True if the lowest point of a rim ran far around it: the impulse attacked where it was before.
bool runsAround(const StepContext& context, const PlacedModel& start, const StepEnd& end,
                const ContactDetail& contact) {
  constexpr double kFar = 0.9;  // cosine of 25°
  const FeatureKind kind = contact.pair.kind;
  if (kind != FeatureKind::kFaceRim && kind != FeatureKind::kRimFace) return false;
  const int side = kind == FeatureKind::kFaceRim ? 1 : 0, shape = contact.pair.shape[side];
  const Disc& disc = context.tables.collision.solids[shape].solid.discs[contact.pair.feature[side]];
  const Vec before = contact.start.point - start.solids[shape].X_WS * disc.centre;
  const Vec after = contact.end.point - end.pose.solids[shape].X_WS * disc.centre;
  return dot(before, after) < kFar * disc.radius * disc.radius;
}

/// How far the crossing of two edges ran along either of them [m], beyond what the material did.
double runOfCrossing(const PlacedModel& start, const StepEnd& end, const Constraint& c, const ContactDetail& contact,
                     const ConstraintSet& set) {
  double run = 0.0;
  if (!contact.rolls) {
    for (const Side& side : set.sidesOf(c))
      run = std::max(run, norm(contact.end.centre[side.end].relative - contact.tracked[side.end]));
    return run;
  }
  const auto [a, b] = contact.pair.shape;
  const auto [edge_a, edge_b] = contact.pair.feature;
  const std::vector<PlacedSolid>&from = start.solids, &to = end.pose.solids;
  const EdgeCrossing before = crossEdges(from[a], edge_a, from[b], edge_b);
  const EdgeCrossing after = crossEdges(to[a], edge_a, to[b], edge_b);
  return std::max(std::fabs(after.share[0] - before.share[0]) * norm(from[a].edge(edge_a)),
                  std::fabs(after.share[1] - before.share[1]) * norm(from[b].edge(edge_b)));
}

}  // namespace

bool pushesApart(const Constraint& c, const ConstraintSet& set) {
  const ContactDetail* contact = contactOf(c, set);
  return contact && contact->crossed && set.impulse[c.first_row] > 0.0 && contact->end.gap > kTouching;
}

bool pushesNothing(const StepContext& context, const PlacedModel& start, const StepEnd& end, const Constraint& c,
                   const ConstraintSet& set) {
  constexpr double kMargin = 0.02, kJump = 0.1;  // of the smaller solid
  const ContactDetail* contact = contactOf(c, set);
  if (!contact || !isOfSolids(contact->pair.kind) || !(set.impulse[c.first_row] > 0.0)) return false;
  const std::vector<SolidPlace>& solids = context.tables.collision.solids;
  const auto [a, b] = contact->pair.shape;
  const double slide = end.h * norm(slipOf(c, *contact, set));
  const double size = std::min(solids[a].bound, solids[b].bound), allowed = kMargin * size + 2.0 * slide;
  if (runsAround(context, start, end, *contact)) return true;
  if (!faceEachOther(contact->pair, end.pose.solids)) return true;
  const bool edges = contact->pair.kind == FeatureKind::kEdges || contact->pair.kind == FeatureKind::kEdgesBack;
  if (edges && runOfCrossing(start, end, c, *contact, set) > kJump * size + 2.0 * slide) return true;
  return distanceOutside(contact->pair, start.solids) > allowed &&
         distanceOutside(contact->pair, end.pose.solids) > allowed;
}

}  // namespace rigor
