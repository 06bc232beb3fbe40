// rigor check: problems of a model or scene before they bite.
#include "rigor/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "argument_check.h"
#include "commands.h"
#include "json.h"
#include "output.h"

namespace rigor::app {
namespace {

constexpr int kShownOfKind = 8;

/// A file that can be read but means nothing is a problem like others; one that cannot be read is bad input.
std::vector<Problem> findProblems(const CheckArguments& arguments) {
  Scene scene;
  try {
    LoadOptions load = arguments.load;
    load.strict = false;  // all are told, not the first alone
    scene = loadScene(arguments.scene, load);
  } catch (const Error& error) {
    if (error.where().line == 0) throw;
    return {{"file", true, error.where(), error.problem(), error.remedy()}};
  }
  if (arguments.dt) scene.dt = *arguments.dt;
  return checkScene(scene);
}

std::string placeText(const Place& where) {
  return where.line > 0 ? fmt::format("{} (line {})", where.element, where.line) : where.element;
}

std::string describe(const std::vector<Problem>& problems) {
  if (problems.empty()) return "no problems found\n";
  std::vector<std::vector<std::string>> rows{{"", "kind", "where", "problem"}};
  std::vector<std::pair<std::string, std::string>> remedies;  // in the order of the table, each once
  std::map<std::pair<std::string, bool>, int> count;
  for (const Problem& problem : problems) {
    if (++count[{problem.kind, problem.is_error}] > kShownOfKind) continue;
    rows.push_back({problem.is_error ? "error" : "warning", problem.kind, printable(placeText(problem.where)),
                    printable(problem.message)});
    const std::pair<std::string, std::string> remedy{problem.kind, problem.remedy};
    if (std::find(remedies.begin(), remedies.end(), remedy) == remedies.end()) remedies.push_back(remedy);
  }
  std::string text = formatTable(rows);
  for (const auto& [kind, number] : count)
    if (number > kShownOfKind)
      text += fmt::format("and {} more of kind {} (--json lists all)\n", number - kShownOfKind, kind.first);
  text += "\n";
  for (const auto& [kind, remedy] : remedies) text += fmt::format("{}: {}\n", kind, remedy);
  return text;
}

}  // namespace

int execute(const CheckArguments& arguments) {
  checkPositive("--dt", arguments.dt);
  const std::vector<Problem> problems = findProblems(arguments);
  writeResult(arguments.json ? checkJson(problems) : describe(problems));
  const auto isError = [&](const Problem& problem) {
    return problem.is_error || (arguments.load.strict && !problem.is_notice);
  };
  return std::any_of(problems.begin(), problems.end(), isError) ? kFailed : kDone;
}

}  // namespace rigor::app
