#include "verify/motion.h"

#include <cassert>

#include "verify/ties.h"

namespace rigor::verify {
namespace {

/// Goes on to a point of the same rigid body, r away.
void goAlong(const Vec& r, Moving& at) {
  at.quickening = at.quickening + cross(at.turning, r) + cross(at.omega, cross(at.omega, r));
  at.speed = at.speed + cross(at.omega, r);
  at.X.p = at.X.p + r;
}

/// Slides by q along a direction that is fixed in the present frame, with speed rate.
void slide(const Vec& direction, Real q, Real rate, Moving& at) {
  goAlong(q * direction, at);
  at.speed = at.speed + rate * direction;
  at.quickening = at.quickening + (2 * rate) * cross(at.omega, direction);
}

/// Turns about the frame's origin with the angular velocity `spin` against the frame before; R_end is the new one.
void turn(const Mat& R_end, const Vec& spin, Moving& at) {
  at.turning = at.turning + cross(at.omega, spin);
  at.omega = at.omega + spin;
  at.X.R = R_end;
}

Mat aboutZ(const Mat& R, Real angle) {
  const Real c = std::cos(angle), s = std::sin(angle);
  return {c * R.x + s * R.y, c * R.y - s * R.x, R.z};
}
Mat aboutX(const Mat& R, Real angle) {
  const Real c = std::cos(angle), s = std::sin(angle);
  return {R.x, c * R.y + s * R.z, c * R.z - s * R.y};
}

/// Translations along the axes of the joint, one after the other.
void translate(const Joint& joint, const Real* q, const Real* v, Column* columns, Moving& at) {
  const Vec axes[3] = {joint.translations == 1 ? at.X.R.z : at.X.R.x, at.X.R.y, at.X.R.z};
  for (int k = 0; k < joint.translations; ++k) {
    slide(axes[k], q[k], v[k], at);
    columns[k] = {axes[k], {}, {}};
  }
}

void rotate(const Joint& joint, const Real* q, const Real* v, Column* columns, Moving& at) {
  const Vec none{};
  switch (joint.turn) {
    case Turn::kNone:
      return;
    case Turn::kAxis:
      columns[0] = {none, at.X.R.z, at.X.p};
      return turn(aboutZ(at.X.R, q[0]), v[0] * at.X.R.z, at);
    case Turn::kHelix:
      columns[0] = {joint.pitch * at.X.R.z, at.X.R.z, at.X.p};
      slide(at.X.R.z, joint.pitch * q[0], joint.pitch * v[0], at);
      return turn(aboutZ(at.X.R, q[0]), v[0] * at.X.R.z, at);
    case Turn::kTwoAxes:
      columns[0] = {none, at.X.R.z, at.X.p};
      turn(aboutZ(at.X.R, q[0]), v[0] * at.X.R.z, at);
      columns[1] = {none, at.X.R.x, at.X.p};
      return turn(aboutX(at.X.R, q[1]), v[1] * at.X.R.x, at);
    case Turn::kAll: {
      const Mat R = at.X.R * rotationOf({q[0], q[1], q[2], q[3]});
      const Vec axes[3] = {R.x, R.y, R.z};
      for (int k = 0; k < 3; ++k) columns[k] = {none, axes[k], at.X.p};
      return turn(R, R * Vec{v[0], v[1], v[2]}, at);
    }
  }
}

bool canMove(const Body& body) { return !body.chain.empty(); }

}  // namespace

Pose frameOf(const Motion& motion, int body) { return body == kWorldBody ? Pose{} : motion.bodies[body].X; }

Vec pointOf(const Motion& motion, int body, const Vec& in_body) {
  const Pose X = frameOf(motion, body);
  return X.p + X.R * in_body;
}

Motion computeMotion(const World& world, const Reals& q, const Reals& v) {
  assert(q.size() == static_cast<std::size_t>(world.nq) && "one number per coordinate");
  assert((v.empty() || v.size() == static_cast<std::size_t>(world.nv)) && "one number per freedom, or stand still");
  const Reals still(world.nv, 0);
  const Reals& rate = v.empty() ? still : v;
  Motion motion;
  motion.columns.resize(world.nv);
  for (const Body& body : world.bodies) {
    Moving at = body.parent == kWorldBody ? Moving{} : motion.bodies[body.parent];
    for (const Joint& joint : body.joints) {
      if (joint.free) at = Moving{};
      if (!joint.free) goAlong(at.X.R * joint.frame.p, at);
      if (!joint.free) at.X.R = at.X.R * joint.frame.R;
      at.X.R = at.X.R * joint.axes;
      translate(joint, q.data() + joint.q, rate.data() + joint.v, motion.columns.data() + joint.v, at);
      rotate(joint, q.data() + joint.q + joint.translations, rate.data() + joint.v + joint.translations,
             motion.columns.data() + joint.v + joint.translations, at);
      at.X.R = at.X.R * transpose(joint.axes);
    }
    goAlong(at.X.R * body.frame.p, at);
    at.X.R = at.X.R * body.frame.R;
    motion.bodies.push_back(at);
  }
  return motion;
}

Reals move(const World& world, const Reals& q, const Reals& v, Real h) {
  assert(q.size() == static_cast<std::size_t>(world.nq) && v.size() == static_cast<std::size_t>(world.nv) &&
         "a pose and a velocity of this world");
  Reals next = q;
  for (const Body& body : world.bodies)
    for (const Joint& joint : body.joints) {
      const int straight = joint.turn == Turn::kAll ? joint.translations : joint.nv;
      for (int k = 0; k < straight; ++k) next[joint.q + k] += h * v[joint.v + k];
      if (joint.turn != Turn::kAll) continue;
      Real* r = &next[joint.q + straight];
      const Real* w = &v[joint.v + straight];
      const Quaternion turned = normalized(Quaternion{r[0], r[1], r[2], r[3]} * turnBy({h * w[0], h * w[1], h * w[2]}));
      r[0] = turned.w, r[1] = turned.x, r[2] = turned.y, r[3] = turned.z;
    }
  return next;
}

Reals stretch(const World& world, const Reals& q) {
  assert(q.size() == static_cast<std::size_t>(world.nq) && "one number per coordinate");
  Reals way(world.nv, 0);
  for (const Body& body : world.bodies)
    for (const Joint& joint : body.joints) {
      const int straight = joint.turn == Turn::kAll ? joint.translations : joint.nv;
      for (int k = 0; k < straight; ++k) way[joint.v + k] = q[joint.q + k] - joint.spring_rest[k];
      if (joint.turn != Turn::kAll) continue;
      const Real *r = &q[joint.q + straight], *rest = &joint.spring_rest[straight];
      const Vec theta =
          rotationVector(Quaternion{rest[0], -rest[1], -rest[2], -rest[3]} * Quaternion{r[0], r[1], r[2], r[3]});
      way[joint.v + straight] = theta.x, way[joint.v + straight + 1] = theta.y, way[joint.v + straight + 2] = theta.z;
    }
  return way;
}

/// M(a, b) is what the momentum of all that freedom a moves, at unit rate, does along freedom b: n² work for a chain of n.
TreeMatrix massMatrix(const World& world, const Motion& motion) {
  assert(motion.bodies.size() == world.bodies.size() && "the motion of this world");
  std::vector<Vec> about(world.nv), linear(world.nv),
      angular(world.nv);  // the latter about the origin of a freedom's body
  for (std::size_t i = 0; i < world.bodies.size(); ++i)
    for (const Joint& joint : world.bodies[i].joints)
      for (int a = joint.v; a < joint.v + joint.nv; ++a) about[a] = motion.bodies[i].X.p;
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    const Body& body = world.bodies[i];
    const Mat& R = motion.bodies[i].X.R;
    const Vec centre = pointOf(motion, static_cast<int>(i), body.com);
    for (const int a : body.chain) {
      const Vec carried = body.mass * motion.columns[a].speedOf(centre);
      linear[a] = linear[a] + carried;
      angular[a] =
          angular[a] + cross(centre - about[a], carried) + R * (body.inertia * (transpose(R) * motion.columns[a].axis));
    }
  }
  TreeMatrix M(world);
  for (const Body& body : world.bodies)
    for (const Joint& joint : body.joints)
      for (int a = joint.v; a < joint.v + joint.nv; ++a) {
        for (const int b : body.chain)
          M(a, b) = M(b, a) =
              dot(linear[a], motion.columns[b].speedOf(about[a])) + dot(angular[a], motion.columns[b].axis);
        M(a, a) += joint.armature;
      }
  return M;
}

