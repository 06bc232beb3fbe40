#include "rigor/error.h"

namespace rigor {
namespace {

std::string locate(const Place& where) {
  std::string text;
  if (!where.file.empty()) {
    text += printable(where.file);
    if (where.line > 0) text.append(":").append(std::to_string(where.line));
    text += ": ";
  }
  if (!where.element.empty()) text += printable(where.element) + ": ";
  return text;
}

}  // namespace

std::string printable(const std::string& text) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto code = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    const bool is_c1 = code == 0xc2 && next >= 0x80 && next < 0xa0;  // U+0080 … U+009F in UTF-8: terminals obey them
    if (code == '\n') {
      out += "\\n";
    } else if (code < 0x20 || code == 0x7f || is_c1) {
      const unsigned char shown = is_c1 ? static_cast<unsigned char>(text[++i]) : code;
      out += {'\\', 'x', kDigits[shown >> 4], kDigits[shown & 15]};
    } else {
      out += text[i];
    }
  }
  return out;
}

Error::Error(Place where, std::string problem, std::string remedy)
    : std::runtime_error(locate(where) + printable(problem) + (remedy.empty() ? "" : "\n  " + remedy)),
      where_(std::move(where)),
      problem_(std::move(problem)),
      remedy_(std::move(remedy)) {}

std::string Warning::text() const { return locate(where) + printable(message); }

}  // namespace rigor
