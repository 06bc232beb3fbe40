#include "experiments/toss_rollout.h"

#include <algorithm>
#include <numbers>

#include "experiments/toss_start.h"
#include "rigor/rigor.h"

namespace rigor::experiments {
namespace {

constexpr int kMostFlightFrames = 10;

Scene makeTossScene(const CubeModel& cube, const RolloutSettings& settings, double period) {
  ModelBuilder builder("cube toss");
  BodySpec body;
  body.name = "cube";
  body.joint.name = "flight";
  body.joint.type = kFree;
  body.mass.mass = CubeModel::kMass;
  body.mass.inertia = CubeModel::kInertia * Eigen::Matrix3d::Identity();
  ShapeSpec box;
  box.name = "cube";
  box.shape = makeBox(Eigen::Vector3d::Constant(0.5 * cube.edge()));
  box.material = "plastic";
  body.shapes.push_back(box);
  builder.addBody(body);
  ShapeSpec board;
  board.name = "board";
  board.shape = makePlane();
  board.material = "board";
  builder.addWorldShape(board);
  MaterialPair pair;
  pair.material_1 = "plastic";
  pair.material_2 = "board";
  pair.friction = cube.friction;
  pair.restitution = cube.restitution;
  builder.addMaterialPair(pair);
  builder.setGravity({0.0, 0.0, -cube.gravity()});

  Scene scene;
  scene.name = "cube toss";
  scene.model = builder.build();
  scene.q = (Eigen::VectorXd(7) << 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0).finished();
  scene.v = Eigen::VectorXd::Zero(6);
  scene.dt = period / settings.steps_per_frame;
  scene.solver = settings.solver;
  scene.law = settings.law;
  return scene;
}

/// The face that looks up: 0 … 5.
int topFace(const Eigen::Quaterniond& orientation) {
  const Eigen::Vector3d up = orientation.conjugate() * Eigen::Vector3d::UnitZ();
  int axis = 0;
  up.cwiseAbs().maxCoeff(&axis);
  return up[axis] > 0.0 ? axis : axis + 3;
}

Toss simulateOne(const Toss& toss, const CubeModel& cube, const RolloutSettings& settings, Simulator& sim) {
  const TossStart start = settings.first_frame_only
                              ? startFromFirstFrame(toss, cube.gravity())
                              : startFromFlight(toss, cube.edge(), cube.gravity(), kMostFlightFrames);
  const Eigen::Quaterniond& R = start.orientation;
  sim.setState((Eigen::VectorXd(7) << start.position, R.w(), R.x(), R.y(), R.z()).finished(),
               (Eigen::VectorXd(6) << start.velocity, start.angular_velocity).finished());
  Toss simulated = toss;
  simulated.positions = {start.position};
  simulated.orientations = {start.orientation};
  while (simulated.frames() < toss.frames()) {
    for (int i = 0; i < settings.steps_per_frame; ++i)
      if (!sim.step().accepted()) return simulated;
    const Eigen::VectorXd& q = sim.state().q;
    simulated.positions.push_back(q.head<3>());
    simulated.orientations.emplace_back(q[3], q[4], q[5], q[6]);
  }
  return simulated;
}

double medianOf(std::vector<double> values) {
  if (values.empty()) return 0.0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

double meanOf(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return values.empty() ? 0.0 : sum / static_cast<double>(values.size());
}

}  // namespace

bool isSolved(const RolloutSettings& settings) {
  try {
    Simulator{makeTossScene({}, settings, 0.01)};
    return true;
  } catch (const Error&) {
    return false;
  }
}

std::vector<Toss> simulate(const std::vector<Toss>& tosses, const CubeModel& cube, const RolloutSettings& settings) {
  std::vector<Toss> simulated;
  std::unique_ptr<Simulator> sim;
  double period = 0.0;
  SimulatorOptions options;
  options.stop = settings.stop;
  for (const Toss& toss : tosses) {
    if (toss.period != period)
      sim = std::make_unique<Simulator>(makeTossScene(cube, settings, period = toss.period), options);
    sim->wanted() = {};
    simulated.push_back(simulateOne(toss, cube, settings, *sim));
    if (isRaised(settings.stop)) throw Stopped{};
  }
  return simulated;
}

TossError errorOf(const Toss& measured, const Toss& simulated) {
  TossError error;
  error.refused = simulated.frames() < measured.frames();
  if (error.refused) return error;
  const double weight = 1.0 / (measured.frames() - 1);
  for (int k = 1; k < measured.frames(); ++k) {
    const Eigen::Quaterniond apart = simulated.orientations[k].conjugate() * measured.orientations[k];
    error.position += weight * (simulated.positions[k] - measured.positions[k]).norm() / CubeModel::kWidth;
    error.rotation += weight * rotationVector(apart).norm() * 180.0 / std::numbers::pi;
  }
  error.right_face = topFace(simulated.orientations.back()) == topFace(measured.orientations.back());
  return error;
}

std::vector<TossError> rollOut(const std::vector<Toss>& tosses, const CubeModel& cube,
                               const RolloutSettings& settings) {
  const std::vector<Toss> simulated = simulate(tosses, cube, settings);
  std::vector<TossError> errors;
  for (std::size_t i = 0; i < tosses.size(); ++i) errors.push_back(errorOf(tosses[i], simulated[i]));
  return errors;
}

TossScore scoreOf(const std::vector<TossError>& errors) {
  TossScore score;
  std::vector<double> positions, rotations;
  for (const TossError& error : errors) {
    score.refused += error.refused;
    if (error.refused) continue;
    positions.push_back(error.position);
    rotations.push_back(error.rotation);
    score.right_faces += error.right_face ? 1.0 / static_cast<double>(errors.size()) : 0.0;
  }
  score.position_mean = meanOf(positions);
  score.position_median = medianOf(positions);
  score.rotation_mean = meanOf(rotations);
  score.rotation_median = medianOf(rotations);
  return score;
}

}  // namespace rigor::experiments
