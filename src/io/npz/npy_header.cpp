#include "io/npz/npy_header.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>

#include "text/number.h"

namespace rigor {
namespace {

[[noreturn]] void fail(const Place& where, const std::string& problem) {
  throw Error(where, problem, "Write the array again, with numpy.savez or with rigor.");
}

// The text behind `'key':` in the header's dictionary, up to the comma or bracket that ends it.
std::string findEntry(const std::string& dictionary, const std::string& key, const Place& where) {
  const std::size_t found = dictionary.find("'" + key + "'");
  const std::size_t colon = found == std::string::npos ? found : dictionary.find(':', found);
  if (colon == std::string::npos) fail(where, fmt::format("the .npy header has no {}", key));
  const std::size_t begin = dictionary.find_first_not_of(' ', colon + 1);
  if (begin == std::string::npos) fail(where, "the .npy header is cut short");
  const std::size_t end =
      dictionary[begin] == '(' ? dictionary.find(')', begin) : dictionary.find_first_of(",}", begin);
  if (end == std::string::npos) fail(where, "the .npy header is cut short");
  return dictionary.substr(begin, end - begin);
}

std::vector<std::size_t> parseShape(const std::string& text, const Place& where) {
  std::vector<std::size_t> shape;
  for (std::size_t begin = 1; begin < text.size();) {  // behind the bracket
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    begin = end + 1;
    if (word.find_first_not_of(' ') == std::string::npos) continue;  // "(3,)"
    const auto value = parseNumber(word);
    if (!value || *value < 0.0 || *value > 1e15 || *value != static_cast<double>(static_cast<std::size_t>(*value)))
      fail(where, fmt::format("the shape {}) makes no sense", text));
    shape.push_back(static_cast<std::size_t>(*value));
  }
  return shape;
}

// Bytes of one element: the digits of "<f8"; unicode strings have four bytes per character.
std::size_t elementSize(const std::string& type, const Place& where) {
  const auto digits = type.size() > 2 ? parseNumber(type.substr(2)) : std::nullopt;
  if (!digits || *digits < 0.0 || *digits > 1e12) fail(where, fmt::format("the type {} is unknown", type));
  return static_cast<std::size_t>(*digits) * (type[1] == 'U' ? 4 : 1);
}

std::size_t countBytes(const NpyHeader& header, const Place& where) {
  std::size_t count = elementSize(header.type, where);
  for (const std::size_t size : header.shape) {
    if (size != 0 && count > std::numeric_limits<std::size_t>::max() / size) fail(where, "the shape is too large");
    count *= size;
  }
  return count;
}

}  // namespace

std::string makeNpyHeader(const std::string& type, const std::vector<std::size_t>& shape) {
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", type,
                                 fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  const std::size_t before = 10;  // magic, version, length
  while ((before + text.size() + 1) % 64 != 0) text += ' ';
  text += '\n';
  std::string header = "\x93NUMPY\x01";
  header += '\0';
  header += static_cast<char>(text.size() & 0xff);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}

NpyHeader parseNpyHeader(const std::string& content, const Place& where) {
  if (content.size() < 12 || content.compare(0, 6, "\x93NUMPY") != 0) fail(where, "is not a .npy array");
  const int version = static_cast<unsigned char>(content[6]);
  if (version < 1 || version > 3) fail(where, fmt::format("has the unknown .npy version {}", version));
  const std::size_t before = version == 1 ? 10 : 12;
  std::size_t length = 0;
  for (std::size_t i = before; i > 8; --i) length = length << 8 | static_cast<unsigned char>(content[i - 1]);
  if (length > content.size() - before) fail(where, "the .npy header is cut short");

  NpyHeader header;
  header.size = before + length;
  const std::string dictionary = content.substr(before, length);
  const std::string type = findEntry(dictionary, "descr", where);
  if (type.size() < 3 || type.front() != '\'' || type.back() != '\'') fail(where, "is an array of records");
  header.type = type.substr(1, type.size() - 2);
  header.fortran_order = findEntry(dictionary, "fortran_order", where) == "True";
  header.shape = parseShape(findEntry(dictionary, "shape", where), where);
  if (countBytes(header, where) != content.size() - header.size)
    fail(where, fmt::format("has {} bytes of data, its shape needs {}", content.size() - header.size,
                            countBytes(header, where)));
  return header;
}

}  // namespace rigor
