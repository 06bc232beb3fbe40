#include "verify/discrete_momentum.h"

#include "verify/nodes.h"

namespace rigor::verify {
namespace {

constexpr Real kFine = 1.1e-19L;  // rounding of long double, in which poses are subtracted

Vec timesInertia(const Body& body, const Mat& R, const Vec& omega) {
  return R * (body.inertia * (transpose(R) * omega));
}

Real traceOf(const Mat& A) { return A.x.x + A.y.y + A.z.z; }

/// (A − Aᵀ)^∨: the vector whose cross product the antisymmetric part is, twice.
Vec axialOf(const Mat& A) { return {A.y.z - A.z.y, A.z.x - A.x.z, A.x.y - A.y.x}; }

/// All joints at zero.
Reals restPose(const World& world) {
  Reals q(world.nq, 0);
  for (const Body& body : world.bodies)
    for (const Joint& joint : body.joints)
      if (joint.turn == Turn::kAll) q[joint.q + joint.translations] = 1;
  return q;
}

/// The bodies of a tree as one, about the origin of the world.
struct Lump {
  Real mass = 0;
  Vec moment;         ///< mass times centre
  Real inertia[6]{};  ///< xx, yy, zz, xy, xz, yz about the centre
};

Lump lumpOf(const World& world, const Motion& pose, int tree) {
  Lump lump;
  Real second[6]{};
  const auto products = [](const Vec& c, Real* to) {
    const Real values[6] = {
        c.y * c.y + c.z * c.z, c.x * c.x + c.z * c.z, c.x * c.x + c.y * c.y, -c.x * c.y, -c.x * c.z, -c.y * c.z};
    std::copy(values, values + 6, to);
  };
  Real of_point[6];
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    const Body& body = world.bodies[i];
    if (body.tree != tree) continue;
    const Mat& R = pose.bodies[i].X.R;
    const Vec centre = pointOf(pose, static_cast<int>(i), body.com);
    const Mat J = R * body.inertia * transpose(R);
    const Real own[6] = {J.x.x, J.y.y, J.z.z, J.x.y, J.x.z, J.y.z};
    products(centre, of_point);
    for (int k = 0; k < 6; ++k) second[k] += own[k] + body.mass * of_point[k];
    lump.mass += body.mass;
    lump.moment = lump.moment + body.mass * centre;
  }
  products((lump.mass > 0 ? 1 / lump.mass : 0) * lump.moment, of_point);
  for (int k = 0; k < 6; ++k) lump.inertia[k] = second[k] - lump.mass * of_point[k];
  return lump;
}

constexpr Real kDust = 1e-12L;  // relative: from the decimal digits of a file

bool turnsAlike(const Lump& lump) {
  const Real dust = kDust * lump.inertia[0];
  bool alike = dot(lump.moment, lump.moment) <= dust * lump.mass;
  for (int k = 1; k < 6; ++k) alike = alike && std::fabs(lump.inertia[k] - (k < 3 ? lump.inertia[0] : 0)) <= dust;
  return alike;
}

}  // namespace

std::vector<char> findRoundTrees(const World& world) {
  std::vector<char> round(world.trees, 1);
  const Motion pose = computeMotion(world, restPose(world), {});
  for (const Body& body : world.bodies) {
    if (body.tree < 0) continue;
    const bool free = body.parent == kWorldBody || world.bodies[body.parent].tree < 0
                          ? std::any_of(
                                body.joints.begin(), body.joints.end(), [](const Joint& j) { return j.free; })
                          : true;
    if (!free || body.chain.size() != 6) round[body.tree] = 0;
  }
  for (int tree = 0; tree < world.trees; ++tree) round[tree] = round[tree] && turnsAlike(lumpOf(world, pose, tree));
  for (const Solid& solid : world.solids) {
    const int tree = solid.body == kWorldBody ? -1 : world.bodies[solid.body].tree;
    if (tree < 0) continue;
    const bool centred =
        solid.isBall() &&
        norm(pointOf(pose, solid.body, solid.frame.p + solid.frame.R * solid.corners[0])) <= kDust * solid.radius;
    if (!centred) round[tree] = 0;
  }
  for (const Loop& loop : world.loops)
    for (const int body : {loop.body_1, loop.body_2})
      if (body != kWorldBody && world.bodies[body].tree >= 0) round[world.bodies[body].tree] = 0;
  for (const PointSpring& spring : world.springs)
    for (const int body : {spring.body_1, spring.body_2})
      if (body != kWorldBody && world.bodies[body].tree >= 0) round[world.bodies[body].tree] = 0;
  return round;
}

DiscreteMomentum::DiscreteMomentum(const World& world, const Recording& recording)
    : world_(world), r_(recording), past_(world.trees, Past::kUnknown), carried_(world.bodies.size()) {
  if (world.maximal) round_ = findRoundTrees(world);
}

/// A velocity that was set belongs to a node, and the first kick is half; a longer one follows a step that is not recorded.
void DiscreteMomentum::beginTree(const SubstepData& data, int tree) {
  if (!data.first[tree] || !r_.fresh[data.step]) return;
  past_[tree] = kickOf(r_, data.index, tree) > data.h / 2 ? Past::kUnknown : Past::kNode;
  if (past_[tree] == Past::kUnknown && !world_.prescribed[tree]) ++unknown_;
}

