#include "rigor/error.h"

namespace rigor {
namespace {

std::string locate(const Place& where) {
  std::string text;
  if (!where.file.empty()) {
    text += where.file;
    if (where.line > 0) text.append(":").append(std::to_string(where.line));
    text += ": ";
  }
  if (!where.element.empty()) text += where.element + ": ";
  return text;
}

}  // namespace

Error::Error(Place where, std::string problem, std::string remedy)
    : std::runtime_error(locate(where) + problem + (remedy.empty() ? "" : "\n  " + remedy)),
      where_(std::move(where)),
      problem_(std::move(problem)),
      remedy_(std::move(remedy)) {}

std::string Warning::text() const { return locate(where) + message; }

}  // namespace rigor
