// How test names show an integrator: by its name. Without this they would show bytes, pointers among them.
#pragma once

#include <ostream>

#include "rigor/integrator.h"

namespace rigor {

inline void PrintTo(const IntegratorInfo& info, std::ostream* out) { *out << info.name; }

}  // namespace rigor
