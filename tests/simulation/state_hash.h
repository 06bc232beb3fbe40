// The bits of a state as one number, for tests that compare runs to the last bit.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "rigor/rigor.h"

namespace rigor {

inline Scene loadNamed(const std::string& name) {
  return loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/" + name + ".toml");
}

/// FNV-1a over the bits of q and v.
inline std::uint64_t hashState(const State& state) {
  std::uint64_t hash = 1469598103934665603ull;
  for (const Eigen::VectorXd* x : {&state.q, &state.v})
    for (int i = 0; i < x->size(); ++i) {
      std::uint64_t bits;
      std::memcpy(&bits, x->data() + i, sizeof bits);
      hash = (hash ^ bits) * 1099511628211ull;
    }
  return hash;
}

}  // namespace rigor
