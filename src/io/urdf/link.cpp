#include "io/urdf/link.h"

#include <fmt/format.h>

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
    reader.warn(inertial, "no <inertia>: the link is a point mass. Write its moments of inertia.", true);
  }
  return mass;
}

/// False for a kind that does not collide yet: then `missing` is filled in place of `shape`.
bool readGeometry(const XmlElement& geometry, UrdfReader& reader, Shape& shape, MissingShape& missing) {
  if (geometry.children.size() != 1)
    reader.fail(geometry, fmt::format("<geometry> has {} shapes, not one", geometry.children.size()),
                "Write one <collision> for each shape.");
  const XmlElement& element = geometry.children.front();
  if (element.name == "sphere") {
    reader.expectOnly(element, {"radius"}, {});
    shape = makeSphere(reader.positive(element, "radius"));
  } else if (element.name == "capsule") {  // length of the cylinder between the two half spheres
    reader.expectOnly(element, {"radius", "length"}, {});
    shape = makeCapsule(reader.positive(element, "radius"), 0.5 * reader.positive(element, "length"));
  } else if (element.name == "box") {
    reader.expectOnly(element, {"size"}, {});
    reader.requiredText(element, "size");
    const Eigen::Vector3d size = reader.vector(element, "size", Eigen::Vector3d::Zero());
    if (!(size.minCoeff() > 0.0))
      reader.fail(element, "an edge of the box is not positive", "Write three positive lengths in metres.");
    shape = makeBox(0.5 * size);
  } else if (element.name == "cylinder") {
    const double radius = reader.positive(element, "radius"), length = reader.positive(element, "length");
    missing.half_size = {radius, radius, 0.5 * length};
    missing.kind = element.name;
    reader.warn(element, "cylinders do not collide yet: shape left out. A capsule or a box may stand in for it.", true);
    return false;
  } else if (element.name == "mesh") {
    missing.kind = element.name;
    reader.warn(element,
                fmt::format("meshes do not collide yet: \"{}\" left out. A sphere, capsule or box may stand in "
                            "for it.",
                            reader.requiredText(element, "filename")),
                true);
    return false;
  } else {
    reader.fail(element, fmt::format("unknown shape <{}>", element.name),
                "Known: sphere, box, capsule, cylinder, mesh.");
  }
  return true;
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
    ShapeSpec spec;
    spec.X_BS = reader.origin(collision);
    MissingShape missing;
    missing.X_BS = spec.X_BS;
    const bool known = readGeometry(*geometry, reader, spec.shape, missing);
    spec.name = missing.name = chooseShapeName(collision, link.name, shape_names);
    if (known)
      link.shapes.push_back(spec);
    else
      link.missing_shapes.push_back(missing);
  }
  return link;
}

}  // namespace rigor
