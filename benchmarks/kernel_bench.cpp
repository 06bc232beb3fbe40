#include "kernel_bench.h"

#include <memory>

#include "chain_scene.h"
#include "dynamics/aba.h"
#include "dynamics/crba.h"
#include "dynamics/rnea.h"
#include "rigor/rigor.h"

namespace rigor {
namespace {

/// Everything that the kernels of ANYmal read and write.
struct Robot {
  explicit Robot(const Scene& s) : scene(s), topology(scene.model.topology()), parameters(scene.model.parameters()) {
    kin.resize(topology);
    rnea_scratch.resize(topology);
    aba_scratch.resize(topology);
    inertias.resize(topology.links);
    q = scene.q;
    v = Eigen::VectorXd::LinSpaced(topology.nv, -0.5, 0.5);
    out.resize(topology.nv);
    M.resize(topology.packed_size);
    D.resize(topology.nv);
    computeKinematics(topology, parameters, q.data(), kin);
    computeInertias(topology, parameters, kin, inertias);
    composite = inertias;
    crba(topology, kin, composite, M.data());
    L = M;
  }

  Scene scene;
  const Topology& topology;
  const Parameters<double>& parameters;
  Kinematics<double> kin;
  RneaScratch<double> rnea_scratch;
  AbaScratch<double> aba_scratch;
  std::vector<Inertia<double>> inertias, composite;
  Eigen::VectorXd q, v, out;
  std::vector<double> M, L, D;
};

/// Steps whose reports hold the judge's numbers alone.
std::function<void()> stepper(const Scene& scene, double settle) {
  auto sim = std::make_shared<Simulator>(scene);
  sim->wanted() = {};
  sim->run(settle);
  return [sim] { sim->step(); };
}

Scene maximal(Scene scene) {
  scene.stepper = "maximal";
  return scene;
}

/// So high that it never lands.
Scene raised(Scene scene) {
  scene.q[2] += 1000.0;
  return scene;
}

}  // namespace

std::vector<KernelBench> makeKernelBenches(const std::string& scenes) {
  const auto load = [=](const char* name) { return loadScene(scenes + "/" + name + ".toml"); };
  const auto onRobot = [=](void (*kernel)(Robot&)) {
    return [=] {
      auto robot = std::make_shared<Robot>(load("anymal_stand"));
      return std::function<void()>([=] { kernel(*robot); });
    };
  };
  return {
      {"kinematics", onRobot([](Robot& r) { computeKinematics(r.topology, r.parameters, r.q.data(), r.kin); })},
      {"inertias", onRobot([](Robot& r) { computeInertias(r.topology, r.parameters, r.kin, r.inertias); })},
      {"rnea", onRobot([](Robot& r) {
         rnea(r.topology, r.parameters, r.kin, r.inertias, r.v.data(), nullptr, nullptr, r.rnea_scratch, r.out.data());
       })},
      {"crba", onRobot([](Robot& r) {
         r.composite = r.inertias;
         crba(r.topology, r.kin, r.composite, r.M.data());
       })},
      {"ltl", onRobot([](Robot& r) {
         r.L = r.M;
         factorLtl(r.topology, r.L.data(), r.D.data());
       })},
      {"aba", onRobot([](Robot& r) {
         aba(r.topology, r.parameters, r.kin, r.inertias, r.v.data(), r.v.data(), nullptr, r.aba_scratch, r.out.data());
       })},
      {"step_stand", [=] { return stepper(load("anymal_stand"), 3.0); }},
      {"step_flight", [=] { return stepper(raised(load("anymal_stand")), 0.1); }},
      {"step_hang", [=] { return stepper(load("anymal_hang"), 3.0); }},
      {"maximal_stand", [=] { return stepper(maximal(load("anymal_stand")), 3.0); }},
      {"maximal_flight", [=] { return stepper(maximal(raised(load("anymal_stand"))), 0.1); }},
      {"maximal_chain", [=] { return stepper(maximal(makeChainScene(100)), 0.1); }},
  };
}

}  // namespace rigor
