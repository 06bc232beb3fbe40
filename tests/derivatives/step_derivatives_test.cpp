#include <gtest/gtest.h>

#include "derivatives/differences.h"

namespace rigor {
namespace {

void report(const char* what, const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  const int n = a.rows() / 2;
  printf("%s: q %.2e v %.2e\n", what, disagreement(a.topRows(n), b.topRows(n)), disagreement(a.bottomRows(n), b.bottomRows(n)));
}
void all(Simulator& sim, double dq=1e-6, double dv=1e-5, double dt=1e-3) {
  StepDerivatives derivatives(sim);
  const Simulator before(sim);
  Simulator at(sim);
  ASSERT_TRUE(derivatives.step(sim).accepted());
  ASSERT_TRUE(derivatives.known()) << derivatives.reason();
  const StepJacobians& J = derivatives.jacobians();
  printf("substeps %d margin %s contacts %zu\n", derivatives.substeps(), derivatives.describeMargin().c_str(), sim.report().contacts.size());
  for (auto& c : sim.report().contacts) printf("  mode %d gap %g fn %g slip %g\n", int(c.mode), c.gap, c.impulse.norm(), c.slip.norm());
  report("by v", stack(J.dq_dv, J.dv_dv), differencesByV(at, dv));
  report("by tau", stack(J.dq_dtau, J.dv_dtau), differencesByTau(at, dt));
  report("by q", stack(J.dq_dq, J.dv_dq), differencesByQ(at, dq));
}

TEST(Try, Block) {
  ModelBuilder builder("block");
  builder.addWorldShape({.name = "ground", .shape = makePlane()});
  BodySpec body;
  body.name = "ball";
  body.joint.type = kFree;
  body.shapes = {{.name = "ball", .shape = makeSphere(0.1)}};
  body.mass = computeMassProperties(makeSphere(0.1), 1000);
  body.mass.inertia(0,0)*=1.5;
  builder.addBody(body);
  Scene scene; 
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.q[2] = 0.1 + 1e-5;
  scene.v = Eigen::VectorXd::Zero(6);
  for (int mode = 0; mode < 3; ++mode) {
  scene.v << 1.0, 0.3, 0.0, 0.2, 2, 1;
  if (mode==1) { scene.v << 0.1,0,0,0,1,0; }
  if (mode==2) scene.q[2] = 1;
  Simulator sim(scene);
  for (int i=0;i<5;++i) ASSERT_TRUE(sim.step().accepted());
  Eigen::VectorXd q = sim.state().q;
  Snapshot s = sim.save();
  if (mode<2) s.state.q[2] = 0.1+1e-5;
  sim.restore(s);
  all(sim);
  }
}
TEST(Try, Anymal) {
  Simulator sim(loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/anymal_stand.toml"));
  all(sim);
  for (int i=0;i<100;++i) ASSERT_TRUE(sim.step().accepted());
  all(sim);
}

}  // namespace
}  // namespace rigor
