// Bodies and joints as systems for a BlockGraph, as a step in maximal coordinates meets them: [M −Gᵀ; G̃ 0] with the impulses'
// rows G at one pose and the constraints' rows G̃ at another, so that nothing is symmetric.
#pragma once

#include <Eigen/Geometry>
#include <random>

#include "experiments/graph_shapes.h"

namespace rigor {

/// A point that two bodies share, and a direction about which they may turn; −1 is the world.
struct HingeSpot {
  int body_1, body_2;
  Eigen::Vector3d point, axis;
};

struct Mechanism {
  std::vector<Eigen::Vector3d> centres;  ///< of the bodies
  std::vector<HingeSpot> hinges;
  std::vector<int> massless;        ///< bodies
  Eigen::Vector3d spread{1, 1, 1};  ///< directions in which poses differ between G and G̃

  GraphShape shape() const {
    GraphShape shape;
    for (std::size_t i = 0; i < centres.size(); ++i) shape.nodes.push_back({6});
    for (const int body : massless) shape.nodes[body].kind = GraphNodeKind::kMassless;
    for (const HingeSpot& hinge : hinges) {
      const int node = static_cast<int>(shape.nodes.size());
      shape.nodes.push_back({5, GraphNodeKind::kConstraint});
      for (const int body : {hinge.body_1, hinge.body_2})
        if (body >= 0) shape.edges.emplace_back(body, node);
    }
    return shape;
  }
};

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Rows of a hinge for one of its bodies: the point's velocity, and what turns across the axis.
inline Eigen::Matrix<double, 5, 6> hingeRows(const Eigen::Vector3d& arm, const Eigen::Vector3d& axis, double sign) {
  Eigen::Matrix<double, 5, 6> rows = Eigen::Matrix<double, 5, 6>::Zero();
  rows.topLeftCorner<3, 3>().setIdentity();
  rows.topRightCorner<3, 3>() << 0, arm.z(), -arm.y(), -arm.z(), 0, arm.x(), arm.y(), -arm.x(), 0;
  const Eigen::Vector3d across = axis.unitOrthogonal();
  rows.row(3).tail<3>() = across;
  rows.row(4).tail<3>() = axis.cross(across);
  return sign * rows;
}

/// Masses from 0.5 to 2, moments of a body of about 0.3 m; `mass_ratio` makes every other body lighter.
inline BlockGraph makeSaddlePoint(const Mechanism& mechanism, unsigned seed, double mass_ratio = 1.0) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const GraphShape shape = mechanism.shape();
  BlockGraph graph(shape.nodes, shape.edges);
  const int bodies = static_cast<int>(mechanism.centres.size());
  for (int i = 0; i < bodies; ++i) {
    Eigen::Map<RowMajor> block(graph.diagonal(i), 6, 6);
    const double mass = (1.25 + 0.75 * uniform(random)) / (i % 2 == 1 ? mass_ratio : 1.0);
    const Eigen::Vector3d offset(uniform(random), uniform(random), uniform(random));
    block.topLeftCorner<3, 3>() = mass * Eigen::Matrix3d::Identity();
    block.bottomRightCorner<3, 3>() =
        0.1 * mass * ((1.0 + offset.squaredNorm()) * Eigen::Matrix3d::Identity() - offset * offset.transpose());
    block(3, 4) += 0.01 * mass;  // a gyroscopic term
    block(4, 3) -= 0.01 * mass;
  }
  for (const int body : mechanism.massless) std::fill_n(graph.diagonal(body), 36, 0.0);
  int edge = 0;
  for (const HingeSpot& hinge : mechanism.hinges)
    for (const auto& [body, sign] : {std::pair(hinge.body_1, -1.0), std::pair(hinge.body_2, 1.0)}) {
      if (body < 0) continue;
      const Eigen::Vector3d arm = hinge.point - mechanism.centres[body];
      const Eigen::Vector3d move(uniform(random), uniform(random), uniform(random));
      const Eigen::Vector3d later = arm + 0.02 * move.cwiseProduct(mechanism.spread);
      Eigen::Map<RowMajor>(graph.block(edge), 6, 5) = -hingeRows(arm, hinge.axis, sign).transpose();
      Eigen::Map<RowMajor>(graph.reverse(edge), 5, 6) = hingeRows(later, hinge.axis, sign);
      ++edge;
    }
  return graph;
}

/// Bodies in a row, hinges about changing axes between them, and to the world at the first and last as wished.
inline Mechanism makeHingeChain(int bodies, bool held_first, bool held_last) {
  Mechanism chain;
  const auto axis = [](int k) {
    return Eigen::Vector3d(std::cos(k), std::sin(k), 0.3 * std::cos(2.0 * k)).normalized();
  };
  const auto point = [](int k) { return Eigen::Vector3d(k, 0.3 * std::sin(3.0 * k), 0.2 * std::cos(k)); };
  for (int i = 0; i < bodies; ++i)
    chain.centres.push_back(0.5 * (point(i) + point(i + 1)) + Eigen::Vector3d(0.1, 0, 0.2));
  if (held_first) chain.hinges.push_back({-1, 0, point(0), axis(0)});
  for (int i = 1; i < bodies; ++i) chain.hinges.push_back({i - 1, i, point(i), axis(i)});
  if (held_last) chain.hinges.push_back({bodies - 1, -1, point(bodies), axis(bodies)});
  return chain;
}

/// A ring of bodies with hinges about changing axes: n bodies have one freedom more than n − 6 … with six rows of rank.
inline Mechanism makeRing(int bodies) {
  Mechanism ring;
  const auto at = [&](double k) {
    const double angle = 2.0 * M_PI * k / bodies;
    return Eigen::Vector3d(std::cos(angle), std::sin(angle), 0.2 * std::sin(2.0 * angle));
  };
  for (int i = 0; i < bodies; ++i) ring.centres.push_back(at(i + 0.5));
  for (int i = 0; i < bodies; ++i)
    ring.hinges.push_back(
        {(i + bodies - 1) % bodies, i, at(i), Eigen::Vector3d(0.3, std::sin(i), std::cos(2 * i)).normalized()});
  return ring;
}

/// Four parallel hinges about z, three bodies: 20 rows of rank 17, since three of them only keep the plane a plane again.
inline Mechanism makeFourBar() {
  Mechanism bars;
  bars.spread = {1, 1, 0};
  const Eigen::Vector3d corners[] = {{0, 0, 0}, {0.2, 1, 0}, {1.4, 1.2, 0}, {1.5, 0, 0}}, z = Eigen::Vector3d::UnitZ();
  for (int i = 0; i < 3; ++i) bars.centres.push_back(0.5 * (corners[i] + corners[i + 1]));
  bars.hinges = {{-1, 0, corners[0], z}, {0, 1, corners[1], z}, {1, 2, corners[2], z}, {2, -1, corners[3], z}};
  return bars;
}

}  // namespace rigor
