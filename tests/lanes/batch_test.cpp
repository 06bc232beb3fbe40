// Batches of environments: each gets what it would get alone.
#include "rigor/batch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "dynamics/samples.h"
#include "reference/allocation_counter.h"

namespace rigor {
namespace {

using Numbers = std::vector<double>;

std::vector<InstructionSet> instructionSets() {
  if (bestInstructionSet() == InstructionSet::kBaseline) return {InstructionSet::kBaseline};
  return {InstructionSet::kBaseline, InstructionSet::kAvx2};
}

/// Arrays of a batch and, row by row, what the double kernels make of them.
struct Environments {
  Environments(const Model& model, int count)
      : count(count), nq(model.nq()), nv(model.nv()), acceleration(count * nv), tau(count * nv), next(count * nq) {
    Random random(count);
    const auto append = [](Numbers& to, const Eigen::VectorXd& row) { to.insert(to.end(), row.begin(), row.end()); };
    for (int e = 0; e < count; ++e) {
      const Eigen::VectorXd row_q = randomPosition(model, random), row_v = randomVelocity(model, random);
      const Eigen::VectorXd row_force = randomVelocity(model, random);
      const TreeAtPose tree(model, row_q);
      append(q, row_q), append(v, row_v), append(force, row_force);
      const Eigen::VectorXd row_acceleration = tree.forwardDynamics(row_v, row_force);
      const Eigen::VectorXd row_tau = tree.inverseDynamics(row_v, row_force);
      std::copy(row_acceleration.begin(), row_acceleration.end(), acceleration.begin() + e * nv);
      std::copy(row_tau.begin(), row_tau.end(), tau.begin() + e * nv);
      rigor::integrate(model.topology(), row_q.data(), row_v.data(), kStep, next.data() + e * nq);
      const Eigen::MatrixXd row_M = massMatrix(model, row_q);  // symmetric: its columns are its rows
      M.insert(M.end(), row_M.data(), row_M.data() + nv * nv);
    }
  }
  static constexpr double kStep = 0.01;
  int count, nq, nv;
  Numbers q, v, force, acceleration, tau, next, M;
};

/// Equal in every bit; == would not tell the zeros apart.
bool sameBits(const Numbers& a, const Numbers& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

TEST(Batch, GivesEveryEnvironmentTheBitsOfTheDoubleKernels) {
  for (const int seed : {1, 2, 3}) {
    const Model model = makeRandomTree(seed, seed);
    for (const InstructionSet set : instructionSets()) {
      Batch batch(model, set);
      for (const int count : {0, 1, 3, 4, 5, 1000}) {
        SCOPED_TRACE(::testing::Message() << count << " environments, " << instructionSetName(set));
        const Environments e(model, count);
        Numbers out(count * e.nv), next(count * e.nq), M(count * e.nv * e.nv, 7.0);
        batch.forwardDynamics(count, e.q, e.v, e.force, out);
        EXPECT_TRUE(sameBits(out, e.acceleration));
        batch.inverseDynamics(count, e.q, e.v, e.force, out);
        EXPECT_TRUE(sameBits(out, e.tau));
        batch.integrate(count, e.q, e.v, Environments::kStep, next);
        EXPECT_TRUE(sameBits(next, e.next));
        batch.massMatrix(count, e.q, M);
        EXPECT_TRUE(sameBits(M, e.M));
      }
    }
  }
}

TEST(Batch, WorksInPlace) {
  const Model model = makeRandomTree(4);
  const Environments e(model, 6);
  Batch batch(model);
  Numbers q = e.q, force = e.force;
  batch.forwardDynamics(e.count, e.q, e.v, force, force);
  EXPECT_TRUE(sameBits(force, e.acceleration));
  batch.integrate(e.count, q, e.v, Environments::kStep, q);
  EXPECT_TRUE(sameBits(q, e.next));
}

TEST(Batch, KeepsANumberThatIsNotFiniteToItsOwnEnvironment) {
  const Model model = makeRandomTree(5);
  Environments e(model, 4);
  e.v[1 * e.nv] = std::numeric_limits<double>::quiet_NaN();
  for (const InstructionSet set : instructionSets()) {
    Batch batch(model, set);
    Numbers out(e.count * e.nv);
    batch.forwardDynamics(e.count, e.q, e.v, e.force, out);
    for (const int other : {0, 2, 3})
      for (int j = 0; j < e.nv; ++j) EXPECT_EQ(out[other * e.nv + j], e.acceleration[other * e.nv + j]);
    EXPECT_TRUE(std::isnan(out[1 * e.nv]));
  }
}

TEST(Batch, AllocatesNothingAfterConstruction) {
  const Model model = makeRandomTree(6);
  const Environments e(model, 7);
  Batch batch(model);
  Numbers out(e.count * e.nv), next(e.count * e.nq), M(e.count * e.nv * e.nv);
  const AllocationScope scope;
  batch.forwardDynamics(e.count, e.q, e.v, e.force, out);
  batch.inverseDynamics(e.count, e.q, e.v, e.force, out);
  batch.massMatrix(e.count, e.q, M);
  batch.integrate(e.count, e.q, e.v, Environments::kStep, next);
  EXPECT_EQ(scope.count(), 0);
}

/// What Error says of a call.
template <class Call>
std::string complaint(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Batch, NamesTheArrayOfAWrongSizeAndWhatItExpected) {
  const Model model = makeJointSample(kHinge, 1);  // a free body and a hinge: 8 coordinates, 7 velocities
  Batch batch(model);
  Numbers q(16), v(14), out(14), M(98), wrong(15);
  const auto expect = [](const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  expect(complaint([&] { batch.forwardDynamics(2, wrong, v, v, out); }),
         "Batch::forwardDynamics: q has 15 numbers; 2 environments of 8 coordinates need 16");
  expect(complaint([&] { batch.forwardDynamics(2, q, wrong, v, out); }), "v has 15 numbers");
  expect(complaint([&] { batch.forwardDynamics(2, q, v, wrong, out); }), "tau has 15 numbers");
  expect(complaint([&] { batch.forwardDynamics(2, q, v, v, wrong); }), "acceleration has 15 numbers");
  expect(complaint([&] { batch.inverseDynamics(2, wrong, v, v, out); }), "Batch::inverseDynamics: q has 15 numbers");
  expect(complaint([&] { batch.inverseDynamics(2, q, wrong, v, out); }), "v has 15 numbers");
  expect(complaint([&] { batch.inverseDynamics(2, q, v, wrong, out); }), "acceleration has 15 numbers");
  expect(complaint([&] { batch.inverseDynamics(2, q, v, v, wrong); }), "tau has 15 numbers");
  expect(complaint([&] { batch.massMatrix(2, wrong, M); }), "Batch::massMatrix: q has 15 numbers");
  expect(complaint([&] { batch.massMatrix(2, q, wrong); }), "M has 15 numbers; 2 environments of 49 entries need 98");
  expect(complaint([&] { batch.integrate(2, wrong, v, 0.1, q); }), "Batch::integrate: q has 15 numbers");
  expect(complaint([&] { batch.integrate(2, q, wrong, 0.1, q); }), "v has 15 numbers");
  expect(complaint([&] { batch.integrate(2, q, v, 0.1, wrong); }), "next has 15 numbers");
  expect(complaint([&] { batch.massMatrix(-1, {}, {}); }), "-1 environments");
}

}  // namespace
}  // namespace rigor
