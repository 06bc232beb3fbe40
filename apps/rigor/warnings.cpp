#include "warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "output.h"

namespace rigor::app {
namespace {

struct Group {
  std::string kind;
  const Warning* example;
  int count;
};

/// The message without what differs from case to case.
std::string kindOf(const std::string& message) {
  std::string kind;
  bool quoted = false;
  for (const char c : message) {
    if (c == '"') quoted = !quoted;
    if (quoted || std::isdigit(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '+') continue;
    kind += c;
  }
  return kind;
}

}  // namespace

std::vector<std::string> groupWarnings(const std::vector<Warning>& warnings) {
  std::vector<Group> groups;
  for (const Warning& warning : warnings) {
    const std::string kind = kindOf(warning.message);
    const auto known =
        std::find_if(groups.begin(), groups.end(), [&](const Group& group) { return group.kind == kind; });
    if (known == groups.end())
      groups.push_back({kind, &warning, 1});
    else
      ++known->count;
  }
  std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) {
    return a.example->changes_motion && !b.example->changes_motion;
  });
  std::vector<std::string> lines;
  for (const Group& group : groups)
    lines.push_back(group.example->text() +
                    (group.count > 1 ? fmt::format(" (and {} more like this)", group.count - 1) : ""));
  return lines;
}

void tellWarnings(const std::vector<Warning>& warnings) {
  for (const std::string& line : groupWarnings(warnings)) tell("warning: " + line);
}

}  // namespace rigor::app
