// Masses, inertias, sizes and shapes of what moves.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/poses.h"
#include "geometry/convert.h"
#include "geometry/separation.h"
#include "model/parameters.h"
#include "simulation/checks.h"

namespace rigor {
namespace {

constexpr double kMassRatio = 1e5;
// Root of the mean square distance of the mass from its centre, √(½ tr I / m), against the radius of the shapes around that
// centre: 0.77 for a solid ball, 0.58 for a rod, and no mass within the shapes has more than 1.
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

/// Largest distance of two points of the tree that a link belongs to, from balls around its shapes and its frames [m].
double sizeOfTree(const Model& model, const Eigen::VectorXd& q, int tree) {
  const std::vector<Pose> poses = bodyPoses(model, q);
  Eigen::Vector3d low = Eigen::Vector3d::Constant(std::numeric_limits<double>::infinity()), high = -low;
  const auto hold = [&](const Eigen::Vector3d& centre, double radius) {
    low = low.cwiseMin(centre - Eigen::Vector3d::Constant(radius));
    high = high.cwiseMax(centre + Eigen::Vector3d::Constant(radius));
  };
  const auto isOfTree = [&](int body) {
    return body != kWorld && model.placements()[body].link >= 0 &&
           model.topology().tree[model.placements()[body].link] == tree;
  };
  for (int body = 0; body < model.bodyCount(); ++body)
    if (isOfTree(body)) hold(poses[body].position, 0.0);
  for (const ModelShape& shape : model.shapes())
    if (isOfTree(shape.body)) hold((poses[shape.body] * shape.X_BS).position, boundingRadius(shape.shape));
  return (high - low).maxCoeff();
}

void checkInertia(const Model& model, int link, double tree_size, std::vector<Problem>& problems) {
  const LinkInertia<double>& inertia = model.parameters().inertia[link];
  if (!(inertia.mass > 0.0)) return;
  const LinkShapes shapes = shapesOf(model, link);
  const Eigen::Vector3d com = toEigen(inertia.com);
  double size = 0.0, away = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < shapes.radius.size(); ++i) {
    const double apart = (shapes.X_LS[i].position - com).norm();
    size = std::max(size, apart + shapes.radius[i]);
    away = std::min(away, apart - shapes.radius[i]);
  }
  if (shapes.radius.empty()) return;
  const double spread =
      std::sqrt(0.5 * (inertia.rotational.xx + inertia.rotational.yy + inertia.rotational.zz) / inertia.mass);
  const Place where = placeOfLink(model, link);
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
  for (int tree = 0; tree < topology.trees; ++tree) {
    int light = -1, heavy = -1;
    const double size = sizeOfTree(model, scene.q, tree);
    for (int link = 0; link < topology.links; ++link) {
      const double mass = model.parameters().inertia[link].mass;
      if (topology.tree[link] != tree || !(mass > 0.0)) continue;
      if (light < 0 || mass < model.parameters().inertia[light].mass) light = link;
      if (heavy < 0 || mass > model.parameters().inertia[heavy].mass) heavy = link;
      checkInertia(model, link, size, problems);
    }
    if (light < 0) continue;
    const double least = model.parameters().inertia[light].mass, most = model.parameters().inertia[heavy].mass;
    if (most > kMassRatio * least)
      problems.push_back({"mass_ratio", false, placeOfLink(model, light),
                          fmt::format("weighs {:.3g} kg, {:.2g} times less than \"{}\" ({:.3g} kg)", least,
                                      most / least, bodyOfLink(model, heavy).name, most),
                          "Give it a mass of real parts, or fix it to its neighbour; contacts across such ratios cost "
                          "the solver many iterations."});
  }
}

void checkUnits(const Scene& scene, std::vector<Problem>& problems) {
  const Model& model = scene.model;
  const Topology& topology = model.topology();
  for (int tree = 0; tree < topology.trees; ++tree) {
    const double size = sizeOfTree(model, scene.q, tree);
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
  for (int tree = 0; tree < topology.trees; ++tree) {
    const int root = topology.tree_root[tree];
    if (of_tree[tree] == 0 && topology.joint[root] == kFree && !model.gravity().isZero())
      problems.push_back({"no_shape", true, placeOfLink(model, root),
                          "nothing of it has a collision shape: it falls through every floor",
                          "Add <collision> to its links, or hold it: --base fixed."});
  }
  for (int link = 0; link < topology.links; ++link)
    if (shapes[link] == 0 && of_tree[topology.tree[link]] > 0 && model.parameters().inertia[link].mass > 0.0)
      problems.push_back({"no_shape", false, placeOfLink(model, link),
                          "has no collision shape: it passes through everything",
                          "Add <collision> with a box, cylinder or mesh if it can meet something."});
}

}  // namespace rigor
