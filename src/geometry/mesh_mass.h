// Mass properties of what triangles enclose, exact up to rounding.
#pragma once

#include "rigor/shape.h"

namespace rigor {

/// Of a hull, or of triangles that enclose a volume; throws Error for those that do not.
MassProperties meshMassProperties(const Shape& shape, double density);

/// Volume that the triangles enclose, negative if their normals look inward [m³]; without meaning for an open mesh.
double signedVolume(const Mesh& mesh);

}  // namespace rigor
