#include "io/scene/torques.h"

#include <fmt/format.h>

#include <sstream>

#include "io/file.h"
#include "io/npz/npz.h"
#include "rigor/io.h"
#include "text/nearest.h"
#include "text/number.h"

namespace rigor {
namespace {

std::vector<std::string> splitLine(const std::string& line) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    const std::size_t first = line.find_first_not_of(" \t\r\"", begin),
                      last = line.find_last_not_of(" \t\r\"", end - 1);
    words.push_back(first < end && end > begin ? line.substr(first, last - first + 1) : "");
    if (end == line.size()) return words;
    begin = end + 1;
  }
}

// Entry of tau for each column behind the time.
std::vector<int> readColumns(const std::vector<std::string>& names, const Model& model, const std::string& prefix,
                             const Place& where) {
  if (names.empty() || names[0] != "time")
    throw Error(where, "the first column is not called time", "Write the first line as time,joint,joint,…");
  std::vector<std::string> known;
  for (const ModelJoint& joint : model.joints())
    if (velocityCount(joint.spec.type) == 1) known.push_back(joint.spec.name);
  std::vector<int> columns;
  for (std::size_t i = 1; i < names.size(); ++i) {
    const int joint = model.findJoint(prefix + names[i]);
    if (joint < 0 || velocityCount(model.joints()[joint].spec.type) != 1) {
      const std::string nearest = findNearest(prefix + names[i], known);
      throw Error(where, fmt::format("there is no joint \"{}\" with one freedom", names[i]),
                  nearest.empty() ? "See rigor info for the names." : fmt::format("Did you mean \"{}\"?", nearest));
    }
    columns.push_back(model.joints()[joint].v_index);
  }
  return columns;
}

TorqueTable readCsv(const std::string& file, const Model& model, const std::string& prefix) {
  std::istringstream lines(readFile(file, kBinaryLimit));
  std::string line;
  Place where{file, 1, ""};
  std::getline(lines, line);
  const std::vector<int> columns = readColumns(splitLine(line), model, prefix, where);
  TorqueTable table;
  while (std::getline(lines, line)) {
    ++where.line;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::vector<std::string> words = splitLine(line);
    if (words.size() != columns.size() + 1)
      throw Error(where, fmt::format("has {} values, not {}", words.size(), columns.size() + 1),
                  "Write one per column.");
    Eigen::VectorXd tau = Eigen::VectorXd::Zero(model.nv());
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto value = parseNumber(words[i]);
      if (!value)
        throw Error(where, fmt::format("\"{}\" is not a finite number", words[i]), "Write plain decimal numbers.");
      if (i == 0)
        table.time.push_back(*value);
      else
        tau[columns[i - 1]] = *value;
    }
    table.tau.push_back(tau);
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
  return table;
}

}  // namespace

void checkTorqueTimes(const TorqueTable& table, const Place& where) {
  if (table.time.empty()) throw Error(where, "the table of torques is empty", "Write at least one row.");
  for (std::size_t i = 1; i < table.time.size(); ++i)
    if (!(table.time[i] > table.time[i - 1]))
      throw Error(where, fmt::format("time {} s in row {} is not after the time before", table.time[i], i + 1),
                  "Rows act until the next one: their times must rise.");
}

TorqueTable readTorques(const std::string& file, const Model& model, const std::string& prefix) {
  if (!endsWith(file, ".csv") && !endsWith(file, ".npz"))
    throw Error({file, 0, ""}, "is not a known kind of torque file", "Give a .csv or .npz file.");
  TorqueTable table = endsWith(file, ".csv") ? readCsv(file, model, prefix) : readNpz(file, model);
  checkTorqueTimes(table, {file, 0, ""});
  return table;
}

TorqueTable loadTorques(const std::string& file, const Model& model) { return readTorques(file, model, ""); }

}  // namespace rigor
