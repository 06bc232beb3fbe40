#include "text/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace rigor {
namespace {

constexpr const char* kSpaces = " \t\r\n";

std::string shorten(const std::string& text) { return text.size() <= 40 ? text : text.substr(0, 37) + "..."; }

// Of a number outside the range of doubles: is it too small (then it is zero) rather than too large?
bool isTiny(const std::string& text) {
  const std::size_t exponent = text.find_first_of("eE");
  if (exponent != std::string::npos) return text[exponent + 1] == '-';
  return text.find('.') <= 2;  // "-0.000…1"
}

}  // namespace

std::optional<double> parseNumber(const std::string& text) {
  const std::size_t first = text.find_first_not_of(kSpaces);
  if (first == std::string::npos) return {};
  const char* begin = text.data() + first;
  const char* end = text.data() + text.find_last_not_of(kSpaces) + 1;
  if (*begin == '+' && end - begin > 1 && begin[1] != '-') ++begin;  // from_chars takes no plus sign
  double value = 0.0;
  const auto [stop, status] = std::from_chars(begin, end, value);
  if (stop != end) return {};
  if (status == std::errc::result_out_of_range) {
    if (!isTiny(std::string(begin, end))) return {};
    value = 0.0;
  } else if (status != std::errc()) {
    return {};
  }
  if (!std::isfinite(value)) return {};
  return value;
}

std::vector<double> parseNumbers(const std::string& text, std::size_t count, const std::string& name,
                                 const Place& where) {
  std::vector<double> values;
  for (std::size_t begin = text.find_first_not_of(kSpaces); begin != std::string::npos;) {
    const std::size_t end = std::min(text.find_first_of(kSpaces, begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    const std::optional<double> value = parseNumber(word);
    if (!value)
      throw Error(where, fmt::format("{} \"{}\" is not a finite number", name, shorten(word)),
                  "Write plain decimal numbers such as 0.25 or -1e-3.");
    values.push_back(*value);
    begin = text.find_first_not_of(kSpaces, end);
  }
  if (values.size() != count)
    throw Error(where, fmt::format("{} \"{}\" has {} numbers, not {}", name, shorten(text), values.size(), count),
                count == 1 ? "Write one number." : fmt::format("Write {} numbers separated by spaces.", count));
  return values;
}

}  // namespace rigor