std::vector<DiscreteMomentum::Carried> DiscreteMomentum::atNode(const Reals& q, const Reals& v) const {
  const Motion motion = computeMotion(world_, q, v);
  std::vector<Carried> momenta(world_.bodies.size());
  for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
    const Body& body = world_.bodies[i];
    const Moving& at = motion.bodies[i];
    const Vec speed = at.speed + cross(at.omega, at.X.R * body.com);
    momenta[i] = {body.mass * speed, timesInertia(body, at.X.R, at.omega)};
  }
  return momenta;
}

DiscreteMomentum::Carried DiscreteMomentum::ofStride(const SubstepData& data, int index) const {
  const Body& body = world_.bodies[index];
  const Mat &R = data.start.bodies[index].X.R, &R_end = data.end.bodies[index].X.R, &J = body.inertia;
  const Real half = traceOf(J) / 2;
  const Mat J_d{Vec{half, 0, 0} - J.x, Vec{0, half, 0} - J.y, Vec{0, 0, half} - J.z};
  const Vec centre = pointOf(data.start, index, body.com), centre_end = pointOf(data.end, index, body.com);
  const Real sizes = body.mass * (norm(centre) + norm(centre_end)) + 4 * traceOf(J);
  return {(body.mass / data.h) * (centre_end - centre), (1 / data.h) * axialOf(R_end * J_d * transpose(R)),
          kFine / kEps * sizes / data.h};
}

void DiscreteMomentum::addBody(const Motion& pose, int index, const Carried& momentum, Reals& to, Reals& sizes) const {
  const Body& body = world_.bodies[index];
  const Vec centre = pointOf(pose, index, body.com);
  for (const int j : body.chain) {
    const Column& column = pose.columns[j];
    const Vec speed = column.speedOf(centre);
    to[j] += dot(speed, momentum.linear) + dot(column.axis, momentum.angular);
    sizes[j] += norm(speed) * (norm(momentum.linear) + momentum.rounding) +
                norm(column.axis) * (norm(momentum.angular) + momentum.rounding);
  }
}

void DiscreteMomentum::addArmature(int index, const Reals& v, Reals& to, Reals& sizes) const {
  for (const Joint& joint : world_.bodies[index].joints)
    for (int j = joint.v; j < joint.v + joint.nv; ++j)
      to[j] += joint.armature * v[j], sizes[j] += joint.armature * std::fabs(v[j]);
}

/// Where the momentum that a tree begins with is not known, the velocity of its node tells what it would be.
void DiscreteMomentum::findVelocities(SubstepData& data) const {
  MomentumOfSubstep& momentum = data.momentum;
  const TreeCholesky mass(world_, massMatrix(world_, data.start));
  momentum.v_begin = mass.solve(momentum.begin), momentum.v_end = mass.solve(momentum.end);
  for (int j = 0; j < world_.nv; ++j) {
    const int tree = world_.tree[j];
    if (world_.prescribed[tree] || !data.takes[tree]) {
      momentum.v_begin[j] = data.v[j], momentum.v_end[j] = data.v_end[j];
    } else if (!momentum.known[tree]) {
      const Real node = r_.v[data.step * r_.nv + j];
      momentum.v_begin[j] =
          data.h > 0 ? momentum.v_end[j] - 2 * data.kick[j] / data.h * (momentum.v_end[j] - node) : node;
    }
  }
}

void DiscreteMomentum::enter(SubstepData& data) {
  if (!world_.maximal) return;
  MomentumOfSubstep& momentum = data.momentum;
  for (Reals* values : {&momentum.begin, &momentum.end, &momentum.sizes}) values->assign(world_.nv, 0);
  momentum.known.assign(world_.trees, 1);
  const std::vector<Carried> before = atNode(data.q, data.v), after = atNode(data.q, data.v_end);
  for (int tree = 0; tree < world_.trees; ++tree) {
    if (!data.takes[tree]) continue;
    beginTree(data, tree);
    momentum.known[tree] = past_[tree] != Past::kUnknown;
  }
  for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
    const int tree = world_.bodies[i].tree, index = static_cast<int>(i);
    if (tree < 0 || !data.takes[tree]) continue;
    addBody(data.start, index, carries(tree) ? carried_[i] : before[i], momentum.begin, momentum.sizes);
    carried_[i] = round_[tree] || data.h == 0 ? after[i] : ofStride(data, index);
    addBody(data.start, index, carried_[i], momentum.end, momentum.sizes);
    addArmature(index, data.v, momentum.begin, momentum.sizes);
    addArmature(index, data.v_end, momentum.end, momentum.sizes);
  }
  for (int tree = 0; tree < world_.trees; ++tree)
    if (data.takes[tree]) past_[tree] = data.h > 0 ? Past::kCarried : Past::kNode;
  findVelocities(data);
}

Reals DiscreteMomentum::velocityLeft(const Reals& q, const Reals& v) const {
  const Motion pose = computeMotion(world_, q, {});
  const std::vector<Carried> moving = atNode(q, v);
  Reals momentum(world_.nv, 0), sizes(world_.nv, 0);
  for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
    const int tree = world_.bodies[i].tree, index = static_cast<int>(i);
    if (tree < 0) continue;
    addBody(pose, index, carries(tree) ? carried_[i] : moving[i], momentum, sizes);
    addArmature(index, v, momentum, sizes);
  }
  Reals left = TreeCholesky(world_, massMatrix(world_, pose)).solve(momentum);
  for (int j = 0; j < world_.nv; ++j)
    if (world_.prescribed[world_.tree[j]]) left[j] = v[j];
  return left;
}

}  // namespace rigor::verify
