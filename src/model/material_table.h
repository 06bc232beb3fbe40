// Contact behaviour of any two shapes, looked up once.
#pragma once

#include <vector>

#include "rigor/model.h"

namespace rigor {

struct MaterialTable {
  int count = 0;                    ///< distinct materials of the shapes
  std::vector<int> shape_material;  ///< [shapes] index of its material
  std::vector<MaterialPair> pairs;  ///< [count × count]
};

/// The rule of Model::material for every two materials. Throws Error if a pair is given twice, warns of materials that
/// no shape has.
MaterialTable makeMaterialTable(const std::vector<ModelShape>& shapes, const std::vector<MaterialPair>& given,
                                std::vector<Warning>& warnings);

}  // namespace rigor
