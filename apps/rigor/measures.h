// What the second opinion measures: names for programs and for people.
#pragma once

#include <array>

#include "rigor/verify.h"

namespace rigor::app {

struct MeasureName {
  const char* key;  ///< in JSON
  const char* words;
  const char* unit;
  double VerifyWorst::* of;
};

inline constexpr std::array<MeasureName, 11> kMeasures = {{
    {"gap", "deeper than before", "m", &VerifyWorst::gap},
    {"overlap", "true overlap", "m", &VerifyWorst::overlap},
    {"momentum", "momentum balance", "of the fastest freedom", &VerifyWorst::momentum},
    {"cone", "outside the cone", "of the contact's scale", &VerifyWorst::cone},
    {"complementarity", "complementarity", "of the contact's scale", &VerifyWorst::complementarity},
    {"energy_gain", "energy gain", "J", &VerifyWorst::energy_gain},
    {"contact_work", "energy from contact", "of the kinetic energy in a sub-step", &VerifyWorst::contact_work},
    {"slip", "friction against slip", "of the contact's scale", &VerifyWorst::slip},
    {"loop", "loops open", "m or rad", &VerifyWorst::loop},
    {"limit", "beyond joint range", "m or rad", &VerifyWorst::limit},
    {"energy", "energy of nodes", "of its terms", &VerifyWorst::energy},
}};

}  // namespace rigor::app
