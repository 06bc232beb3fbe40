#include "reference/slow_maximal.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>

#include "dynamics/energy.h"
#include "model/parameters.h"

namespace rigor::slow {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

Vector3d toEigen(const Vec3<double>& a) { return {a.x, a.y, a.z}; }
Matrix3d toEigen(const Mat3<double>& A) {
  Matrix3d B;
  B << toEigen(A.x), toEigen(A.y), toEigen(A.z);
  return B;
}
Matrix3d toEigen(const Sym3<double>& A) {
  Matrix3d B;
  B << A.xx, A.xy, A.xz, A.xy, A.yy, A.yz, A.xz, A.yz, A.zz;
  return B;
}

Matrix3d expOf(const Vector3d& turn) {
  const double angle = turn.norm();
  return angle == 0.0 ? Matrix3d(Matrix3d::Identity()) : Eigen::AngleAxisd(angle, turn / angle).toRotationMatrix();
}
Vector3d vee(const Matrix3d& A) { return {A(2, 1), A(0, 2), A(1, 0)}; }

struct Mass {
  double mass;
  Vector3d com;
  Matrix3d inertia;
};
Mass massOf(const Model& model, int link) {
  const LinkInertia<double>& own = model.parameters().inertia[link];
  return {own.mass, toEigen(own.com), toEigen(own.rotational)};
}

/// What a joint keeps at zero: places and directions of the child in the joint frame, whose z is the axis (VG app. B).
std::vector<double> opening(const Model& model, int link, const std::vector<FreeBody>& bodies, double& angle) {
  const Topology& topology = model.topology();
  const JointType type = topology.joint[link];
  const auto originOf = [&](int i) { return Vector3d(bodies[i].x - bodies[i].R * massOf(model, i).com); };
  const Transform<double>& X_PJ = model.parameters().X_PJ[link];
  const int parent = topology.parent[link];
  const Matrix3d R_P = parent < 0 ? Matrix3d(Matrix3d::Identity()) : bodies[parent].R;
  const Vector3d p_P = parent < 0 ? Vector3d(Vector3d::Zero()) : originOf(parent);
  const Matrix3d R_J = R_P * toEigen(X_PJ.R), R = R_J.transpose() * bodies[link].R;
  const Vector3d p = R_J.transpose() * (originOf(link) - (p_P + R_P * toEigen(X_PJ.p)));
  std::vector<double> g;
  if (type.rotation == Rotation::kHelix) {
    const double principal = std::atan2(R(1, 0), R(0, 0));
    angle = principal + 2.0 * M_PI * std::round((angle - principal) / (2.0 * M_PI));
    g = {p.x(), p.y(), p.z() - model.parameters().pitch[link] * angle};
  } else if (type.translation == Translation::kNone) {
    g = {p.x(), p.y(), p.z()};
  } else if (type.translation == Translation::kAxis) {
    g = {p.x(), p.y()};
  } else if (type.translation == Translation::kPlane) {
    g = {p.z()};
  }
  if (type.rotation == Rotation::kNone)
    for (const double x : vee(R - R.transpose())) g.push_back(x);
  if (type.rotation == Rotation::kAxis || type.rotation == Rotation::kHelix) g.insert(g.end(), {R(0, 2), R(1, 2)});
  if (type.rotation == Rotation::kTwoAxes) g.push_back(R(2, 0));
  return g;
}

VectorXd openings(const Model& model, const std::vector<FreeBody>& bodies, std::vector<double>& angles) {
  std::vector<double> all;
  for (int link = 0; link < model.topology().links; ++link)
    for (const double g : opening(model, link, bodies, angles[link])) all.push_back(g);
  return Eigen::Map<VectorXd>(all.data(), static_cast<Eigen::Index>(all.size()));
}

/// Bodies moved by Δx and turned by φ each, world axes.
std::vector<FreeBody> moved(const std::vector<FreeBody>& bodies, const VectorXd& way) {
  std::vector<FreeBody> end = bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    end[i].x += way.segment<3>(6 * i);
    end[i].R = expOf(way.segment<3>(6 * i + 3)) * bodies[i].R;
  }
  return end;
}

