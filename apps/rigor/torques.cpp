#include "torques.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>

#include "rigor/recording.h"

namespace rigor::app {
namespace {

std::optional<double> readNumber(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
  if (first == std::string_view::npos) return std::nullopt;
  text = text.substr(first, last - first + 1);
  if (text.front() == '+') text.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// Numbers of one line; none if a cell is not a finite number.
std::vector<double> readLine(const std::string& line) {
  std::vector<double> numbers;
  std::stringstream cells(line);
  for (std::string cell; std::getline(cells, cell, ',');) {
    const std::optional<double> number = readNumber(cell);
    if (!number) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

void addRow(const Place& where, double time, const Eigen::VectorXd& tau, TorqueTable& table) {
  if (!std::isfinite(time) || !tau.allFinite())
    throw Error(where, "a time or torque is not finite", "Write finite numbers only.");
  if (!table.time.empty() && time <= table.time.back())
    throw Error(where, fmt::format("time {:g} s does not come after {:g} s", time, table.time.back()),
                "Sort the rows by time and give each time once.");
  table.time.push_back(time);
  table.tau.push_back(tau);
}

TorqueTable loadCsv(const std::string& file, int nv) {
  std::ifstream stream(file);
  if (!stream) throw Error(Place{file, 0, ""}, "cannot open this file", "Check the name after --torques.");
  TorqueTable table;
  bool heading_allowed = true;
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    const Place where{file, ++number, ""};
    if (line.find_first_not_of(" \t\r") == std::string::npos || line[0] == '#') continue;
    const std::vector<double> row = readLine(line);
    if (row.empty() && std::exchange(heading_allowed, false)) continue;
    heading_allowed = false;
    if (static_cast<int>(row.size()) != 1 + nv)
      throw Error(where, fmt::format("expected a time and {} torques, all finite numbers", nv),
                  "Write one line `time, tau_1, …, tau_nv` per row, separated by commas.");
    addRow(where, row[0], Eigen::Map<const Eigen::VectorXd>(row.data() + 1, nv), table);
  }
  return table;
}

TorqueTable loadFromRecording(const std::string& file, int nv) {
  const Recording recording = loadRecording(file);
  if (recording.nv != nv)
    throw Error(Place{file, 0, "tau"}, fmt::format("{} torques per row, the model has {}", recording.nv, nv),
                "Use a recording of the same model.");
  TorqueTable table;
  for (int i = 0; i < recording.steps(); ++i)
    addRow({file, 0, fmt::format("row {}", i)}, recording.time[i],
           Eigen::Map<const Eigen::VectorXd>(recording.tau.data() + std::ptrdiff_t{i} * nv, nv), table);
  return table;
}

}  // namespace

TorqueTable loadTorques(const std::string& file, int nv) {
  const TorqueTable table = file.ends_with(".npz") ? loadFromRecording(file, nv) : loadCsv(file, nv);
  if (table.time.empty())
    throw Error(Place{file, 0, ""}, "no torques in this file", "Write one line `time, tau_1, …, tau_nv` per row.");
  return table;
}

}  // namespace rigor::app
