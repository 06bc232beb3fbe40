#include "experiments/rp.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/csv.h"
#include "experiments/plot.h"
#include "rigor/rigor.h"

namespace rigor::experiments {
namespace {

constexpr double kSeconds = 60.0, kStep = 1e-3;
constexpr int kSteps = 60000, kEvery = 20;  // one point of a curve per 20 ms
constexpr double kBlownUp = 1.0;            // [J] an integrator whose energy errs more than this does not keep it

/// A cube of 0.1 m and 1 kg at the end of a massless rod of 1 m, on a hinge along x.
BodySpec makeRod(const std::string& name, int parent, const Eigen::Vector3d& hinge) {
  BodySpec rod;
  rod.name = name;
  rod.parent = parent;
  rod.joint.name = name + "_hinge";
  rod.joint.type = kHinge;
  rod.joint.axis = Eigen::Vector3d::UnitX();
  rod.joint.X_PJ.position = hinge;
  rod.mass = computeMassProperties(makeBox({0.05, 0.05, 0.05}), 1000.0);
  rod.mass.com = {0.0, 0.0, -1.0};
  return rod;
}

Scene makePendulum() {
  ModelBuilder builder("double pendulum");
  const int upper = builder.addBody(makeRod("upper", kWorld, Eigen::Vector3d::Zero()));
  builder.addBody(makeRod("lower", upper, {0.0, 0.0, -1.0}));
  Scene scene;
  scene.name = "rp-pendulum";
  scene.model = builder.build();
  scene.q = Eigen::Vector2d(std::acos(0.0), 0.0);  // straight out, where the energy is 0
  scene.v = Eigen::Vector2d::Zero();
  scene.dt = kStep;
  return scene;
}

/// Energy of one integrator over the run.
struct EnergyCurve {
  IntegratorInfo integrator;
  std::vector<double> energy;  ///< [J] at every kEvery-th node
  std::vector<double> error;   ///< [J] largest |energy| so far
  double highest = 0.0;        ///< [J]
  double end() const { return energy.back(); }
  double worst() const { return error.back(); }
};

EnergyCurve measure(const Request& request, const Scene& pendulum, const IntegratorInfo& integrator,
                    std::int64_t before, const Watch& watch) {
  Scene scene = pendulum;
  scene.integrator = std::string(integrator.name);
  SimulatorOptions options;
  options.stop = request.stop;
  Simulator simulator(scene, options);
  EnergyCurve curve{.integrator = integrator, .energy = {}, .error = {}};
  double worst = 0.0;
  for (int i = 0; i <= kSteps; ++i) {
    const StepReport& report = simulator.step();
    if (report.status == StepStatus::kInterrupted) throw Stopped{};
    if (!report.accepted()) throw Error(report.explain());
    const double energy = report.kinetic + report.potential;
    worst = std::max(worst, std::fabs(energy));
    curve.highest = std::max(curve.highest, energy);
    if (i % kEvery == 0) {
      curve.energy.push_back(energy);
      curve.error.push_back(worst);
    }
    if (!watch(before + i)) throw Stopped{};
  }
  return curve;
}

const EnergyCurve& curveOf(const std::vector<EnergyCurve>& curves, Integrator integrator) {
  return *std::find_if(curves.begin(), curves.end(),
                       [&](const EnergyCurve& curve) { return curve.integrator.integrator == integrator; });
}

std::vector<Finding> compareWithPaper(const std::vector<EnergyCurve>& curves) {
  const auto of = [&](Integrator integrator) -> const EnergyCurve& { return curveOf(curves, integrator); };
  const EnergyCurve &implicit = of(Integrator::kImplicitEulerFixedPoint), &explicit_ = of(Integrator::kExplicitEuler),
                    &variant = of(Integrator::kSemiImplicitEuler), &rk4 = of(Integrator::kRk4),
                    &leapfrog = of(Integrator::kLeapfrog);
  return {
      {"implicit Euler damps the total energy", fmt::format("{:+.2f} J after {:g} s", implicit.end(), kSeconds),
       implicit.end() < -kBlownUp},
      {"explicit Euler has the tendency to blow up", fmt::format("{:+.2f} J after {:g} s", explicit_.end(), kSeconds),
       explicit_.end() > kBlownUp},
      {"a variant of explicit Euler goes on for longer without blowing up",
       fmt::format("semi-implicit Euler rises by {:.2f} J at most, but ends at {:+.2f} J", variant.highest,
                   variant.end()),
       variant.highest < kBlownUp},
      {"Runge-Kutta methods of higher order would help (future work)", fmt::format("rk4 errs by {:.1e} J", rk4.worst()),
       rk4.worst() < 1e-3},
      {"(not in the paper) order 2 is enough if velocity terms are taken in the middle of a step",
       fmt::format("leapfrog errs by {:.1e} J at one evaluation per step", leapfrog.worst()), leapfrog.worst() < 1e-2},
  };
}

void savePictures(const std::string& folder, const std::vector<double>& time, const std::vector<EnergyCurve>& curves) {
  Plot energy{"Energy of a double pendulum released from the horizontal", "time [s]", "energy [J]", false, {}};
  Plot error{"Largest energy error so far", "time [s]", "|E - E(0)| [J]", true, {}};
  for (const EnergyCurve& curve : curves) {
    energy.series.push_back({std::string(curve.integrator.name), time, curve.energy});
    error.series.push_back({std::string(curve.integrator.name), time, curve.error});
  }
  savePlot(folder + "/rp-pendulum-energy.svg", energy);
  savePlot(folder + "/rp-pendulum-error.svg", error);
}

Outcome runPendulum(const Request& request, const Watch& watch) {
  const Scene pendulum = makePendulum();
  std::vector<EnergyCurve> curves;
  for (const IntegratorInfo& integrator : listIntegrators())
    curves.push_back(
        measure(request, pendulum, integrator, static_cast<std::int64_t>(curves.size()) * (kSteps + 1), watch));

  Outcome outcome;
  outcome.setting = {
      fmt::format("Two cubes of 0.1 m and 1 kg on massless rods of 1 m, released straight out; {:g} s in steps of {:g} "
                  "ms.",
                  kSeconds, 1e3 * kStep),
      "The paper prints neither masses nor lengths nor the step, and shows pictures of the motion only."};
  outcome.table.columns = {"integrator", "order", "energy at the end [J]", "largest error [J]"};
  std::vector<double> time;
  for (std::size_t i = 0; i < curves[0].energy.size(); ++i) time.push_back(static_cast<double>(i) * kEvery * kStep);
  std::vector<Column> columns = {{"time", time}};
  for (const EnergyCurve& curve : curves) {
    const std::string name(curve.integrator.name);
    outcome.table.rows.push_back({name, static_cast<double>(curve.integrator.order), curve.end(), curve.worst()});
    columns.push_back({name, curve.energy});
  }
  outcome.findings = compareWithPaper(curves);
  saveCsv(request.folder + "/rp-pendulum.csv", columns);
  savePictures(request.folder, time, curves);
  outcome.files = {"rp-pendulum.csv", "rp-pendulum-energy.svg", "rp-pendulum-error.svg"};
  return outcome;
}

}  // namespace

Experiment rpPendulum() {
  return {"rp-pendulum", "RP", "energy of a double pendulum under all integrators",
          static_cast<std::int64_t>(listIntegrators().size()) * (kSteps + 1), runPendulum};
}

}  // namespace rigor::experiments
