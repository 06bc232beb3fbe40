// Parts of a mesh as bytes, from one process to another on the same machine.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rigor/io.h"

namespace rigor {

std::string packParts(const std::vector<MeshPart>& parts);

/// Nothing if the bytes are not what packParts makes.
std::optional<std::vector<MeshPart>> unpackParts(std::string_view bytes);

}  // namespace rigor
