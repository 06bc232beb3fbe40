#include "io/urdf/reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "text/number.h"

namespace rigor {
namespace {

bool isListed(std::initializer_list<const char*> names, const std::string& name) {
  return std::any_of(names.begin(), names.end(), [&](const char* known) { return name == known; });
}

}  // namespace

void UrdfReader::fail(const XmlElement& element, const std::string& problem, const std::string& remedy) const {
  throw Error(place(element), problem, remedy);
}

void UrdfReader::warn(const XmlElement& element, const std::string& message, bool changes_motion, WarningKind kind) {
  warnings.push_back({place(element), message, changes_motion, kind});
}

void UrdfReader::expectOnly(const XmlElement& element, std::initializer_list<const char*> attributes,
                            std::initializer_list<const char*> children) {
  for (const auto& [name, value] : element.attributes)
    if (!isListed(attributes, name) && name.rfind("xmlns", 0) != 0)
      warn(element, fmt::format("attribute {}=\"{}\" of <{}> is not read", name, value, element.name));
  for (const XmlElement& child : element.children)
    if (!isListed(children, child.name))
      warn(child, fmt::format("<{}> inside <{}> is not read", child.name, element.name));
}

const XmlElement* UrdfReader::onlyChild(const XmlElement& element, const char* name) const {
  const XmlElement* only = nullptr;
  for (const XmlElement& child : element.children) {
    if (child.name != name) continue;
    if (only) fail(child, fmt::format("a second <{}>; the first is in line {}", name, only->line), "Keep one of them.");
    only = &child;
  }
  return only;
}

std::string UrdfReader::requiredText(const XmlElement& element, const char* attribute) const {
  const std::string* text = element.attribute(attribute);
  if (!text || text->empty())
    fail(element, fmt::format("<{}> has no {}", element.name, attribute),
         fmt::format("Write <{} {}=\"…\">.", element.name, attribute));
  return *text;
}

double UrdfReader::requiredNumber(const XmlElement& element, const char* attribute) const {
  return parseNumbers(requiredText(element, attribute), 1, attribute, place(element))[0];
}

std::optional<double> UrdfReader::number(const XmlElement& element, const char* attribute) const {
  const std::string* text = element.attribute(attribute);
  if (!text) return {};
  return parseNumbers(*text, 1, attribute, place(element))[0];
}

double UrdfReader::notNegative(const XmlElement& element, const char* attribute, double otherwise) const {
  const double value = number(element, attribute).value_or(otherwise);
  if (value < 0.0)
    fail(element, fmt::format("{} is {}, below zero", attribute, value), "Write a number that is zero or positive.");
  return value;
}

double UrdfReader::positive(const XmlElement& element, const char* attribute) const {
  const double value = requiredNumber(element, attribute);
  if (!(value > 0.0)) fail(element, fmt::format("{} is {}", attribute, value), "Write a positive length in metres.");
  return value;
}

Eigen::Vector3d UrdfReader::vector(const XmlElement& element, const char* attribute,
                                   const Eigen::Vector3d& otherwise) const {
  const std::string* text = element.attribute(attribute);
  if (!text) return otherwise;
  const std::vector<double> values = parseNumbers(*text, 3, attribute, place(element));
  return {values[0], values[1], values[2]};
}

Pose UrdfReader::origin(const XmlElement& parent) {
  const XmlElement* element = onlyChild(parent, "origin");
  if (!element) return {};
  expectOnly(*element, {"xyz", "rpy"}, {});
  const Eigen::Vector3d rpy = vector(*element, "rpy", Eigen::Vector3d::Zero());
  Pose pose;
  pose.position = vector(*element, "xyz", Eigen::Vector3d::Zero());
  // roll about x, then pitch about y, then yaw about z, all about fixed axes
  pose.rotation = Eigen::AngleAxisd(rpy.z(), Eigen::Vector3d::UnitZ()) *
                  Eigen::AngleAxisd(rpy.y(), Eigen::Vector3d::UnitY()) *
                  Eigen::AngleAxisd(rpy.x(), Eigen::Vector3d::UnitX());
  return pose;
}

}  // namespace rigor
