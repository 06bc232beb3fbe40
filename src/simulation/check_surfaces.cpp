// Materials whose numbers do not fit the bodies that have them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "collision/collision_table.h"
#include "geometry/shape_check.h"
#include "model/parameters.h"
#include "simulation/checks.h"
#include "simulation/overlap_finder.h"

namespace rigor {
namespace {

Place placeOfShape(const Scene& scene, int shape) {
  const int body = scene.model.shapes()[shape].body;
  return {scene.model.body(body).where.file.empty() ? scene.file : scene.model.body(body).where.file,
          scene.model.body(body).where.line, fmt::format("\"{}\"", nameOfShape(scene.model, shape))};
}

void checkSurface(const Scene& scene, const CollisionTable& table, int shape, const ContactMaterial& surface,
                  std::vector<Problem>& problems) {
  const SolidPlace& place = table.solids[shape];
  const double mass = scene.model.body(scene.model.shapes()[shape].body).mass.mass;
  const double depth = surface.compliance * mass * scene.model.gravity().norm();
  if (depth > place.thickness)
    problems.push_back(
        {"compliance", false, placeOfShape(scene, shape),
         fmt::format("sinks by {:.3g} m into what it lies on under its own weight, and is {:.3g} m thick", depth,
                     place.thickness),
         fmt::format("A compliance is in m/N: {:.2g} would let it sink by a hundredth of that.",
                     1e-2 * place.thickness / (depth / surface.compliance))});
  for (const auto& [name, length] : {std::pair{"rolling", surface.rolling}, std::pair{"torsion", surface.torsion}})
    if (length > place.bound)
      problems.push_back({name, false, placeOfShape(scene, shape),
                          fmt::format("has {} {:.3g} m, and no point of it is farther than {:.3g} m from its middle",
                                      name, length, place.bound),
                          "It is a length in m, about that of the patch that touches; coefficients without a unit are "
                          "that divided by the radius."});
}

/// Any of these shapes with any of those, one of them moving.
bool mayMeet(const CollisionTable& table, const std::vector<int>& these, const std::vector<int>& those) {
  return std::any_of(these.begin(), these.end(), [&](int a) {
    return std::any_of(those.begin(), those.end(), [&](int b) {
      const bool moves = table.solids[a].link >= 0 || table.solids[b].link >= 0;
      return a != b && moves && table.mayCollide(a, b);
    });
  });
}

}  // namespace

std::vector<Warning> warnOfHardSolids(const CollisionTable& table) {
  std::map<std::pair<int, ShapeKind>, std::vector<int>> shapes;  // by material and kind
  for (std::size_t i = 0; i < table.solids.size(); ++i)
    shapes[{table.solids[i].material, table.solids[i].solid.kind}].push_back(static_cast<int>(i));
  std::set<std::string> kinds;
  for (const auto& [key, of_key] : shapes)
    for (const auto& [other_key, of_other] : shapes) {
      const bool soft = table.surfaces[key.first * table.materials + other_key.first].compliance > 0.0;
      if (!soft || other_key < key || table.mayBeSoft(of_key[0], of_other[0])) continue;
      if (mayMeet(table, of_key, of_other))
        kinds.insert(fmt::format("{} and {}", shapeKindName(key.second), shapeKindName(other_key.second)));
    }
  if (kinds.empty()) return {};
  return {{{},
           fmt::format(
               "materials with a compliance: contacts of {} are hard. Soft are planes with spheres, capsules, boxes "
               "and meshes, and spheres with anything but surfaces of triangles",
               fmt::join(kinds, ", ")),
           false,
           WarningKind::kNotice}};
}

void checkSurfaces(const Scene& scene, std::vector<Problem>& problems) {
  const CollisionTable table = makeCollisionTable(scene.model);
  std::set<std::pair<int, int>> told;
  for (std::size_t i = 0; i < table.solids.size(); ++i) {
    if (table.solids[i].link < 0) continue;
    for (int other = 0; other < table.materials; ++other) {
      const ContactMaterial& surface = table.surfaces[table.solids[i].material * table.materials + other];
      const std::size_t before = problems.size();
      if (!surface.plain && told.count({table.solids[i].material, other}) == 0)
        checkSurface(scene, table, static_cast<int>(i), surface, problems);
      if (problems.size() > before) told.insert({table.solids[i].material, other});
    }
  }
}

}  // namespace rigor
