// What `run` and `demo` leave behind: files, a verdict, an exit code.
#pragma once

#include <optional>
#include <string>

#include "simulate.h"

namespace rigor::app {

struct RunFiles {
  std::string out;       ///< recording or page by its ending; empty: none
  std::string snapshot;  ///< empty: none
};

/// Before the run: throws Error for an unknown ending or a place where nothing can be written.
void checkFiles(const RunFiles& files);

/// After the run: writes the files, then the verdict (or its JSON) to stdout. Returns the exit code.
int finishRun(const RunFiles& files, bool json, const Simulator& simulator, const RunResult& result,
              const std::optional<Recording>& recording);

}  // namespace rigor::app
