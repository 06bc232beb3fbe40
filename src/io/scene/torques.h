// Tables of joint torques over time, in files.
#pragma once

#include <string>

#include "rigor/scene.h"

namespace rigor {

/// .csv: a first line `time,joint,joint,…`, then numbers; joints without a column get no torque. .npz: arrays `time`
/// [n] and `tau` [n × nv], so that a recording can be replayed. `prefix` goes before the names of the columns.
TorqueTable readTorques(const std::string& file, const Model& model, const std::string& prefix);

}  // namespace rigor