MatrixXd openingRows(const Model& model, const std::vector<FreeBody>& bodies, std::vector<double>& angles) {
  constexpr double kDifference = 1e-6;
  const int n = 6 * static_cast<int>(bodies.size());
  MatrixXd G(openings(model, bodies, angles).size(), n);
  for (int j = 0; j < n; ++j) {
    const VectorXd way = kDifference * VectorXd::Unit(n, j);
    G.col(j) = (openings(model, moved(bodies, way), angles) - openings(model, moved(bodies, -way), angles)) /
               (2.0 * kDifference);
  }
  return G;
}

/// Momenta of bodies that move by Δx and turn by φ in h: (1/h)(N − Nᵀ)^∨, N = R′ J_d Rᵀ.
VectorXd momenta(const Model& model, const std::vector<FreeBody>& bodies, const VectorXd& way, double h) {
  VectorXd P(way.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Mass mass = massOf(model, static_cast<int>(i));
    const Matrix3d J = bodies[i].R * mass.inertia * bodies[i].R.transpose();
    const Matrix3d N = expOf(way.segment<3>(6 * i + 3)) * (0.5 * J.trace() * Matrix3d::Identity() - J);
    P.segment<3>(6 * i) = mass.mass / h * way.segment<3>(6 * i);
    P.segment<3>(6 * i + 3) = vee(N - N.transpose()) / h;
  }
  return P;
}

}  // namespace

std::vector<FreeBody> makeBodies(const Model& model, const VectorXd& q, const VectorXd& v) {
  const Topology& topology = model.topology();
  Kinematics<double> kin;
  kin.resize(topology);
  computeKinematics(topology, model.parameters(), q.data(), kin);
  std::vector<Motion<double>> V(topology.links);
  computeVelocities(topology, kin, v.data(), V);
  std::vector<FreeBody> bodies(topology.links);
  for (int i = 0; i < topology.links; ++i) {
    const Mass mass = massOf(model, i);
    FreeBody& body = bodies[i];
    body.R = toEigen(kin.X_OL[i].R);
    const Vector3d centre = toEigen(kin.X_OL[i].p) + body.R * mass.com, omega = toEigen(V[i].angular);
    body.x = toEigen(kin.origin[topology.tree[i]]) + centre;
    body.p = mass.mass * (toEigen(V[i].linear) + omega.cross(centre));
    body.L = body.R * mass.inertia * body.R.transpose() * omega;
  }
  return bodies;
}

void stepBodies(const Model& model, double k, double h, std::vector<FreeBody>& bodies) {
  const int n = 6 * static_cast<int>(bodies.size());
  std::vector<double> angles(bodies.size(), 0.0);
  for (std::size_t i = 0; i < bodies.size(); ++i) opening(model, static_cast<int>(i), bodies, angles[i]);
  const MatrixXd G = openingRows(model, bodies, angles);
  const int m = static_cast<int>(G.rows());
  VectorXd given(n);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    given.segment<6>(6 * i) << bodies[i].p + k * massOf(model, static_cast<int>(i)).mass * model.gravity(), bodies[i].L;
  VectorXd unknown = VectorXd::Zero(n + m);  // Δx, φ; λ
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const double mass = massOf(model, static_cast<int>(i)).mass;
    if (mass > 0.0) unknown.segment<3>(6 * i) = h / mass * bodies[i].p;
  }
  const auto residual = [&](const VectorXd& z) {
    VectorXd r(n + m);
    r.head(n) = momenta(model, bodies, z.head(n), h) - given - G.transpose() * z.tail(m);
    r.tail(m) = openings(model, moved(bodies, z.head(n)), angles) / h;
    return r;
  };
  for (int iteration = 0; iteration < 30; ++iteration) {
    constexpr double kDifference = 1e-6;
    MatrixXd F(n + m, n + m);
    for (int j = 0; j < n + m; ++j) {
      const VectorXd way = kDifference * VectorXd::Unit(n + m, j);
      F.col(j) = (residual(unknown + way) - residual(unknown - way)) / (2.0 * kDifference);
    }
    const VectorXd change = F.fullPivLu().solve(-residual(unknown));
    unknown += change;
    if (change.head(n).norm() <= 1e-15 * (1.0 + unknown.head(n).norm())) break;
  }
  const VectorXd way = unknown.head(n), P = momenta(model, bodies, way, h);
  bodies = moved(bodies, way);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    bodies[i].p = P.segment<3>(6 * i), bodies[i].L = P.segment<3>(6 * i + 3);
}

}  // namespace rigor::slow
