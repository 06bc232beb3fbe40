#include "contact/refuse_name.h"

#include <fmt/format.h>

#include "rigor/error.h"
#include "text/nearest.h"

namespace rigor {

std::string joinNames(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

void refuseName(std::string_view kind, std::string_view name, const std::vector<std::string>& known) {
  const std::string nearest = findNearest(std::string(name), known);
  throw Error(
      fmt::format("unknown {} \"{}\"", kind, name),
      (nearest.empty() ? "" : fmt::format("Did you mean \"{}\"? ", nearest)) + "Known: " + joinNames(known) + ".");
}

}  // namespace rigor
