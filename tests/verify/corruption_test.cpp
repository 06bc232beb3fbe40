// A check that never fails checks nothing: every array of a good recording is damaged a little, and each time the second
// opinion must see it.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <random>

#include "verify/recorded_runs.h"

namespace rigor {
namespace {

constexpr int kTries = 4;  // entries that are damaged, one at a time

struct Damage {
  const char* name;
  std::function<void(Recording&, std::mt19937_64&)> apply;
};

/// Changes one entry that is chosen by chance by `share` of its size, at least `least`.
template <class Member>
Damage shift(const char* name, Member member, double share, double least) {
  return {name, [=](Recording& r, std::mt19937_64& random) {
            std::vector<double>& values = r.*member;
            double& x = values[random() % values.size()];
            const double change = std::max(share * std::fabs(x), least);
            x += random() % 2 ? change : -change;
          }};
}

template <class Member>
Damage replace(const char* name, Member member, std::int64_t change) {
  return {name, [=](Recording& r, std::mt19937_64& random) {
            auto& values = r.*member;
            values[random() % values.size()] +=
                static_cast<typename std::decay_t<decltype(values)>::value_type>(change);
          }};
}

Damage rename(const char* name, std::vector<RowId> Recording::* member, const RowId& change) {
  return {name, [=](Recording& r, std::mt19937_64& random) {
            RowId& id = (r.*member)[random() % (r.*member).size()];
            id = {id.high + change.high, id.low + change.low};
          }};
}

const Damage kEverywhere[] = {
    shift("time", &Recording::time, 1e-12, 1e-12),
    shift("q", &Recording::q, 1e-9, 1e-9),
    shift("energy", &Recording::energy, 1e-9, 1e-8),
    shift("momentum", &Recording::momentum, 1e-9, 1e-8),
    shift("tau", &Recording::tau, 1e-9, 1e-7),
    shift("residual", &Recording::residual, 0.0, 1.1),
    shift("penetration", &Recording::penetration, 0.0, 1e-13),
    shift("substep_h", &Recording::substep_h, 1e-9, 1e-9),
    shift("substep_kick", &Recording::substep_kick, 1e-9, 1e-9),
    shift("substep_theta", &Recording::substep_theta, 0.0, 1.5),
    shift("substep_q", &Recording::substep_q, 1e-9, 1e-9),
    shift("substep_v", &Recording::substep_v, 1e-9, 1e-8),
    shift("substep_v_end", &Recording::substep_v_end, 1e-9, 1e-8),
    replace("passes", &Recording::passes, -100),
    replace("iterations", &Recording::iterations, -100000),
    shift("input_tau", &Recording::input_tau, 1e-6, 1e-4),
};

const Damage kContacts[] = {
    rename("contact_id", &Recording::contact_id, {1 << 20, 0}),
    rename("contact_id", &Recording::contact_id, {0, 1 << 20}),
    replace("contact_body", &Recording::contact_body, 1),
    shift("contact_point", &Recording::contact_point, 0.0, 1e-10),
    shift("contact_normal", &Recording::contact_normal, 0.0, 1e-9),
    shift("contact_gap", &Recording::contact_gap, 0.0, 1e-10),
    shift("contact_gap_end", &Recording::contact_gap_end, 0.0, 1e-10),
    shift("contact_impulse", &Recording::contact_impulse, 1e-6, 1e-5),
};

const Damage kRows[] = {
    rename("row_id", &Recording::row_id, {0, 7}),
    rename("row_id", &Recording::row_id, {1 << 20, 0}),
    {"row_impulse",
     [](Recording& r, std::mt19937_64& random) { r.row_impulse[random() % r.row_impulse.size()] += 1e-5; }},
};

const Damage kWrenches[] = {
    shift("wrench", &Recording::wrench, 0.0, 1e-3),
};

void expectSeen(const Recording& good, const Damage& damage, int tries) {
  std::mt19937_64 random(7);
  for (int i = 0; i < tries; ++i) {
    Recording bad = good;
    damage.apply(bad, random);
    EXPECT_FALSE(verifyRecording(bad).holds) << damage.name << ", try " << i;
  }
}

class Corruption : public testing::Test {
 protected:
  // short, but with everything in it
  static const Recording& playground() {
    static const Recording recording = recordRun(makePlayground(), 120);
    return recording;
  }
  static const Recording& workshop() {
    static const Recording recording = recordRun(makeWorkshop(), 60);
    return recording;
  }
  static const Recording& linkages() {
    static const Recording recording = recordRun(makeLinkages(), 40);
    return recording;
  }
};

TEST_F(Corruption, OfAnyArrayIsSeenInContacts) {
  ASSERT_TRUE(verifyRecording(playground()).holds) << verifyRecording(playground()).first_bad.what;
  for (const Damage& damage : kEverywhere) expectSeen(playground(), damage, kTries);
  for (const Damage& damage : kContacts) expectSeen(playground(), damage, kTries);
}

TEST_F(Corruption, OfAnyArrayIsSeenInJoints) {
  ASSERT_TRUE(verifyRecording(workshop()).holds);
  for (const Damage& damage : kEverywhere) expectSeen(workshop(), damage, kTries);
  for (const Damage& damage : kRows) expectSeen(workshop(), damage, kTries);
  for (const Damage& damage : kWrenches) expectSeen(workshop(), damage, kTries);
}

TEST_F(Corruption, OfAnyArrayIsSeenInLoops) {
  ASSERT_TRUE(verifyRecording(linkages()).holds);
  for (const Damage& damage : kEverywhere) expectSeen(linkages(), damage, kTries);
  for (const Damage& damage : kRows) expectSeen(linkages(), damage, kTries);
}

/// A sub-step of the recording in which some trees take part and others do not, with one tree of each kind.
struct PartOfStep {
  std::int64_t substep = -1;
  int takes = -1, misses = -1;
};

PartOfStep findPart(const Recording& r) {
  for (std::int64_t s = 0; s < static_cast<std::int64_t>(r.substep_h.size()); ++s) {
    PartOfStep found{s, -1, -1};
    for (int tree = 0; tree < r.kick_columns; ++tree)
      (r.substep_kick[s * r.kick_columns + tree] >= 0.0 ? found.takes : found.misses) = tree;
    if (found.takes >= 0 && found.misses >= 0 && r.substep_h[s] > 0.0) return found;
  }
  return {};
}

TEST_F(Corruption, OfWhoTakesPartIsSeen) {
  const Recording& good = playground();
  const PartOfStep part = findPart(good);
  ASSERT_GE(part.substep, 0);
  const std::size_t row = static_cast<std::size_t>(part.substep) * good.kick_columns;
  Recording missing = good;
  missing.substep_kick[row + part.takes] = -1.0;
  EXPECT_FALSE(verifyRecording(missing).holds);
  Recording intruding = good;
  intruding.substep_kick[row + part.misses] = good.substep_kick[row + part.takes];
  EXPECT_FALSE(verifyRecording(intruding).holds);
  Recording moved = good;  // a tree that takes no part has no numbers
  for (int j = 0; j < good.nv; ++j)
    if (moved.substep_v[part.substep * good.nv + j] == 0.0) moved.substep_v[part.substep * good.nv + j] = 1e-300;
  EXPECT_FALSE(verifyRecording(moved).holds);
}

TEST_F(Corruption, OfANodeVelocityIsSeen) {
  for (const Recording* good : {&playground(), &workshop(), &linkages()})
    expectSeen(*good, shift("v", &Recording::v, 1e-6, 1e-6), kTries);
}

TEST_F(Corruption, OfTheVelocityThatForcesWereTakenAtIsSeenWhereForcesFeelIt) {
  expectSeen(workshop(), shift("substep_v_mean", &Recording::substep_v_mean, 0.1, 0.1), kTries);
}

// θ belongs to impacts with restitution: 1 elsewhere, and what a single contact bounces with.
TEST_F(Corruption, OfThetaByAMillionthIsSeen) {
  int impacts = 0;
  for (std::size_t s = 0; s < playground().substep_theta.size(); ++s) {
    const bool impact = playground().substep_h[s] == 0.0;
    if ((impact ? impacts++ > 6 : s % 29 != 0) || playground().substep_theta[s] != 1.0) continue;
    Recording bad = playground();
    bad.substep_theta[s] -= 1e-6;
    // several that strike at once are a mean of two answers, of which nothing but the least is known
    const std::int64_t strikes = bad.contact_start[s + 1] - bad.contact_start[s];
    if (!impact || strikes == 1) {
      EXPECT_FALSE(verifyRecording(bad).holds) << "sub-step " << s;
    }
  }
  EXPECT_GT(impacts, 2);
}

TEST_F(Corruption, OfAModeIsSeenWhereTheContactPushes) {
  int tried = 0;
  for (std::size_t c = 0; c < playground().contact_mode.size(); c += 7) {
    const double* impulse = &playground().contact_impulse[3 * c];
    if (std::hypot(impulse[0], impulse[1], impulse[2]) < 1e-6) continue;
    for (std::uint8_t mode = 0; mode < 3; ++mode) {
      if (mode == playground().contact_mode[c]) continue;
      Recording bad = playground();
      bad.contact_mode[c] = mode;
      EXPECT_FALSE(verifyRecording(bad).holds) << "contact " << c << " as mode " << int(mode);
      ++tried;
    }
    if (tried > 12) break;
  }
  EXPECT_GT(tried, 5);
}

TEST_F(Corruption, OfWhatActsInWhichFrameIsSeen) {
  Recording bad = workshop();
  for (std::size_t i = 1; i < bad.wrench_body.size(); i += 2) bad.wrench_body[i] ^= 1;
  EXPECT_FALSE(verifyRecording(bad).holds);
  bad = workshop();
  bad.wrench_body[0] = 1 - bad.wrench_body[0] % 2;
  EXPECT_FALSE(verifyRecording(bad).holds);
}

TEST_F(Corruption, ByANumberThatIsNotFiniteIsRefused) {
  for (auto member : {&Recording::q, &Recording::v, &Recording::substep_q, &Recording::substep_v_mean,
                      &Recording::contact_point, &Recording::contact_gap})
    for (const double value : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      Recording bad = playground();
      (bad.*member)[(bad.*member).size() / 2] = value;
      EXPECT_THROW(verifyRecording(bad), Error);
    }
}

TEST_F(Corruption, OfARestartIsSeen) {
  Recording bad = playground();
  bad.fresh[0] = 0;
  EXPECT_FALSE(verifyRecording(bad).holds);
}

TEST_F(Corruption, NamesTheStepAndWhatIsWrong) {
  Recording bad = playground();
  const std::int64_t contact = bad.contact_start[bad.substep_start[100]];
  for (int k = 0; k < 3; ++k) bad.contact_impulse[3 * contact + k] += 1.0;
  const Verdict verdict = verifyRecording(bad);
  ASSERT_FALSE(verdict.holds);
  EXPECT_EQ(verdict.first_bad.step, 100);
  EXPECT_NE(verdict.first_bad.what.find("momentum balance"), std::string::npos) << verdict.first_bad.what;
  EXPECT_GT(verdict.first_bad.value, verdict.first_bad.limit);
}

TEST_F(Corruption, OfTheModelIsSeenByItsHash) {
  Recording bad = playground();
  const std::size_t at = bad.header.find("\"friction\":0.9");
  ASSERT_NE(at, std::string::npos);
  bad.header.replace(at, 14, "\"friction\":0.8");
  EXPECT_THROW(verifyRecording(bad), Error);
}

}  // namespace
}  // namespace rigor
