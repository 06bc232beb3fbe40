#include "model/names.h"

#include <fmt/format.h>

namespace rigor {

Place placeOf(const BodySpec& body, int index) {
  Place where = body.where;
  if (where.element.empty())
    where.element = body.name.empty() ? fmt::format("body {}", index) : fmt::format("body \"{}\"", body.name);
  return where;
}

std::string describeJoint(const JointSpec& joint) {
  return joint.name.empty() ? fmt::format("its {} joint", jointTypeName(joint.type))
                            : fmt::format("joint \"{}\"", joint.name);
}

}  // namespace rigor