void addWrench(const World& world, const Motion& motion, int body, const Vec& point, const Vec& force,
               const Vec& torque, Real factor, Reals& generalised) {
  if (body == kWorldBody) return;
  for (const int a : world.bodies[body].chain)
    generalised[a] += factor * (dot(motion.columns[a].speedOf(point), force) + dot(motion.columns[a].axis, torque));
}

Reals biasForce(const World& world, const Motion& motion) {
  assert(motion.bodies.size() == world.bodies.size() && "the motion of this world");
  Reals force(world.nv, 0);
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    const Body& body = world.bodies[i];
    if (!canMove(body)) continue;
    Moving at = motion.bodies[i];
    const Mat R = at.X.R;
    goAlong(R * body.com, at);
    const auto times = [&](const Vec& a) { return R * (body.inertia * (transpose(R) * a)); };
    addWrench(world, motion, static_cast<int>(i), at.X.p, body.mass * (at.quickening - world.gravity),
              times(at.turning) + cross(at.omega, times(at.omega)), 1, force);
  }
  return force;
}

Reals kineticOfTrees(const World& world, const Motion& motion, const Reals& v) {
  Reals kinetic(world.trees, 0);
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    const Body& body = world.bodies[i];
    for (const Joint& joint : body.joints)
      for (int k = joint.v; k < joint.v + joint.nv && !world.prescribed[world.tree[k]]; ++k)
        kinetic[world.tree[k]] += joint.armature * v[k] * v[k] / 2;
    if (!canMove(body) || world.prescribed[body.tree]) continue;
    Moving at = motion.bodies[i];
    const Mat R = at.X.R;
    goAlong(R * body.com, at);
    const Vec angular = R * (body.inertia * (transpose(R) * at.omega));
    kinetic[body.tree] += (body.mass * dot(at.speed, at.speed) + dot(angular, at.omega)) / 2;
  }
  return kinetic;
}

Sums computeSums(const World& world, const Reals& q, const Reals& v) {
  const Motion motion = computeMotion(world, q, v);
  const Reals way = stretch(world, q);
  Sums sums;
  sums.potential = energyOfSprings(listSprings(world), motion);
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    const Body& body = world.bodies[i];
    for (const Joint& joint : body.joints)
      for (int k = joint.v; k < joint.v + joint.nv && !world.prescribed[world.tree[k]]; ++k) {
        sums.kinetic += joint.armature * v[k] * v[k] / 2;
        sums.potential += joint.stiffness * way[k] * way[k] / 2;
      }
    if (!canMove(body) || world.prescribed[body.tree]) continue;
    Moving at = motion.bodies[i];
    const Mat R = at.X.R;
    goAlong(R * body.com, at);
    const Vec linear = body.mass * at.speed, angular = R * (body.inertia * (transpose(R) * at.omega));
    sums.kinetic += (dot(linear, at.speed) + dot(angular, at.omega)) / 2;
    sums.potential -= body.mass * dot(world.gravity, at.X.p);
    sums.linear = sums.linear + linear;
    sums.angular = sums.angular + angular + cross(at.X.p, linear);
  }
  return sums;
}

}  // namespace rigor::verify
