// The papers' experiments, done again: one file per paper, its statements and numbers beside ours.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rigor/error.h"

namespace rigor::experiments {

/// Something that the paper says, and what was measured here.
struct Finding {
  std::string paper, ours;
  bool holds = false;  ///< ours says the same, or the paper's wish came true
};

/// One table of numbers; the first column names the row.
struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<std::variant<std::string, double>>> rows;
};

struct Outcome {
  std::vector<std::string> setting;  ///< lines: what was done, and what the paper does not print
  Table table;
  std::vector<Finding> findings;
  std::vector<std::string> files;  ///< names inside the folder

  bool good() const;  ///< every finding holds
};

/// Called with the number of steps done; false asks the experiment to stop, which it does by throwing Stopped.
using Watch = std::function<bool(std::int64_t)>;
struct Stopped {};

/// What the user asks of an experiment.
struct Request {
  std::string folder;  ///< where its files go
  std::string data;    ///< folder of measurements (Experiment::needs_data); else unused
};

/// The measurements cannot be used: the user's file is at fault, not the experiment.
struct DataError : Error {
  using Error::Error;
};

struct Experiment {
  std::string_view name, paper, title;
  std::int64_t steps;  ///< for a progress bar
  Outcome (*run)(const Request& request, const Watch& watch);
  bool needs_data = false;  ///< compares with measurements in Request::data
};

const std::vector<Experiment>& listExperiments();
const Experiment& findExperiment(const std::string& name);  ///< throws Error with the nearest name

}  // namespace rigor::experiments
