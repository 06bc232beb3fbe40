// How far rigor and Coal agree on the distance of random pairs, and who errs where they do not.
#include <coal/distance.h>
#include <fmt/format.h>

#include <cmath>
#include <ctime>
#include <random>

#include "collide_peers.h"
#include "geometry/convert.h"
#include "geometry/distance.h"
#include "geometry/shape_check.h"
#include "geometry/triangle_surface.h"
#include "reference/random_shapes.h"
#include "rigor/collide.h"
#include "rigor/mesh.h"

namespace rigor::peers {
namespace {

using reference::PairStyle, reference::PosedPair;
using Random = std::mt19937_64;

constexpr ShapeKind kKinds[] = {ShapeKind::kSphere,    ShapeKind::kCapsule,    ShapeKind::kBox,  ShapeKind::kCylinder,
                                ShapeKind::kCone,      ShapeKind::kEllipsoid,  ShapeKind::kHull, ShapeKind::kPlane,
                                ShapeKind::kTriangles, ShapeKind::kHeightField};
constexpr int kConvexKinds = 7;
constexpr int kPosesPerShape = 16;   ///< making hulls takes longest
constexpr double kTolerance = 1e-6;  ///< of the size: what Coal stops at (gjk_tolerance, epa_tolerance)

/// Who is wrong is decided by separations, which are lower bounds of the distance whoever found the direction.
struct Tally {
  long pairs = 0, coal_low = 0, coal_high = 0, rigor_low = 0, behind = 0;
  double worst_agreeing = 0.0, worst_coal = 0.0;  ///< of the size

  long agreeing() const { return pairs - coal_low - coal_high - rigor_low - behind; }
};

struct Pair {
  PosedPair posed;
  PosedPair convex;  ///< the same, but a hull for a plane, triangles or a height field: poses are found with it
  CoalShape coal_a, coal_b;

