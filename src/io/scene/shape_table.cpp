#include <fmt/format.h>

#include "io/scene/assemble.h"
#include "io/scene/table_reader.h"
#include "rigor/io.h"

namespace rigor {

Shape parseShapeTable(const std::string& text) {
  TomlValue body;
  try {
    body = parseToml("shape = " + text, "");
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", text, error.problem()), "Write for example {box = [0.5, 0.5, 0.5]}.");
  }
  TableReader owner(body, "", text);
  std::optional<TableReader> reader = owner.table("shape");
  if (!reader) throw Error(fmt::format("{} is no table", text), "Write for example {box = [0.5, 0.5, 0.5]}.");
  reader->rename(text);
  Shape shape = readShape(*reader);
  reader->finish();
  return shape;
}

}  // namespace rigor
