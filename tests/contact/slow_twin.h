// One contact for the slow twin, and the size that rounding is measured against.
#pragma once

#include <algorithm>
#include <cmath>

#include "reference/slow_contact.h"
#include "rigor/single_contact.h"

namespace rigor {

inline reference::SlowContact slow(const ContactBlock& block) {
  reference::SlowContact out;
  for (int r = 0; r < 3; ++r) {
    out.b[r] = block.b[r];
    for (int c = 0; c < 3; ++c) out.W[r][c] = block.W[r][c];
  }
  out.mu = block.mu;
  return out;
}

/// Size of the velocities that the answer is made of: what rounding is measured against.
inline double velocitySize(const ContactBlock& block, const ContactAnswer& answer) {
  double size = 0.0;
  for (int r = 0; r < 3; ++r) {
    double row = std::abs(block.b[r]);
    for (int c = 0; c < 3; ++c) row += std::abs(block.W[r][c] * answer.impulse[c]);
    size = std::max(size, row);
  }
  return size;
}

}  // namespace rigor
