#include "collision/contact_pair.h"

#include <algorithm>
#include <cmath>

#include "geometry/convert.h"
#include "geometry/features.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

/// Adds the balls of a shape in the frame of its link.
void addBalls(const Model& model, const ModelShape& shape, std::vector<Ball>& balls) {
  SphereFeature features[kMaxSphereFeatures];
  const int count = sphereFeatures(shape.shape, features);
  const bool static_shape = shape.body == kWorld;
  const int link = static_shape ? kWorld : model.placements()[shape.body].link;
  const auto X_LB = static_shape ? Transform<double>::identity() : model.placements()[shape.body].X_LB;
  for (int k = 0; k < count; ++k) {
    const Vec& c = features[k].centre;
    const Eigen::Vector3d in_body = shape.X_BS * Eigen::Vector3d(c.x, c.y, c.z);
    balls.push_back({link, X_LB * toVec3(in_body), features[k].radius});
  }
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
  pair.normal = toVec3(normal);
  pair.offset = normal.dot(X_WS.position);
}

/// ContactPairs::round, from the joints, the inertias, the balls and the loops of the model.
std::vector<char> findRoundLinks(const Model& model, const std::vector<Ball>& balls) {
  constexpr double kDust = 1e-12;  // relative: from the decimal digits of a file
  const Topology& topology = model.topology();
  std::vector<char> round(topology.links, 0);
  for (int link = 0; link < topology.links; ++link) {
    const LinkInertia<double>& body = model.parameters().inertia[link];
    const Sym3<double>& I = body.rotational;
    const double dust = kDust * I.xx;
    const bool same = std::fabs(I.xx - I.yy) <= dust && std::fabs(I.xx - I.zz) <= dust && std::fabs(I.xy) <= dust &&
                      std::fabs(I.xz) <= dust && std::fabs(I.yz) <= dust;
    const bool centred = body.mass * dot(body.com, body.com) <= dust;
    round[link] = topology.joint[link] == kFree && topology.parent[link] < 0 && same && centred;
  }
  for (int link = 0; link < topology.links; ++link)
    if (topology.parent[link] >= 0) round[topology.parent[link]] = 0;
  for (const Ball& ball : balls)
    if (ball.link >= 0 && !(norm(ball.centre) <= kDust * ball.radius)) round[ball.link] = 0;
  for (const LoopSpec& loop : model.loops())
    for (const int body : {loop.body_1, loop.body_2})
      if (body >= 0 && model.placements()[body].link >= 0) round[model.placements()[body].link] = 0;
  return round;
}

}  // namespace

ContactPairs makeContactPairs(const Model& model) {
  const auto& shapes = model.shapes();
  ContactPairs all;
  std::vector<int> first_ball;  // [shapes + 1]
  for (const ModelShape& shape : shapes) {
    first_ball.push_back(static_cast<int>(all.balls.size()));
    addBalls(model, shape, all.balls);
  }
  first_ball.push_back(static_cast<int>(all.balls.size()));
  all.round = findRoundLinks(model, all.balls);

  for (auto [a, b] : model.collisionPairs()) {
    if (shapes[b].shape.kind == ShapeKind::kPlane) std::swap(a, b);
    ContactPair pair;
    pair.shape_1 = a, pair.shape_2 = b;
    setMaterial(model.material(a, b), pair);
    if (shapes[a].shape.kind == ShapeKind::kPlane) setPlane(model, shapes[a], pair);
    const int balls_1 = pair.plane ? 1 : first_ball[a + 1] - first_ball[a];
    const int balls_2 = first_ball[b + 1] - first_ball[b];
    for (int i = 0; i < balls_1; ++i)
      for (int j = 0; j < balls_2; ++j) {
        pair.id = contactId(a, b, i, j);
        pair.ball_1 = first_ball[a] + i, pair.ball_2 = first_ball[b] + j;
        all.pairs.push_back(pair);
      }
  }
  std::sort(all.pairs.begin(), all.pairs.end(), [](const auto& x, const auto& y) { return x.id < y.id; });
  return all;
}

