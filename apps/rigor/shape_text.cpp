#include "shape_text.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <sstream>
#include <vector>

#include "rigor/error.h"
#include "rigor/io.h"

namespace rigor::app {
namespace {

constexpr const char* kShapes =
    "Shapes: sphere:r, capsule:r,length, box:x,y,z, cylinder:r,length, cone:r,height, ellipsoid:a,b,c, plane,\n"
    "  a mesh file (its hull), triangles:FILE, or a table as in scenes: '{box = [1, 1, 1]}'.";

/// Numbers separated by one character; empty if a part is none.
std::vector<double> readNumbers(const std::string& text, char separator) {
  std::vector<double> numbers;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, separator);) {
    if (part.empty() && separator == ' ') continue;
    std::size_t used = 0;
    try {
      numbers.push_back(std::stod(part, &used));
    } catch (const std::exception&) {
      return {};
    }
    if (used != part.size()) return {};
  }
  return numbers;
}

std::vector<double> readSizes(const std::string& text, const std::string& kind, std::size_t count) {
  const std::vector<double> sizes = readNumbers(text.substr(kind.size() + 1), ',');
  if (sizes.size() != count)
    throw Error(fmt::format("{}: {} needs {} number{} separated by commas", text, kind, count, count == 1 ? "" : "s"),
                kShapes);
  return sizes;
}

}  // namespace

Shape parseShape(const std::string& text) {
  const std::string kind = text.substr(0, text.find(':'));
  const bool has_sizes = kind.size() < text.size();
  const auto sizes = [&](std::size_t count) { return readSizes(text, kind, count); };
  if (text.starts_with('{')) return parseShapeTable(text);
  if (text == "plane") return makePlane();
  if (has_sizes && kind == "sphere") return makeSphere(sizes(1)[0]);
  if (has_sizes && kind == "triangles") return makeTriangles(loadMesh(text.substr(kind.size() + 1)));
  if (has_sizes && (kind == "capsule" || kind == "cylinder" || kind == "cone")) {
    const std::vector<double> s = sizes(2);
    if (kind == "capsule") return makeCapsule(s[0], 0.5 * s[1]);
    return kind == "cone" ? makeCone(s[0], 0.5 * s[1]) : makeCylinder(s[0], 0.5 * s[1]);
  }
  if (has_sizes && (kind == "box" || kind == "ellipsoid")) {
    const std::vector<double> s = sizes(3);
    const Eigen::Vector3d size(s[0], s[1], s[2]);
    return kind == "box" ? makeBox(0.5 * size) : makeEllipsoid(size);
  }
  if (!std::filesystem::exists(text)) throw Error(text + ": neither a shape nor a file", kShapes);
  return loadHull(text);
}

Pose parsePose(const std::string& text, const char* option) {
  if (text.empty()) return {};
  const std::vector<double> n = readNumbers(text, ' ');
  if (n.size() != 3 && n.size() != 7)
    throw Error(fmt::format("{} \"{}\": 3 or 7 numbers are expected", option, text),
                "Give \"x y z\" in metres, or \"x y z qw qx qy qz\".");
  Pose pose{Eigen::Vector3d(n[0], n[1], n[2]), Eigen::Quaterniond::Identity()};
  if (n.size() == 3) return pose;
  pose.rotation = Eigen::Quaterniond(n[3], n[4], n[5], n[6]);
  if (!(pose.rotation.norm() > 0.0) || !std::isfinite(pose.rotation.norm()))
    throw Error(fmt::format("{} \"{}\": the quaternion has length {}", option, text, pose.rotation.norm()),
                "The last four numbers are w x y z of a rotation; no rotation is 1 0 0 0.");
  pose.rotation.normalize();
  return pose;
}

}  // namespace rigor::app
