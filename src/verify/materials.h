// How shapes of two materials behave, from the entries of a header. Memory and time grow with the entries, not with all pairs.
#pragma once

#include <map>
#include <optional>

#include "verify/header_text.h"

namespace rigor::verify {

/// How two surfaces behave.
struct Surface {
  Real friction = 0, friction_static = 0, restitution = 0, threshold = 0;
};

class Materials {
 public:
  void read(const Json& entries);
  int numberOf(const std::string& name);  ///< the same for the same name; after read()

  /// The pair of both materials; else those of one of them; else those of a ground; else friction 0.8 and no bounce.
  Surface between(int a, int b) const;

 private:
  std::map<std::string, int> numbers_;
  std::map<std::pair<int, int>, Surface> pairs_;  ///< the smaller number first
  std::map<int, Surface> alone_, fallback_;       ///< of one material against any other, the weaker of all entries
};

}  // namespace rigor::verify
