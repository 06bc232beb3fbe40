#include "collision/contact_pair.h"

#include <algorithm>
#include <cmath>

#include "geometry/features.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

Vec toVec(const Eigen::Vector3d& a) { return {a.x(), a.y(), a.z()}; }

struct Ball {
  int link;
  Vec centre;
  double radius;
};

/// The balls of a shape in the frame of its link.
std::vector<Ball> ballsOf(const Model& model, const ModelShape& shape) {
  SphereFeature features[kMaxSphereFeatures];
  const int count = sphereFeatures(shape.shape, features);
  const bool static_shape = shape.body == kWorld;
  const int link = static_shape ? kWorld : model.placements()[shape.body].link;
  const auto X_LB = static_shape ? Transform<double>::identity() : model.placements()[shape.body].X_LB;
  std::vector<Ball> balls;
  for (int k = 0; k < count; ++k) {
    const Vec& c = features[k].centre;
    const Eigen::Vector3d in_body = shape.X_BS * Eigen::Vector3d(c.x, c.y, c.z);
    balls.push_back({link, X_LB * toVec(in_body), features[k].radius});
  }
  return balls;
}

std::uint64_t contactId(int shape_1, int shape_2, int feature_1, int feature_2) {
  return (static_cast<std::uint64_t>(shape_1) << 36) | (static_cast<std::uint64_t>(shape_2) << 12) |
         (static_cast<std::uint64_t>(feature_1) << 6) | static_cast<std::uint64_t>(feature_2);
}

void setMaterial(const MaterialPair& material, ContactPair& pair) {
  pair.friction = material.friction;
  pair.friction_static = material.friction_static < 0.0 ? material.friction : material.friction_static;
  pair.restitution = material.restitution;
  pair.threshold = material.threshold;
}

void setPlane(const Model& model, const ModelShape& shape, ContactPair& pair) {
  Pose X_WS = shape.X_BS;
  if (shape.body != kWorld) {  // a body fixed to the world
    const auto& X = model.placements()[shape.body].X_LB;
    Eigen::Matrix3d R;
    R << X.R.x.x, X.R.y.x, X.R.z.x, X.R.x.y, X.R.y.y, X.R.z.y, X.R.x.z, X.R.y.z, X.R.z.z;
    X_WS = Pose{{X.p.x, X.p.y, X.p.z}, Eigen::Quaterniond(R)} * shape.X_BS;
  }
  const Eigen::Vector3d normal = X_WS.rotation.normalized() * Eigen::Vector3d::UnitZ();
  pair.plane = true;
  pair.normal = toVec(normal);
  pair.offset = normal.dot(X_WS.position);
}

}  // namespace

std::vector<ContactPair> makeContactPairs(const Model& model) {
  const auto& shapes = model.shapes();
  std::vector<ContactPair> pairs;
  for (auto [a, b] : model.collisionPairs()) {
    if (shapes[b].shape.kind == ShapeKind::kPlane) std::swap(a, b);
    ContactPair pair;
    pair.shape_1 = a, pair.shape_2 = b;
    setMaterial(model.material(a, b), pair);
    const std::vector<Ball> balls_2 = ballsOf(model, shapes[b]);
    const bool plane = shapes[a].shape.kind == ShapeKind::kPlane;
    if (plane) setPlane(model, shapes[a], pair);
    const std::vector<Ball> balls_1 = plane ? std::vector<Ball>{{kWorld, {}, 0.0}} : ballsOf(model, shapes[a]);
    for (std::size_t i = 0; i < balls_1.size(); ++i)
      for (std::size_t j = 0; j < balls_2.size(); ++j) {
        pair.id = contactId(a, b, static_cast<int>(i), static_cast<int>(j));
        pair.link_1 = balls_1[i].link, pair.centre_1 = balls_1[i].centre, pair.radius_1 = balls_1[i].radius;
        pair.link_2 = balls_2[j].link, pair.centre_2 = balls_2[j].centre, pair.radius_2 = balls_2[j].radius;
        pairs.push_back(pair);
      }
  }
  std::sort(pairs.begin(), pairs.end(), [](const auto& x, const auto& y) { return x.id < y.id; });
  return pairs;
}

BallCentre ballCentre(const Topology& topology, const Kinematics<double>& kin, int link, const Vec& centre) {
  if (link < 0) return {centre, centre};
  const Vec relative = kin.X_OL[link] * centre;
  return {relative, kin.origin[topology.tree[link]] + relative};
}

ContactGeometry computeContactGeometry(const ContactPair& pair, const Topology& topology,
                                       const Kinematics<double>& kin) {
  ContactGeometry g;
  g.centre_2 = ballCentre(topology, kin, pair.link_2, pair.centre_2);
  if (pair.plane) {
    g.normal = pair.normal;
    g.gap = dot(pair.normal, g.centre_2.world) - pair.offset - pair.radius_2;
    return g;
  }
  g.centre_1 = ballCentre(topology, kin, pair.link_1, pair.centre_1);
  const Vec d = g.centre_2.world - g.centre_1.world;
  const double distance = norm(d);
  g.normal = distance > 0.0 ? (1.0 / distance) * d : Vec{0.0, 0.0, 1.0};  // concentric: any direction separates
  g.gap = distance - pair.radius_1 - pair.radius_2;
  return g;
}

double gapRate(const ContactPair& pair, const ContactGeometry& g, const std::vector<Motion<double>>& V) {
  const auto speed = [&](int link, const BallCentre& c) {
    return link < 0 ? 0.0 : dot(g.normal, V[link].linear + cross(V[link].angular, c.relative));
  };
  return speed(pair.link_2, g.centre_2) - (pair.plane ? 0.0 : speed(pair.link_1, g.centre_1));
}

void makeTangents(const Vec& n, Vec& t1, Vec& t2) {
  // away from the axis that n is nearest to, so the cross product keeps its length
  const Vec other = std::fabs(n.x) < 0.7 ? Vec{1.0, 0.0, 0.0} : Vec{0.0, 1.0, 0.0};
  t2 = cross(n, other);
  t2 *= 1.0 / norm(t2);
  t1 = cross(t2, n);
}

}  // namespace rigor
