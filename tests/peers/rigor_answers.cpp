#include "peers/rigor_answers.h"

#include "rigor/algorithms.h"

namespace rigor {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Entries row by row.
Eigen::VectorXd flatten(const RowMajor& matrix) {
  return Eigen::Map<const Eigen::VectorXd>(matrix.data(), matrix.size());
}

Eigen::VectorXd lowerTriangle(const Eigen::MatrixXd& M) {
  const Eigen::Index n = M.rows();
  Eigen::VectorXd rows(n * (n + 1) / 2);
  for (Eigen::Index i = 0, at = 0; i < n; at += ++i) rows.segment(at, i + 1) = M.row(i).head(i + 1).transpose();
  return rows;
}

void addKinematics(const Model& model, const PeerCase& question, Data& data, Answers& answers) {
  const std::vector<Eigen::Isometry3d>& poses = forwardKinematics(model, data, question.q);
  Eigen::VectorXd flat(12 * poses.size());
  for (std::size_t body = 0; body < poses.size(); ++body)
    flat.segment<12>(12 * body) << poses[body].translation(), flatten(poses[body].linear());
  answers["poses"] = flat;

  const int size = 6 * question.nv;
  Eigen::VectorXd jacobians(2 * size), rates(12);
  const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(question.nv);
  for (int i = 0; i < 2; ++i) {
    const int body = question.watched[i];
    jacobians.segment(i * size, size) = flatten(getFrameJacobian(model, data, question.q, body));
    rates.segment<6>(6 * i) = frameAcceleration(model, data, question.q, question.v, at_rest, body);
  }
  answers["jacobians"] = jacobians;
  answers["jacobian_rates"] = rates;
}

void addMomentum(const Model& model, const PeerCase& question, Data& data, Answers& answers) {
  const Eigen::Vector3d com = centerOfMass(model, data, question.q);
  const Vector6d momentum = computeCentroidalMomentum(model, data, question.q, question.v);
  const Eigen::Vector3d linear = momentum.head<3>();
  answers["com"] = com;
  answers["linear_momentum"] = linear;
  answers["angular_momentum"] = momentum.tail<3>() + com.cross(linear);
}

}  // namespace

Answers askRigor(const Model& model, const PeerCase& question) {
  Data data(model);
  const Eigen::VectorXd &q = question.q, &v = question.v;
  Answers answers;
  answers["M"] = lowerTriangle(crba(model, data, q));
  answers["bias"] = nonLinearEffects(model, data, q, v);
  answers["gravity"] = computeGeneralizedGravity(model, data, q);
  answers["acceleration"] = aba(model, data, q, v, question.tau);
  answers["kinetic"] = Eigen::VectorXd::Constant(1, computeKineticEnergy(model, data, q, v));
  answers["potential"] = Eigen::VectorXd::Constant(1, computePotentialEnergy(model, data, q));
  addKinematics(model, question, data, answers);
  addMomentum(model, question, data, answers);
  return answers;
}

}  // namespace rigor
