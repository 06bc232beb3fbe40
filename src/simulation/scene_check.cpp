#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "rigor/integrator.h"
#include "rigor/scene.h"
#include "rigor/solver.h"
#include "simulation/moving_targets.h"
#include "simulation/stepper_misfit.h"
#include "stepping/prescribed_motion.h"

namespace rigor {
namespace {

void checkVector(const Scene& scene, const char* what, const Eigen::VectorXd& x, int size, const std::string& why) {
  if (x.size() != size)
    throw Error({scene.file, 0, what}, fmt::format("has {} entries, the model needs {} ({})", x.size(), size, why));
  if (!x.allFinite())
    throw Error({scene.file, 0, what}, "contains a number that is not finite", "Every entry must be a plain number.");
}

/// The joint that an entry of q or v belongs to.
const ModelJoint& jointOf(const Scene& scene, int entry, bool is_velocity) {
  const auto& joints = scene.model.joints();
  std::size_t found = 0;
  for (std::size_t i = 0; i < joints.size(); ++i)
    if ((is_velocity ? joints[i].v_index : joints[i].q_index) <= entry) found = i;
  return joints[found];
}

/// Numbers so large that the rounding of one hides what matters of another; far beyond, their squares overflow.
void checkLargest(const Scene& scene, bool is_velocity, double limit, const std::string& remedy) {
  const Eigen::VectorXd& x = is_velocity ? scene.v : scene.q;
  int largest = 0;
  if (x.size() == 0 || x.cwiseAbs().maxCoeff(&largest) <= limit) return;
  const ModelJoint& joint = jointOf(scene, largest, is_velocity);
  throw Error({scene.file, 0, is_velocity ? "v" : "q"},
              fmt::format("joint \"{}\" of body \"{}\" starts {} {:.3g}", joint.spec.name,
                          scene.model.body(joint.body).name, is_velocity ? "with the speed" : "at", x[largest]),
              remedy);
}

void checkQuaternions(const Scene& scene) {
  for (const ModelJoint& joint : scene.model.joints()) {
    const JointType type = joint.spec.type;
    if (type.rotation != Rotation::kAll) continue;
    const double length = scene.q.segment(joint.q_index + translationCount(type), 4).norm();
    if (std::fabs(length - 1.0) > 1e-6)
      throw Error({scene.file, 0, "q"},
                  fmt::format("quaternion of body \"{}\" has length {:.6g}", scene.model.body(joint.body).name, length),
                  "Quaternions are w, x, y, z of length 1.");
  }
}

void checkTorques(const Scene& scene) {
  if (!scene.torques) return;
  if (scene.torques->time.size() != scene.torques->tau.size())
    throw Error({scene.file, 0, "torques"},
                fmt::format("{} times for {} rows", scene.torques->time.size(), scene.torques->tau.size()));
  for (std::size_t i = 0; i < scene.torques->tau.size(); ++i) {
    checkVector(scene, "torques", scene.torques->tau[i], scene.model.nv(), "one per velocity");
    if (!std::isfinite(scene.torques->time[i]) || (i > 0 && scene.torques->time[i] <= scene.torques->time[i - 1]))
      throw Error({scene.file, 0, "torques"}, fmt::format("time of row {} does not increase", i), "Sort the rows.");
  }
}

void checkBody(const Scene& scene, const char* what, int body) {
  if (body < 0 || body >= scene.model.bodyCount())
    throw Error({scene.file, 0, what}, fmt::format("names body {}, the model has {}", body, scene.model.bodyCount()));
}

void checkWrenches(const Scene& scene) {
  for (const WrenchSpec& wrench : scene.wrenches) {
    checkBody(scene, "wrench", wrench.body);
    if (!wrench.force.allFinite() || !wrench.torque.allFinite() || std::isnan(wrench.from) || std::isnan(wrench.until))
      throw Error({scene.file, 0, "wrench"}, "contains a number that is not finite");
  }
}

void checkHolds(const Scene& scene) {
  for (const HoldSpec& hold : scene.holds) {
    const int count = static_cast<int>(scene.model.joints().size());
    if (hold.joint < 0 || hold.joint >= count)
      throw Error({scene.file, 0, "controller"}, fmt::format("names joint {}, the model has {}", hold.joint, count));
    const JointSpec& joint = scene.model.joints()[hold.joint].spec;
    if (velocityCount(joint.type) != 1)
      throw Error({scene.file, 0, "controller"},
                  fmt::format("joint \"{}\" has {} freedoms; only joints with one can be held", joint.name,
                              velocityCount(joint.type)));
    if (!std::isfinite(hold.kp) || !std::isfinite(hold.kd) || hold.kp < 0.0 || hold.kd < 0.0 ||
        !std::isfinite(hold.target) || !(hold.effort >= 0.0))
      throw Error({scene.file, 0, "controller"},
                  fmt::format("gains, target or effort of joint \"{}\" are negative or not finite", joint.name),
                  "kp, kd and effort must be at least 0.");
  }
}

void checkMotions(const Scene& scene) {
  std::set<int> bodies;
  for (const MotionSpec& motion : scene.motions) {
    checkBody(scene, "motion", motion.body);
    const BodySpec& body = scene.model.body(motion.body);
    if (!body.kinematic)
      throw Error({scene.file, 0, "motion"}, fmt::format("names body \"{}\", which is not kinematic", body.name),
                  "Set BodySpec::kinematic before the model is built.");
    if (!bodies.insert(motion.body).second)
      throw Error({scene.file, 0, "motion"}, fmt::format("body \"{}\" has two motions", body.name), "Keep one.");
    try {
      checkMotion(motion);
    } catch (const Error& error) {
      throw Error({scene.file, 0, fmt::format("body \"{}\"", body.name)}, error.problem(), error.remedy());
    }
  }
  if (isLeapfrog(findIntegrator(scene.integrator))) return;
  for (int body = 0; body < scene.model.bodyCount(); ++body)
    if (scene.model.body(body).kinematic)
      throw Error({scene.file, 0, "integrator"},
                  fmt::format("\"{}\" cannot carry body \"{}\", which is kinematic", scene.integrator,
                              scene.model.body(body).name),
                  "Use the leapfrog.");
}

/// An Error of a name, with the place in the scene.
template <class F>
void naming(const Scene& scene, const char* element, F&& f) {
  try {
    f();
  } catch (const Error& error) {
    throw Error({scene.file, 0, element}, error.problem(), error.remedy());
  }
}

void checkStops(const Scene& scene) {
  if (scene.impact_stops < 0)
    throw Error({scene.file, 0, "impact_stops"}, fmt::format("is {}", scene.impact_stops),
                "Give 0 or more: impacts that a step stops for.");
  if (scene.impacts != "simultaneous" && scene.impacts != "sequential")
    throw Error({scene.file, 0, "impacts"}, fmt::format("\"{}\" is unknown", scene.impacts),
                "Known: simultaneous, sequential.");
}

void checkStart(const Scene& scene) {
  const Place where{scene.file, 0, "start"};
  if (scene.start == "legendre") return;
  if (scene.start != "first_order")
    throw Error(where, fmt::format("unknown start \"{}\"", scene.start),
                suggestKnown(scene.start, {"legendre", "first_order"}));
  if (scene.stepper != "maximal")
    throw Error(where, fmt::format("\"first_order\" is not for stepper \"{}\"", scene.stepper),
                "Use the stepper \"maximal\", or start = \"legendre\".");
  for (int body = 0; body < scene.model.bodyCount(); ++body)
    if (scene.model.body(body).kinematic)
      throw Error(
          where,
          fmt::format("\"first_order\" cannot carry body \"{}\", which is kinematic", scene.model.body(body).name),
          "Use start = \"legendre\".");
}

void checkLaw(const Scene& scene) {
  naming(scene, "law", [&] { findLaw(scene.law); });
  naming(scene, "solver", [&] { checkSolves(scene.solver, findLaw(scene.law)); });
  if (!isSoundDirections(scene.directions))
    throw Error({scene.file, 0, "directions"}, fmt::format("is {}", scene.directions),
                fmt::format("The polygon of law pyramid has an even number of corners from {} to {}.", kLeastDirections,
                            kMostDirections));
  if (findLaw(scene.law) == Law::kDissipation && !scene.model.loops().empty())
    throw Error({scene.file, 0, "law"}, "dissipation is not defined where loops share a contact's impulse",
                "Use coulomb or pyramid, or take the loops out.");
  const auto isPlain = [](const MaterialPair& pair) {
    return pair.torsion == 0.0 && pair.rolling == 0.0 && pair.anisotropy.ratio == 1.0;
  };
  const std::vector<MaterialPair>& materials = scene.model.materials();
  if (findLaw(scene.law) != Law::kCoulomb && !std::all_of(materials.begin(), materials.end(), isPlain))
    throw Error({scene.file, 0, "law"},
                fmt::format("{} knows no torsion, rolling or anisotropy of materials", scene.law),
                "Use coulomb, or take these out.");
  if (!(scene.accuracy > 0.0) || !std::isfinite(scene.accuracy) || scene.accuracy > 1e-2)
    throw Error({scene.file, 0, "accuracy"}, fmt::format("is {}", scene.accuracy),
                "It is the judge's limit, relative: above 0, at most 0.01. The default is 1e-10.");
}

}  // namespace

void Scene::check() const {
  if (!(dt > 0.0) || !std::isfinite(dt))
    throw Error({file, 0, "dt"}, fmt::format("time step {} s is not positive", dt), "Try 0.001.");
  if (!(time >= 0.0) || !std::isfinite(time))
    throw Error({file, 0, "time"}, fmt::format("duration {} s is negative or not finite", time));
  if (stepper != "minimal" && stepper != "maximal" && stepper != "event")
    throw Error({file, 0, "stepper"}, fmt::format("unknown stepper \"{}\"", stepper),
                suggestKnown(stepper, {"minimal", "maximal", "event"}));
  checkLaw(*this);
  checkStops(*this);
  checkStart(*this);
  if (const std::optional<StepperMisfit> misfit = findMisfit(*this))
    throw Error({file, 0, misfit->key}, misfit->problem, misfit->remedy);
  if (findIntegrator(integrator) != Integrator::kLeapfrog && stepper == "maximal")
    throw Error({file, 0, "integrator"},
                fmt::format("stepper \"maximal\" has an integrator of its own, not \"{}\"", integrator),
                "Leave the integrator away, or use the stepper \"minimal\".");
  checkVector(*this, "q", q, model.nq(), "coordinates of all joints, 7 for a free base");
  checkVector(*this, "v", v, model.nv(), "velocities of all joints, 6 for a free base");
  constexpr double kFarthest = 1e9;              // [m] or [rad]: rounded to 1e-7 there
  constexpr double kSpeedOfLight = 299792458.0;  // [m/s]; in [rad/s] as far beyond mechanics
  checkLargest(*this, false, kFarthest,
               fmt::format("Doubles resolve no contact farther than {:g} m or rad from 0; start nearer.", kFarthest));
  checkLargest(*this, true, kSpeedOfLight, "Nothing moves faster than light; is the unit right?");
  checkQuaternions(*this);
  checkTorques(*this);
  checkWrenches(*this);
  checkHolds(*this);
  MovingTargets{*this};  // throws for controllers that cannot work
  checkMotions(*this);
}

}  // namespace rigor
