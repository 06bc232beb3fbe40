#include "rigor/missing_contact.h"

#include <gtest/gtest.h>

#include "geometry/meshes.h"

namespace rigor {
namespace {

using Eigen::Vector3d;

/// A cube of 0.2 m, of triangles: these do not meet each other.
BodySpec crate(const std::string& name) {
  BodySpec body;
  body.name = name;
  body.joint.name = name + "_joint";
  body.joint.type = kFree;
  body.shapes = {{name, makeTriangles(std::make_shared<const Mesh>(boxMesh({-0.1, -0.1, -0.1}, {0.2, 0.2, 0.2})))}};
  body.mass = computeMassProperties(body.shapes[0].shape, 1000.0);
  return body;
}

Model twoCrates() {
  ModelBuilder builder;
  builder.addBody(crate("a"));
  builder.addBody(crate("b"));
  return builder.build();
}

Eigen::VectorXd at(const Vector3d& a, const Vector3d& b) {
  Eigen::VectorXd q(14);
  q << a, 1, 0, 0, 0, b, 1, 0, 0, 0;
  return q;
}

TEST(MissingContact, CountsTwoCratesInOnePlace) {
  MissingContact missing(twoCrates());
  EXPECT_TRUE(missing.complete());
  missing.see(0.0, at({0, 0, 1}, {0, 0, 1}));
  EXPECT_EQ(missing.pairs(), 1);
  EXPECT_FALSE(missing.complete());
  EXPECT_EQ(missing.text(), "1 pair without contact code came together, the first \"a\" and \"b\" at 0 s");
}

TEST(MissingContact, IsCompleteWhileTheCratesStayApart) {
  MissingContact missing(twoCrates());
  for (int i = 0; i <= 1000; ++i) missing.see(1e-3 * i, at({0, 0, 1.0 - 1e-3 * i}, {0.201, 0, 1.0 - 1e-3 * i}));
  EXPECT_TRUE(missing.complete()) << missing.text();
}

TEST(MissingContact, SeesCratesThatPassThroughEachOtherBetweenTwoPoses) {
  MissingContact missing(twoCrates());
  missing.see(0.0, at({0, 0, 1}, {-5, 0, 1}));
  missing.see(1.0, at({0, 0, 1}, {5, 0, 1}));  // far apart again
  EXPECT_EQ(missing.pairs(), 1);
}

TEST(MissingContact, TakesAJumpForNoWay) {
  MissingContact missing(twoCrates());
  missing.see(0.0, at({0, 0, 1}, {-5, 0, 1}));
  missing.restart(1.0, at({0, 0, 1}, {5, 0, 1}));
  EXPECT_TRUE(missing.complete());
  missing.see(2.0, at({0, 0, 1}, {5.001, 0, 1}));
  EXPECT_TRUE(missing.complete());
}

TEST(MissingContact, CountsAPairOnceAndKeepsTheFirstTime) {
  MissingContact missing(twoCrates());
  missing.see(0.25, at({0, 0, 1}, {0.05, 0, 1}));
  missing.see(0.5, at({0, 0, 1}, {0.06, 0, 1}));
  EXPECT_EQ(missing.pairs(), 1);
  EXPECT_NE(missing.text().find("0.25 s"), std::string::npos);
}

TEST(MissingContact, CountsShapesThatWereLeftOut) {
  ModelBuilder builder;
  builder.addWorldShape({"floor", makePlane()});
  BodySpec body = crate("a");
  body.missing_shapes = {{"hull", "mesh"}, {"wheel", "cylinder"}, {"cover", "mesh"}};
  builder.addBody(body);
  const MissingContact missing(builder.build());
  EXPECT_EQ(missing.shapes(), 3);
  EXPECT_EQ(missing.text(), "3 shapes left out: cylinder (1), mesh (2)");
}

}  // namespace
}  // namespace rigor
