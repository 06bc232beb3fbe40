// rigor's side: its public functions, checks of the arguments included.
#include <malloc.h>

#include <Eigen/Geometry>
#include <memory>

#include "peer_case.h"
#include "rigor/rigor.h"

namespace rigor::peers {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

double heapBytes() {
  const auto info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

Eigen::Vector3d toVector(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }

Model buildModel(const std::vector<PlainBody>& bodies) {
  ModelBuilder builder("peer");
  for (const PlainBody& plain : bodies) {
    const std::string number = std::to_string(&plain - bodies.data());
    BodySpec body;
    body.name = "body" + number;
    body.parent = plain.parent;
    body.joint.name = "joint" + number;
    body.joint.type = plain.joint == PlainJoint::kFree ? kFree : plain.joint == PlainJoint::kHinge ? kHinge : kFixed;
    body.joint.axis = toVector(plain.axis);
    body.joint.armature = plain.armature;
    const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> R(plain.R_PJ.data());
    body.joint.X_PJ = {toVector(plain.p_PJ), Eigen::Quaterniond(Eigen::Matrix3d(R))};
    const std::array<double, 6>& I = plain.inertia;
    body.mass = {plain.mass, toVector(plain.com), MatrixXd::Zero(3, 3)};
    body.mass.inertia << I[0], I[1], I[3], I[1], I[2], I[4], I[3], I[4], I[5];
    builder.addBody(body);
  }
  return builder.build();
}

std::vector<ContactFrame> contactFrames(const PeerCase& given, int count) {
  std::vector<ContactFrame> frames(count);
  for (int k = 0; k < count; ++k) {
    frames[k].body = given.contacts[k].body;
    frames[k].point = toVector(given.contacts[k].point);
  }
  return frames;
}

struct Robot {
  explicit Robot(const PeerCase& given) : model(buildModel(given.bodies)), data(model), skip(given.base_freedoms) {
    const auto toEigen = [](const std::vector<double>& x) { return VectorXd(VectorXd::Map(x.data(), x.size())); };
    for (const PlainState& state : given.states) {
      q.push_back(toEigen(state.q));
      v.push_back(toEigen(state.v));
      tau.push_back(toEigen(state.tau));
      a.push_back(toEigen(state.a));
    }
  }

  Model model;
  Data data;
  std::vector<VectorXd> q, v, tau, a;
  int skip;
  const VectorXd* vector = nullptr;  ///< last answer
  const MatrixXd* matrix = nullptr;
};

std::vector<double> jointsOfVector(const Robot& robot) {
  return {robot.vector->data() + robot.skip, robot.vector->data() + robot.vector->size()};
}

std::vector<double> jointsOfMatrix(const Robot& robot) {
  const Eigen::Index n = robot.matrix->rows() - robot.skip;
  const MatrixXd block = robot.matrix->bottomRightCorner(n, n);
  return {block.data(), block.data() + block.size()};
}

}  // namespace

Side makeRigorSide(const PeerCase& given) {
  Side side;
  {
    const double before = heapBytes();
    const Model model = buildModel(given.bodies);
    const Data data(model);
    side.data_bytes = heapBytes() - before;
  }
  auto r = std::make_shared<Robot>(given);
  const auto vectorAnswer = [r] { return jointsOfVector(*r); };
  const auto matrixAnswer = [r] { return jointsOfMatrix(*r); };
  side.algorithms = {
      {"aba", [r](int i) { r->vector = &aba(r->model, r->data, r->q[i], r->v[i], r->tau[i]); }, vectorAnswer},
      {"rnea", [r](int i) { r->vector = &rnea(r->model, r->data, r->q[i], r->v[i], r->a[i]); }, vectorAnswer},
      {"crba", [r](int i) { r->matrix = &crba(r->model, r->data, r->q[i]); }, matrixAnswer},
      {"minverse", [r](int i) { r->matrix = &computeMinverse(r->model, r->data, r->q[i]); }, matrixAnswer},
      {"rnea derivatives",
       [r](int i) { r->matrix = &computeRNEADerivatives(r->model, r->data, r->q[i], r->v[i], r->a[i]).dtau_dq; },
       matrixAnswer},
      {"aba derivatives",
       [r](int i) { r->matrix = &computeABADerivatives(r->model, r->data, r->q[i], r->v[i], r->tau[i]).da_dq; },
       matrixAnswer},
  };
  for (const int count : {4, 8})
    side.algorithms.push_back(
        {"delassus " + std::to_string(count),
         [r, frames = contactFrames(given, count)](int i) {
           r->matrix = &computeDelassus(r->model, r->data, r->q[i], frames);
         },
         [r] { return std::vector<double>(r->matrix->data(), r->matrix->data() + r->matrix->size()); }});
  return side;
}

}  // namespace rigor::peers