void computeBallCentres(const std::vector<Ball>& balls, const Topology& topology, const Kinematics<double>& kin,
                        std::vector<BallCentre>& centres) {
  centres.resize(balls.size());
  for (std::size_t i = 0; i < balls.size(); ++i) {
    const Ball& ball = balls[i];
    if (ball.link < 0) {
      centres[i] = {ball.centre, ball.centre};
      continue;
    }
    const Vec relative = kin.X_OL[ball.link] * ball.centre;
    centres[i] = {relative, kin.origin[topology.tree[ball.link]] + relative};
  }
}

ContactGeometry computeContactGeometry(const ContactPairs& all, const ContactPair& pair,
                                       const std::vector<BallCentre>& centres) {
  const Vec& centre_2 = centres[pair.ball_2].world;
  const double radius_2 = all.balls[pair.ball_2].radius;
  if (pair.plane) return {dot(pair.normal, centre_2) - pair.offset - radius_2, pair.normal};
  const Vec d = centre_2 - centres[pair.ball_1].world;
  const double distance = norm(d);
  const Vec normal = distance > 0.0 ? (1.0 / distance) * d : Vec{0.0, 0.0, 1.0};  // concentric: any direction separates
  return {distance - all.balls[pair.ball_1].radius - radius_2, normal};
}

bool ballsCross(const ContactPairs& all, const ContactPair& pair, const std::vector<BallCentre>& start,
                const std::vector<BallCentre>& end) {
  constexpr double kCosineOfSliding = 0.88, kCosineOfPassing = 0.5;
  constexpr double kNear = 1e-4;  // of the radii: what landed softly slides as if it touched
  const Vec from = start[pair.ball_2].world - start[pair.ball_1].world;
  const Vec to = end[pair.ball_2].world - end[pair.ball_1].world;
  const double reach = all.balls[pair.ball_1].radius + all.balls[pair.ball_2].radius;
  const double both = dot(from, to);
  if (both >= reach * reach) return false;  // with ρ the least distance on the line: from·to = ρ² − |…||…|
  const Vec way = to - from;
  const double before = -dot(from, way), after = dot(to, way);  // ways to and from the nearest point, times |way|
  if (before <= 0.0) return false;
  const double share = after > 0.0 ? before / (before + after) : 1.0;  // |way|² = before + after
  if (norm(from + share * way) >= reach - kTouching) return false;
  const double start_distance = norm(from), cosines = start_distance * norm(to);
  if (both < kCosineOfPassing * cosines) return true;
  const bool apart = dot(to, to) >= reach * reach;
  const bool touched = start_distance <= reach + std::max(kTouching, kNear * reach);
  return apart && after > 0.0 && !(touched && both > kCosineOfSliding * cosines);
}

bool isViolated(const ContactPairs& all, const ContactPair& pair, const std::vector<BallCentre>& start,
                const std::vector<BallCentre>& end) {
  const Vec& centre = end[pair.ball_2].world;
  if (pair.plane) return dot(pair.normal, centre) - pair.offset - all.balls[pair.ball_2].radius < 0.0;
  const Vec to = centre - end[pair.ball_1].world;
  const double reach = all.balls[pair.ball_1].radius + all.balls[pair.ball_2].radius;
  return dot(to, to) < reach * reach || ballsCross(all, pair, start, end);
}

double gapRate(const ContactPairs& all, const ContactPair& pair, const Vec& normal,
               const std::vector<BallCentre>& centres, const std::vector<Motion<double>>& V) {
  const auto speed = [&](int ball) {
    const int link = all.balls[ball].link;
    return link < 0 ? 0.0 : dot(normal, V[link].linear + cross(V[link].angular, centres[ball].relative));
  };
  return speed(pair.ball_2) - (pair.plane ? 0.0 : speed(pair.ball_1));
}

void makeTangents(const Vec& n, Vec& t1, Vec& t2) {
  // away from the axis that n is nearest to, so the cross product keeps its length
  const Vec other = std::fabs(n.x) < 0.7 ? Vec{1.0, 0.0, 0.0} : Vec{0.0, 1.0, 0.0};
  t2 = cross(n, other);
  t2 *= 1.0 / norm(t2);
  t1 = cross(t2, n);
}

}  // namespace rigor
