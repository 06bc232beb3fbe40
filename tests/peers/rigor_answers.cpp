#include "peers/rigor_answers.h"

#include "dynamics/samples.h"

namespace rigor {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Entries row by row.
VectorXd flatten(const RowMajor& matrix) { return Eigen::Map<const VectorXd>(matrix.data(), matrix.size()); }

VectorXd single(double number) { return VectorXd::Constant(1, number); }

VectorXd lowerTriangle(const Eigen::MatrixXd& M) {
  const Eigen::Index n = M.rows();
  VectorXd rows(n * (n + 1) / 2);
  for (Eigen::Index i = 0, at = 0; i < n; at += ++i) rows.segment(at, i + 1) = M.row(i).head(i + 1).transpose();
  return rows;
}

/// Origin of a body relative to O of its tree.
Vec3<double> originOf(const TreeAtPose& tree, const BodyPlacement& place) {
  return tree.kinematics.X_OL[place.link] * place.X_LB.p;
}

/// 6 × nv, linear first, of the body's origin.
RowMajor jacobian(const TreeAtPose& tree, int body) {
  const Topology& topology = tree.topology;
  const BodyPlacement& place = tree.model.placements()[body];
  RowMajor J = RowMajor::Zero(6, topology.nv);
  if (place.link == kWorld) return J;
  const Vec3<double> p = originOf(tree, place), o{};
  const Vec3<double> axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  std::vector<double> row(topology.chain_length[place.link]);
  for (int r = 0; r < 6; ++r) {
    const Force<double> F = r < 3 ? forceAt(p, axes[r], o) : forceAt(p, o, axes[r - 3]);
    jacobianRow(topology, tree.kinematics.S.data(), place.link, F, row.data());
    const int* chain = topology.chain.data() + topology.chain_start[place.link];
    for (std::size_t k = 0; k < row.size(); ++k) J(r, chain[k]) = row[k];
  }
  return J;
}

/// J̇v: acceleration of the body's origin and angular acceleration while v does not change.
VectorXd jacobianRate(const TreeAtPose& tree, const RneaScratch<double>& without_acceleration, int body) {
  const BodyPlacement& place = tree.model.placements()[body];
  if (place.link == kWorld) return VectorXd::Zero(6);
  const Vec3<double> p = originOf(tree, place);
  const Motion<double>&V = without_acceleration.V[place.link], &A = without_acceleration.A[place.link];
  const Vec3<double> linear =
      A.linear + tree.parameters.gravity + cross(A.angular, p) + cross(V.angular, V.linear + cross(V.angular, p));
  return (VectorXd(6) << toEigen(linear), toEigen(A.angular)).finished();
}

void addKinematics(const TreeAtPose& tree, const PeerCase& question, Answers& answers) {
  const std::vector<Pose> poses = bodyPoses(tree.model, question.q);
  VectorXd flat(12 * poses.size());
  for (std::size_t body = 0; body < poses.size(); ++body)
    flat.segment<12>(12 * body) << poses[body].position, flatten(poses[body].rotation.toRotationMatrix());
  answers["poses"] = flat;

  RneaScratch<double> scratch;
  scratch.resize(tree.topology);
  VectorXd bias(question.nv);
  rnea(tree.topology, tree.parameters, tree.kinematics, tree.inertias, question.v.data(), nullptr, nullptr, scratch,
       bias.data());
  answers["bias"] = bias;
  const int size = 6 * question.nv;
  VectorXd jacobians(2 * size), rates(12);
  for (int i = 0; i < 2; ++i) {
    jacobians.segment(i * size, size) = flatten(jacobian(tree, question.watched[i]));
    rates.segment(6 * i, 6) = jacobianRate(tree, scratch, question.watched[i]);
  }
  answers["jacobians"] = jacobians;
  answers["jacobian_rates"] = rates;
}

void addMomentum(const TreeAtPose& tree, const PeerCase& question, Answers& answers) {
  const EnergyMomentum<double> sums = tree.energy(question.v);
  answers["kinetic"] = single(sums.kinetic);
  answers["potential"] = single(sums.potential);
  answers["linear_momentum"] = toEigen(sums.linear);
  answers["angular_momentum"] = toEigen(sums.angular);
  Vec3<double> moment;
  double mass = 0.0;
  for (int link = 0; link < tree.topology.links; ++link) {
    const Inertia<double>& I = tree.inertias[link];
    moment += I.mass * tree.kinematics.origin[tree.topology.tree[link]] + I.moment;
    mass += I.mass;
  }
  answers["com"] = toEigen((1.0 / mass) * moment);
}

}  // namespace

Answers askRigor(const Model& model, const PeerCase& question) {
  const TreeAtPose tree(model, question.q);
  const VectorXd zero = VectorXd::Zero(question.nv);
  Answers answers;
  answers["M"] = lowerTriangle(massMatrix(model, question.q));
  answers["gravity"] = tree.inverseDynamics(zero, zero);
  answers["acceleration"] = tree.forwardDynamics(question.v, question.tau);
  addKinematics(tree, question, answers);
  addMomentum(tree, question, answers);
  return answers;
}

}  // namespace rigor
