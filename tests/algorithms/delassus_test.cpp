// The Delassus matrix by three algorithms and as an operator; the inverse of the mass matrix.
#include <gtest/gtest.h>

#include <Eigen/LU>

#include "algorithms/chain_inverse.h"
#include "dynamics/articulated.h"
#include "dynamics/samples.h"
#include "geometry/convert.h"
#include "reference/delassus_factors.h"
#include "rigor/algorithms.h"

namespace rigor {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Contacts between random bodies, one in three with the world; some bodies have several.
std::vector<ContactFrame> randomContacts(Sample& s, int count) {
  std::vector<ContactFrame> contacts;
  for (int c = 0; c < count; ++c) {
    ContactFrame contact;
    contact.body = s.random.index(s.model.bodyCount());
    contact.point = s.random.vector(0.5);
    contact.axes = s.random.rotation().toRotationMatrix();
    if (c % 3 != 0) contact.other = s.random.index(s.model.bodyCount());
    contacts.push_back(contact);
  }
  return contacts;
}

/// J row by row from the public Jacobians, then a dense solve.
MatrixXd slowDelassus(Sample& s, Data& data, const std::vector<ContactFrame>& contacts) {
  MatrixXd J = MatrixXd::Zero(3 * contacts.size(), s.model.nv());
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const ContactFrame& contact = contacts[c];
    const Eigen::Vector3d p = framePlacement(s.model, data, s.q, contact.body) * contact.point;
    auto rows = J.middleRows(3 * c, 3);
    rows = contact.axes.transpose() * getFrameJacobian(s.model, data, s.q, contact.body, contact.point).topRows(3);
    if (contact.other == kWorld) continue;
    const Eigen::Vector3d there = framePlacement(s.model, data, s.q, contact.other).inverse() * p;
    rows -= contact.axes.transpose() * getFrameJacobian(s.model, data, s.q, contact.other, there).topRows(3);
  }
  return J * crba(s.model, data, s.q).inverse() * J.transpose();
}

/// From the factors of the mass matrix.
MatrixXd delassusFromFactors(const Model& model, const Eigen::VectorXd& q, const std::vector<ContactFrame>& contacts) {
  const Topology& topology = model.topology();
  Kinematics<double> kin;
  std::vector<Inertia<double>> inertias(topology.links);
  std::vector<double> L(topology.packed_size), inverse_D(topology.nv);
  kin.resize(topology);
  computeKinematics(topology, model.parameters(), q.data(), kin);
  computeInertias(topology, model.parameters(), kin, inertias);
  crba(topology, kin, inertias, L.data());
  for (int i = 0; i < topology.nv; ++i)
    L[topology.row_start[i] + topology.dof_depth[i]] += model.parameters().armature[i];
  factorLtl(topology, L.data(), inverse_D.data());

  ContactSides<double> sides;
  sides.clear(static_cast<int>(contacts.size()));
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const BodyPlacement& body = model.placements()[contacts[c].body];
    const int other = contacts[c].other == kWorld ? kWorld : model.placements()[contacts[c].other].link;
    if (body.link == other) continue;
    const Mat3<double> axes = toMat3(contacts[c].axes);
    Vec3<double> p = body.X_LB * toVec3(contacts[c].point);
    if (body.link >= 0) {
      p = kin.X_OL[body.link] * p;
      sides.add(static_cast<int>(c), body.link, p, axes, 1.0);
      p += kin.origin[topology.tree[body.link]];
    }
    if (other >= 0) sides.add(static_cast<int>(c), other, p - kin.origin[topology.tree[other]], axes, -1.0);
  }
  MatrixXd W(3 * contacts.size(), 3 * contacts.size());
  DelassusFactorsScratch<double> scratch;
  computeDelassusFromFactors(topology, kin, L.data(), inverse_D.data(), sides, scratch, W.data());
  return W;
}

/// Both algorithms and the dense inverse lose the condition of M.
double tolerance(Sample& s, Data& data) {
  const MatrixXd M = crba(s.model, data, s.q);
  return 1e-14 * M.norm() * M.inverse().norm() + 1e-12;
}

