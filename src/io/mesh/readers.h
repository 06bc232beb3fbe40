// Readers of mesh files, one per format. They take whole files and give what is written there: no scale, no welding.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rigor/io.h"

namespace rigor {

/// STL, text or binary: binary where the size is what the count of triangles says, whatever the first word is. Normals are
/// not read: the order of the corners tells the outside. Every triangle has three vertices of its own.
Mesh readStl(std::string_view bytes, const std::string& file);

/// Wavefront OBJ: v, f with every form of index, o and g, which begin a part. Polygons are cut into a fan. Texture, normals,
/// materials and curves are not read.
std::vector<MeshPart> readObj(std::string_view text, const std::string& file);

/// MuJoCo's own binary format of old: counts, then vertices, normals, texture coordinates (float) and faces (int).
Mesh readMsh(std::string_view bytes, const std::string& file);

/// Whatever Assimp reads, by the ending of the name: DAE, glTF, PLY, 3DS, … Coordinates are taken as written, in the frame of
/// the file, whatever axis it calls up; the unit of a DAE file is applied. One part per mesh, with the colour of its material.
std::vector<MeshPart> readWithAssimp(const std::string& file);

/// True if Assimp knows the ending, e.g. ".dae".
bool assimpReads(const std::string& ending);

}  // namespace rigor
