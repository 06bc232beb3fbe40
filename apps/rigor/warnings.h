// Warnings as people read them: one line per kind, with a count and one example, what changes the motion first.
#pragma once

#include <string>
#include <vector>

#include "rigor/error.h"

namespace rigor::app {

/// Two warnings are of one kind if they differ only in names (in quotes) and numbers. The first of each kind is the
/// example; kinds that change the motion come first, else the order stays.
std::vector<std::string> groupWarnings(const std::vector<Warning>& warnings);

void tellWarnings(const std::vector<Warning>& warnings);  ///< on stderr

}  // namespace rigor::app
