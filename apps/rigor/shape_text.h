// Shapes and poses as they are typed on the command line.
#pragma once

#include <string>

#include "rigor/shape.h"

namespace rigor::app {

/// "sphere:r", "capsule:r,length", "box:x,y,z", "cylinder:r,length", "cone:r,height", "ellipsoid:a,b,c", "plane", the name of a
/// mesh file (its hull), "triangles:FILE" or a table as in scenes, "{box = [1, 1, 1]}"; lengths are full lengths, radii and semi-axes what their names say. Throws Error.
Shape parseShape(const std::string& text);

/// "x y z" or "x y z qw qx qy qz". Throws Error and names the option.
Pose parsePose(const std::string& text, const char* option);

}  // namespace rigor::app
