// Arrays of row ids in .npz files, those of older versions included.
#pragma once

#include <string>
#include <vector>

#include "io/npz/npz.h"
#include "rigor/row_id.h"

namespace rigor {

/// How a file writes ids; n shapes.
enum class IdLayout {
  kShapes,  ///< contacts: shape 1 · 2³⁶ + shape 2 · 2¹² + feature 1 · 2⁶ + feature 2; other rows: kind · 2⁶⁰ + index
  kPairs,   ///< contacts: (shape 1 · n + shape 2) · 2³⁶ + kind · 2³² + feature 1 · 2¹⁶ + feature 2; other rows the same
  kWide,    ///< high and low word of a RowId
};

/// Wide: [· × 2] uint64.
void addIds(const std::string& name, const std::vector<RowId>& ids, NpzWriter& npz);

/// Ids of today whatever the file has; Error for another shape. `is_plane` [shapes] of the model.
std::vector<RowId> readIds(const std::string& file, const NpzReader& npz, const std::string& name, IdLayout layout,
                           const std::vector<char>& is_plane);

}  // namespace rigor
