// Materials whose numbers do not fit the bodies that have them.
#include <fmt/format.h>
#include <fmt/ranges.h>

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

}  // namespace

std::vector<Warning> warnOfHardSolids(const CollisionTable& table) {
  std::map<std::pair<int, ShapeKind>, std::pair<int, bool>> known;  // an example of each, and whether any of them moves
  for (std::size_t i = 0; i < table.solids.size(); ++i) {
    const SolidPlace& place = table.solids[i];
    const auto at = known.try_emplace({place.material, place.solid.kind}, std::pair(static_cast<int>(i), false)).first;
    at->second.second = at->second.second || place.link >= 0;
  }
  std::set<std::string> kinds;
  for (const auto& [key, a] : known)
    for (const auto& [other_key, b] : known) {
      const bool soft = table.surfaces[key.first * table.materials + other_key.first].compliance > 0.0;
      if (!soft || other_key < key || !(a.second || b.second) || table.mayBeSoft(a.first, b.first)) continue;
      if (key.second == ShapeKind::kPlane && other_key.second == ShapeKind::kPlane) continue;
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
