#include "rigor/joint.h"

namespace rigor {

std::string jointTypeName(JointType type) {
  if (type == kHelical) return "helical";
  if (type == kUniversal) return "universal";
  if (type.rotation > Rotation::kAll) return "unknown";  // neither goes with a translation; the builder refuses it
  constexpr const char* kNames[4][3] = {
      {"fixed", "hinge", "ball"},
      {"slide", "cylindrical", "point_on_line"},
      {"plane_no_turn", "planar", "point_on_plane"},
      {"no_turn", "all_and_axis", "free"},
  };
  return kNames[static_cast<int>(type.translation)][static_cast<int>(type.rotation)];
}

}  // namespace rigor
