// The papers' experiments, done again: a header per paper, its statements and numbers beside ours.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rigor/error.h"
#include "rigor/solver.h"

namespace rigor::experiments {

/// Something that the paper says, and what was measured here.
struct Finding {
  std::string paper, ours;
  /// Ours says the same, or the paper's wish came true. Nothing where nothing was measured that could tell: `ours` says what was
  /// missing.
  std::optional<bool> holds = false;
};

/// A number that the paper prints, and ours.
struct Figure {
  std::string what;
  double paper = 0.0, ours = 0.0;
};

/// What came of an experiment.
enum class Verdict : std::uint8_t {
  kHolds,     ///< all is as the paper says
  kDiffers,   ///< done, but something is not as the paper says
  kNotShown,  ///< done, nothing differs, but something was not seen at all
  kFailed,    ///< it could not be done: steps were refused
};
const char* verdictName(Verdict verdict);  ///< "holds", "differs", "not shown", "failed"

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

  std::vector<Figure> figures = {};
  bool done = true;  ///< no run ended early

  Verdict verdict() const;
};

/// Called with the number of steps done; false asks the experiment to stop, which it does by throwing Stopped.
using Watch = std::function<bool(std::int64_t)>;
struct Stopped {};

/// What the user asks of an experiment.
struct Request {
  std::string folder;              ///< where its files go
  std::string data;                ///< folder of measurements (Experiment::needs_data); else unused
  std::string scenes;              ///< folder of the scenes that come with rigor
  std::int64_t steps = 0;          ///< of every run, where Experiment::run_steps is not 0; 0: as many as the paper
  const StopFlag* stop = nullptr;  ///< raised when the watch will ask to stop: a long step does not go on until then
  bool quick = false;              ///< a short look: fewer and shorter runs, where Experiment::quick_steps is not 0
};

/// The measurements cannot be used: the user's file is at fault, not the experiment.
struct DataError : Error {
  using Error::Error;
};

struct Experiment {
  std::string_view name, paper, title;
  std::int64_t steps;  ///< for a progress bar
  Outcome (*run)(const Request& request, const Watch& watch);
  bool needs_data = false;       ///< compares with measurements in Request::data
  std::int64_t run_steps = 0;    ///< of each of its runs, if the user may ask for fewer; else 0
  std::int64_t quick_steps = 0;  ///< in place of `steps` if Request::quick; 0: it has no shorter form
};

const std::vector<Experiment>& listExperiments();
/// The experiment of this name, or all whose names begin with it and a dash: those of a paper. Throws Error with the
/// nearest name.
std::vector<const Experiment*> findExperiments(const std::string& name);

}  // namespace rigor::experiments
