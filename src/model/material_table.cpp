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

const MaterialPair* findPair(const std::string& a, const std::string& b, const std::vector<MaterialPair>& given) {
  for (const MaterialPair& pair : given)
    if ((pair.material_1 == a && pair.material_2 == b) || (pair.material_1 == b && pair.material_2 == a)) return &pair;
  for (const MaterialPair& pair : given)
    if (pair.material_2.empty() && (pair.material_1 == a || pair.material_1 == b)) return &pair;
  return nullptr;
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
    for (const std::string& b : names) {
      const MaterialPair* pair = findPair(a, b, given);
      table.pairs.push_back(pair == nullptr ? MaterialPair{} : *pair);
    }

  std::set<std::string> unused;
  for (const MaterialPair& pair : given)
    for (const std::string& name : {pair.material_1, pair.material_2})
      if (!name.empty() && name != "default" && !std::binary_search(names.begin(), names.end(), name))
        unused.insert(name);
  for (const std::string& name : unused)
    warnings.push_back({{}, fmt::format("no shape has the material \"{}\". {}", name, suggestName(name, names))});
  return table;
}

}  // namespace rigor
