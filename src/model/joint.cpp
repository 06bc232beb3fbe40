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

std::optional<JointType> findJointType(const std::string& name) {
  for (const Translation translation : {Translation::kNone, Translation::kAxis, Translation::kPlane, Translation::kAll})
    for (const Rotation rotation :
         {Rotation::kNone, Rotation::kAxis, Rotation::kAll, Rotation::kHelix, Rotation::kTwoAxes})
      if (const std::string known = jointTypeName({translation, rotation}); known == name && known != "unknown")
        return JointType{translation, rotation};
  return std::nullopt;
}

std::vector<std::string> jointTypeNames() {
  std::vector<std::string> names;
  for (int translation = 0; translation < 4; ++translation)
    for (int rotation = 0; rotation < 3; ++rotation)
      names.push_back(jointTypeName({static_cast<Translation>(translation), static_cast<Rotation>(rotation)}));
  names.insert(names.end(), {"helical", "universal"});
  return names;
}

}  // namespace rigor
