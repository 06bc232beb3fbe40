#include "contact/refuse_name.h"

#include <fmt/format.h>

#include "rigor/error.h"

namespace rigor {

std::string joinNames(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

void refuseName(std::string_view kind, std::string_view name, const std::vector<std::string>& known) {
  throw Error(fmt::format("unknown {} \"{}\"", kind, name), suggestKnown(std::string(name), known));
}

}  // namespace rigor
