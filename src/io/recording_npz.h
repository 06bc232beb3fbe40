// Recordings as .npz files, and the check that their arrays fit together.
#pragma once

#include "rigor/recording.h"

namespace rigor {

inline constexpr const char* kRecordingFormat = "rigor recording";
inline constexpr int kRecordingVersion = 8;

/// Throws Error for lengths that do not fit together and for NaN and infinity.
void checkRecording(const std::string& file, const Recording& recording);

void saveRecordingNpz(const std::string& file, const Recording& recording);
Recording loadRecordingNpz(const std::string& file);

}  // namespace rigor
