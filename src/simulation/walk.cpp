// Walks: the base, the timing, and how low the base must be (rigor/walk.h).
#include "rigor/walk.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "simulation/feet.h"
#include "simulation/walking_leg.h"

namespace rigor {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

/// Half a cycle apart: neighbours of the pairs in a row and in a column.
bool startsLater(std::size_t foot) { return (foot / 2 + foot % 2) % 2 != 0; }

/// Joints between the world and a body.
std::vector<int> jointsTo(const Model& model, int body) {
  std::vector<int> joints;
  for (int i = 0; i < static_cast<int>(model.joints().size()); ++i) {
    int at = body;
    while (at != kWorld && at != model.joints()[i].body) at = model.body(at).parent;
    if (at != kWorld) joints.push_back(i);
  }
  return joints;
}

bool has(const std::vector<int>& list, int entry) { return std::find(list.begin(), list.end(), entry) != list.end(); }

class WalkPlanner {
 public:
  WalkPlanner(const Model& model, const VectorXd& stance, const WalkSpec& spec);
  Walk plan();

 private:
  void findBase(const VectorXd& stance);
  void findLegs(const VectorXd& stance);
  VectorXd baseRates(const Vector3d& velocity, const char* where);
  void stand(double height);
  bool canWalk(double speed, double height, int rows);
  bool findHeight(double speed);
  [[noreturn]] void refuse();
  void fillRows(Walk& walk) const;
  void measure(Walk& walk) const;
  Error error(const std::string& problem, const std::string& remedy) const {
    return Error({model_.body(0).where.file, 0, "gait"}, problem, remedy);
  }

