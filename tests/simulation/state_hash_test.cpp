// The bits of every scene after some hundred steps, written down in state_hashes.txt: whatever changes them shows here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>

#include "simulation/state_hash.h"

namespace rigor {
namespace {

constexpr int kSteps = 600;  // past the landing of what is dropped
const std::string kFile = std::string(RIGOR_SOURCE_DIR) + "/tests/simulation/state_hashes.txt";
const std::string kHeading =
    "# scene, steps, hash of the bits of q and v after them. Written by scripts/update_state_hashes.\n";

std::vector<std::string> listScenes() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(RIGOR_SOURCE_DIR) + "/scenes"))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string hashOf(const State& state) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hashState(state)));
  return text;
}

void takeSteps(Simulator& sim, int steps) {
  for (int i = 0; i < steps; ++i) ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
}

std::map<std::string, std::string> readHashes() {
  std::map<std::string, std::string> hashes;
  std::ifstream file(kFile);
  std::string name, hash;
  int steps = 0;
  file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');  // the heading
  while (file >> name >> steps >> hash)
    if (steps == kSteps) hashes[name] = hash;
  return hashes;
}

TEST(StateHash, OfEverySceneIsTheOneWrittenDown) {
  const bool update = std::getenv("RIGOR_UPDATE_STATE_HASHES") != nullptr;
  const std::map<std::string, std::string> known = readHashes();
  std::string text = kHeading;
  for (const std::string& name : listScenes()) {
    SCOPED_TRACE(name);
    Simulator sim(loadNamed(name));
    takeSteps(sim, kSteps);
    const std::string hash = hashOf(sim.state());
    text += name + " " + std::to_string(kSteps) + " " + hash + "\n";
    if (update) continue;
    const auto found = known.find(name);
    EXPECT_EQ(hash, found == known.end() ? "not written down" : found->second)
        << "The same scene gives other bits than before. If that is meant, run scripts/update_state_hashes and say why "
           "in CHANGELOG.md, section \"Changes results\".";
  }
  if (update) std::ofstream(kFile) << text;
}

TEST(StateHash, IsTheSameForAForkAndForASnapshotThroughAFile) {
  std::mt19937_64 random(20);
  for (const std::string& name : listScenes()) {
    SCOPED_TRACE(name);
    const Scene scene = loadNamed(name);
    const int when = 1 + static_cast<int>(random() % 100), then = 50;
    Simulator sim(scene);
    takeSteps(sim, when);
    Simulator fork = sim, restored(scene);
    const std::string file = testing::TempDir() + "state_hash_" + name + ".npz";
    saveSnapshot(file, scene, sim.save());
    restored.restore(loadSnapshot(file, scene));
    std::filesystem::remove(file);
    for (Simulator* one : {&sim, &fork, &restored}) takeSteps(*one, then);
    EXPECT_EQ(hashOf(fork.state()), hashOf(sim.state())) << "forked at step " << when;
    EXPECT_EQ(hashOf(restored.state()), hashOf(sim.state())) << "saved at step " << when;
  }
}

}  // namespace
}  // namespace rigor
