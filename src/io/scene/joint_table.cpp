#include "io/scene/joint_table.h"

#include <fmt/format.h>

#include <sstream>

#include "io/file.h"
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

std::vector<int> readColumns(const std::vector<std::string>& names, const Model& model, const std::string& prefix,
                             const Place& where) {
  if (names.empty() || names[0] != "time")
    throw Error(where, "the first column is not called time", "Write the first line as time,joint,joint,…");
  std::vector<int> joints;
  for (std::size_t i = 1; i < names.size(); ++i) joints.push_back(findSingleJoint(model, prefix, names[i], where));
  return joints;
}

}  // namespace

int findSingleJoint(const Model& model, const std::string& prefix, const std::string& name, const Place& where) {
  const int joint = model.findJoint(prefix + name);
  if (joint >= 0 && velocityCount(model.joints()[joint].spec.type) == 1) return joint;
  std::vector<std::string> known;
  for (const ModelJoint& other : model.joints())
    if (velocityCount(other.spec.type) == 1) known.push_back(other.spec.name);
  const std::string nearest = findNearest(prefix + name, known);
  throw Error(where, fmt::format("there is no joint \"{}\" with one freedom", name),
              nearest.empty() ? "See rigor info for the names." : fmt::format("Did you mean \"{}\"?", nearest));
}

void checkTimes(const std::vector<double>& time, const Place& where) {
  if (time.empty()) throw Error(where, "the table is empty", "Write at least one row.");
  for (std::size_t i = 1; i < time.size(); ++i)
    if (!(time[i] > time[i - 1]))
      throw Error(where, fmt::format("time {} s in row {} is not after the time before", time[i], i + 1),
                  "Rows act until the next one: their times must rise.");
}

JointTable readJointTable(const std::string& file, const Model& model, const std::string& prefix) {
  std::istringstream lines(readFile(file, kBinaryLimit));
  std::string line;
  Place where{file, 1, ""};
  std::getline(lines, line);
  JointTable table;
  table.joints = readColumns(splitLine(line), model, prefix, where);
  while (std::getline(lines, line)) {
    ++where.line;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::vector<std::string> words = splitLine(line);
    if (words.size() != table.joints.size() + 1)
      throw Error(where, fmt::format("has {} values, not {}", words.size(), table.joints.size() + 1),
                  "Write one per column.");
    std::vector<double> row;
    for (const std::string& word : words) {
      const auto value = parseNumber(word);
      if (!value)
        throw Error(where, fmt::format("\"{}\" is not a finite number", word), "Write plain decimal numbers.");
      row.push_back(*value);
    }
    table.time.push_back(row[0]);
    table.rows.emplace_back(row.begin() + 1, row.end());
  }
  checkTimes(table.time, {file, 0, ""});
  return table;
}

}  // namespace rigor