  const Model& model_;
  WalkSpec spec_;
  WalkCycle cycle_;
  std::vector<WalkingLeg> legs_;
  std::vector<int> base_joints_;
  int base_ = 0;                  ///< body that carries all legs
  VectorXd stance_, ahead_, up_;  ///< [nq]; [nv] rates that move the base forward and up by 1 m/s
  double height_ = 0.0, tallest_ = 0.0;
};

WalkPlanner::WalkPlanner(const Model& model, const VectorXd& stance, const WalkSpec& spec)
    : model_(model), spec_(spec), stance_(stance) {
  checkState(model, stance);
  const auto positive = [](double x) { return std::isfinite(x) && x > 0.0; };
  if (!std::isfinite(spec.speed) || !positive(spec.dt) || !positive(spec.time) || !std::isfinite(spec.ground) ||
      !(spec.period >= 0.0 && spec.step_height >= 0.0) || !std::isfinite(spec.period + spec.step_height))
    throw error("a number of the walk is not finite, or one that must be positive is not",
                "Speed in m/s, times in s, heights in m.");
  if (!(spec.duty >= 0.5 && spec.duty < 1.0))
    throw error(fmt::format("a foot stands for {:g} of the time", spec.duty),
                "Give a duty from 0.5 on and below 1: with less the robot would fly.");
  if (spec.time / spec.dt > 1e7) throw error("more than ten million rows", "Give a shorter time or a longer dt.");
  findBase(stance);
  findLegs(stance);
}

void WalkPlanner::findBase(const VectorXd& stance) {
  for (const int foot : spec_.feet)
    if (foot < 0 || foot >= model_.bodyCount()) throw error("names a foot that there is not", "Use Model::findBody.");
  if (spec_.feet.size() < 2)
    throw error(fmt::format("{} feet to walk on", spec_.feet.size()),
                "Name two at least, in pairs, left and right, from the front to the back.");
  base_joints_ = jointsTo(model_, spec_.feet[0]);
  for (const int foot : spec_.feet) {
    const std::vector<int> joints = jointsTo(model_, foot);
    std::erase_if(base_joints_, [&](int joint) { return !has(joints, joint); });
  }
  if (base_joints_.empty())
    throw error("the robot cannot move: its feet have no joint in common", "Give it a free base: --base free.");
  base_ = model_.joints()[base_joints_.back()].body;
  Data data(model_);
  const Eigen::Isometry3d X = framePlacement(model_, data, stance, base_);
  const Vector3d front = X.linear().col(0);
  if (!(front.head<2>().norm() > 0.1)) throw error("the base looks straight up or down", "Start the robot upright.");
  cycle_.forward = Vector3d(front.x(), front.y(), 0.0).normalized();
  ahead_ = baseRates(cycle_.forward, "forward");
  up_ = baseRates(Vector3d::UnitZ(), "up and down");
  tallest_ = X.translation().z();
}

/// Throws unless the base can move so without turning.
VectorXd WalkPlanner::baseRates(const Vector3d& velocity, const char* where) {
  Data data(model_);
  const Matrix6Xd& J = getFrameJacobian(model_, data, stance_, base_);
  std::vector<int> dofs;
  for (const int joint : base_joints_)
    for (int k = 0; k < velocityCount(model_.joints()[joint].spec.type); ++k)
      dofs.push_back(model_.joints()[joint].v_index + k);
  Eigen::MatrixXd columns(6, dofs.size());
  for (std::size_t k = 0; k < dofs.size(); ++k) columns.col(k) = J.col(dofs[k]);
  Vector6d wanted = Vector6d::Zero();
  wanted.head<3>() = velocity;
  const VectorXd found = columns.completeOrthogonalDecomposition().solve(wanted);
  if (!((columns * found - wanted).norm() < 1e-9))
    throw error(fmt::format("the base \"{}\" cannot move {}", printable(model_.body(base_).name), where),
                "A walking base has a free joint, or slides forward and up; for a URDF robot say --base free.");
  VectorXd v = VectorXd::Zero(model_.nv());
  for (std::size_t k = 0; k < dofs.size(); ++k) v[dofs[k]] = found[k];
  return v;
}

void WalkPlanner::findLegs(const VectorXd& stance) {
  std::vector<int> used;
  double lowest = 0.0;
  Data data(model_);
  for (const int body : spec_.feet) {
    const WalkingFoot foot = findWalkingFoot(model_, stance, body);
    std::vector<int> dofs, held;
    const std::vector<int> chain = jointsTo(model_, body);
    for (int i = 0; i < static_cast<int>(model_.joints().size()); ++i) {
      if (!has(chain, i) || has(base_joints_, i)) {
        held.push_back(i);
        continue;
      }
      if (has(used, i))
        throw error(fmt::format("two feet hang on joint \"{}\"", printable(model_.joints()[i].spec.name)),
                    "Legs that share a joint cannot step apart: name other feet.");
      used.push_back(i);
      for (int k = 0; k < velocityCount(model_.joints()[i].spec.type); ++k)
        dofs.push_back(model_.joints()[i].v_index + k);
    }
    const Vector3d p = framePlacement(model_, data, stance, body) * foot.X_BF.position;
    lowest += (p.z() - foot.radius) / static_cast<double>(spec_.feet.size());
    legs_.emplace_back(model_, foot, std::move(dofs), std::move(held));
  }
  tallest_ -= lowest;  // height of the base where the legs are as in the stance
  if (!(tallest_ > 0.0)) throw error("the feet are not below the base", "Start the robot upright.");
}

/// The base at a height above the ground, in the stance.
void WalkPlanner::stand(double height) {
  Data data(model_);
  const double now = framePlacement(model_, data, stance_, base_).translation().z();
  cycle_.pose = integrate(model_, stance_, (spec_.ground + height - now) * up_);
  cycle_.centre = framePlacement(model_, data, cycle_.pose, base_).translation();
  cycle_.ground = spec_.ground;
  height_ = height;
}

bool WalkPlanner::canWalk(double speed, double height, int rows) {
  stand(height);
  const double l = tallest_, g = std::max(model_.gravity().norm(), 1.0);
  const double period = spec_.period > 0.0 ? spec_.period : 2.0 * std::sqrt(l / g);
  cycle_.speed = speed;
  cycle_.lift = spec_.step_height > 0.0 ? spec_.step_height : 0.1 * l;
  // an even number of rows, so that half of them is one too
  cycle_.rows = rows > 0 ? rows : 2 * std::max(2, static_cast<int>(std::lround(0.5 * period / spec_.dt)));
  cycle_.dt = rows > 0 ? period / rows : spec_.dt;
  cycle_.standing =
      std::clamp(static_cast<int>(std::lround(spec_.duty * cycle_.rows)), cycle_.rows / 2, cycle_.rows - 1);
  for (WalkingLeg& leg : legs_)
    if (!leg.plan(cycle_)) return false;
  return true;
}

constexpr int kRoughRows = 64;  // of a cycle that is only tried

/// As high as the stance, else lower by steps of 3 %; false if no height will do. A few rows tell most of what cannot be done.
bool WalkPlanner::findHeight(double speed) {
  for (double share = 1.0; share > 0.6; share -= 0.03)
    if (canWalk(speed, share * tallest_, kRoughRows) && canWalk(speed, share * tallest_, 0)) return true;
  return false;
}

void WalkPlanner::refuse() {
  std::string trouble;
  for (const WalkingLeg& leg : legs_)
    if (!leg.trouble().empty()) trouble = leg.trouble();
  if (!findHeight(0.0))
    throw error(fmt::format("the legs cannot step in place ({})", trouble),
                "Start with bent legs, or step lower: --step-height.");
  double able = 0.0, unable = spec_.speed;
  for (int halving = 0; halving < 12; ++halving) {
    const double middle = 0.5 * (able + unable);
    (findHeight(middle) ? able : unable) = middle;
  }
  throw error(fmt::format("{:g} m/s is too fast for the legs ({}); the largest speed that they reach is {:.3f} m/s",
                          spec_.speed, trouble, std::trunc(able * 1e3) * 1e-3),
              "Walk more slowly, or with a shorter --period.");
}

/// Every foot repeats its cycle; the base goes on.
void WalkPlanner::fillRows(Walk& walk) const {
  const int last = static_cast<int>(std::lround(spec_.time / spec_.dt));
  for (int row = 0; row <= last; ++row) {
    const double t = row * spec_.dt;
    VectorXd q = integrate(model_, cycle_.pose, (t * spec_.speed) * ahead_), v = spec_.speed * ahead_;
    for (std::size_t k = 0; k < legs_.size(); ++k) {
      const int phase = (row + (startsLater(k) ? cycle_.rows / 2 : 0)) % cycle_.rows;
      const VectorXd &leg_q = legs_[k].q(phase), &leg_v = legs_[k].v(phase);
      for (const ModelJoint& joint : model_.joints()) {
        if (!has(legs_[k].dofs(), joint.v_index)) continue;
        q.segment(joint.q_index, positionCount(joint.spec.type)) =
            leg_q.segment(joint.q_index, positionCount(joint.spec.type));
        v.segment(joint.v_index, velocityCount(joint.spec.type)) =
            leg_v.segment(joint.v_index, velocityCount(joint.spec.type));
      }
    }
    walk.motion.time.push_back(t);
    walk.motion.q.push_back(std::move(q));
    walk.motion.v.push_back(std::move(v));
  }
}

/// What the feet do, seen from the world, row by row.
void WalkPlanner::measure(Walk& walk) const {
  Data data(model_);
  std::vector<Eigen::Isometry3d> before;
  std::vector<Vector3d> slid(legs_.size(), Vector3d::Zero());
  for (std::size_t row = 0; row < walk.motion.q.size(); ++row) {
    const auto& X = forwardKinematics(model_, data, walk.motion.q[row]);
    for (std::size_t k = 0; k < legs_.size(); ++k) {
      const WalkingFoot& foot = legs_[k].foot();
      const int phase = (static_cast<int>(row) + (startsLater(k) ? cycle_.rows / 2 : 0)) % cycle_.rows;
      const double above = (X[foot.body] * foot.X_BF.position).z() - foot.radius - cycle_.ground;
      walk.depth = std::max(walk.depth, phase <= cycle_.standing ? std::abs(above) : -above);
      if (phase == 0 || phase > cycle_.standing || before.empty()) {
        slid[k].setZero();
        continue;
      }
      const Eigen::Isometry3d& X0 = before[foot.body];
      const Eigen::AngleAxisd turn(Eigen::Matrix3d(X[foot.body].linear() * X0.linear().transpose()));
      slid[k] += X[foot.body] * foot.X_BF.position - X0 * foot.X_BF.position -
                 foot.radius * turn.angle() * turn.axis().cross(Vector3d::UnitZ());
      walk.slip = std::max(walk.slip, slid[k].norm());
    }
    before = X;
  }
  for (const ModelJoint& joint : model_.joints()) {
    if (!std::isfinite(joint.spec.speed) || !(joint.spec.speed > 0.0)) continue;
    for (const VectorXd& v : walk.motion.v)
      if (const double share = std::abs(v[joint.v_index]) / joint.spec.speed; share > walk.joint_speed)
        walk.joint_speed = share, walk.fastest = joint.spec.name;
  }
}

Walk WalkPlanner::plan() {
  if (!findHeight(spec_.speed)) refuse();
  Walk walk;
  walk.period = cycle_.rows * spec_.dt;
  walk.duty = static_cast<double>(cycle_.standing) / cycle_.rows;
  walk.step_height = cycle_.lift;
  walk.height = height_;
  walk.stride = std::abs(spec_.speed) * walk.period;
  fillRows(walk);
  checkMotion(model_, walk.motion);
  measure(walk);
  return walk;
}

}  // namespace

