#include "io/id_arrays.h"

#include "geometry/gap.h"
#include "rigor/error.h"

namespace rigor {
namespace {

int bits(std::uint64_t id, int first, int count) {
  return static_cast<int>(id >> first & ((std::uint64_t{1} << count) - 1));
}

/// An id that no contact of the model can have stays one: its shapes are not there.
RowId renewId(std::uint64_t id, IdLayout layout, const std::vector<char>& is_plane) {
  const std::uint64_t kind = id >> 60, count = is_plane.size(), index = id & ((std::uint64_t{1} << 60) - 1);
  if (kind != 0) return {kind << 60, index};
  if (layout == IdLayout::kPairs && count > 0)
    return makeFeaturePairId(static_cast<int>((id >> 36) / count), static_cast<int>((id >> 36) % count),
                             static_cast<FeatureKind>(bits(id, 32, 4)), bits(id, 16, 16), bits(id, 0, 16));
  const int shape_1 = bits(id, 36, 24), shape_2 = bits(id, 12, 24);
  const bool plane = static_cast<std::uint64_t>(shape_1) < count && is_plane[shape_1];
  return makeFeaturePairId(shape_1, shape_2, plane ? FeatureKind::kPlaneBall : FeatureKind::kBallBall, bits(id, 6, 6),
                           bits(id, 0, 6));
}

}  // namespace

void addIds(const std::string& name, const std::vector<RowId>& ids, NpzWriter& npz) {
  std::vector<std::uint64_t> words;
  words.reserve(2 * ids.size());
  for (const RowId& id : ids) words.insert(words.end(), {id.high, id.low});
  npz.add(name, words, 2);
}

std::vector<RowId> readIds(const std::string& file, const NpzReader& npz, const std::string& name, IdLayout layout,
                           const std::vector<char>& is_plane) {
  const auto array = npz.read<std::uint64_t>(name);
  const bool wide = layout == IdLayout::kWide;
  if (array.shape.size() != (wide ? 2 : 1) || (wide && array.shape[1] != 2))
    throw Error({file, 0, name}, "has the wrong shape", "Write the file again.");
  std::vector<RowId> ids;
  if (wide)
    for (std::size_t i = 0; i < array.values.size(); i += 2) ids.push_back({array.values[i], array.values[i + 1]});
  else
    for (const std::uint64_t id : array.values) ids.push_back(renewId(id, layout, is_plane));
  return ids;
}

}  // namespace rigor
