// Numbers of joints over time, in .csv files.
#pragma once

#include <string>
#include <vector>

#include "rigor/model.h"

namespace rigor {

struct JointTable {
  std::vector<int> joints;                ///< of one freedom, in Model::joints(), one per column
  std::vector<double> time;               ///< [s] rising; one per row, at least one
  std::vector<std::vector<double>> rows;  ///< [joints] each
};

/// A first line `time,joint,joint,…`, then numbers. `prefix` goes before the names of the columns.
JointTable readJointTable(const std::string& file, const Model& model, const std::string& prefix);

/// The joint of one freedom with this name. Throws Error with the nearest one.
int findSingleJoint(const Model& model, const std::string& prefix, const std::string& name, const Place& where);

/// Throws Error unless there is a row and the times rise.
void checkTimes(const std::vector<double>& time, const Place& where);

}  // namespace rigor