Walk planWalk(const Model& model, const VectorXd& stance, const WalkSpec& spec) {
  return WalkPlanner(model, stance, spec).plan();
}

std::vector<int> findWalkingFeet(const Model& model, const VectorXd& stance) {
  constexpr double kNearGround = 0.1;  // of the height of the robot, as findFeet has it
  Data data(model);
  const std::vector<Eigen::Isometry3d> X = forwardKinematics(model, data, stance);
  std::vector<int> feet;
  for (const Foot& foot : findFeet(model, stance)) feet.push_back(foot.body);
  if (feet.empty()) {  // its base is not free: it may slide
    double lowest = INFINITY, highest = -INFINITY;
    for (const Eigen::Isometry3d& at : X)
      lowest = std::min(lowest, at.translation().z()), highest = std::max(highest, at.translation().z());
    for (const ModelShape& shape : model.shapes())
      if (shape.body != kWorld && X[shape.body].translation().z() <= lowest + kNearGround * (highest - lowest) &&
          !has(feet, shape.body))
        feet.push_back(shape.body);
  }
  if (feet.size() < 2) return feet;
  int base = feet[0];
  while (model.body(base).parent != kWorld) base = model.body(base).parent;
  const auto placeOf = [&](int body) -> Vector3d { return X[base].inverse() * X[body].translation(); };
  // front to back in pairs, the left one first
  std::sort(feet.begin(), feet.end(), [&](int a, int b) { return placeOf(a).x() > placeOf(b).x(); });
  for (std::size_t k = 0; k + 1 < feet.size(); k += 2)
    if (placeOf(feet[k]).y() < placeOf(feet[k + 1]).y()) std::swap(feet[k], feet[k + 1]);
  return feet;
}

}  // namespace rigor
