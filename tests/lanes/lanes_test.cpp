// Four lanes give each environment the bits of the double kernels, on every instruction set.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "dynamics/every_kernel.h"
#include "dynamics/samples.h"
#include "lanes/lanes.h"
#include "rigor/batch.h"

namespace rigor {
namespace {

constexpr int kStates = 4;  // one per lane; this unit cannot see the packs themselves

using RunInLanes = bool (*)(const Topology&, const Parameters<double>&, const double*, int, double*);

std::vector<double> randomInput(const Model& model, Random& random) {
  std::vector<double> numbers(KernelInput<double>::size(model.topology()));
  for (double& x : numbers) x = random.number(-2.0, 2.0);
  const Eigen::VectorXd q = randomPosition(model, random);  // unit quaternions
  std::copy(q.begin(), q.end(), numbers.begin());
  return numbers;
}

/// Four states of each model; lane 2 is at rest at the reference pose, where series replace quotients.
void expectTheBitsOfDouble(RunInLanes run) {
  forEachSample([&](Sample& s) {
    const Topology& topology = s.tree.topology;
    std::vector<double> inputs;
    std::vector<std::vector<double>> expected;
    for (int lane = 0; lane < kStates; ++lane) {
      std::vector<double> input = randomInput(s.model, s.random);
      if (lane == 2) {
        std::fill(input.begin(), input.end(), 0.0);
        std::copy(s.model.q0().begin(), s.model.q0().end(), input.begin());
      }
      expected.push_back(runEveryKernel(topology, s.tree.parameters, input.data()));
      inputs.insert(inputs.end(), input.begin(), input.end());
    }
    const int size = static_cast<int>(expected[0].size());
    std::vector<double> outputs(kStates * size);
    ASSERT_TRUE(run(topology, s.tree.parameters, inputs.data(), size, outputs.data()));
    for (int lane = 0; lane < kStates; ++lane)
      for (int k = 0; k < size; ++k)
        ASSERT_EQ(std::memcmp(&outputs[lane * size + k], &expected[lane][k], sizeof(double)), 0)
            << "lane " << lane << ", result " << k << ": " << outputs[lane * size + k] << " is not "
            << expected[lane][k];
  });
}

TEST(BaselineLanes, GiveTheBitsOfDoubleInEveryKernel) { expectTheBitsOfDouble(runEveryKernelInLanes<Pack4<2>>); }

TEST(Avx2Lanes, GiveTheBitsOfDoubleInEveryKernel) {
  if (bestInstructionSet() != InstructionSet::kAvx2) GTEST_SKIP() << "this CPU has no AVX2";
  expectTheBitsOfDouble(runEveryKernelInLanes<Pack4<4>>);
}

}  // namespace
}  // namespace rigor
