// Masses, inertias, sizes and shapes of what moves.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/poses.h"
#include "geometry/convert.h"
#include "geometry/separation.h"
#include "minimal/tree_groups.h"
#include "model/parameters.h"
#include "simulation/checks.h"

namespace rigor {
namespace {

constexpr double kMassRatio = 1e5;
// Root of the mean square distance of the mass from its centre, √(½ tr I / m), against the radius of the shapes around that
// centre: 0.77 for a solid ball, 0.58 for a rod, and no mass within the shapes has more than 1.
constexpr double kPointSpread = 1e-4;  // [m] a part whose mass is nearer together than this has no size at all
constexpr double kSmallestSpread = 0.02, kLargestSpread = 2.0;
constexpr double kLargestRobot = 50.0, kSmallestRobot = 5e-3;  // [m]
constexpr double kHeaviestLink = 1e6, kLightestLink = 1e-6;    // [kg]

struct LinkShapes {
  std::vector<Pose> X_LS;
  std::vector<double> radius;
};

LinkShapes shapesOf(const Model& model, int link) {
  LinkShapes found;
  for (const ModelShape& shape : model.shapes()) {
    if (shape.body == kWorld || model.placements()[shape.body].link != link) continue;
    const Pose X_LB = toPose(model.placements()[shape.body].X_LB);
    found.X_LS.push_back(X_LB * shape.X_BS);
    found.radius.push_back(boundingRadius(shape.shape));
  }
  return found;
}

/// [trees] largest extent along an axis of the world, from the frames of bodies and from balls around their shapes [m].
std::vector<double> sizesOfTrees(const Model& model, const Eigen::VectorXd& q) {
  const std::vector<Pose> poses = bodyPoses(model, q);
  const Eigen::Vector3d infinite = Eigen::Vector3d::Constant(std::numeric_limits<double>::infinity());
  std::vector<Eigen::Vector3d> low(model.topology().trees, infinite), high(model.topology().trees, -infinite);
  const auto hold = [&](int body, const Eigen::Vector3d& centre, double radius) {
    const int link = body == kWorld ? kWorld : model.placements()[body].link;
    if (link < 0) return;
    const int tree = model.topology().tree[link];
    low[tree] = low[tree].cwiseMin(centre - Eigen::Vector3d::Constant(radius));
    high[tree] = high[tree].cwiseMax(centre + Eigen::Vector3d::Constant(radius));
  };
  for (int body = 0; body < model.bodyCount(); ++body) hold(body, poses[body].position, 0.0);
  for (const ModelShape& shape : model.shapes())
    if (shape.body != kWorld) hold(shape.body, poses[shape.body] * shape.X_BS.position, boundingRadius(shape.shape));
  std::vector<double> sizes;
  for (int tree = 0; tree < model.topology().trees; ++tree) sizes.push_back((high[tree] - low[tree]).maxCoeff());
  return sizes;
}

void checkInertia(const Model& model, int link, double tree_size, std::vector<Problem>& problems) {
  const LinkInertia<double>& inertia = model.parameters().inertia[link];
  if (!(inertia.mass > 0.0) || bodyOfLink(model, link).kinematic) return;  // what moves as it is told has no inertia
  const double trace = inertia.rotational.xx + inertia.rotational.yy + inertia.rotational.zz;
  const double spread = std::sqrt(0.5 * std::max(trace, 0.0) / inertia.mass);
  const Place where = placeOfLink(model, link);
  const LinkShapes shapes = shapesOf(model, link);
  const Eigen::Vector3d com = toEigen(inertia.com);
  double size = 0.0, away = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < shapes.radius.size(); ++i) {
    const double apart = (shapes.X_LS[i].position - com).norm();
    size = std::max(size, apart + shapes.radius[i]);
    away = std::min(away, apart - shapes.radius[i]);
  }
  const bool small = !shapes.radius.empty() && spread >= kSmallestSpread * size;  // as its shapes are
  if (trace != 0.0 && spread < kPointSpread && !small) {  // all zero is a point mass that was meant
    problems.push_back(
        {"inertia", false, where,
         fmt::format("its moments of inertia are next to nothing, {:.2g} kg m² for {:.3g} kg: it turns at "
                     "any speed at a touch, and steps are refused as too fast",
                     trace / 3.0, inertia.mass),
         "Write its real moments: a solid ball has 0.4 m r², a box m(a² + b²)/12; or take those of the "
         "CAD program."});
    return;
  }
  if (shapes.radius.empty()) return;
  if (away > 0.5 * tree_size)
    problems.push_back({"inertia", false, where, fmt::format("its centre of mass is {:.3g} m from its shapes", away),
                        "Give <origin> of <inertial> in metres, in the frame of the link."});
  else if (spread > kLargestSpread * size)
    problems.push_back({"inertia", false, where,
                        fmt::format("its inertia is that of mass {:.3g} m from its centre, yet its shapes reach no "
                                    "farther than {:.3g} m",
                                    spread, size),
                        "Give the moments in kg m²: 1 kg mm² is 1e-6 kg m², 1 g mm² is 1e-9."});
  else if (spread < kSmallestSpread * size)
    problems.push_back({"inertia", false, where,
                        fmt::format("its inertia is that of mass within {:.2g} m of its centre, yet its shapes reach "
                                    "{:.3g} m: it spins up at a touch",
                                    spread, size),
                        "Take the moments of its shapes (a solid box has m(a² + b²)/12) or of the CAD program."});
}

}  // namespace

const BodySpec& bodyOfLink(const Model& model, int link) { return model.body(model.joints()[link].body); }

Place placeOfLink(const Model& model, int link) {
  const BodySpec& body = bodyOfLink(model, link);
  return {body.where.file, body.where.line, fmt::format("link \"{}\"", body.name)};
}

