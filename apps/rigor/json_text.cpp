#include "json_text.h"

#include <fmt/format.h>

namespace rigor::app {

std::string print(const Json& json) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto code = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    if (code == 0x7f)
      out += "\\u007f";
    else if (code == 0xc2 && next >= 0x80 && next < 0xa0)
      out += fmt::format("\\u00{:02x}", next), ++i;
    else
      out += text[i];
  }
  return out + "\n";
}

Json listOf(const Eigen::VectorXd& values) { return Json(std::vector<double>(values.begin(), values.end())); }

Json listOf(const Eigen::Vector3d& a) { return {a.x(), a.y(), a.z()}; }

Json listOf(const std::vector<Warning>& warnings) {
  Json list = Json::array();
  for (const Warning& warning : warnings)
    list.push_back({{"file", warning.where.file},
                    {"line", warning.where.line},
                    {"element", warning.where.element},
                    {"message", warning.message}});
  return list;
}

}  // namespace rigor::app
