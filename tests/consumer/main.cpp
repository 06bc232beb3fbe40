// A stranger's program: a robot from a file, its dynamics, a few steps of simulation; only installed headers.
#include <rigor/rigor.h>

#include <cstdio>

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const rigor::Model model = rigor::loadModel(arguments[1]);
  rigor::Data data(model);
  const Eigen::VectorXd q = model.q0(), v = Eigen::VectorXd::Ones(model.nv()), a = 0.5 * v;
  const Eigen::VectorXd tau = rigor::rnea(model, data, q, v, a);
  const double back = (rigor::aba(model, data, q, v, tau) - a).norm();

  rigor::Simulator simulator(rigor::loadScene(arguments[1]));
  const rigor::StepReport& report = simulator.run(0.05);
  std::printf("nv %d, forward of inverse dynamics off by %.1e, steps %s\n", model.nv(), back,
              report.accepted() ? "accepted" : "refused");
  return back < 1e-10 && report.accepted() ? 0 : 1;
}
