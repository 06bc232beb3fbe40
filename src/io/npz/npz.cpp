#include "io/npz/npz.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "io/npz/npy_header.h"
#include "rigor/error.h"

namespace rigor {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie in memory");

template <class T>
constexpr const char* kTypeName = nullptr;
template <>
constexpr const char* kTypeName<double> = "<f8";
template <>
constexpr const char* kTypeName<std::int32_t> = "<i4";
template <>
constexpr const char* kTypeName<std::int64_t> = "<i8";
template <>
constexpr const char* kTypeName<std::uint64_t> = "<u8";
template <>
constexpr const char* kTypeName<std::uint8_t> = "|u1";

std::size_t countElements(const ArrayShape& shape) {
  std::size_t count = 1;
  for (const std::size_t size : shape) count *= size;
  return count;
}

template <class From, class To>
std::vector<To> convert(std::string_view bytes) {
  std::vector<To> values(bytes.size() / sizeof(From));
  if constexpr (std::is_same_v<From, To>) {
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(From));
  } else {
    for (std::size_t i = 0; i < values.size(); ++i) {
      From value;
      std::memcpy(&value, bytes.data() + i * sizeof(From), sizeof(From));
      values[i] = static_cast<To>(value);
    }
  }
  return values;
}

template <class T>
bool decode(const std::string& type, std::string_view bytes, std::vector<T>& values) {
  if (type == kTypeName<T>) {
    values = convert<T, T>(bytes);
    return true;
  }
  if constexpr (std::is_same_v<T, double>) {
    if (type == "<f4")
      values = convert<float, double>(bytes);
    else if (type == "<i4")
      values = convert<std::int32_t, double>(bytes);
    else if (type == "<i8")
      values = convert<std::int64_t, double>(bytes);
    else if (type == "|u1")
      values = convert<std::uint8_t, double>(bytes);
    else
      return false;
    return true;
  }
  return false;
}

// Column-major to row-major; only matrices come this way.
template <class T>
std::vector<T> transpose(const std::vector<T>& values, std::size_t rows, std::size_t columns) {
  std::vector<T> turned(values.size());
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) turned[i * columns + j] = values[j * rows + i];
  return turned;
}

void appendUtf8(std::string& text, std::uint32_t code) {
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xc0 | code >> 6);
    text += static_cast<char>(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    text += static_cast<char>(0xe0 | code >> 12);
    text += static_cast<char>(0x80 | (code >> 6 & 0x3f));
    text += static_cast<char>(0x80 | (code & 0x3f));
  } else {
    text += static_cast<char>(0xf0 | (code >> 18 & 0x07));
    text += static_cast<char>(0x80 | (code >> 12 & 0x3f));
    text += static_cast<char>(0x80 | (code >> 6 & 0x3f));
    text += static_cast<char>(0x80 | (code & 0x3f));
  }
}

}  // namespace

template <class T>
void NpzWriter::add(const std::string& name, const T* values, const ArrayShape& shape) {
  const std::size_t count = countElements(shape);
  assert((values || count == 0) && "the array fills its shape");
  if constexpr (std::is_same_v<T, double>) {
    for (std::size_t i = 0; i < count; ++i)
      if (!std::isfinite(values[i]))
        throw Error({path_, 0, name}, fmt::format("entry {} is not finite; nothing was written", i),
                    "NaN and infinity are never saved: find the step that made them.");
  }
  zip_.add(name + ".npy", makeNpyHeader(kTypeName<T>, shape), values, count * sizeof(T));
}

void NpzWriter::addText(const std::string& name, const std::string& text) {
  add(name, reinterpret_cast<const std::uint8_t*>(text.data()), {text.size()});
}

std::vector<std::string> NpzReader::names() const {
  std::vector<std::string> names = zip_.names();
  for (std::string& name : names)
    if (name.ends_with(".npy")) name.resize(name.size() - 4);
  return names;
}

void NpzReader::fail(const std::string& name, const std::string& problem) const {
  throw Error({zip_.path(), 0, fmt::format("array \"{}\"", name)}, problem, "Write the file again.");
}

void NpzWriter::addBounds(const std::string& name, const std::vector<double>& values) {
  zip_.add(name + ".npy", makeNpyHeader(kTypeName<double>, {values.size()}), values.data(),
           values.size() * sizeof(double));
}

template <class T>
Array<T> NpzReader::readAny(const std::string& name) const {
  const std::string content = zip_.read(name + ".npy");
  const NpyHeader header = parseNpyHeader(content, {zip_.path(), 0, fmt::format("array \"{}\"", name)});
  Array<T> array{header.shape, {}};
  if (!decode(header.type, std::string_view(content).substr(header.size), array.values))
    fail(name, fmt::format("has the type {}, not {}", header.type, kTypeName<T>));
  if (header.fortran_order && header.shape.size() == 2)
    array.values = transpose(array.values, header.shape[0], header.shape[1]);
  else if (header.fortran_order && header.shape.size() > 2)
    fail(name, "is stored column by column with more than two dimensions");
  return array;
}

template <class T>
Array<T> NpzReader::read(const std::string& name) const {
  Array<T> array = readAny<T>(name);
  if constexpr (std::is_same_v<T, double>) {
    for (const double value : array.values)
      if (!std::isfinite(value)) fail(name, "holds a value that is not finite");
  }
  return array;
}

std::vector<double> NpzReader::readBounds(const std::string& name) const {
  std::vector<double> values = readAny<double>(name).values;
  for (const double value : values)
    if (std::isnan(value)) fail(name, "holds a value that is no number");
  return values;
}

template <class T>
std::vector<T> NpzReader::read(const std::string& name, const ArrayShape& shape) const {
  Array<T> array = read<T>(name);
  if (array.shape != shape)
    fail(name, fmt::format("has the shape ({}), not ({})", fmt::join(array.shape, ", "), fmt::join(shape, ", ")));
  return std::move(array.values);
}

std::string NpzReader::readText(const std::string& name) const {
  const std::string content = zip_.read(name + ".npy");
  const NpyHeader header = parseNpyHeader(content, {zip_.path(), 0, fmt::format("array \"{}\"", name)});
  const std::string_view bytes = std::string_view(content).substr(header.size);
  if (header.type == "|u1" || header.type.rfind("|S", 0) == 0) return std::string(bytes.substr(0, bytes.find('\0')));
  if (header.type.rfind("<U", 0) != 0) fail(name, fmt::format("has the type {}, not text", header.type));
  std::string text;
  for (const std::uint32_t code : convert<std::uint32_t, std::uint32_t>(bytes)) {
    if (code == 0) break;
    appendUtf8(text, code);
  }
  return text;
}

#define RIGOR_NPZ_TYPE(T)                                                           \
  template void NpzWriter::add<T>(const std::string&, const T*, const ArrayShape&); \
  template Array<T> NpzReader::read<T>(const std::string&) const;                   \
  template std::vector<T> NpzReader::read<T>(const std::string&, const ArrayShape&) const;
RIGOR_NPZ_TYPE(double)
RIGOR_NPZ_TYPE(std::int32_t)
RIGOR_NPZ_TYPE(std::int64_t)
RIGOR_NPZ_TYPE(std::uint64_t)
RIGOR_NPZ_TYPE(std::uint8_t)
#undef RIGOR_NPZ_TYPE

}  // namespace rigor
