// Runs of stepper maximal, and what the second opinion is expected to say of them.
#pragma once

#include <gtest/gtest.h>

#include "verify/recorded_runs.h"

namespace rigor {

inline Scene byMaximal(Scene scene) {
  scene.stepper = "maximal";
  return scene;
}

inline Scene sceneOf(const std::string& name) {
  return byMaximal(loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/" + name + ".toml"));
}

inline std::string firstBad(const Verdict& verdict) {
  return "step " + std::to_string(verdict.first_bad.step) + ": " + verdict.first_bad.what + ": " +
         std::to_string(verdict.first_bad.value) + " > " + std::to_string(verdict.first_bad.limit);
}

/// `momentum`: the simulator takes steps of Newton's method until 1e-12 of the momentum is left, in units of its own; here it goes through
/// the inverse of the mass matrix, which feels light ends more.
inline void expectHolds(const Recording& recording, double momentum = 1e-10) {
  const Verdict verdict = verifyRecording(recording);
  EXPECT_TRUE(verdict.holds) << firstBad(verdict);
  EXPECT_LT(verdict.worst.momentum, momentum);
}

inline void expectDenied(const Recording& recording, const std::string& what) {
  const Verdict verdict = verifyRecording(recording);
  EXPECT_FALSE(verdict.holds);
  EXPECT_NE(verdict.first_bad.what.find(what), std::string::npos) << firstBad(verdict);
}

}  // namespace rigor
