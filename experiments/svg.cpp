#include "experiments/svg.h"

#include <fmt/format.h>

namespace rigor::experiments {

const char* colour(int index) {
  static constexpr const char* kColours[] = {"#0072b2", "#56b4e9", "#d55e00", "#e69f00", "#cc79a7",
                                             "#000000", "#009e73", "#7f3c8d", "#999933"};
  constexpr int kCount = sizeof(kColours) / sizeof(kColours[0]);
  return kColours[index % kCount];
}

std::string escape(const std::string& text) {
  std::string safe;
  for (char c : text) safe += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return safe;
}

std::string words(double x, double y, const char* anchor, const char* extra, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, extra, text);
}

std::string openPage(double below) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"Helvetica, Arial, sans-serif\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      kPageWidth, kPageHeight + below);
}

std::string closePage() { return "</svg>\n"; }

std::string drawFrame(const std::string& title, const std::string& x_label, const std::string& y_label) {
  const double middle = 0.5 * (kTop + kBottom);
  std::string svg = words(0.5 * (kLeft + kRight), kBottom + 44, "middle", "", escape(x_label));
  svg += words(24, middle, "middle", fmt::format(" transform=\"rotate(-90 24 {})\"", middle).c_str(), escape(y_label));
  svg += words(kLeft, 28, "start", " font-size=\"16\" font-weight=\"bold\"", escape(title));
  return svg + fmt::format("</g>\n<path d=\"M{} {}V{}H{}\" fill=\"none\" stroke=\"#333333\"/>\n", kLeft, kTop, kBottom,
                           kRight);
}

}  // namespace rigor::experiments
