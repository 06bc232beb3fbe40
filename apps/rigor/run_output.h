// What `run` and `demo` leave behind: files, a verdict, an exit code.
#pragma once

#include <string>
#include <vector>

#include "rigor/recording.h"

namespace rigor::app {

struct RunFiles {
  std::vector<std::string> out;  ///< recordings or pages by their endings
  std::string snapshot;          ///< empty: none
};

/// Before the run: throws Error for an unknown ending or a place where nothing can be written.
void checkFiles(const RunFiles& files);

struct VerdictOptions {
  bool json = false;
  bool allow_missing_contact = false;  ///< an incomplete run exits with 0
};

/// After the run: writes the files, then the verdict (or its JSON) to stdout. Returns the exit code. There is a recording
/// if there are files for it.
int finishRun(const RunFiles& files, const VerdictOptions& options, const Simulator& simulator,
              const RunSummary& summary, const Recording* recording);

}  // namespace rigor::app
