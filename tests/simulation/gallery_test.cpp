// The scenes of docs/gallery.md: all begin as they should, and those that shall stand do.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "rigor/rigor.h"

namespace rigor {
namespace {

const std::filesystem::path kGallery = std::filesystem::path(RIGOR_SOURCE_DIR) / "scenes" / "gallery";

std::vector<std::string> listGallery() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kGallery))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

Scene loadGallery(const std::string& name) {
  return loadScene((kGallery / (name + ".toml")).string(), {.strict = true});
}

class Gallery : public testing::TestWithParam<std::string> {};

// Ten steps that push: what falls has landed by then, and what stands was held.
TEST_P(Gallery, SceneGoesOnUntilThingsPushEachOther) {
  Simulator sim(loadGallery(GetParam()));
  EXPECT_TRUE(sim.warnings().empty()) << sim.warnings()[0].text();
  int pushing = 0;
  for (int i = 0; i < 300 && pushing < 10; ++i) {
    const StepReport& report = sim.step();
    ASSERT_TRUE(report.accepted()) << i << ": " << report.explain();
    EXPECT_LE(report.penetration, 1e-11);
    pushing += std::any_of(report.contacts.begin(), report.contacts.end(),
                           [](const Contact& contact) { return contact.impulse.norm() > 0.0; });
  }
  EXPECT_EQ(pushing, 10);
}

INSTANTIATE_TEST_SUITE_P(All, Gallery, testing::ValuesIn(listGallery()), [](const auto& info) { return info.param; });

class StandingGallery : public testing::TestWithParam<const char*> {};

TEST_P(StandingGallery, SceneStands) {
  Simulator sim(loadGallery(GetParam()));
  const Eigen::VectorXd start = sim.state().q;
  sim.wanted() = {};
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(sim.step().accepted()) << i << ": " << sim.report().explain();
  // poses are written with 12 digits: gaps of that size close at first, and lean what stands on them
  EXPECT_LT((sim.state().q - start).cwiseAbs().maxCoeff(), 1e-10);
}

INSTANTIATE_TEST_SUITE_P(All, StandingGallery, testing::Values("arch", "brick_wall", "card_house", "kapla_tower"),
                         [](const auto& info) { return std::string(info.param); });

class WholeGallery : public testing::TestWithParam<const char*> {};

TEST_P(WholeGallery, SceneRunsToItsEnd) {
  Simulator sim(loadGallery(GetParam()));
  sim.wanted() = {};
  const int steps = static_cast<int>(std::lround(sim.scene().time / sim.scene().dt));
  for (int i = 0; i < steps; ++i) {
    ASSERT_TRUE(sim.step().accepted()) << i << ": " << sim.report().explain();
    ASSERT_LE(sim.report().penetration, 1e-11) << i;
  }
}

// those that take less than five seconds
INSTANTIATE_TEST_SUITE_P(Quick, WholeGallery,
                         testing::Values("arch", "bowl", "card_house", "grasp", "peg_in_hole", "pile_cylinders",
                                         "pile_hulls", "pile_mixed", "pusher", "stairs", "terrain", "triangle_stairs",
                                         "turntable"),
                         [](const auto& info) { return std::string(info.param); });

TEST(GalleryScenes, AreWhatTheirScriptWrites) {
  const std::string script = std::string(RIGOR_SOURCE_DIR) + "/scripts/make_gallery.py --check";
  EXPECT_EQ(std::system(("python3 -B " + script).c_str()), 0);
}

}  // namespace
}  // namespace rigor
