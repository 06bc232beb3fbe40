// Experiments as `rigor reproduce --quick` runs them, for tests.
#pragma once

#include <filesystem>
#include <string>

#include "experiments/experiment.h"

namespace rigor::experiments {

/// Where files of this test program go.
inline std::string makeResultFolder() {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "rigor_experiments_test";
  std::filesystem::create_directories(folder);
  return folder.string();
}

inline Request quickRequest() {
  Request request;
  request.folder = makeResultFolder();
  request.scenes = std::string(RIGOR_SOURCE_DIR) + "/scenes";
  request.quick = true;
  return request;
}

inline Outcome runQuickly(const std::string& name) {
  return findExperiments(name).at(0)->run(quickRequest(), [](std::int64_t) { return true; });
}

/// A number of the table, by the word or number that its row begins with and the heading of its column.
inline double cellOf(const Table& table, const std::string& row, const std::string& column) {
  for (const auto& cells : table.rows) {
    if (std::get<std::string>(cells.at(0)) != row) continue;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      if (table.columns[i] == column) return std::get<double>(cells.at(i));
  }
  throw Error("no cell " + row + ", " + column);
}

}  // namespace rigor::experiments