void checkMasses(const Scene& scene, std::vector<Problem>& problems) {
  const Model& model = scene.model;
  const Topology& topology = model.topology();
  const std::vector<double> sizes = sizesOfTrees(model, scene.q);
  std::vector<int> light(topology.trees, -1), heavy(topology.trees, -1);
  const auto massOf = [&](int link) { return model.parameters().inertia[link].mass; };
  for (int link = 0; link < topology.links; ++link) {
    const int tree = topology.tree[link];
    checkInertia(model, link, sizes[tree], problems);
    if (!(massOf(link) > 0.0) || bodyOfLink(model, link).kinematic) continue;
    if (light[tree] < 0 || massOf(link) < massOf(light[tree])) light[tree] = link;
    if (heavy[tree] < 0 || massOf(link) > massOf(heavy[tree])) heavy[tree] = link;
  }
  for (int tree = 0; tree < topology.trees; ++tree) {
    if (light[tree] < 0) continue;
    const double least = massOf(light[tree]), most = massOf(heavy[tree]);
    if (most > kMassRatio * least)
      problems.push_back({"mass_ratio", false, placeOfLink(model, light[tree]),
                          fmt::format("weighs {:.3g} kg, {:.2g} times less than \"{}\" ({:.3g} kg)", least,
                                      most / least, bodyOfLink(model, heavy[tree]).name, most),
                          "Give it a mass of real parts, or fix it to its neighbour; contacts across such ratios cost "
                          "the solver many iterations."});
  }
}

void checkUnits(const Scene& scene, std::vector<Problem>& problems) {
  const Model& model = scene.model;
  const Topology& topology = model.topology();
  const std::vector<double> sizes = sizesOfTrees(model, scene.q);
  for (int tree = 0; tree < topology.trees; ++tree) {
    const double size = sizes[tree];
    const Place where = placeOfLink(model, topology.tree_root[tree]);
    if (size > kLargestRobot)
      problems.push_back({"units", false, where, fmt::format("what hangs on it is {:.3g} m large", size),
                          "Lengths are metres. A mesh in millimetres needs scale=\"0.001 0.001 0.001\"."});
    else if (size < kSmallestRobot && size > 0.0)
      problems.push_back({"units", false, where, fmt::format("what hangs on it is {:.3g} m large", size),
                          "Lengths are metres; was a scale of 0.001 given to what was in metres already?"});
  }
  for (int link = 0; link < topology.links; ++link) {
    const double mass = model.parameters().inertia[link].mass;
    if (mass > kHeaviestLink || (mass > 0.0 && mass < kLightestLink))
      problems.push_back({"units", false, placeOfLink(model, link), fmt::format("weighs {:.3g} kg", mass),
                          "Masses are kilograms: check the density or the unit it was computed with."});
  }
}

namespace {

/// Trees that cannot fall for ever, each with what it is tied to: one that has a shape, that stands on a joint of the world or moves
/// as it is told, and whatever loops and springs between points hold to such a tree or to the world.
std::vector<char> findHeldTrees(const Model& model, const std::vector<int>& shapes_of_tree) {
  const Topology& topology = model.topology();
  const int world = topology.trees;
  TreeGroups groups;
  groups.reset(topology.trees + 1);
  const auto treeOf = [&](int body) {
    const int link = body == kWorld ? kWorld : model.placements()[body].link;
    return link < 0 ? world : topology.tree[link];
  };
  for (const LoopSpec& loop : model.loops())
    if (loop.kind != LoopKind::kJoint && translationCount(jointTypeOf(loop)) < 3)
      groups.unite(treeOf(loop.body_1), treeOf(loop.body_2));
  for (const SpringSpec& spring : model.springs())
    if (spring.stiffness > 0.0) groups.unite(treeOf(spring.body_1), treeOf(spring.body_2));
  for (int tree = 0; tree < topology.trees; ++tree) {
    const int root = topology.tree_root[tree];
    if (shapes_of_tree[tree] > 0 || topology.joint[root] != kFree || bodyOfLink(model, root).kinematic)
      groups.unite(tree, world);
  }
  std::vector<char> held(topology.trees);
  for (int tree = 0; tree < topology.trees; ++tree) held[tree] = groups.groupOf(tree) == groups.groupOf(world);
  return held;
}

}  // namespace

void checkShapesOfLinks(const Scene& scene, std::vector<Problem>& problems) {
  const Model& model = scene.model;
  const Topology& topology = model.topology();
  std::vector<int> shapes(topology.links, 0), of_tree(topology.trees, 0);
  for (const ModelShape& shape : model.shapes()) {
    const int link = shape.body == kWorld ? kWorld : model.placements()[shape.body].link;
    if (link < 0) continue;
    ++shapes[link];
    ++of_tree[topology.tree[link]];
  }
  const std::vector<char> held = findHeldTrees(model, of_tree);
  for (int tree = 0; tree < topology.trees; ++tree)
    if (!held[tree] && !model.gravity().isZero())
      problems.push_back({"no_shape", true, placeOfLink(model, topology.tree_root[tree]),
                          "nothing of it has a collision shape: it falls through every floor",
                          "Add <collision> to its links, or hold it: --base fixed, a loop or a spring."});
  for (int link = 0; link < topology.links; ++link)
    if (shapes[link] == 0 && of_tree[topology.tree[link]] > 0 && model.parameters().inertia[link].mass > 0.0)
      problems.push_back({"no_shape", false, placeOfLink(model, link),
                          "has no collision shape: it passes through everything",
                          "Add <collision> with a box, cylinder or mesh if it can meet something."});
}

}  // namespace rigor
