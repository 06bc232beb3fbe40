#include "rigor/motion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "dynamics/samples.h"
#include "rigor/algorithms.h"

namespace rigor {
namespace {

using Eigen::VectorXd;

/// Rows a tenth to a third of a second apart, with turns of up to 2 rad and velocities that have nothing to do with the rows.
MotionTable randomMotion(const Model& model, Random& random, int rows) {
  MotionTable motion;
  VectorXd q = randomPosition(model, random);
  for (int i = 0; i < rows; ++i) {
    motion.time.push_back(i == 0 ? -0.2 : motion.time.back() + random.number(0.1, 0.33));
    motion.q.push_back(q);
    motion.v.push_back(randomVelocity(model, random));
    VectorXd way = randomVelocity(model, random);
    way *= 1.0 / (1.0 + way.cwiseAbs().maxCoeff());
    q = integrate(model, q, way);
  }
  return motion;
}

TEST(MotionTable, PassesThroughItsRowsWithTheirVelocities) {
  forEachSample([](Sample& s) {
    const MotionTable motion = randomMotion(s.model, s.random, 4);
    checkMotion(s.model, motion);
    MotionState at;
    for (std::size_t i = 0; i < 4; ++i) {
      sampleMotion(s.model, motion, motion.time[i], at);
      // some ten roundings of numbers of order one
      EXPECT_LE(difference(s.model, motion.q[i], at.q).cwiseAbs().maxCoeff(), 1e-14);
      EXPECT_LE(relativeError(at.v, motion.v[i]), 1e-14);
    }
  });
}

TEST(MotionTable, HasTheDerivativeOfItsPlacesAsVelocityAndThatOfItsVelocityAsAcceleration) {
  forEachSample([](Sample& s) {
    const MotionTable motion = randomMotion(s.model, s.random, 3);
    MotionState at, before, after;
    const double h =
        1e-5;  // truncation h²·(third derivative, up to 1e4 here) and rounding 1e-16/h both stay below 1e-6
    for (const double time : {motion.time[0] + 0.03, motion.time[1] - 0.04, motion.time[1] + 0.05}) {
      sampleMotion(s.model, motion, time, at);
      sampleMotion(s.model, motion, time - h, before);
      sampleMotion(s.model, motion, time + h, after);
      const VectorXd v = (difference(s.model, at.q, after.q) - difference(s.model, at.q, before.q)) / (2.0 * h);
      EXPECT_LE(relativeError(at.v, v), 1e-6);
      const VectorXd a = (after.v - before.v) / (2.0 * h);
      EXPECT_LE(relativeError(at.a, a), 1e-6);
    }
  });
}

TEST(MotionTable, FollowsACubicExactly) {
  const Model model = makeJointSample(kSlide, 1);
  const int q_index = model.nq() - 1, v_index = model.nv() - 1;
  const auto x = [](double t) { return 1.0 + t * (2.0 - t * (3.0 - 4.0 * t)); };
  const auto rate = [](double t) { return 2.0 - 6.0 * t + 12.0 * t * t; };
  MotionTable motion;
  for (const double t : {0.0, 0.4, 1.1}) {
    motion.time.push_back(t);
    motion.q.push_back(neutral(model));
    motion.v.push_back(VectorXd::Zero(model.nv()));
    motion.q.back()[q_index] = x(t), motion.v.back()[v_index] = rate(t);
  }
  MotionState at;
  for (double t = 0.05; t < 1.1; t += 0.1) {
    sampleMotion(model, motion, t, at);
    EXPECT_NEAR(at.q[q_index], x(t), 1e-14);  // roundings of numbers up to 5
    EXPECT_NEAR(at.v[v_index], rate(t), 1e-13);
    EXPECT_NEAR(at.a[v_index], -6.0 + 24.0 * t, 1e-12);  // differences of velocities, divided by 0.4 s
  }
}

TEST(MotionTable, TurnsSteadilyAboutAFixedAxis) {
  const Model model = makeJointSample(kFree, 2);
  const Eigen::Vector3d omega(1.0, -2.0, 0.5);
  VectorXd v = VectorXd::Zero(model.nv());
  v.tail<3>() = omega;
  MotionTable motion;
  const VectorXd start = model.q0();
  for (const double t : {0.0, 0.3, 0.9, 1.6}) {
    motion.time.push_back(t);
    motion.q.push_back(integrate(model, start, t * v));
  }
  deriveVelocities(model, motion);
  MotionState at;
  for (double t = 0.0; t < 1.6; t += 0.07) {
    sampleMotion(model, motion, t, at);
    EXPECT_LE(difference(model, integrate(model, start, t * v), at.q).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_LE((at.v - v).cwiseAbs().maxCoeff(), 1e-13);  // rounding of angles, divided by 0.3 s
  }
}

/// Largest error of derived velocities of a free body that swings in all directions, with rows h apart.
double derivedError(const Model& model, double h) {
  const auto place = [&](double t) {
    VectorXd way(6);
    way << std::sin(t), std::cos(2.0 * t), t * t, 0.8 * std::sin(t), 0.6 * std::cos(1.5 * t), 0.4 * t;
    return integrate(model, model.q0(), way);
  };
  MotionTable motion;
  for (int i = 0; i <= std::lround(1.0 / h); ++i) {
    // unequal pieces, on a smooth grid
    motion.time.push_back(i * h + 0.3 * h * std::sin(i * h));
    motion.q.push_back(place(motion.time.back()));
  }
  deriveVelocities(model, motion);
  double worst = 0.0;
  for (std::size_t i = 0; i < motion.time.size(); ++i) {
    const double t = motion.time[i], d = 1e-5;
    const VectorXd v =
        (difference(model, motion.q[i], place(t + d)) - difference(model, motion.q[i], place(t - d))) / (2.0 * d);
    worst = std::max(worst, (motion.v[i] - v).cwiseAbs().maxCoeff());
  }
  return worst;
}

TEST(MotionTable, DerivesVelocitiesToSecondOrderEverywhere) {
  const Model model = makeJointSample(kFree, 3);
  const double coarse = derivedError(model, 0.02), fine = derivedError(model, 0.01);
  EXPECT_LE(coarse, 5e-3);               // h²·(third derivatives of order ten)
  EXPECT_NEAR(coarse / fine, 4.0, 0.3);  // order 2, with a trace of the next one
}

TEST(MotionTable, StandsStillBeforeItsFirstRowAndAfterItsLast) {
  Random random(4);
  const Model model = makeRandomTree(4);
  const MotionTable motion = randomMotion(model, random, 2);
  MotionState at;
  sampleMotion(model, motion, motion.time[0] - 1.0, at);
  EXPECT_EQ(at.q, motion.q[0]);
  EXPECT_EQ(at.v.cwiseAbs().maxCoeff(), 0.0);
  sampleMotion(model, motion, motion.time[1] + 1.0, at);
  EXPECT_EQ(at.q, motion.q[1]);
  EXPECT_EQ(at.v.cwiseAbs().maxCoeff() + at.a.cwiseAbs().maxCoeff(), 0.0);
}

/// What checkMotion says of a sound motion after `damage`.
std::string complaint(const std::function<void(MotionTable&)>& damage) {
  Random random(5);
  const Model model = makeJointSample(kFree, 5);
  MotionTable motion = randomMotion(model, random, 3);
  checkMotion(model, motion);
  damage(motion);
  try {
    checkMotion(model, motion);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(MotionTable, IsRefusedWithTheRowThatIsWrong) {
  const auto expect = [](const std::function<void(MotionTable&)>& damage, const std::string& words) {
    EXPECT_NE(complaint(damage).find(words), std::string::npos) << complaint(damage);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  expect([](MotionTable& m) { m.time.pop_back(); }, "2 times, 3 rows of q and 3 of v");
  expect([](MotionTable& m) { m.time.resize(1), m.q.resize(1), m.v.resize(1); }, "has 1 rows");
  expect([](MotionTable& m) { m.time[2] = m.time[1]; }, "in row 3 is not after the time before");
  expect([&](MotionTable& m) { m.time[0] = -inf; }, "in row 1 is not after");
  expect([&](MotionTable& m) { m.time[1] = nan; }, "in row 2 is not after");
  expect([](MotionTable& m) { m.q[1].conservativeResize(6); }, "row 2: q has 6 numbers, expected");
  expect([&](MotionTable& m) { m.q[2][0] = nan; }, "row 3: q[0]");
  expect([&](MotionTable& m) { m.v[2][4] = inf; }, "row 3: v[4]");
  expect([](MotionTable& m) { m.q[0].tail<4>() *= 1.001; }, "row 1: the quaternion");
  expect([](MotionTable& m) { m.q[1].tail<4>() << -m.q[0][4], m.q[0][3], -m.q[0][6], m.q[0][5]; },
         "turns by 3.14 rad from row 1 to the next");
}

}  // namespace
}  // namespace rigor
