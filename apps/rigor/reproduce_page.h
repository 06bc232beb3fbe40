// The report of `rigor reproduce` as one page that stands alone.
#pragma once

#include <string>
#include <vector>

#include "json.h"

namespace rigor::app {

/// Settings, pictures, tables and findings of all experiments; the pictures are read from `folder` and put inside.
std::string reproducePage(const std::string& folder, const std::vector<DoneExperiment>& done);

std::string cellText(const std::variant<std::string, double>& cell);

}  // namespace rigor::app
