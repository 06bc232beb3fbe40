// Names in messages: who is meant, and which known name comes nearest to a mistyped one.
#pragma once

#include <string>
#include <vector>

#include "rigor/model.h"

namespace rigor {

/// Where a body comes from; the element is `body "name"` (or its index) if the file reader gave none.
Place placeOf(const BodySpec& body, int index);

/// `joint "knee"`, or `its hinge joint` if it has no name.
std::string describeJoint(const JointSpec& joint);

/// A remedy for an unknown name: the nearest known one, or how to see all of them.
std::string suggestName(const std::string& unknown, const std::vector<std::string>& known);

}  // namespace rigor
