// The report of `reproduce` and `compare`: one page that stands alone.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "experiments/experiment.h"

namespace rigor::app {

struct ReportSection {
  std::string heading;
  const experiments::Outcome* outcome;
};

/// Settings, findings, pictures and tables of all sections; the pictures are read from `folder` and put inside.
/// `note`, if not empty, stands below the title.
std::string reportPage(const std::string& title, const std::string& note, const std::string& folder,
                       const std::vector<ReportSection>& sections);

/// Writes it to report.html in the folder and says so. Throws WriteError.
void saveReport(const std::string& title, const std::string& note, const std::string& folder,
                const std::vector<ReportSection>& sections);

/// Makes the folder of a report. Throws Error if that is not possible, or nothing can be written there.
void makeReportFolder(const std::string& folder);

std::string cellText(const std::variant<std::string, double>& cell);
std::string tableText(const experiments::Table& table);  ///< for a terminal

}  // namespace rigor::app
