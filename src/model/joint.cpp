#include "rigor/joint.h"

namespace rigor {

std::string jointTypeName(JointType type) {
  constexpr const char* kNames[4][3] = {
      {"fixed", "hinge", "ball"},
      {"slide", "cylindrical", "point_on_line"},
      {"plane_no_turn", "planar", "point_on_plane"},
      {"no_turn", "all_and_axis", "free"},
  };
  return kNames[static_cast<int>(type.translation)][static_cast<int>(type.rotation)];
}

}  // namespace rigor
