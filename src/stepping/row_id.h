// Names of rows that stay the same from step to step, whoever steps.
#pragma once

#include <cstdint>

#include "rigor/state.h"

namespace rigor {

/// What a block of rows comes from: the four uppermost bits of its id.
enum class RowSource : std::uint8_t {
  kContact,
  kLimit,
  kMotor,
  kDryFriction,
  kLoop,
  kSpring,
  kOwn,
  kLoopFreedom,
  kServo,  ///< of inverse dynamics; in no recording
};

/// Ids of rows that belong to a joint or a loop; those of contacts are made from features (geometry/gap.h).
inline RowId rowId(RowSource source, int index) {
  return {static_cast<std::uint64_t>(source) << 60, static_cast<std::uint64_t>(index)};
}
inline bool isMotor(const BlockMemory& block) { return block.id.high == rowId(RowSource::kMotor, 0).high; }
inline bool isMotorAtBound(const BlockMemory& block) { return isMotor(block) && block.mode == ContactMode::kSlip; }
inline int motorDof(const BlockMemory& block) { return static_cast<int>(block.id.low); }

}  // namespace rigor