TEST(Delassus, IsTheJacobianThroughTheInverseMassMatrixByAllAlgorithms) {
  forEachSample([](Sample& s) {
    Data data(s.model);
    for (int count : {1, 4, 9}) {
      const std::vector<ContactFrame> contacts = randomContacts(s, count);
      const MatrixXd expected = slowDelassus(s, data, contacts);
      const MatrixXd factors = delassusFromFactors(s.model, s.q, contacts);
      const MatrixXd recursion = computeDelassus(s.model, data, s.q, contacts, DelassusMethod::kRecursion);
      const MatrixXd chains = computeDelassus(s.model, data, s.q, contacts, DelassusMethod::kChains);
      EXPECT_LE(relativeError(chains, expected), tolerance(s, data));
      EXPECT_LE(relativeError(factors, expected), tolerance(s, data));
      EXPECT_LE(relativeError(recursion, expected), tolerance(s, data));
      EXPECT_LE(relativeError(factors, recursion), 1e-10);  // what is promised, whatever the condition of M
      EXPECT_LE(relativeError(chains, recursion), 1e-10);
      EXPECT_EQ(chains, chains.transpose());
    }
  });
}

TEST(Delassus, AppliesAsAnOperator) {
  forEachSample([](Sample& s) {
    Data data(s.model);
    const std::vector<ContactFrame> contacts = randomContacts(s, 5);
    VectorXd x(15);
    for (int i = 0; i < 15; ++i) x[i] = s.random.number(-1.0, 1.0);
    const VectorXd expected = computeDelassus(s.model, data, s.q, contacts) * x;
    EXPECT_LE(relativeError(applyDelassus(s.model, data, s.q, contacts, x), expected), 1e-10);
  });
}

/// A free trunk with four legs of three hinges and a tail that fixes no pair; everything random.
Model makeQuadruped(std::uint64_t seed) {
  Random random(seed);
  ModelBuilder builder;
  const auto add = [&](int parent, JointType type) {
    BodySpec body;
    body.parent = parent;
    body.joint.type = type;
    body.joint.axis = random.vector(1.0);
    body.joint.X_PJ = random.pose(0.3);
    body.joint.armature = random.number(0.0, 0.1);
    body.mass = random.mass();
    return builder.addBody(body);
  };
  const int trunk = add(kWorld, kFree);
  for (int leg = 0; leg < 4; ++leg) add(add(add(add(trunk, kHinge), kHinge), kHinge), kFixed);  // 1, 2, 3, foot 4, …
  add(trunk, kBall);                                                                            // 17
  return builder.build();
}

TEST(Delassus, OfALeggedRobotFollowsContactsThatChangeFromCallToCall) {
  Sample s(makeQuadruped(5), 11);
  Data data(s.model);
  const auto at = [&](int body, int other = kWorld) {
    ContactFrame contact;
    contact.body = body;
    contact.point = s.random.vector(0.2);
    contact.axes = s.random.rotation().toRotationMatrix();
    contact.other = other;
    return contact;
  };
  const std::vector<std::vector<ContactFrame>> sets = {
      {at(4), at(8), at(12), at(16)},                     // four feet
      {at(4), at(8), at(12), at(16), at(4), at(8)},       // two points on a foot
      {at(4, 8), at(12), at(17, 0)},                      // feet on each other, the tail on the trunk
      {at(4), at(8), at(12), at(3, 1), at(4, 3), at(2)},  // within one leg; a foot on its shank moves nothing
      {at(4), at(12), at(8), at(16)},                     // as many as in the first, in another order
      {at(4, 3)},
  };
  for (const std::vector<ContactFrame>& contacts : sets) {
    const MatrixXd W = computeDelassus(s.model, data, s.q, contacts, DelassusMethod::kChains);
    EXPECT_LE(relativeError(W, slowDelassus(s, data, contacts)), tolerance(s, data));
    EXPECT_EQ(W, W.transpose());
  }
}

/// A chain of hinges with changing axes, one metre in all.
Model makeChain(int links) {
  ModelBuilder builder;
  int parent = kWorld;
  for (int i = 0; i < links; ++i) {
    BodySpec body;
    body.name = "link_" + std::to_string(i);
    body.parent = parent;
    body.joint.type = kHinge;
    body.joint.axis = i % 2 == 0 ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitY();
    const double length = 1.0 / links;
    if (i > 0) body.joint.X_PJ.position = {0.0, 0.0, -length};
    body.mass = {length,
                 {0.0, 0.0, -0.5 * length},
                 Eigen::Vector3d(1.0, 1.0, 0.1).asDiagonal().toDenseMatrix() * length * length * length};
    parent = builder.addBody(body);
  }
  return builder.build();
}

