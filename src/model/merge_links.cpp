#include "model/merge_links.h"

#include <fmt/format.h>

#include "geometry/convert.h"
#include "math/spatial.h"
#include "model/joint_motion.h"
#include "model/make_topology.h"
#include "model/names.h"

namespace rigor {
namespace {

constexpr std::int64_t kMostEntries = 50'000'000;  // of the packed mass matrix: a serial chain of 10 000 hinges

/// q of a free joint is the pose in the world whatever the body hangs on: nothing remains of its joint frame.
Transform<double> jointFrame(const JointSpec& joint, const BodyPlacement& parent, const Mat3<double>& R_JL) {
  if (joint.type == kFree) return Transform<double>::identity();
  return parent.X_LB * toTransform(joint.X_PJ) * Transform<double>{R_JL, {}};
}

bool isAxis(const Vec3<double>& a, double x, double y, double z) { return a.x == x && a.y == y && a.z == z; }

FrameTurn frameTurn(const Mat3<double>& R) {
  if (isAxis(R.x, 1, 0, 0) && isAxis(R.y, 0, 1, 0) && isAxis(R.z, 0, 0, 1)) return FrameTurn::kNone;
  if (isAxis(R.x, 0, 1, 0) && isAxis(R.y, 0, 0, 1) && isAxis(R.z, 1, 0, 0)) return FrameTurn::kForward;
  if (isAxis(R.x, 0, 0, 1) && isAxis(R.y, 1, 0, 0) && isAxis(R.z, 0, 1, 0)) return FrameTurn::kBackward;
  return FrameTurn::kGeneral;
}

/// The state of the walk over the bodies; links appear in the order of their joints.
struct Walk {
  std::vector<int> parent, tree;
  std::vector<int> depth;  ///< [links] freedoms from the root to the link
  std::vector<JointType> joint;
  std::vector<std::vector<int>> members;  ///< [links] bodies, the moving one first; none between two joints of a body
  int trees = 0;
  std::int64_t entries = 0;  ///< of the packed mass matrix
};

void checkPlaceInTree(const BodySpec& body, int index, const BodyPlacement& parent, const Walk& walk) {
  if (body.joint.type == kFree && parent.link != kWorld)
    throw Error(placeOf(body, index), fmt::format("{} hangs on a moving body", describeJoint(body.joint)),
                "A free body belongs to the world: make the world its parent, or give it another joint.");
  if (parent.link != kWorld && walk.tree[parent.link] != walk.trees - 1)
    throw Error(placeOf(body, index), "bodies of another tree were added between this body and its parent",
                "Add all bodies of one robot before the first body of the next.");
  if (walk.entries > kMostEntries)
    throw Error(placeOf(body, index), fmt::format("the mass matrix has more than {} entries", kMostEntries),
                "Shorten the chains of the model, or fix bodies that need not move.");
}

/// A new link below `parent`; returns its joint frame after the motion, which a body or the next joint attaches to.
BodyPlacement startLink(const JointSpec& joint, int body, const BodyPlacement& parent, Walk& walk, Links& links) {
  const Mat3<double> R_JL = linkAxes(joint.type, joint.axis);
  const int link = static_cast<int>(walk.parent.size());
  walk.parent.push_back(parent.link);
  walk.tree.push_back(walk.trees - 1);
  walk.joint.push_back(joint.type);
  const int above = parent.link < 0 ? 0 : walk.depth[parent.link], freedoms = velocityCount(joint.type);
  walk.depth.push_back(above + freedoms);
  walk.entries += static_cast<std::int64_t>(freedoms) * above + freedoms * (freedoms + 1) / 2;
  walk.members.emplace_back();
  links.parameters.X_PJ.push_back(jointFrame(joint, parent, R_JL));
  links.parameters.turn.push_back(frameTurn(links.parameters.X_PJ.back().R));
  links.parameters.pitch.push_back(joint.type == kHelical ? joint.pitch : 0.0);
  links.joints.push_back({joint, body, 0, 0});
  return {link, {transpose(R_JL), {}}};
}

/// One link per joint; the body sits on the last.
void moveBody(const BodySpec& body, int index, Walk& walk, Links& links) {
  BodyPlacement frame{kWorld, Transform<double>::identity()};
  if (body.parent != kWorld) frame = links.placements[body.parent];
  checkPlaceInTree(body, index, frame, walk);
  if (frame.link == kWorld) ++walk.trees;

  frame = startLink(body.joint, index, frame, walk, links);
  for (const JointSpec& joint : body.more_joints) frame = startLink(joint, index, frame, walk, links);
  walk.members[frame.link].push_back(index);
  links.placements.push_back({frame.link, frame.X_LB * toTransform(body.X_JB)});
}

void joinParent(const BodySpec& body, int index, Walk& walk, Links& links) {
  const Transform<double> X_PB = toTransform(body.joint.X_PJ) * toTransform(body.X_JB);
  if (body.parent == kWorld) {
    links.placements.push_back({kWorld, X_PB});
    return;
  }
  const BodyPlacement parent = links.placements[body.parent];
  links.placements.push_back({parent.link, parent.X_LB * X_PB});
  if (parent.link != kWorld) walk.members[parent.link].push_back(index);
}

/// Sum of the bodies of a link about their common centre (parallel-axis theorem). The centre is measured from that of
/// the first body: one that is alone keeps its numbers, and distances to a far origin do not cost digits.
LinkInertia<double> linkInertia(const std::vector<BodySpec>& bodies, const std::vector<int>& members,
                                const std::vector<BodyPlacement>& placements) {
  const auto centre = [&](int body) { return placements[body].X_LB * toVec3(bodies[body].mass.com); };
  LinkInertia<double> link;
  if (members.empty()) return link;
  Vec3<double> moment;
  link.com = centre(members[0]);
  for (int body : members) {
    link.mass += bodies[body].mass.mass;
    moment += bodies[body].mass.mass * (centre(body) - link.com);
  }
  if (link.mass > 0.0) link.com += (1.0 / link.mass) * moment;
  for (int body : members) {
    const MassProperties& mass = bodies[body].mass;
    const Sym3<double> own = rotate(placements[body].X_LB.R, toSym3(mass.inertia));
    link.rotational += inertiaAbout(mass.mass, centre(body) - link.com, own).rotational;
  }
  return link;
}

/// The numbers of every freedom and coordinate, and where each joint is found.
void spreadJoints(Links& links) {
  const Topology& top = links.topology;
  Parameters<double>& to = links.parameters;
  for (int link = 0; link < top.links; ++link) {
    ModelJoint& joint = links.joints[link];
    const JointSpec& spec = joint.spec;
    joint.q_index = top.q_index[link];
    joint.v_index = top.v_index[link];
    for (int k = 0; k < top.dofs[link]; ++k) {
      to.damping.push_back(spec.damping);
      to.armature.push_back(spec.armature + spec.gear * spec.gear * spec.rotor_inertia);
      to.dry_friction.push_back(spec.dry_friction);
      to.stiffness.push_back(spec.stiffness);
    }
    const Eigen::VectorXd rest = spec.spring_reference.size() ? spec.spring_reference : neutralCoordinates(spec.type);
    to.spring_reference.insert(to.spring_reference.end(), rest.begin(), rest.end());
  }
}

}  // namespace

Mat3<double> linkAxes(JointType type, const Eigen::Vector3d& axis) {
  if (!hasAxis(type)) return Mat3<double>::identity();
  int largest = 0;
  axis.cwiseAbs().maxCoeff(&largest);
  const Eigen::Vector3d next = Eigen::Vector3d::Unit((largest + 1) % 3);
  const Eigen::Vector3d first = (next - next.dot(axis) * axis).normalized();
  return {toVec3(first), toVec3(axis.cross(first)), toVec3(axis)};
}

Eigen::VectorXd neutralCoordinates(JointType type) {
  Eigen::VectorXd q = Eigen::VectorXd::Zero(positionCount(type));
  if (type.rotation == Rotation::kAll) q[translationCount(type)] = 1.0;
  return q;
}

Links mergeLinks(const std::vector<BodySpec>& bodies) {
  Links links;
  Walk walk;
  for (int index = 0; index < static_cast<int>(bodies.size()); ++index) {
    const bool moves = velocityCount(bodies[index].joint.type) > 0;
    moves ? moveBody(bodies[index], index, walk, links) : joinParent(bodies[index], index, walk, links);
  }
  for (const std::vector<int>& members : walk.members)
    links.parameters.inertia.push_back(linkInertia(bodies, members, links.placements));
  links.topology = makeTopology(std::move(walk.parent), std::move(walk.joint));
  spreadJoints(links);
  return links;
}

}  // namespace rigor