  double sizeOf() const {
    const double b = radiusAbout(viewOf(posed.b, {}));
    return isConvexKind(posed.a.kind) ? std::max(radiusAbout(viewOf(posed.a, {})), b) : std::max(1.0, b);
  }
};

double askCoal(const Pair& pair, coal::DistanceResult& result) {
  const coal::DistanceRequest request(true, true);
  return coal::distance(pair.coal_a.get(), coalPose(pair.posed.X_WA), pair.coal_b.get(), coalPose(pair.posed.X_WB),
                        request, result);
}

void report(const Pair& pair, const char* what, double by, double ours) {
  fmt::print(stderr, "{}: {} {} by {:.3g} of the size, distance {:.6g}\n", what, shapeKindName(pair.posed.a.kind),
             shapeKindName(pair.posed.b.kind), by, ours);
}

void compareConvex(const Pair& pair, Tally& tally) {
  const PosedPair& posed = pair.posed;
  const ConvexShape a = viewOf(posed.a, toTransform(posed.X_WA)), b = viewOf(posed.b, toTransform(posed.X_WB));
  const double size = pair.sizeOf();
  const Separation found = findSeparation(a, b);
  coal::DistanceResult result;
  const double difference = (askCoal(pair, result) - found.distance) / size;
  if (std::fabs(difference) <= kTolerance) {
    tally.worst_agreeing = std::max(tally.worst_agreeing, std::fabs(difference));
    return;
  }
  if (difference < 0.0) {  // rigor's normal proves a larger distance
    ++tally.coal_low;
    tally.worst_coal = std::max(tally.worst_coal, -difference);
    return;
  }
  const Vec3<double> their_normal = toVec3(result.normal);
  const double proven = std::max(separationAlong(their_normal, a, b), findSeparation(a, b, &their_normal).distance);
  if (proven > found.distance + 1e-9 * size) {
    ++tally.rigor_low;
    return report(pair, "rigor is low", (proven - found.distance) / size, found.distance);
  }
  ++tally.coal_high;
  tally.worst_coal = std::max(tally.worst_coal, difference);
}

/// The least of the distances to all triangles, one by one.
double leastOfTriangles(const PosedPair& posed) {
  const Mesh mesh = posed.a.kind == ShapeKind::kHeightField ? meshOf(*posed.a.field) : *posed.a.mesh;
  const ConvexShape b = viewOf(posed.b, toTransform(posed.X_WB));
  double least = 1e300;
  for (const auto& t : mesh.triangles) {
    const Polytope thin =
        makePolytope({toVec3(mesh.vertices[t[0]]), toVec3(mesh.vertices[t[1]]), toVec3(mesh.vertices[t[2]])},
                     {{0, 1, 2}, {0, 2, 1}});
    const ConvexShape triangle{ShapeKind::kHull, {}, &thin, toTransform(posed.X_WA)};
    least = std::min(least, findSeparation(triangle, b).distance);
  }
  return least;
}

/// With planes every distance, with triangles those of shapes that are apart: what overlaps is a matter of definition.
void compareSurface(const Pair& pair, Tally& tally) {
  const PosedPair& posed = pair.posed;
  const double ours = collide(posed.a, posed.X_WA, posed.b, posed.X_WB, 0.0).distance, size = pair.sizeOf();
  coal::DistanceResult result;
  const double theirs = askCoal(pair, result), difference = (theirs - ours) / size;
  if (std::fabs(difference) <= kTolerance) {
    tally.worst_agreeing = std::max(tally.worst_agreeing, std::fabs(difference));
    return;
  }
  const bool plane = posed.a.kind == ShapeKind::kPlane;
  if (!plane && ours <= 0.0) return void(++tally.behind);
  if (const double least = plane ? ours : leastOfTriangles(posed); std::fabs(least - ours) > 1e-9 * size) {
    ++tally.rigor_low;
    return report(pair, "rigor is wrong", (ours - least) / size, ours);
  }
  ++(difference < 0.0 ? tally.coal_low : tally.coal_high);
  tally.worst_coal = std::max(tally.worst_coal, std::fabs(difference));
}

Shape randomGround(Random& random) {
  HeightField field;
  field.rows = field.columns = 6;
  field.half_x = field.half_y = 1.0;
  std::uniform_real_distribution<double> height(-0.2, 0.2);
  for (int i = 0; i < field.rows * field.columns; ++i) field.heights.push_back(height(random));
  return makeHeightField(field);
}

Pair makePair(Random& random, ShapeKind kind_a, ShapeKind kind_b, PairStyle style) {
  Pair pair;
  pair.convex = reference::randomPair(random, isConvexKind(kind_a) ? kind_a : ShapeKind::kHull, kind_b, style);
  pair.posed = pair.convex;
  if (kind_a == ShapeKind::kPlane) pair.posed.a = makePlane();
  if (kind_a == ShapeKind::kTriangles) pair.posed.a = makeTriangles(pair.convex.a.mesh);
  if (kind_a == ShapeKind::kHeightField) pair.posed.a = randomGround(random);
  pair.coal_a = coalOf(pair.posed.a), pair.coal_b = coalOf(pair.posed.b);
  return pair;
}

/// The next poses of the same shapes.
void moveOn(Random& random, PairStyle style, Pair& pair) {
  reference::poseAgain(random, style, pair.convex);
  pair.posed.X_WA = pair.convex.X_WA, pair.posed.X_WB = pair.convex.X_WB;
}

Tally compareKinds(ShapeKind kind_a, ShapeKind kind_b, long count, double seconds) {
  Random random(1000 + 10 * static_cast<int>(kind_a) + static_cast<int>(kind_b));
  const std::clock_t start = std::clock();
  Tally tally;
  for (int round = 0; tally.pairs < count; ++round) {
    const auto style = static_cast<PairStyle>(round % static_cast<int>(PairStyle::kCount));
    Pair pair = makePair(random, kind_a, kind_b, style);
    for (int k = 0; k < kPosesPerShape && tally.pairs < count; ++k) {
      ++tally.pairs;
      isConvexKind(kind_a) ? compareConvex(pair, tally) : compareSurface(pair, tally);
      moveOn(random, style, pair);
    }
    if (static_cast<double>(std::clock() - start) > seconds * CLOCKS_PER_SEC) break;
  }
  return tally;
}

}  // namespace

void printAgreement(long count, double seconds, const std::string& only) {
  fmt::print(
      "| pair | pairs | within 1e-6 of the size | Coal low | Coal high | rigor low | overlap | worst of Coal |\n");
  fmt::print("|---|---|---|---|---|---|---|---|\n");
  for (std::size_t i = 0; i < std::size(kKinds); ++i)
    for (std::size_t j = i < kConvexKinds ? i : 0; j < kConvexKinds; ++j) {
      const std::string name = fmt::format("{}–{}", shapeKindName(kKinds[i]), shapeKindName(kKinds[j]));
      if (!only.empty() && name != only) continue;
      const Tally tally = compareKinds(kKinds[i], kKinds[j], count, seconds);
      fmt::print("| {} | {} | {:.4f} % (worst {:.1e}) | {} | {} | {} | {} | {:.1e} |\n", name, tally.pairs,
                 100.0 * static_cast<double>(tally.agreeing()) / static_cast<double>(tally.pairs), tally.worst_agreeing,
                 tally.coal_low, tally.coal_high, tally.rigor_low, tally.behind, tally.worst_coal);
      std::fflush(stdout);
    }
}

}  // namespace rigor::peers
