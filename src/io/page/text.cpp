#include "io/page/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "rigor/error.h"

namespace rigor {

static_assert(std::endian::native == std::endian::little, "pages hold the bytes of numbers, the smallest first");

std::string quoteForPage(const std::string& name) {
  const std::string text = printable(name);
  std::string out = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (code < 0x20 || code == 0x7f || c == '<')
      out += fmt::format("\\u{:04x}", code);
    else
      out += c;
  }
  return out + '"';
}

std::string numberForPage(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

std::string bytesForPage(const void* data, std::size_t size) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto* bytes = static_cast<const unsigned char*>(data);
  std::string out = "\"";
  out.reserve(size * 4 / 3 + 6);
  for (std::size_t i = 0; i < size; i += 3) {
    const std::size_t count = std::min<std::size_t>(3, size - i);
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < count ? bytes[i + k] : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += k <= count ? kDigits[group >> (18 - 6 * k) & 63] : '=';
  }
  return out + '"';
}

}  // namespace rigor
