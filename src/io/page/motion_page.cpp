// A page that plays a motion: a recording of steps in which nothing touched.
#include "rigor/algorithms.h"
#include "rigor/motion.h"
#include "rigor/recording.h"

namespace rigor {
namespace {

void addNode(const Model& model, Data& data, double time, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
             Recording& recording) {
  recording.time.push_back(time);
  recording.q.insert(recording.q.end(), q.begin(), q.end());
  recording.v.insert(recording.v.end(), v.begin(), v.end());
  recording.energy.insert(recording.energy.end(),
                          {computeKineticEnergy(model, data, q, v), computePotentialEnergy(model, data, q)});
  Vector6d momentum = computeCentroidalMomentum(model, data, q, v);
  const Eigen::Vector3d linear = momentum.head<3>();
  momentum.tail<3>() += centerOfMass(model, data, q).cross(linear);
  recording.momentum.insert(recording.momentum.end(), momentum.begin(), momentum.end());
}

}  // namespace

void savePage(const std::string& file, const Scene& scene, const MotionTable& motion) {
  checkMotion(scene.model, motion);
  Recording recording = makeRecording(scene);
  Data data(scene.model);
  const std::size_t n = motion.time.size() - 1, nv = recording.nv;
  for (std::size_t row = 0; row <= n; ++row)
    addNode(scene.model, data, motion.time[row], motion.q[row], motion.v[row], recording);
  recording.tau.assign(n * nv, 0.0);
  recording.input_tau = recording.tau;
  recording.ctrl.assign(n * recording.nu, 0.0);
  recording.residual.assign(3 * n, 0.0);
  recording.penetration.assign(n, 0.0);
  recording.iterations.assign(n, 0);
  recording.passes.assign(n, 0);
  recording.fresh.assign(n, 0);
  recording.wrench_start.assign(n + 1, 0);
  recording.contact_start.assign(n + 1, 0);
  recording.row_start.assign(n + 1, 0);
  for (std::size_t step = 0; step < n; ++step) {
    recording.substep_start.push_back(static_cast<std::int64_t>(step) + 1);
    recording.substep_h.push_back(motion.time[step + 1] - motion.time[step]);
  }
  savePage(file, scene, recording);
}

}  // namespace rigor
