#include "model/material_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "text/nearest.h"

namespace rigor {
namespace {

void checkGivenOnce(const std::vector<MaterialPair>& given) {
  std::set<std::pair<std::string, std::string>> seen;
  for (const MaterialPair& pair : given) {
    // an empty second name sorts first as it must: ("", a) stands for (a, any) and for nothing else
    const auto key = std::minmax(pair.material_1, pair.material_2);
    if (!seen.insert(key).second)
      throw Error(fmt::format("materials \"{}\" and \"{}\" are paired twice", pair.material_1, pair.material_2),
                  "Keep one of the two entries.");
  }
}

/// The weaker of two surfaces decides: it is the one that shears, and the one that gives way.
MaterialPair combine(const MaterialPair& a, const MaterialPair& b) {
  const auto atRest = [](const MaterialPair& one) {
    return one.friction_static < 0.0 ? one.friction : one.friction_static;
  };
  MaterialPair both{a.material_1, b.material_1};
  both.friction = std::min(a.friction, b.friction);
  both.friction_static = std::min(atRest(a), atRest(b));  // not below the friction, as neither of them is
  both.restitution = std::min(a.restitution, b.restitution);
  both.impact = a.restitution == b.restitution  ? std::max(a.impact, b.impact)
                : a.restitution < b.restitution ? a.impact
                                                : b.impact;
  both.threshold = std::max(a.threshold, b.threshold);
  both.fallback = a.fallback;
  both.torsion = std::max(a.torsion, b.torsion);  // of the patch that the softer one makes
  both.rolling = std::max(a.rolling, b.rolling);
  both.compliance = a.compliance + b.compliance;  // springs in a row
  const bool of_b = b.friction < a.friction || (b.friction == a.friction && a.anisotropy.ratio == 1.0);
  both.anisotropy = of_b ? b.anisotropy : a.anisotropy;
  both.anisotropy.of_second = of_b;
  return both;
}

/// The same seen from the other side.
MaterialPair turned(MaterialPair pair) {
  std::swap(pair.material_1, pair.material_2);
  std::swap(pair.surface_velocity, pair.surface_velocity_2);
  pair.anisotropy.of_second = !pair.anisotropy.of_second;
  return pair;
}

/// The entry of one material against any, or null.
const MaterialPair* findSingle(const std::string& name, bool fallback, const std::vector<MaterialPair>& given) {
  const auto found = std::find_if(given.begin(), given.end(), [&](const MaterialPair& pair) {
    return pair.material_2.empty() && pair.material_1 == name && pair.fallback == fallback;
  });
  return found == given.end() ? nullptr : &*found;
}

/// How a surface runs by itself, whatever lies on it.
Eigen::Vector3d ownVelocity(const std::string& name, const std::vector<MaterialPair>& given) {
  for (const bool fallback : {false, true})
    if (const MaterialPair* own = findSingle(name, fallback, given)) return own->surface_velocity;
  return Eigen::Vector3d::Zero();
}

MaterialPair findEntry(const std::string& a, const std::string& b, const std::vector<MaterialPair>& given) {
  for (const MaterialPair& pair : given) {
    if (pair.material_1 == a && pair.material_2 == b) return pair;
    if (pair.material_1 == b && pair.material_2 == a) return turned(pair);
  }
  for (const bool fallback : {false, true}) {
    const MaterialPair *of_a = findSingle(a, fallback, given), *of_b = findSingle(b, fallback, given);
    if (of_a && of_b) return of_a == of_b ? *of_a : combine(*of_a, *of_b);
    if (of_a) return *of_a;
    if (of_b) return turned(*of_b);
  }
  return {};
}

/// The rule of Model::material.
MaterialPair findBehaviour(const std::string& a, const std::string& b, const std::vector<MaterialPair>& given) {
  MaterialPair found = findEntry(a, b, given);
  const bool own_pair = !found.material_1.empty() && !found.material_2.empty();
  if (own_pair && !(found.surface_velocity.isZero(0.0) && found.surface_velocity_2.isZero(0.0))) return found;
  found.surface_velocity = ownVelocity(a, given);
  found.surface_velocity_2 = ownVelocity(b, given);
  return found;
}

/// Materials of shapes that nobody describes behave as the default: likely a slip of the pen.
/// One that resembles a material which no shape has is told with that.
void warnOfUndescribed(const std::vector<std::string>& names, const std::vector<MaterialPair>& given,
                       const std::set<std::string>& unused, std::vector<Warning>& warnings) {
  std::vector<std::string> described;
  for (const MaterialPair& pair : given)
    for (const std::string& name : {pair.material_1, pair.material_2})
      if (!name.empty() && name != "default") described.push_back(name);
  if (described.empty()) return;  // names from robot files, of which nothing was said
  for (const std::string& name : names) {
    if (name.empty() || name == "default" || std::count(described.begin(), described.end(), name) > 0) continue;
    if (!findNearest(name, {unused.begin(), unused.end()}).empty()) continue;
    const std::string nearest = findNearest(name, described);
    warnings.push_back(
        {{},
         fmt::format(
             "no [[material]] describes \"{}\", which a shape has: it is as \"default\". {}", name,
             nearest.empty() ? "Describe it, or leave the name out." : fmt::format("Did you mean \"{}\"?", nearest))});
  }
}

}  // namespace

MaterialTable makeMaterialTable(const std::vector<ModelShape>& shapes, const std::vector<MaterialPair>& given,
                                std::vector<Warning>& warnings) {
  checkGivenOnce(given);
  std::vector<std::string> names;
  for (const ModelShape& shape : shapes) names.push_back(shape.material);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());

  MaterialTable table;
  table.count = static_cast<int>(names.size());
  for (const ModelShape& shape : shapes)
    table.shape_material.push_back(
        static_cast<int>(std::lower_bound(names.begin(), names.end(), shape.material) - names.begin()));
  for (const std::string& a : names)
    for (const std::string& b : names) table.pairs.push_back(findBehaviour(a, b, given));

  std::set<std::string> unused;
  for (const MaterialPair& pair : given)
    for (const std::string& name : {pair.material_1, pair.material_2})
      if (!name.empty() && name != "default" && !std::binary_search(names.begin(), names.end(), name))
        unused.insert(name);
  for (const std::string& name : unused)
    warnings.push_back({{}, fmt::format("no shape has the material \"{}\". {}", name, suggestName(name, names))});
  warnOfUndescribed(names, given, unused, warnings);
  return table;
}

}  // namespace rigor
