// Recordings of solids that are wrong in one place: each must be refused, and for the right reason.
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "io/file.h"
#include "verify/recorded_runs.h"
#include "verify/solid_scenes.h"

namespace rigor {
namespace {

using Json = nlohmann::ordered_json;
using Eigen::Vector3d;

const Recording& slidingBox() {
  static const Recording recording = recordRun(makeBoxOnBox(), 100);
  return recording;
}

/// The first contact of step `step` or later that pushes by more than 1e-4 N s and is of one of these kinds.
std::int64_t findPushing(const Recording& r, int step, std::initializer_list<std::uint64_t> kinds) {
  for (std::int64_t c = r.contactBegin(step); c < static_cast<std::int64_t>(r.contact_id.size()); ++c) {
    const double* x = &r.contact_impulse[3 * c];
    if (std::count(kinds.begin(), kinds.end(), r.contact_id[c].high & 0xff) && Vector3d(x[0], x[1], x[2]).norm() > 1e-4)
      return c;
  }
  ADD_FAILURE() << "no contact of that kind pushes";
  return 0;
}

void expectRefused(const Recording& recording, std::initializer_list<const char*> words) {
  const Verdict verdict = verifyRecording(recording);
  ASSERT_FALSE(verdict.holds) << *words.begin();
  for (const char* word : words)
    EXPECT_NE(verdict.first_bad.what.find(word), std::string::npos) << verdict.first_bad.what << ": no " << word;
}

/// The recording with another model in its header, hash included.
Recording retoldModel(Recording recording, const std::function<void(Json& model)>& change) {
  Json header = Json::parse(recording.header);
  change(header["model"]);
  header["hash"] = computeHash(header["model"].dump());
  recording.header = header.dump();
  return recording;
}

TEST(SolidCorruption, OfAPoseIsSeen) {
  Recording moved = slidingBox();
  moved.q[7 * 60 + 2] -= 1e-9;
  moved.substep_q[7 * moved.substep_start[60] + 2] -= 1e-9;
  const double mass = 6.0, depth = 1e-9;
  moved.energy[2 * 60 + 1] -= mass * 9.81 * depth;
  moved.momentum[6 * 60 + 3] += depth * moved.momentum[6 * 60 + 1];  // about the origin: r × p
  moved.momentum[6 * 60 + 4] -= depth * moved.momentum[6 * 60 + 0];
  expectRefused(moved, {"not where the velocity leads"});
}

TEST(SolidCorruption, ThatSinksABillionthOfAMetreIsSeenAsOverlap) {
  Recording sunk = slidingBox();
  const std::size_t last = sunk.substep_h.size() - 1;
  sunk.substep_v_end[6 * last + 2] -= 1e-9 / sunk.substep_h[last];
  const Verdict verdict = verifyRecording(sunk);
  ASSERT_FALSE(verdict.holds);
  EXPECT_EQ(verdict.first_bad.step, 99);
  EXPECT_EQ(verdict.first_bad.what, "\"box\" and \"table\" overlap in the step at 0.198 s");
  EXPECT_NEAR(verdict.first_bad.value, 1e-9, 1e-12);  // less what the box was above the table
  EXPECT_NEAR(verdict.worst.overlap, 1e-9, 1e-12);
}

// A box that is lifted while the table pushes: Λ·v′ − Λ²/2m with the sum Λ of all impulses, which turn nothing.
TEST(SolidCorruption, ThatLetsContactGiveEnergyIsSeen) {
  Recording lifted = slidingBox();
  const std::size_t last = lifted.substep_h.size() - 1;
  lifted.substep_v_end[6 * last + 2] += 1.0;
  const Eigen::Map<const Vector3d> v(&lifted.substep_v_end[6 * last]);
  Vector3d push = Vector3d::Zero();
  for (std::int64_t c = lifted.contact_start[last]; c < lifted.contact_start[last + 1]; ++c)
    push -= Eigen::Map<const Vector3d>(&lifted.contact_impulse[3 * c]);  // the box is the first body
  const double mass = 6.0, work = push.dot(v) - push.squaredNorm() / (2.0 * mass);
  ASSERT_GT(work, 0.05);
  // what a nanometre of overlap would excuse is 1e-7 of it
  EXPECT_NEAR(verifyRecording(lifted).worst.contact_work, work / (0.5 * mass * v.squaredNorm()), 1e-6);
}

TEST(SolidCorruption, OfWhatAContactTouchesWithIsSeen) {
  const Recording& good = slidingBox();
  const std::int64_t c = findPushing(good, 50, {3});
  // body shapes come before those of the world: feature 1 is a corner of the box, feature 2 a face of the table
  Recording corner = good;  // another corner of the same face: as low, but elsewhere
  corner.contact_id[c].low ^= std::uint64_t{1} << 32;
  expectRefused(corner, {"\"box\" and \"table\"", "recorded point"});
  Recording face = good;  // +z of the table becomes −z
  face.contact_id[c].low ^= 1;
  expectRefused(face, {"\"box\" and \"table\"", "recorded gap"});
  Recording beyond = good;  // a box has six faces
  beyond.contact_id[c].low |= 8;
  expectRefused(beyond, {"unknown id"});
  Recording kind = good;
  kind.contact_id[c].high |= 0x80;
  expectRefused(kind, {"unknown id"});
}

/// Every number of a contact by a millionth of its size, or of what it is a part of.
void expectEveryNumberSeen(const Recording& good, std::int64_t c) {
  const auto shifted = [&](std::vector<double> Recording::* member, std::size_t at, double size) {
    Recording bad = good;
    (bad.*member)[at] += 1e-6 * size;
    EXPECT_FALSE(verifyRecording(bad).holds) << "contact " << c << ", number " << at << " by " << 1e-6 * size;
  };
  const Eigen::Map<const Vector3d> point(&good.contact_point[3 * c]), impulse(&good.contact_impulse[3 * c]);
  for (int k = 0; k < 3; ++k) {
    shifted(&Recording::contact_point, 3 * c + k, point.norm());
    shifted(&Recording::contact_normal, 3 * c + k, 1.0);
    shifted(&Recording::contact_impulse, 3 * c + k, impulse.norm());
  }
  shifted(&Recording::contact_gap, c, 1e-3);  // of a millimetre: gaps themselves are rounding
  shifted(&Recording::contact_gap_end, c, 1e-3);
  for (int side = 0; side < 2; ++side) {
    Recording bad = good;
    bad.contact_body[2 * c + side] ^= 1;
    EXPECT_FALSE(verifyRecording(bad).holds) << "contact " << c << ", body " << side;
  }
}

TEST(SolidCorruption, OfAnyNumberOfAContactThatPushesIsSeen) {
  for (const int step : {20, 50, 90}) expectEveryNumberSeen(slidingBox(), findPushing(slidingBox(), step, {2, 3}));
  const Recording rims = recordRun(loadScene(RIGOR_SOURCE_DIR "/tests/verify/scenes/rim_on_rim.toml"), 12);
  ASSERT_TRUE(verifyRecording(rims).holds) << verifyRecording(rims).first_bad.what;
  for (const std::uint64_t kind : {2, 11}) expectEveryNumberSeen(rims, findPushing(rims, 4, {kind}));
}

TEST(SolidCorruption, OfTheSideOfAnEdgeIsSeen) {
  const Recording stack = recordRun(makeStack(), 60);
  Recording bad = stack;
  bad.contact_id[findPushing(stack, 40, {4, 5})].high ^= 1;  // from one sense of a × b to the other
  expectRefused(bad, {"recorded"});
}

TEST(SolidCorruption, OfAnImpulseAtTheWrongFeatureIsSeen) {
  Recording bad = slidingBox();
  const std::int64_t c = findPushing(bad, 30, {2, 3});
  ASSERT_EQ(bad.contact_id[c + 1].high, bad.contact_id[c].high);
  for (int k = 0; k < 3; ++k) std::swap(bad.contact_impulse[3 * c + k], bad.contact_impulse[3 * c + 3 + k]);
  expectRefused(bad, {"momentum balance"});
}

TEST(SolidCorruption, OfAContactThatIsLeftOutIsSeen) {
  Recording bad = slidingBox();
  const std::int64_t c = findPushing(bad, 50, {2, 3});
  const auto drop = [&](auto& values, int width) {
    values.erase(values.begin() + width * c, values.begin() + width * (c + 1));
  };
  drop(bad.contact_id, 1), drop(bad.contact_body, 2), drop(bad.contact_mode, 1);
  for (auto* values : {&bad.contact_gap, &bad.contact_gap_end}) drop(*values, 1);
  for (auto* values : {&bad.contact_point, &bad.contact_normal, &bad.contact_impulse}) drop(*values, 3);
  for (std::int64_t& start : bad.contact_start) start -= start > c;
  expectRefused(bad, {"momentum balance"});
}

TEST(SolidCorruption, OfANormalIsSeen) {
  Recording bad = slidingBox();
  const std::int64_t c = findPushing(bad, 50, {2, 3});
  for (int k = 0; k < 3; ++k) bad.contact_normal[3 * c + k] *= -1.0;
  expectRefused(bad, {"\"box\" and \"table\"", "recorded normal"});
}

// Only where two edges are nearly parallel is the point known less well than the gap, to 1e-12 m.
TEST(SolidCorruption, OfThePointOfACornerOnAFaceIsSeenToAFewTrillionthsOfAMetre) {
  Recording bad = slidingBox();
  bad.contact_point[3 * findPushing(bad, 50, {2, 3})] += 3e-12;
  expectRefused(bad, {"\"box\" and \"table\"", "recorded point"});
}

TEST(SolidCorruption, OfAShapeIsSeen) {
  expectRefused(retoldModel(slidingBox(),
                            [](Json& model) {
                              for (Json& shape : model["shapes"])
                                if (shape["name"] == "table") shape["size"][2] = 0.1 + 1e-9;
                            }),
                {"\"box\" and \"table\" overlap in the step at"});
  const Recording hulls = recordRun(makeHullOnHull(), 100);
  ASSERT_TRUE(verifyRecording(hulls).holds) << verifyRecording(hulls).first_bad.what;
  expectRefused(retoldModel(hulls,
                            [](Json& model) {
                              for (Json& polytope : model["polytopes"])
                                for (Json& corner : polytope["vertices"])
                                  corner[2] = corner[2].get<double>() * (1.0 + 1e-7);
                            }),
                {"\"anvil\""});
  Recording open = retoldModel(hulls, [](Json& model) { model["polytopes"][0]["faces"].erase(0); });
  EXPECT_THROW(verifyRecording(open), Error);
  Recording bare = retoldModel(hulls, [](Json& model) { model.erase("polytopes"); });
  EXPECT_THROW(verifyRecording(bare), Error);
}

/// A cube and a wall that may not touch by the scene; `speed` towards it.
Recording flyThrough(double speed, double half_height = 0.5) {
  ModelBuilder builder("wall");
  builder.setGravity(Vector3d::Zero());
  builder.addWorldShape({"wall", makeBox({0.001, half_height, half_height}), {}, "default"});
  BodySpec cube;
  cube.name = "cube", cube.joint.name = "base", cube.joint.type = kFree;
  cube.mass = computeMassProperties(makeBox({0.005, 0.005, 0.005}), 1000.0);
  cube.shapes.push_back({"cube", makeBox({0.005, 0.005, 0.005}), {}, "default"});
  builder.addBody(cube);
  builder.excludePair("wall", "cube");
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.q[0] = -1.03;
  scene.v = Eigen::VectorXd::Zero(6);
  scene.v[0] = speed, scene.v[4] = 3.0;
  return recordRun(scene, 8);
}

TEST(SolidCorruption, ThatHidesAWallIsSeenEvenIfNoNodeOverlaps) {
  const auto meet = [](Json& model) { model["pairs"].push_back({0, 1}); };
  const Recording fast = flyThrough(300.0), slow = flyThrough(5.0);
  EXPECT_TRUE(verifyRecording(fast).holds);
  expectRefused(retoldModel(fast, meet), {"\"cube\" and \"wall\"", "pass through each other"});
  EXPECT_TRUE(verifyRecording(retoldModel(slow, meet)).holds);  // it does not reach the wall
}

// So fast that the balls around both are apart at every node: no direction is known there that could separate them on the way.
TEST(SolidCorruption, ThatHidesASmallPlateIsSeenEvenIfNoNodeIsNearIt) {
  const auto meet = [](Json& model) { model["pairs"].push_back({0, 1}); };
  const Recording bullet = flyThrough(300.0, 0.02);
  EXPECT_TRUE(verifyRecording(bullet).holds);
  expectRefused(retoldModel(bullet, meet), {"\"cube\" and \"wall\"", "pass through each other"});
}

TEST(SolidCorruption, OfTreesThatStepApartAndMeetIsSeen) {
  const Recording recording = recordRun(makeBouncePast(makeBox({0.01, 0.01, 0.01})), 1);
  ASSERT_EQ(recording.steps(), 1);
  ASSERT_TRUE(std::count(recording.substep_kick.begin(), recording.substep_kick.end(), -1.0) > 0);
  ASSERT_TRUE(verifyRecording(recording).holds) << verifyRecording(recording).first_bad.what;
  expectRefused(retoldModel(recording, [](Json& model) { model["pairs"].push_back({0, 1}); }),
                {"\"resting\" and \"thrown\"", "step apart and may meet"});
}

}  // namespace
}  // namespace rigor
