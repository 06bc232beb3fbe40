// The second opinion denies planted lies in runs of stepper maximal.
#include <algorithm>
#include <functional>

#include "verify/maximal_runs.h"

namespace rigor {
namespace {

TEST(SecondOpinionOnMaximal, DeniesAVelocityThatIsOffByTenToTheMinusSeven) {
  for (const char* name : {"double_pendulum", "chain_10", "anymal_drop", "heavy_top", "puma560"}) {
    SCOPED_TRACE(name);
    const Recording good = recordRun(sceneOf(name), 40);
    ASSERT_EQ(good.steps(), 40);
    ASSERT_TRUE(verifyRecording(good).holds);
    for (const int j : {0, good.nv / 2, good.nv - 1}) {
      Recording bad = good;
      double fastest = 0.0;
      const std::size_t last = bad.substep_v_end.size() - bad.nv;  // nothing follows from it but the last node
      for (int k = 0; k < bad.nv; ++k) fastest = std::max(fastest, std::fabs(bad.substep_v_end[last + k]));
      bad.substep_v_end[last + j] += 1e-7 * std::max(fastest, 1.0);
      expectDenied(bad, "momentum balance");
    }
  }
}

/// Another velocity of a node, with the energy and the momentum that belong to it.
Recording withNodeVelocity(Recording recording, const Model& model, int node, const Eigen::VectorXd& v) {
  const Eigen::VectorXd q = Eigen::Map<const Eigen::VectorXd>(&recording.q[node * recording.nq], recording.nq);
  Data data(model);
  Eigen::VectorXd::Map(&recording.v[node * recording.nv], recording.nv) = v;
  recording.energy[2 * node] = computeKineticEnergy(model, data, q, v);
  Eigen::Matrix<double, 6, 1> sum = computeCentroidalMomentum(model, data, q, v);
  sum.tail<3>() += centerOfMass(model, data, q).cross(sum.head<3>());
  Eigen::VectorXd::Map(&recording.momentum[6 * node], 6) = sum;
  return recording;
}

// That of the other stepper is in the middle of velocities, not of momenta; 1e-8 is a hundred times what the limit allows.
TEST(SecondOpinionOnMaximal, DeniesANodeVelocityThatIsNotThatOfTheMomentum) {
  for (const char* name : {"double_pendulum", "heavy_top", "anymal_momentum", "chain_10"}) {
    SCOPED_TRACE(name);
    Scene scene = sceneOf(name);
    scene.v.array() += 1.0;
    const Recording good = recordRun(scene, 20);
    ASSERT_EQ(good.substep_h.size(), 20u);
    const Eigen::VectorXd node = Eigen::VectorXd::Map(&good.v[10 * good.nv], good.nv);
    EXPECT_TRUE(verifyRecording(withNodeVelocity(good, scene.model, 10, node)).holds);
    const Eigen::VectorXd middle = 0.5 * (Eigen::VectorXd::Map(&good.substep_v[10 * good.nv], good.nv) +
                                          Eigen::VectorXd::Map(&good.substep_v_end[10 * good.nv], good.nv));
    expectDenied(withNodeVelocity(good, scene.model, 10, middle), "node velocity");
    Eigen::VectorXd shifted = node;
    shifted[good.nv - 1] += 1e-8 * std::max(1.0, node.lpNorm<Eigen::Infinity>());
    expectDenied(withNodeVelocity(good, scene.model, 10, shifted), "node velocity");
  }
}

struct Lie {
  const char* name;
  std::function<void(Recording&)> tell;
};

TEST(SecondOpinionOnMaximal, DeniesEveryPlantedLie) {
  const Recording contacts = recordRun(byMaximal(makePlayground()), 120);
  const Recording joints = recordRun(byMaximal(makeWorkshop()), 60);
  ASSERT_TRUE(verifyRecording(contacts).holds);
  ASSERT_TRUE(verifyRecording(joints).holds);
  const auto shift = [](std::vector<double> Recording::* member, double by) {
    return [=](Recording& r) { (r.*member)[(r.*member).size() / 2] += by; };
  };
  const Lie everywhere[] = {{"position", shift(&Recording::substep_q, 1e-9)},
                            {"node position", shift(&Recording::q, 1e-9)},
                            {"velocity before", shift(&Recording::substep_v, 1e-8)},
                            {"velocity after", shift(&Recording::substep_v_end, 1e-7)},
                            {"length", shift(&Recording::substep_h, 1e-9)},
                            {"kick", shift(&Recording::substep_kick, 1e-9)},
                            {"torque", shift(&Recording::tau, 1e-7)},
                            {"given torque", shift(&Recording::input_tau, 1e-4)},
                            {"energy", shift(&Recording::energy, 1e-8)},
                            {"sum of momentum", shift(&Recording::momentum, 1e-7)}};
  for (const Recording* good : {&contacts, &joints})
    for (const Lie& lie : everywhere) {
      Recording bad = *good;
      lie.tell(bad);
      EXPECT_FALSE(verifyRecording(bad).holds) << lie.name;
    }
  Recording pushed = contacts;
  const auto largest = std::max_element(pushed.contact_impulse.begin(), pushed.contact_impulse.end());
  *largest *= 1.0 + 1e-6;
  EXPECT_FALSE(verifyRecording(pushed).holds);
  Recording rows = joints;
  rows.row_impulse[3 * (rows.row_impulse.size() / 6)] += 1e-5;
  EXPECT_FALSE(verifyRecording(rows).holds);
  Recording wrenches = joints;
  wrenches.wrench[wrenches.wrench.size() / 2] += 1e-3;
  expectDenied(wrenches, "momentum balance");
}

// The force acted, and the recording keeps silent about it; or the other way round.
TEST(SecondOpinionOnMaximal, DeniesABodyForceThatIsNotRecordedOrDidNotAct) {
  Simulator sim(sceneOf("double_pendulum"));
  Recording good = makeRecording(sim.scene());
  for (int i = 0; i < 30; ++i) {
    const Eigen::VectorXd q = sim.state().q;
    sim.input().wrenches.clear();
    if (i == 20) sim.input().wrenches.push_back({1, Eigen::Vector3d(0.0, 1e-3, 1e-3), Eigen::Vector3d::Zero()});
    const StepReport& report = sim.step();
    ASSERT_TRUE(report.accepted());
    good.append(q, report);
  }
  good.finish(sim);
  expectHolds(good);
  Recording silent = good;
  silent.wrench_body.clear(), silent.wrench.clear();
  std::fill(silent.wrench_start.begin(), silent.wrench_start.end(), 0);
  expectDenied(silent, "momentum balance");
  Recording wrong = good;
  wrong.wrench[2] *= 1.01;
  expectDenied(wrong, "momentum balance");
}

Recording renamed(Recording recording, const std::string& from, const std::string& to) {
  const std::string key = "\"stepper\":\"";
  const std::size_t at = recording.header.find(key + from);
  EXPECT_NE(at, std::string::npos);
  recording.header.replace(at + key.size(), from.size(), to);
  return recording;
}

TEST(SecondOpinionOnMaximal, DeniesTheNameOfTheOtherStepper) {
  for (const char* name : {"double_pendulum", "asymmetric_top", "chain_10", "anymal_drop", "puma560"}) {
    SCOPED_TRACE(name);
    Scene scene = sceneOf(name);
    scene.dt = 4e-3;  // they differ by (h ω)²
    scene.v += Eigen::VectorXd::LinSpaced(scene.v.size(), 1.0, 2.0);
    const Recording maximal = recordRun(scene, 60);
    scene.stepper = "minimal";
    const Recording minimal = recordRun(scene, 60);
    expectHolds(maximal), expectHolds(minimal);
    expectDenied(renamed(maximal, "maximal", "minimal"), "");
    expectDenied(renamed(minimal, "minimal", "maximal"), "");
  }
}

TEST(SecondOpinionOnMaximal, RefusesAStepperThatItDoesNotKnow) {
  EXPECT_THROW(verifyRecording(renamed(recordRun(sceneOf("double_pendulum"), 2), "maximal", "guessed")), Error);
}

}  // namespace
}  // namespace rigor
