// The second opinion on long chains: there rounding could excuse far more than it does.
#include "minimal/falling_chain.h"
#include "verify/maximal_runs.h"

namespace rigor {
namespace {

// Bounds of what rounding may do add up along the chain and its arms, to a millionth of the speed; what it does is a thousandth of that.
// Steps of Newton's method that end at the bound miss 1e-8 to 1e-6 of the momentum.
TEST(SecondOpinionOnLongChains, FindsTheMomentumOfTheirImpactsBalanced) {
  for (const JointType type : {kHinge, kBall}) {
    const Recording recording = recordRun(makeFallingChain(60, type), 60);
    EXPECT_EQ(recording.steps(), 60);
    EXPECT_GT(recording.contact_impulse.size(), 1000u);
    expectHolds(recording, 3e-9);  // its limit for what is not rounding
  }
}

}  // namespace
}  // namespace rigor
