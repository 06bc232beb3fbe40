// Smooth sub-steps of stepper event: motions that are known hold, and what is changed in them is seen.
#include <gtest/gtest.h>

#include "rigor/ledger.h"
#include "verify/maximal_runs.h"
#include "verify/smooth_motions.h"

namespace rigor {
namespace {

struct Known {
  std::string name;
  SmoothMotion motion;
  int steps;
};
const std::vector<Known>& known() {
  static const std::vector<Known> motions = {{"block", slidingBlock(), 150},
                                             {"ball", rollingBall(), 50},
                                             {"box", tippingBox(), 30},
                                             {"loop", parallelogram(), 30},
                                             {"rubbing slider", rubbingSlider(), 80},
                                             {"limit", sliderAtLimit(), 5},
                                             {"drive", drivenSlider(), 30},
                                             {"top", freeTop(), 30}};
  return motions;
}
Recording recordOf(const std::string& name) {
  for (const Known& one : known())
    if (one.name == name) return record(one.motion, one.steps);
  return {};
}

/// Everything but one number of one sub-step is as it was.
template <class Change>
void expectSeen(const std::string& name, const std::string& what, const Change& change) {
  SCOPED_TRACE(what);
  Recording recording = recordOf(name);
  change(recording);
  expectDenied(recording, what);
}

TEST(Smooth, MotionsThatAreKnownHold) {
  for (const Known& one : known()) {
    SCOPED_TRACE(one.name);
    const Verdict verdict = verifyRecording(recordOf(one.name));
    EXPECT_TRUE(verdict.holds) << firstBad(verdict);
    EXPECT_LT(verdict.worst.momentum, 1e-12);  // rounding of the recorded numbers, in units of the speed
    EXPECT_LT(verdict.worst.gap, 1e-15);
    for (const std::string& unchecked : verdict.unchecked)
      EXPECT_NE(unchecked.find("energy gain: torques"), std::string::npos) << unchecked;
  }
}

TEST(Smooth, ForcesThatAreAMillionthOffAreSeen) {
  const int resting = 3 * 4 * 120;  // the first contact of a block that has come to rest
  expectSeen("block", "is pushed apart or sinks", [=](Recording& r) { r.contact_impulse[resting + 2] *= 1 + 1e-6; });
  expectSeen("block", "while it is held",
             [=](Recording& r) { r.contact_impulse[resting + 1] += 1e-6 * r.contact_impulse[2]; });
  expectSeen("block", "friction", [](Recording& r) { r.contact_impulse[0] *= 1 + 1e-6; });
  expectSeen("ball", "begins to slip", [](Recording& r) { r.contact_impulse[30] *= 1 + 1e-6; });
  expectSeen("box", "held", [](Recording& r) { r.contact_impulse[3 * 21 + 2] *= 1 + 1e-6; });
  expectSeen("loop", "is accelerated while it is held", [](Recording& r) { r.row_impulse[3 * 7] *= 1 + 1e-6; });
  expectSeen("loop", "is accelerated while it is held", [](Recording& r) { r.row_impulse[3 * 7 + 2] *= 1 + 1e-6; });
  expectSeen("limit", "is accelerated while it is held", [](Recording& r) { r.row_impulse[6] *= 1 - 1e-6; });
  expectSeen("rubbing slider", "not what its speed asks for", [](Recording& r) { r.row_impulse[0] *= 1 - 1e-6; });
  expectSeen("rubbing slider", "is accelerated while it is held",
             [](Recording& r) { r.row_impulse[3 * 70] *= 1 - 1e-6; });
  expectSeen("drive", "recorded torque", [](Recording& r) { r.tau[3] *= 1 + 1e-6; });
}

TEST(Smooth, OtherModesAreSeen) {
  const auto setMode = [](std::int64_t first, int mode) {
    return [=](Recording& r) {
      for (std::int64_t c = first; c < first + 4; ++c) r.contact_mode[c] = static_cast<std::uint8_t>(mode);
    };
  };
  expectSeen("block", "slips although its mode is stick", setMode(4 * 20, 1));
  expectSeen("block", "friction does not oppose the slip", setMode(4 * 120, 2));
  expectSeen("block", "pushes although its mode is open", setMode(4 * 20, 0));
  expectSeen("ball", "friction does not oppose the slip", setMode(20, 2));
}

TEST(Smooth, FrictionThatIsTurnedIsSeen) {
  expectSeen("block", "friction does not oppose the slip", [](Recording& r) {
    for (int c = 0; c < 4; ++c) r.contact_impulse[3 * c + 1] = 1e-6 * r.contact_impulse[3 * c];
  });
  expectSeen("block", "friction does not oppose the slip", [](Recording& r) {
    for (int c = 0; c < 4; ++c) r.contact_impulse[3 * c] = -r.contact_impulse[3 * c];
  });
}

TEST(Smooth, ContactsThatPullAreSeen) {
  expectSeen("box", "pulls", [](Recording& r) {
    for (int c = 0; c < 2; ++c) r.contact_impulse[3 * c + 2] = -r.contact_impulse[3 * c + 2];
  });
  expectSeen("limit", "pulls", [](Recording& r) { r.row_impulse[0] = -r.row_impulse[0]; });
}

/// The motion with other numbers at one node.
template <class Change>
void expectNodeSeen(const std::string& name, const std::string& what, const Change& change) {
  SCOPED_TRACE(name + ": " + what);
  for (const Known& one : known()) {
    if (one.name != name) continue;
    SmoothMotion motion = one.motion;
    motion.at = [&, at = motion.at](double time, bool after) {
      Instant out = at(time, after);
      if (time == 10 * motion.scene.dt) change(out);
      return out;
    };
    expectDenied(record(motion, one.steps), what);
  }
}

TEST(Smooth, PlacesThatAreOffAreSeen) {
  const auto moved = [](int coordinate, double way) { return [=](Instant& at) { at.q[coordinate] += way; }; };
  expectNodeSeen("block", "gap", moved(2, -1e-9));
  expectNodeSeen("block", "place of", moved(0, 1e-9));
  expectNodeSeen("loop", "is open", moved(2, 1e-9));
  expectNodeSeen("drive", "place of", moved(0, 1e-9));
}

TEST(Smooth, VelocitiesThatAreOffAreSeen) {
  const auto faster = [](int freedom) { return [=](Instant& at) { at.v[freedom] += 1e-8; }; };
  expectNodeSeen("block", "velocity of", faster(0));
  expectNodeSeen("box", "velocity of", faster(4));
  expectNodeSeen("loop", "velocity of", faster(0));
  expectNodeSeen("drive", "velocity of", faster(0));
  expectNodeSeen("top", "velocity of", faster(3));
  expectSeen("drive", "velocity of its node", [](Recording& r) { r.substep_v_mean[3] += 1e-8; });
}

TEST(Smooth, EventsThatComeLateAreSeen) {
  for (const double late : {1e-4, 1e-6, 1e-8}) {
    SmoothMotion motion = slidingBlock();
    const auto at = motion.at;
    const double stop = motion.events[0];
    motion.events = {stop + late};
    // as if the block went on to slide, pulled back by friction, and rested where it then is
    motion.at = [=](double time, bool after) {
      const Instant before = at(0.5 * stop, false), end = at(stop, false);
      const double brake = before.v[0] / (0.5 * stop), beyond = std::min(time - stop, late);
      if (beyond < 0) return at(time, after);
      Instant out = beyond < late || !after ? before : at(time, true);
      out.q = end.q, out.v = end.v;
      out.q[0] -= 0.5 * brake * beyond * beyond;
      for (std::size_t c = 0; c < 4; ++c) out.touches[c].point.x() = out.q[0] + (c & 1 ? 0.1 : -0.1);
      if (beyond < late || !after) out.v[0] = -brake * beyond;
      return out;
    };
    const Verdict verdict = verifyRecording(record(motion, 150));
    EXPECT_FALSE(verdict.holds);
    EXPECT_NE(verdict.first_bad.what.find("slips on after it has come to rest"), std::string::npos)
        << firstBad(verdict);
  }
}

TEST(Smooth, SlopesThatAreTooSteepToStickAreSeen) {
  SmoothMotion motion = rollingBall();
  Recording recording = record(motion, 10);
  SmoothMotion slippery = motion;
  ModelBuilder builder("slope");
  builder.setGravity(motion.scene.model.gravity());
  builder.addWorldShape({"floor", makePlane(), {}, "floor"});
  builder.addMaterialPair({"floor", "", 0.05, -1.0, 0.0, 0.01});
  builder.addBody(motion.scene.model.body(0));
  slippery.scene.model = builder.build();
  expectDenied(record(slippery, 10), "friction outside its cone");
}

TEST(Smooth, LedgersTellWhatFrictionAndDrivesTook) {
  const auto total = [](const EnergyLedger& ledger) {
    double left = 0;
    for (const double x : ledger.remainder) left = std::max(left, std::fabs(x));
    return left;
  };
  const EnergyLedger block = computeLedger(recordOf("block"));
  // on the way brake·t²/2 under μ m g cos(slope), whatever its steps
  const double mass = 1000 * 8 * 0.1 * 0.05 * 0.08, down = 9.81 * std::cos(0.3),
               brake = 0.5 * down - 9.81 * std::sin(0.3);
  EXPECT_NEAR(block.total(Account::kFriction), -mass * 0.5 * down * brake * 0.1004 * 0.1004 / 2, 1e-12);
  EXPECT_LT(total(block), 1e-14);
  EXPECT_LT(total(computeLedger(recordOf("rubbing slider"))), 1e-15);
  EXPECT_LT(total(computeLedger(recordOf("ball"))), 1e-13);
  EXPECT_LT(total(computeLedger(recordOf("loop"))), 1e-12);
  const EnergyLedger drive = computeLedger(recordOf("drive"));
  EXPECT_LT(total(drive), 1e-12);  // what two steps of fourth order miss in half a millisecond at 10 rad/s
  EXPECT_GT(std::fabs(drive.total(Account::kDrives)), 0.1);
}

}  // namespace
}  // namespace rigor
