#include "io/mesh/text_lines.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace rigor {
namespace {

constexpr std::string_view kBlanks = " \t\r\v\f";

bool parseFinite(std::string_view word, double& value) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);  // from_chars takes no plus sign
  const auto [stop, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (stop != word.data() + word.size()) return false;
  if (status == std::errc::result_out_of_range) {  // rounded to zero where the exponent is negative
    if (word.find("e-") == word.npos && word.find("E-") == word.npos) return false;
    value = 0.0;
    return true;
  }
  return status == std::errc() && std::isfinite(value);
}

}  // namespace

bool TextLines::nextLine() {
  if (rest_.empty()) return false;
  const std::size_t end = rest_.find('\n');
  words_ = rest_.substr(0, end);
  rest_ = end == rest_.npos ? std::string_view{} : rest_.substr(end + 1);
  ++line_;
  return true;
}

std::string_view TextLines::nextWord() {
  const std::size_t begin = words_.find_first_not_of(kBlanks);
  if (begin == words_.npos) return words_ = {};
  words_.remove_prefix(begin);
  const std::string_view word = words_.substr(0, words_.find_first_of(kBlanks));
  words_.remove_prefix(word.size());
  return word;
}

std::string_view TextLines::restOfLine() const {
  const std::size_t begin = words_.find_first_not_of(kBlanks);
  if (begin == words_.npos) return {};
  return words_.substr(begin, words_.find_last_not_of(kBlanks) - begin + 1);
}

std::array<double, 3> TextLines::threeNumbers(const char* what) {
  std::array<double, 3> values;
  for (double& value : values) {
    const std::string_view word = nextWord();
    if (word.empty()) fail(fmt::format("{} has fewer than three coordinates", what), "Write x, y and z.");
    if (!parseFinite(word, value))
      fail(fmt::format("{}: \"{}\" is not a finite number", what, excerpt(word)), "Export the mesh again.");
  }
  return values;
}

void TextLines::fail(const std::string& problem, const std::string& remedy) const {
  throw Error({file_, line_, ""}, problem, remedy);
}

std::string excerpt(std::string_view text) { return std::string(text.substr(0, 40)) + (text.size() > 40 ? "..." : ""); }

}  // namespace rigor
