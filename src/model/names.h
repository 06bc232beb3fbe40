// Names in messages: which body or joint is meant.
#pragma once

#include <string>
#include <vector>

#include "rigor/model.h"

namespace rigor {

/// Where a body comes from; the element is `body "name"` (or its index) if the file reader gave none.
Place placeOf(const BodySpec& body, int index);

/// `joint "knee"`, or `its hinge joint` if it has no name.
std::string describeJoint(const JointSpec& joint);

}  // namespace rigor
