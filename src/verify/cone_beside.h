// The side of a cone beside another straight side, in long double.
#pragma once

#include <optional>

#include "verify/facing.h"

namespace rigor::verify {

struct ConeBeside {
  Facing facing;
  Real shift = 1;  ///< how far the point goes along the lines that touch where they move by one: 1/sine of their angle
};

/// Looks around the side of a cone for the line of it whose normal the other side, of a cone or a line that is grown by its radius, has
/// too; of two such lines the one that is farther apart along its normal. Nothing if there is none, if they meet beyond an apex, or
/// if `cone` is none.
std::optional<ConeBeside> findConeBeside(const Element& cone, const Element& other);

}  // namespace rigor::verify
