// Generalised forces from a file, for `run --torques`.
#pragma once

#include <string>

#include "rigor/scene.h"

namespace rigor::app {

/// A recording (.npz), or a .csv with one line `time, tau_1, …, tau_nv` per row; a heading and # comments are skipped.
TorqueTable loadTorques(const std::string& file, int nv);

}  // namespace rigor::app
