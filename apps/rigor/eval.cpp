// rigor eval: mass matrix, forces, accelerations, energies and poses of a model at given states.
#include "eval.h"

#include <fmt/format.h>

#include <cmath>

#include "argument_check.h"
#include "commands.h"
#include "json.h"
#include "output.h"
#include "rigor/algorithms.h"
#include "warnings.h"

namespace rigor::app {
namespace {

constexpr int kDenseLimit = 500;  // M of more freedoms is megabytes of text; --dense asks for it

/// Mass, centre and potential of all bodies, those that cannot move included.
void sumBodies(const Model& model, Evaluation& result) {
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
  for (int body = 0; body < model.bodyCount(); ++body) {
    const MassProperties& mass = model.body(body).mass;
    moment += mass.mass * (result.bodies[static_cast<std::size_t>(body)] * mass.com);
  }
  result.com = model.mass() > 0.0 ? Eigen::Vector3d(moment / model.mass()) : Eigen::Vector3d(Eigen::Vector3d::Zero());
  result.gravity_energy = -model.gravity().dot(moment);
}

Evaluation evaluate(const Model& model, Data& data, const ModelState& state, bool dense) {
  const auto& [q, v, tau] = state;
  Evaluation result;
  result.v = v;
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model.nv());
  result.bias = nonLinearEffects(model, data, q, v);
  result.gravity = computeGeneralizedGravity(model, data, q);
  if (dense || model.nv() <= kDenseLimit) result.M = crba(model, data, q);
  result.Mv = rnea(model, data, q, zero, v) - result.gravity;
  if (result.M.size() > 0) result.Mv = result.M * v;  // no difference of large numbers where M is there
  result.spring = computeSpringForces(model, data, q);
  result.damper = computeDamperForces(model, data, q, v);
  result.acceleration = aba(model, data, q, v, tau + result.spring + result.damper);

  const Vector6d about_com = computeCentroidalMomentum(model, data, q, v);
  result.momentum = about_com.head<3>();
  result.angular_momentum = about_com.tail<3>() + centerOfMass(model, data, q).cross(result.momentum);
  result.kinetic = computeKineticEnergy(model, data, q, v);
  result.spring_energy = computeSpringEnergy(model, data, q);
  result.bodies = forwardKinematics(model, data, q);
  sumBodies(model, result);
  return result;
}

/// States that are finite but absurd overflow; an answer with holes in it would be none.
void checkFinite(const Evaluation& at, std::size_t index) {
  const bool finite = at.M.allFinite() && at.Mv.allFinite() && at.bias.allFinite() && at.gravity.allFinite() &&
                      at.spring.allFinite() && at.damper.allFinite() && at.acceleration.allFinite() &&
                      at.com.allFinite() && at.momentum.allFinite() && at.angular_momentum.allFinite() &&
                      std::isfinite(at.kinetic + at.gravity_energy + at.spring_energy);
  if (!finite)
    throw Error(Place{"", 0, fmt::format("state {}", index)}, "its numbers are so large that results overflow",
                "Give positions, velocities and forces of a size that a machine could have.");
}

std::string vectorText(const Eigen::Vector3d& a) { return fmt::format("{:.6g} {:.6g} {:.6g}", a.x(), a.y(), a.z()); }

std::string describeFreedoms(const Model& model, const Evaluation& at) {
  std::vector<std::vector<std::string>> rows{
      {"v", "joint", "velocity", "M_ii", "bias", "gravity", "passive", "acceleration"}};
  for (const ModelJoint& joint : model.joints())
    for (int k = joint.v_index; k < joint.v_index + velocityCount(joint.spec.type); ++k)
      rows.push_back({std::to_string(k), joint.spec.name, fmt::format("{:.6g}", at.v[k]),
                      at.M.size() > 0 ? fmt::format("{:.6g}", at.M(k, k)) : "", fmt::format("{:.6g}", at.bias[k]),
                      fmt::format("{:.6g}", at.gravity[k]), fmt::format("{:.6g}", 0.0 + at.spring[k] + at.damper[k]),
                      fmt::format("{:.6g}", at.acceleration[k])});
  return formatTable(rows);
}

std::string describeMassMatrix(const Evaluation& at) {
  constexpr int kWidest = 20;  // columns that a terminal shows
  if (at.M.rows() > kWidest) return "M has too many columns for a terminal; --json writes it.\n";
  std::string text = at.M.rows() > 0 ? "M\n" : "";
  for (int i = 0; i < at.M.rows(); ++i) {
    for (int j = 0; j < at.M.cols(); ++j) text += fmt::format("{:>11.4g}", 0.0 + at.M(i, j));
    text += "\n";
  }
  return text;
}

std::string describeBodies(const Model& model, const Evaluation& at) {
  std::vector<std::vector<std::string>> rows{{"body", "position [m]", "quaternion w x y z"}};
  for (int body = 0; body < model.bodyCount(); ++body) {
    const Eigen::Isometry3d& X = at.bodies[static_cast<std::size_t>(body)];
    const Eigen::Quaterniond r(X.linear());
    rows.push_back({model.body(body).name, vectorText(X.translation()),
                    fmt::format("{:.6g} {:.6g} {:.6g} {:.6g}", r.w(), r.x(), r.y(), r.z())});
  }
  return formatTable(rows);
}

std::string describe(const Model& model, const Evaluation& at) {
  const std::vector<std::vector<std::string>> sums{
      {"kinetic energy", fmt::format("{:.9g} J", at.kinetic)},
      {"gravity energy", fmt::format("{:.9g} J", at.gravity_energy)},
      {"spring energy", fmt::format("{:.9g} J", at.spring_energy)},
      {"centre of mass", vectorText(at.com) + " m"},
      {"linear momentum", vectorText(at.momentum) + " kg m/s"},
      {"angular momentum", vectorText(at.angular_momentum) + " kg m²/s about the world's origin"}};
  return describeFreedoms(model, at) + "\n" + describeMassMatrix(at) + "\n" + formatTable(sums) + "\n" +
         describeBodies(model, at);
}

/// A scene starts where its file says; a bare model at its reference, at rest.
StateFile defaultState(const Model& model, const Scene* scene) {
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model.nv());
  if (scene != nullptr) return {false, {{scene->q, scene->v, zero}}};
  return {false, {{model.q0(), zero, zero}}};
}

}  // namespace

int execute(const EvalArguments& arguments) {
  if (arguments.step_derivatives) return evaluateStep(arguments);
  std::optional<Scene> scene;
  if (hasEnding(arguments.model, ".toml")) scene = loadScene(arguments.model, arguments.load);
  const Model model = scene ? scene->model : loadModel(arguments.model, arguments.load);
  const StateFile states =
      arguments.state.empty() ? defaultState(model, scene ? &*scene : nullptr) : loadStates(arguments.state, model);
  tellWarnings(model.warnings());
  if (!model.loops().empty())
    tell("note: loops, couplings and mimicking joints are left out: every number is that of the open tree");
  if (!model.springs().empty()) tell("note: springs between points are left out");
  Data data(model);
  std::vector<Evaluation> results;
  for (const ModelState& state : states.states) {
    results.push_back(evaluate(model, data, state, arguments.dense));
    checkFinite(results.back(), results.size() - 1);
  }
  if (arguments.json) {
    writeResult(evalJson(model, results, states.is_list));
    return kDone;
  }
  std::string text;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (states.is_list) text += fmt::format("{}state {}\n\n", i == 0 ? "" : "\n", i);
    text += describe(model, results[i]);
  }
  writeResult(text);
  return kDone;
}

}  // namespace rigor::app
