// Whatever the shapes and poses: a finite answer whose numbers fit together, or an Error. RIGOR_FUZZ_SECONDS=600 goes on for so
// long and says how many pairs it tried; the suite takes few of them.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <limits>

#include "reference/random_shapes.h"
#include "rigor/collide.h"
#include "rigor/error.h"
#include "rigor/mesh.h"

namespace rigor {
namespace {

using Random = std::mt19937_64;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

int pick(Random& random, int count) { return std::uniform_int_distribution<int>(0, count - 1)(random); }

/// Often something special.
double anyNumber(Random& random) {
  const double special[] = {0.0, -0.0, 1.0, -1.0, 0.5, 1e-300, 1e300, 1e-9, 1e9, std::nan(""), kInfinity, -kInfinity};
  if (pick(random, 60) == 0) return special[pick(random, static_cast<int>(std::size(special)))];
  if (pick(random, 8) == 0) return 0.25 * (pick(random, 9) - 4);
  return std::uniform_real_distribution<double>(-1.0, 1.0)(random);
}

double anySize(Random& random) {
  const int style = pick(random, 40);
  if (style == 0) return anyNumber(random);
  if (style < 4) return std::pow(10.0, pick(random, 13) - 6);
  return style < 12 ? 0.5 : std::uniform_real_distribution<double>(0.05, 1.0)(random);
}

Shape anyGround(Random& random) {
  if (pick(random, 2)) {
    HeightField field;
    field.rows = 2 + pick(random, 4), field.columns = 2 + pick(random, 4);
    field.half_x = field.half_y = anySize(random);
    for (int i = 0; i < field.rows * field.columns; ++i) field.heights.push_back(0.3 * anyNumber(random));
    return makeHeightField(field);
  }
  auto mesh = std::make_shared<Mesh>();
  for (int i = 0; i < 7; ++i) mesh->vertices.emplace_back(anyNumber(random), anyNumber(random), anyNumber(random));
  for (int i = 0, count = 1 + pick(random, 9); i < count; ++i)
    mesh->triangles.push_back({pick(random, 7), pick(random, 7), pick(random, 7)});
  return makeTriangles(mesh);
}

Shape anyShape(Random& random) {
  const double x = anySize(random), y = anySize(random), z = anySize(random);
  switch (pick(random, 9)) {
    case 0:
      return makeSphere(x);
    case 1:
      return makeCapsule(x, y);
    case 2:
      return makeBox({x, y, z});
    case 3:
      return makeCylinder(x, y);
    case 4:
      return makeCone(x, y);
    case 5:
      return makeEllipsoid({x, y, z});
    case 6:
      return makePlane();
    case 7:
      return anyGround(random);
    default: {
      auto mesh = std::make_shared<Mesh>();
      for (int i = 0, count = 4 + pick(random, 30); i < count; ++i)
        mesh->vertices.emplace_back(x * anyNumber(random), y * anyNumber(random), z * anyNumber(random));
      return makeHull(mesh);
    }
  }
}

Pose anyPose(Random& random) {
  const auto n = [&] { return anyNumber(random); };
  Pose pose{{n(), n(), n()}, Eigen::Quaterniond(n(), n(), n(), n())};
  if (pick(random, 3) == 0) pose.rotation.setIdentity();
  if (pick(random, 10) == 0) pose.position *= std::pow(10.0, pick(random, 13) - 6);
  return pose;
}

void expectAnswer(const Collision& c, double margin) {
  ASSERT_TRUE(std::isfinite(c.distance));
  ASSERT_NEAR(c.normal.norm(), 1.0, 1e-9);
  ASSERT_TRUE(c.point_1.allFinite() && c.point_2.allFinite());
  ASSERT_EQ(c.manifold.empty(), !(c.distance <= margin));
  for (const TouchingPoint& p : c.manifold) {
    ASSERT_TRUE(std::isfinite(p.gap) && p.point_1.allFinite() && p.point_2.allFinite());
    ASSERT_LE(p.gap, margin);
  }
}

TEST(CollideFuzz, AnyShapesAtAnyPosesGiveAnAnswerOrAnError) {
  const char* seconds = std::getenv("RIGOR_FUZZ_SECONDS");
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds ? std::atof(seconds) : 0.0);
  Random random(2026);
  long answers = 0, tries = 0;
  for (; tries < 20000 || std::chrono::steady_clock::now() < end; ++tries) {
    try {
      const Shape a = anyShape(random), b = anyShape(random);
      const Pose X_WA = anyPose(random), X_WB = pick(random, 20) ? anyPose(random) : X_WA;
      const double margins[] = {0.0, 1e-3, 10.0, kInfinity, -0.1};
      const double margin = margins[pick(random, 5)];
      SCOPED_TRACE(testing::Message() << "try " << tries << " kinds " << static_cast<int>(a.kind) << " "
                                      << static_cast<int>(b.kind));
      expectAnswer(collide(a, X_WA, b, X_WB, margin), margin);
      if (HasFatalFailure()) return;
      ++answers;
    } catch (const Error&) {
    }
  }
  EXPECT_GT(answers, tries / 3);  // or nothing was tried
  RecordProperty("pairs", std::to_string(tries));
  if (seconds) std::cout << tries << " pairs, " << answers << " answers\n";
}

}  // namespace
}  // namespace rigor
