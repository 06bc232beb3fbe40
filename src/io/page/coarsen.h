// Fewer triangles for a picture: a look of a million triangles would make a page of 40 MB.
#pragma once

#include <cstddef>

#include "io/page/meshes.h"

namespace rigor {

/// A mesh of at most `triangles` triangles, near that number, whose vertices are means of vertices that share a cell of a
/// cubic grid. What already has no more stays as it is.
PageMesh coarsen(const PageMesh& mesh, std::size_t triangles);

}  // namespace rigor
