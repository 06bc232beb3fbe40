#include "io/scene/torques.h"

#include "io/file.h"
#include "io/npz/npz.h"
#include "io/scene/joint_table.h"
#include "rigor/io.h"

namespace rigor {
namespace {

TorqueTable readCsv(const std::string& file, const Model& model, const std::string& prefix) {
  const JointTable joints = readJointTable(file, model, prefix);
  TorqueTable table;
  table.time = joints.time;
  for (const std::vector<double>& row : joints.rows) {
    table.tau.push_back(Eigen::VectorXd::Zero(model.nv()));
    for (std::size_t i = 0; i < row.size(); ++i) table.tau.back()[model.joints()[joints.joints[i]].v_index] = row[i];
  }
  return table;
}

TorqueTable readNpz(const std::string& file, const Model& model) {
  const NpzReader npz(file);
  TorqueTable table;
  table.time = npz.read<double>("time").values;
  const std::size_t nv = model.nv();
  // a recording names the end of its last step too; what acts then is no longer its business
  if (npz.has("substep_start") && !table.time.empty()) table.time.pop_back();
  const std::size_t n = table.time.size();
  const std::vector<double> tau = npz.read<double>("tau", {n, nv});
  for (std::size_t i = 0; i < n; ++i) table.tau.push_back(Eigen::Map<const Eigen::VectorXd>(tau.data() + i * nv, nv));
  checkTimes(table.time, {file, 0, ""});
  return table;
}

}  // namespace

TorqueTable readTorques(const std::string& file, const Model& model, const std::string& prefix) {
  if (!endsWith(file, ".csv") && !endsWith(file, ".npz"))
    throw Error({file, 0, ""}, "is not a known kind of torque file", "Give a .csv or .npz file.");
  return endsWith(file, ".csv") ? readCsv(file, model, prefix) : readNpz(file, model);
}

TorqueTable loadTorques(const std::string& file, const Model& model) { return readTorques(file, model, ""); }

}  // namespace rigor
