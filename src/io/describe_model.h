// A model as JSON, for the headers of recordings and snapshots and for the hash that names it.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

#include "rigor/model.h"

namespace rigor {

using Json = nlohmann::ordered_json;

/// Infinite and undefined numbers are null.
inline Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

template <class Vector>
Json list(const Vector& values) {
  Json json = Json::array();
  for (const double value : values) json.push_back(number(value));
  return json;
}

/// Shapes that may touch: [a, b], or [a, first, last] for a and each of first … last; a is the smallest.
Json describePairs(const Model& model);
/// As it was until recordings of version 5 and snapshots of version 3: one by one, a plane first.
Json describePairsOneByOne(const Model& model);

/// Bodies, joints, shapes, materials, loops, springs and `pairs`. `old`: without what models are told by since then, so that their hashes
/// stay.
Json describeModel(const Model& model, Json pairs, bool old = false);

}  // namespace rigor
