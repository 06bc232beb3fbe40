#include "report_page.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "output.h"

namespace rigor::app {
namespace {

constexpr const char* kStyle = R"(<style>
body { font: 15px/1.5 Helvetica, Arial, sans-serif; color: #222; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
svg { max-width: 100%; height: auto }
table { border-collapse: collapse; margin: 1rem 0 }
th, td { padding: .25rem .9rem .25rem 0; text-align: left; border-bottom: 1px solid #ddd; vertical-align: top }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
.differs { color: #b00020; font-weight: bold }
</style>
)";

std::string escape(const std::string& text) {
  std::string safe;
  for (char c : text) safe += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return safe;
}

std::string readPicture(const std::string& folder, const std::string& file) {
  std::ifstream stream(std::filesystem::path(folder) / file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// Numbers that were formatted already are numbers too: they do not break at their sign or exponent.
bool isNumber(const std::variant<std::string, double>& cell) {
  if (std::holds_alternative<double>(cell)) return true;
  const std::string& text = std::get<std::string>(cell);
  const std::size_t first = text.find_first_not_of("+-");
  return first != std::string::npos && std::isdigit(static_cast<unsigned char>(text[first])) && text.size() < 16;
}

std::string tableOf(const experiments::Table& table) {
  std::string html = "<table><tr>";
  for (const std::string& column : table.columns) html += "<th>" + escape(column) + "</th>";
  for (const auto& row : table.rows) {
    html += "</tr>\n<tr>";
    for (const auto& cell : row)
      html += fmt::format("<td{}>{}</td>", isNumber(cell) ? " class=\"number\"" : "", escape(cellText(cell)));
  }
  return html + "</tr></table>\n";
}

std::string findingsOf(const std::vector<experiments::Finding>& findings) {
  std::string html = "<table><tr><th>the paper</th><th>rigor</th><th></th></tr>\n";
  for (const experiments::Finding& finding : findings)
    html += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", escape(finding.paper), escape(finding.ours),
                        !finding.holds   ? "not shown"
                        : *finding.holds ? "holds"
                                         : "<span class=\"differs\">differs</span>");
  return html + "</table>\n";
}

}  // namespace

std::string cellText(const std::variant<std::string, double>& cell) {
  const double* number = std::get_if<double>(&cell);
  if (!number) return std::get<std::string>(cell);
  return std::isnan(*number) ? "-" : fmt::format("{:.4g}", *number);
}

std::string tableText(const experiments::Table& table) {
  std::vector<std::vector<std::string>> rows = {table.columns};
  for (const auto& row : table.rows) {
    rows.emplace_back();
    for (const auto& cell : row) rows.back().push_back(cellText(cell));
  }
  return formatTable(rows);
}

std::string reportPage(const std::string& title, const std::string& note, const std::string& folder,
                       const std::vector<ReportSection>& sections) {
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\n{1}</head><body>\n"
      "<h1>{0}</h1>\n",
      escape(title), kStyle);
  if (!note.empty()) html += "<p><b>" + escape(note) + "</b></p>\n";
  for (const auto& [heading, outcome] : sections) {
    html += fmt::format("<h2>{}</h2>\n", escape(heading));
    for (const std::string& line : outcome->setting) html += "<p>" + escape(line) + "</p>\n";
    if (!outcome->findings.empty()) html += findingsOf(outcome->findings);
    for (const std::string& file : outcome->files)
      if (file.ends_with(".svg")) html += readPicture(folder, file);
    html += tableOf(outcome->table);
    for (const std::string& file : outcome->files)
      html += fmt::format("<p>Data: <a href=\"{0}\">{0}</a></p>\n", escape(file));
  }
  return html + "</body></html>\n";
}

void saveReport(const std::string& title, const std::string& note, const std::string& folder,
                const std::vector<ReportSection>& sections) {
  const std::string file = (std::filesystem::path(folder) / "report.html").string();
  std::ofstream stream(file, std::ios::binary);
  stream << reportPage(title, note, folder, sections) << std::flush;
  if (!stream)
    throw WriteError(Place{file, 0, ""}, "cannot write this file", "Free some space, or choose another folder.");
  tell("Page written: " + file);
}

void makeReportFolder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder))
    throw Error(Place{folder, 0, ""}, "cannot make this folder" + (error ? ": " + error.message() : std::string()),
                "Choose a folder in a place where you may write.");
  checkWritable((std::filesystem::path(folder) / ".rigor").string());
}

}  // namespace rigor::app