TEST(Delassus, BothAlgorithmsAgreeOnLongChains) {
  const Model model = makeChain(200);
  Sample s(model, 7);
  s.q *= 0.05;  // curled, not knotted
  Data data(model);
  const std::vector<ContactFrame> contacts = {
      {199, {0, 0, 0}}, {199, {0, 0, -0.005}}, {120, {0, 0, 0}}, {50, {0, 0, 0}}};
  const MatrixXd factors = delassusFromFactors(model, s.q, contacts);
  const MatrixXd recursion = computeDelassus(model, data, s.q, contacts, DelassusMethod::kRecursion);
  EXPECT_LE(relativeError(factors, recursion), 1e-10);
  EXPECT_EQ(recursion, computeDelassus(model, data, s.q, contacts)) << "a chain of 200 links is long";
}

TEST(MassInverse, OfALongChainIsTheInverse) {
  const Model model = makeChain(60);
  Sample s(model, 3);
  s.q *= 0.1;
  Data data(model);
  const MatrixXd M = crba(model, data, s.q), inverse = computeMinverse(model, data, s.q);
  EXPECT_EQ(inverse, inverse.transpose());
  EXPECT_LE(relativeError(MatrixXd(M * inverse), MatrixXd(MatrixXd::Identity(60, 60))),
            1e-16 * M.norm() * inverse.norm());
}

TEST(MassInverse, ByResponseIsTheInverseOfEveryTree) {
  forEachSample([](Sample& s) {
    const Topology& topology = s.tree.topology;
    const int n = topology.nv;
    ArticulatedFactors<double> factors;
    factors.resize(topology);
    factorArticulated(topology, s.tree.parameters.armature.data(), s.tree.kinematics.S.data(), s.tree.inertias,
                      factors);
    std::vector<Motion<double>> A(topology.links);
    std::vector<double> u(n);
    MatrixXd inverse = MatrixXd::Zero(n, n);
    invertMassByResponse(topology, s.tree.kinematics, factors, A.data(), u.data(), inverse.data());
    Data data(s.model);
    EXPECT_LE(relativeError(inverse, computeMinverse(s.model, data, s.q)), tolerance(s, data));
  });
}

TEST(MassInverse, OfSerialChainsIsTheInverseForEveryJoint) {
  Random random(21);
  ModelBuilder builder;
  int parent = kWorld;
  for (const JointType type : allJointTypes()) {  // one long chain, then two short ones: columns that fill no four
    if (type == kFixed || type == kFree) continue;
    BodySpec body;
    body.parent = parent;
    body.joint.type = type;
    body.joint.axis = random.vector(1.0);
    body.joint.X_PJ = random.pose(0.3);
    body.joint.armature = random.number(0.0, 0.1);
    body.mass = random.mass();
    parent = builder.addBody(body);
  }
  for (const int links : {2, 3}) {
    parent = kWorld;
    for (int link = 0; link < links; ++link) {
      BodySpec body;
      body.parent = parent;
      body.joint.type = link == 0 ? kFree : kHinge;
      body.mass = random.mass();
      parent = builder.addBody(body);
    }
  }
  Sample s(builder.build(), 22);
  const Topology& topology = s.tree.topology;
  ASSERT_TRUE(isSerial(topology));
  ASSERT_EQ(topology.trees, 3);
  ArticulatedFactors<double> factors;
  factors.resize(topology);
  factorArticulated(topology, s.tree.parameters.armature.data(), s.tree.kinematics.S.data(), s.tree.inertias, factors);
  ChainInverseScratch<double> scratch;
  scratch.resize(topology);
  MatrixXd inverse = MatrixXd::Zero(topology.nv, topology.nv);
  invertMassOfChains(topology, s.tree.kinematics, factors, scratch, inverse.data());
  Data data(s.model);
  const MatrixXd M = crba(s.model, data, s.q);
  EXPECT_EQ(inverse, inverse.transpose());
  EXPECT_LE(relativeError(inverse, MatrixXd(M.inverse())), tolerance(s, data));
}

TEST(Delassus, RefusesContactsThatDoNotFit) {
  const Model model = makeChain(3);
  Data data(model);
  const VectorXd q = neutral(model);
  EXPECT_THROW(computeDelassus(model, data, q, {{kWorld, {0, 0, 0}}}), Error);
  EXPECT_THROW(computeDelassus(model, data, q, {{3, {0, 0, 0}}}), Error);
  EXPECT_THROW(computeDelassus(model, data, q, {{1, {0, NAN, 0}}}), Error);
  EXPECT_THROW(applyDelassus(model, data, q, {{1, {0, 0, 0}}}, VectorXd::Zero(4)), Error);
  EXPECT_EQ(computeDelassus(model, data, q, {}).size(), 0);
}

}  // namespace
}  // namespace rigor
