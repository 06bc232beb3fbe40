#include "io/urdf/link.h"

#include <fmt/format.h>

#include "io/urdf/geometry.h"

namespace rigor {
namespace {

// Mass and inertia in the axes of the link: <origin rpy> turns the inertia.
MassProperties readInertial(const XmlElement& inertial, UrdfReader& reader) {
  reader.expectOnly(inertial, {}, {"origin", "mass", "inertia"});
  MassProperties mass;
  const Pose origin = reader.origin(inertial);
  mass.com = origin.position;
  if (const XmlElement* element = reader.onlyChild(inertial, "mass")) {
    reader.expectOnly(*element, {"value"}, {});
    mass.mass = reader.requiredNumber(*element, "value");
    if (mass.mass < 0.0)
      reader.fail(*element, fmt::format("mass is {} kg, below zero", mass.mass),
                  "Nothing weighs less than nothing; correct the sign.");
  } else {
    reader.fail(inertial, "<inertial> has no <mass>", "Write <mass value=\"…\"/> in kg.");
  }
  if (const XmlElement* element = reader.onlyChild(inertial, "inertia")) {
    reader.expectOnly(*element, {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}, {});
    const double xx = reader.requiredNumber(*element, "ixx"), yy = reader.requiredNumber(*element, "iyy"),
                 zz = reader.requiredNumber(*element, "izz");
    const double xy = reader.number(*element, "ixy").value_or(0.0), xz = reader.number(*element, "ixz").value_or(0.0),
                 yz = reader.number(*element, "iyz").value_or(0.0);
    mass.inertia << xx, xy, xz, xy, yy, yz, xz, yz, zz;
    const Eigen::Matrix3d R = origin.rotation.toRotationMatrix();
    if (!R.isIdentity(0.0)) {
      const Eigen::Matrix3d turned = R * mass.inertia * R.transpose();
      mass.inertia = 0.5 * (turned + turned.transpose());
    }
  } else if (mass.mass > 0.0) {
    reader.warn(inertial, "no <inertia>: the link is a point mass. Write its moments of inertia.", true,
                WarningKind::kPointMass);
  }
  return mass;
}

// Several files call every shape "collision"; the link's name makes such names unique.
std::string chooseShapeName(const XmlElement& collision, const std::string& link, std::set<std::string>& used) {
  const std::string* given = collision.attribute("name");
  std::string name = given && !given->empty() ? *given : link + "_collision";
  if (used.count(name) && given && !given->empty()) name = link + "_" + *given;
  const std::string stem = name;
  for (int number = 2; used.count(name); ++number) name = fmt::format("{}_{}", stem, number);
  used.insert(name);
  return name;
}

}  // namespace

UrdfLink readLink(const XmlElement& element, UrdfReader& reader, std::set<std::string>& shape_names) {
  reader.setSubject("link");
  UrdfLink link;
  link.name = reader.requiredText(element, "name");
  reader.setSubject(fmt::format("link \"{}\"", link.name));
  link.where = reader.place(element);
  reader.expectOnly(element, {"name"}, {"inertial", "collision", "visual", "material"});
  if (const XmlElement* inertial = reader.onlyChild(element, "inertial")) link.mass = readInertial(*inertial, reader);

  for (const XmlElement& collision : element.children) {
    if (collision.name != "collision") continue;
    reader.expectOnly(collision, {"name"}, {"origin", "geometry", "material", "verbose"});
    const XmlElement* geometry = reader.onlyChild(collision, "geometry");
    if (!geometry) reader.fail(collision, "<collision> has no <geometry>", "Add a shape or leave <collision> out.");
    const Pose X_BS = reader.origin(collision);
    const std::optional<Shape> shape = readCollisionShape(*geometry, reader);
    const std::string name = chooseShapeName(collision, link.name, shape_names);
    const XmlElement* material = reader.onlyChild(collision, "material");
    const std::string* surface = material ? material->attribute("name") : nullptr;
    if (shape)
      link.shapes.push_back({name, *shape, X_BS, surface && !surface->empty() ? *surface : "default"});
    else
      link.missing_shapes.push_back({name, "mesh", X_BS});
  }
  return link;
}

}  // namespace rigor
