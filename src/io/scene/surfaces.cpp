// Shapes of triangles: {triangles = "file", scale = s} and {heightfield = {…}}.
#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "io/file.h"
#include "io/scene/assemble.h"
#include "rigor/mesh.h"
#include "text/number.h"

namespace rigor {
namespace {

constexpr std::uint64_t kLargestFile = std::uint64_t{1} << 28;

/// Runs `make`; what it complains about gets the place in the scene, unless it has a line of another file.
template <class Make>
Shape makeAt(const TableReader& reader, const char* key, const std::string& what, const Make& make) {
  try {
    return make();
  } catch (const Error& error) {
    if (error.where().line > 0) throw;
    throw Error(reader.place(key), fmt::format("{}: {}", what, error.problem()), error.remedy());
  }
}

void addRow(std::size_t count, const Place& where, HeightField& field) {
  if (field.rows > 0 && static_cast<int>(count) != field.columns)
    throw Error(where, fmt::format("row {} has {} heights, the first has {}", field.rows + 1, count, field.columns),
                "Every row of a height field has a number for each of its points.");
  field.columns = static_cast<int>(count);
  ++field.rows;
}

/// Where the next number begins: one comma and any blanks separate two of them; a comma may end a row.
std::size_t afterComma(const std::string& row, std::size_t from) {
  const std::size_t at = row.find_first_not_of(" \t\r", from);
  return at != std::string::npos && row[at] == ',' ? row.find_first_not_of(" \t\r", at + 1) : at;
}

/// Numbers row by row from −y on, separated by commas or blanks; lines that are empty or begin with # are skipped.
void readHeights(const std::string& file, HeightField& field) {
  const std::string text = readFile(file, kLargestFile);
  std::size_t start = 0;
  for (int line = 1; start < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string row = text.substr(start, end - start);
    start = end + 1;
    std::size_t count = 0;
    for (std::size_t at = row.find_first_not_of(" \t\r"); at != std::string::npos && row[at] != '#';) {
      const std::size_t stop = std::min(row.find_first_of(" \t\r,", at), row.size());
      const std::optional<double> height = parseNumber(row.substr(at, stop - at));
      if (!height)
        throw Error({file, line, ""},
                    stop == at ? fmt::format("height {} is missing before a comma", count + 1)
                               : fmt::format("\"{}\" is no finite number", row.substr(at, stop - at)),
                    "A height field is a table of heights; fill holes with those of their neighbours.");
      field.heights.push_back(*height);
      ++count;
      at = afterComma(row, stop);
    }
    if (count > 0) addRow(count, {file, line, ""}, field);
  }
}

void takeHeights(const TableReader& reader, const TomlValue& rows, HeightField& field) {
  for (const TomlValue& row : rows.items) {
    const std::vector<double> numbers = reader.numbers(row, row.items.size(), "a row of heights");
    field.heights.insert(field.heights.end(), numbers.begin(), numbers.end());
    addRow(numbers.size(), reader.place("heights"), field);
  }
}

}  // namespace

Shape readTriangles(TableReader& reader) {
  const std::string file = reader.requiredFile("triangles");
  const Eigen::Vector3d scale = readScale(reader);
  return makeAt(reader, "triangles", fmt::format("triangles \"{}\"", file),
                [&] { return makeTriangles(loadMesh(file, scale)); });
}

Shape readHeightField(TableReader& reader) {
  std::optional<TableReader> table = reader.table("heightfield");
  if (!table)
    reader.fail("heightfield", "heightfield is not a table",
                "Write heightfield = {file = \"heights.csv\", size = [x, y]} with lengths in metres.");
  HeightField field;
  const TomlValue* rows = table->find("heights");
  if ((rows != nullptr) == table->has("file"))
    table->fail("heights", rows ? "has both a file and heights" : "has neither a file nor heights",
                "Give file = \"heights.csv\" or heights = [[…], […]].");
  const TomlValue* size = table->find("size");
  if (!size) table->fail("size", "has no size", "Write size = [x, y], its lengths in metres.");
  const std::vector<double> lengths = table->numbers(*size, 2, "size");
  const double unit = table->positive("height", 1.0);
  field.source = rows ? reader.file() : table->requiredFile("file");
  const std::string what = rows ? "height field" : fmt::format("height field \"{}\"", field.source);
  return makeAt(*table, rows ? "heights" : "file", what, [&] {
    if (rows)
      takeHeights(*table, *rows, field);
    else
      readHeights(field.source, field);
    table->finish();
    field.half_x = 0.5 * lengths[0], field.half_y = 0.5 * lengths[1];
    for (double& height : field.heights) height *= unit;
    return makeHeightField(std::move(field));
  });
}

}  // namespace rigor
