#include "simulation/moving_targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "math/random.h"
#include "rigor/state.h"

namespace rigor {
namespace {

[[noreturn]] void fail(const Scene& scene, const std::string& problem, const std::string& remedy) {
  throw Error({scene.file, 0, "controller"}, problem, remedy);
}

/// Which drive each joint has; what has been claimed once is taken.
class DriveFinder {
 public:
  explicit DriveFinder(const Scene& scene) : scene_(scene), drives_(listDrives(scene)), taken_(drives_.size(), false) {}

  const std::vector<HoldSpec>& drives() const { return drives_; }

  std::vector<int> claim(const std::vector<int>& joints) {
    std::vector<int> found;
    for (const int joint : joints) {
      const auto drive =
          std::find_if(drives_.begin(), drives_.end(), [&](const HoldSpec& d) { return d.joint == joint; });
      if (drive == drives_.end())
        fail(scene_, fmt::format("moves {}, which has no drive", nameOf(joint)), "Give the joint gains: kp, kd.");
      found.push_back(static_cast<int>(drive - drives_.begin()));
      claimDrive(found.back());
    }
    return found;
  }

  void claimDrive(int drive) {
    if (taken_[drive])
      fail(scene_,
           fmt::format("moves {}, which another controller or column moves already", nameOf(drives_[drive].joint)),
           "Keep one for each joint.");
    taken_[drive] = true;
  }

 private:
  std::string nameOf(int joint) const {
    const auto& joints = scene_.model.joints();
    const bool known = joint >= 0 && joint < static_cast<int>(joints.size());
    return known ? fmt::format("joint \"{}\"", joints[joint].spec.name) : fmt::format("joint {}", joint);
  }

  const Scene& scene_;
  std::vector<HoldSpec> drives_;
  std::vector<bool> taken_;
};

void checkTable(const Scene& scene, const TargetTable& table) {
  if (table.time.empty() || table.rows.size() != table.time.size())
    fail(scene, fmt::format("has {} rows of targets for {} times", table.rows.size(), table.time.size()),
         "Give one row per time, and at least one.");
  for (std::size_t i = 0; i < table.time.size(); ++i) {
    if (!std::isfinite(table.time[i]) || (i > 0 && !(table.time[i] > table.time[i - 1])))
      fail(scene, fmt::format("time {} s in row {} is not after the time before", table.time[i], i + 1),
           "Sort the rows.");
    if (table.rows[i].size() != static_cast<Eigen::Index>(table.joints.size()) || !table.rows[i].allFinite())
      fail(scene, fmt::format("row {} has not one finite target for each of {} joints", i + 1, table.joints.size()),
           "Write time, then one target per joint.");
  }
  const double span = table.time.back() - table.time.front();
  if (!std::isfinite(table.period) || table.period < 0.0 || (table.period > 0.0 && table.period < span))
    fail(scene, fmt::format("period {} s is shorter than the {} s of the table", table.period, span),
         "Give the time after which the first row comes again, or leave it out.");
}

void checkRandom(const Scene& scene, const RandomTargets& random) {
  if (!(random.every > 0.0) || !std::isfinite(random.every) || !(random.sigma >= 0.0) || !std::isfinite(random.sigma))
    fail(scene, fmt::format("draws every {} s with a standard deviation of {}", random.every, random.sigma),
         "every must be above 0, sigma at least 0.");
}

void checkGait(const Scene& scene, const GaitSpec& gait) {
  if (gait.feet.size() < 2) fail(scene, "is a gait with fewer than two feet", "Name them: [[robot]] feet = [links].");
  for (const int foot : gait.feet)
    if (foot < 0 || foot >= scene.model.bodyCount())
      fail(scene, fmt::format("names body {} as a foot, the model has {}", foot, scene.model.bodyCount()), "");
  const bool sound = std::isfinite(gait.speed) && gait.ramp >= 0.0 && std::isfinite(gait.ramp) && gait.duty > 0.0 &&
                     gait.duty < 1.0 && gait.heading >= 0.0 && std::isfinite(gait.heading) && gait.frequency >= 0.0 &&
                     std::isfinite(gait.frequency) && gait.step_height >= 0.0 && std::isfinite(gait.step_height) &&
                     gait.placement >= 0.0 && std::isfinite(gait.placement);
  if (!sound)
    fail(scene, "is a gait with a number that is not finite or out of its range",
         "duty is between 0 and 1; all but speed are not negative.");
}

/// Linear between rows, on a circle of the period if there is one.
void followTable(const TargetTable& table, const std::vector<int>& drives, double time, Eigen::VectorXd& targets) {
  const double first = table.time.front();
  const double t = table.period > 0.0 ? time - table.period * std::floor((time - first) / table.period) : time;
  const auto after = std::upper_bound(table.time.begin(), table.time.end(), t);
  const std::size_t next = after - table.time.begin(), rows = table.time.size();
  const std::size_t from = next == 0 ? 0 : next - 1, to = next < rows ? next : table.period > 0.0 ? 0 : rows - 1;
  double share = 0.0;
  if (from != to) {
    const double end = next < rows ? table.time[next] : first + table.period;
    share = std::clamp((t - table.time[from]) / (end - table.time[from]), 0.0, 1.0);
  }
  for (std::size_t i = 0; i < drives.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    targets[drives[i]] = table.rows[from][k] + share * (table.rows[to][k] - table.rows[from][k]);
  }
}

}  // namespace

MovingTargets::MovingTargets(const Scene& scene) : rounding_(1e-6 * scene.dt) {
  if (scene.target_tables.empty() && scene.random_targets.empty() && scene.gaits.empty()) return;
  DriveFinder finder(scene);
  for (const TargetTable& table : scene.target_tables) {
    checkTable(scene, table);
    tables_.push_back({table, finder.claim(table.joints)});
  }
  for (const RandomTargets& random : scene.random_targets) {
    checkRandom(scene, random);
    random_.push_back({random, finder.claim(random.joints), {}});
    for (const int drive : random_.back().drives) random_.back().centre.push_back(finder.drives()[drive].target);
  }
  for (const GaitSpec& gait : scene.gaits) {
    checkGait(scene, gait);
    gaits_.emplace_back(scene, gait, finder.drives());
    for (const Leg& leg : gaits_.back().legs())
      for (const LegJoint& joint : leg.joints()) finder.claimDrive(joint.drive);
  }
}

void MovingTargets::update(const State& state, double begin, Eigen::VectorXd& targets) const {
  for (const Table& table : tables_) followTable(table.spec, table.drives, state.time - begin, targets);
  for (const Random& random : random_) {
    const double count = std::clamp(std::floor((state.time + rounding_) / random.spec.every), -0x1p53, 0x1p53);
    const auto draw = static_cast<std::uint64_t>(static_cast<std::int64_t>(count));
    for (std::size_t i = 0; i < random.drives.size(); ++i)
      targets[random.drives[i]] = random.centre[i] + random.spec.sigma * standardNormal(random.spec.seed, draw, i);
  }
  for (const Gait& gait : gaits_) gait.updateTargets(state, state.time - begin, targets);
}

}  // namespace rigor
