// Pinocchio's side: the same model built by its own functions, joints of the types its URDF reader would choose.
#include <malloc.h>

#include <memory>
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/delassus.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include "peer_case.h"

namespace rigor::peers {
namespace {

namespace pin = pinocchio;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

double heapBytes() {
  const auto info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

Vector3d toVector(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }

pin::JointModel makeJoint(const PlainBody& body) {
  if (body.joint == PlainJoint::kFree) return pin::JointModelFreeFlyer();
  const Vector3d axis = toVector(body.axis).normalized();
  if (axis == Vector3d::UnitX()) return pin::JointModelRX();
  if (axis == Vector3d::UnitY()) return pin::JointModelRY();
  if (axis == Vector3d::UnitZ()) return pin::JointModelRZ();
  return pin::JointModelRevoluteUnaligned(axis);
}

struct Robot {
  pin::Model model;
  std::unique_ptr<pin::Data> data;
  std::vector<VectorXd> q, v, tau, a;
  std::vector<pin::RigidConstraintModel> contacts;
  std::vector<pin::RigidConstraintData> contact_data;
  MatrixXd delassus, dq, dv, da;
  int skip = 0;  ///< freedoms of the base
};

/// Fixed bodies are merged into the joint above, as Pinocchio's URDF reader does.
void buildModel(const PeerCase& given, Robot& robot, std::vector<pin::JointIndex>& joint_of,
                std::vector<pin::SE3>& place_of) {
  for (const PlainBody& body : given.bodies) {
    const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> R(body.R_PJ.data());
    const pin::SE3 X_PJ(Matrix3d(R), toVector(body.p_PJ));
    pin::JointIndex joint = body.parent < 0 ? 0 : joint_of[body.parent];
    pin::SE3 place = (body.parent < 0 ? pin::SE3::Identity() : place_of[body.parent]) * X_PJ;
    if (body.joint != PlainJoint::kFixed) {
      joint = robot.model.addJoint(joint, makeJoint(body), place, "j" + std::to_string(joint_of.size()));
      place = pin::SE3::Identity();
      const int first = robot.model.joints[joint].idx_v();
      robot.model.armature.segment(first, robot.model.joints[joint].nv()).setConstant(body.armature);
    }
    const std::array<double, 6>& I = body.inertia;
    const pin::Symmetric3 rotational(I[0], I[1], I[2], I[3], I[4], I[5]);
    robot.model.appendBodyToJoint(joint, pin::Inertia(body.mass, toVector(body.com), rotational), place);
    joint_of.push_back(joint);
    place_of.push_back(place);
  }
}

/// Quaternion x, y, z, w; base velocity, acceleration and force in body axes.
void addState(const PlainState& state, Robot& robot) {
  VectorXd q = VectorXd::Map(state.q.data(), state.q.size()), v = VectorXd::Map(state.v.data(), state.v.size());
  VectorXd tau = VectorXd::Map(state.tau.data(), state.tau.size()), a = VectorXd::Map(state.a.data(), state.a.size());
  if (robot.skip) {
    const Eigen::Quaterniond quat(q[3], q[4], q[5], q[6]);
    q.segment<4>(3) << quat.x(), quat.y(), quat.z(), quat.w();
    const Matrix3d R = quat.toRotationMatrix();
    v.head<3>() = (R.transpose() * v.head<3>()).eval();
    tau.head<3>() = (R.transpose() * tau.head<3>()).eval();
    const Vector3d omega = v.segment<3>(3), speed = v.head<3>();
    a.head<3>() = (R.transpose() * a.head<3>()).eval() - omega.cross(speed);
  }
  robot.q.push_back(q);
  robot.v.push_back(v);
  robot.tau.push_back(tau);
  robot.a.push_back(a);
}

std::vector<double> joints(const VectorXd& x, int skip) { return {x.data() + skip, x.data() + x.size()}; }

std::vector<double> joints(const MatrixXd& A, int skip) {
  const Eigen::Index n = A.rows() - skip;
  const MatrixXd block = A.bottomRightCorner(n, n);
  return {block.data(), block.data() + block.size()};
}

/// Upper triangle is the computed one.
MatrixXd mirrored(const MatrixXd& A) { return A.selfadjointView<Eigen::Upper>(); }

void addContacts(const PeerCase& given, const std::vector<pin::JointIndex>& joint_of,
                 const std::vector<pin::SE3>& place_of, int count, Robot& robot) {
  for (int k = 0; k < count; ++k) {
    const PlainContact& contact = given.contacts[k];
    const pin::SE3 place = place_of[contact.body] * pin::SE3(Matrix3d::Identity(), toVector(contact.point));
    robot.contacts.emplace_back(pin::CONTACT_3D, robot.model, joint_of[contact.body], place, pin::LOCAL);
    robot.contact_data.emplace_back(robot.contacts.back());
  }
  robot.delassus = MatrixXd::Zero(3 * count, 3 * count);
  pin::initPvDelassus(robot.model, *robot.data, robot.contacts);
}

/// W in world axes: rows of contact i are in the axes of its frame.
std::vector<double> worldDelassus(const Robot& robot) {
  const int rows = static_cast<int>(robot.delassus.rows());
  MatrixXd R = MatrixXd::Zero(rows, rows);
  for (int k = 0; k < rows / 3; ++k) R.block<3, 3>(3 * k, 3 * k) = robot.contact_data[k].oMc1.rotation();
  const MatrixXd W = R * mirrored(robot.delassus) * R.transpose();
  return {W.data(), W.data() + W.size()};
}

Algorithm delassus(const PeerCase& given, int count) {
  auto r = std::make_shared<Robot>();
  std::vector<pin::JointIndex> joint_of;
  std::vector<pin::SE3> place_of;
  buildModel(given, *r, joint_of, place_of);
  r->data = std::make_unique<pin::Data>(r->model);
  r->skip = given.base_freedoms;
  for (const PlainState& state : given.states) addState(state, *r);
  addContacts(given, joint_of, place_of, count, *r);
  return {"delassus " + std::to_string(count),
          [r](int i) {
            pin::computeDelassusMatrix(r->model, *r->data, r->q[i], r->contacts, r->contact_data, r->delassus);
          },
          [r] { return worldDelassus(*r); }};
}

}  // namespace

Side makePinocchioSide(const PeerCase& given) {
  auto r = std::make_shared<Robot>();
  std::vector<pin::JointIndex> joint_of;
  std::vector<pin::SE3> place_of;
  Side side;
  const double before = heapBytes();
  buildModel(given, *r, joint_of, place_of);
  r->data = std::make_unique<pin::Data>(r->model);
  side.data_bytes = heapBytes() - before;
  r->skip = given.base_freedoms;
  for (const PlainState& state : given.states) addState(state, *r);

  side.algorithms = {
      {"aba", [r](int i) { pin::aba(r->model, *r->data, r->q[i], r->v[i], r->tau[i], pin::Convention::WORLD); },
       [r] { return joints(r->data->ddq, r->skip); }},
      {"aba, body axes",
       [r](int i) { pin::aba(r->model, *r->data, r->q[i], r->v[i], r->tau[i], pin::Convention::LOCAL); },
       [r] { return joints(r->data->ddq, r->skip); }},
      {"rnea", [r](int i) { pin::rnea(r->model, *r->data, r->q[i], r->v[i], r->a[i]); },
       [r] { return joints(r->data->tau, r->skip); }},
      {"crba", [r](int i) { pin::crba(r->model, *r->data, r->q[i], pin::Convention::WORLD); },
       [r] { return joints(mirrored(r->data->M), r->skip); }},
      {"crba, body axes", [r](int i) { pin::crba(r->model, *r->data, r->q[i], pin::Convention::LOCAL); },
       [r] { return joints(mirrored(r->data->M), r->skip); }},
  };
  const int nv = r->model.nv;
  if (nv > 200) return side;  // the algorithms with matrices for answers are compared on robots and short chains
  r->dq = r->dv = r->da = MatrixXd::Zero(nv, nv);
  side.algorithms.push_back({"minverse", [r](int i) { pin::computeMinverse(r->model, *r->data, r->q[i]); },
                             [r] { return joints(mirrored(r->data->Minv), r->skip); }});
  side.algorithms.push_back(
      {"rnea derivatives",
       [r](int i) { pin::computeRNEADerivatives(r->model, *r->data, r->q[i], r->v[i], r->a[i], r->dq, r->dv, r->da); },
       [r] { return joints(r->dq, r->skip); }});
  side.algorithms.push_back(
      {"aba derivatives",
       [r](int i) { pin::computeABADerivatives(r->model, *r->data, r->q[i], r->v[i], r->tau[i], r->dq, r->dv, r->da); },
       [r] { return joints(r->dq, r->skip); }});
  for (const int count : {4, 8}) side.algorithms.push_back(delassus(given, count));
  return side;
}

}  // namespace rigor::peers
