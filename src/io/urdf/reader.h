// Reading the attributes of URDF elements: every number is checked, everything unread is counted.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "io/xml.h"
#include "rigor/error.h"
#include "rigor/shape.h"

namespace rigor {

class UrdfReader {
 public:
  UrdfReader(std::string file, std::vector<std::string> package_path)
      : file_(std::move(file)), package_path_(std::move(package_path)) {}

  const std::string& file() const { return file_; }
  const std::vector<std::string>& packagePath() const { return package_path_; }  ///< where meshes are looked up

  /// What the messages talk about until the next call, e.g. `joint "LF_KFE"`.
  void setSubject(std::string subject) { subject_ = std::move(subject); }
  Place place(const XmlElement& element) const { return {file_, element.line, subject_}; }
  [[noreturn]] void fail(const XmlElement& element, const std::string& problem, const std::string& remedy) const;
  void warn(const XmlElement& element, const std::string& message, bool changes_motion = false,
            WarningKind kind = WarningKind::kOther);

  /// Warns of every attribute and child that rigor does not read here.
  void expectOnly(const XmlElement& element, std::initializer_list<const char*> attributes,
                  std::initializer_list<const char*> children);
  /// The child of this name; throws if there are two; nullptr if there is none.
  const XmlElement* onlyChild(const XmlElement& element, const char* name) const;

  std::string requiredText(const XmlElement& element, const char* attribute) const;
  double requiredNumber(const XmlElement& element, const char* attribute) const;
  std::optional<double> number(const XmlElement& element, const char* attribute) const;
  /// Throws if the number is below zero (a mass, a damping, a limit of effort).
  double notNegative(const XmlElement& element, const char* attribute, double otherwise) const;
  double positive(const XmlElement& element, const char* attribute) const;
  Eigen::Vector3d vector(const XmlElement& element, const char* attribute, const Eigen::Vector3d& otherwise) const;
  Pose origin(const XmlElement& parent);  ///< of the <origin> child; identity without one

  std::vector<Warning> warnings;

 private:
  std::string file_, subject_;
  std::vector<std::string> package_path_;
};

}  // namespace rigor
