// Where the file is that a model names.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rigor {

/// What a search found, and all places that it looked at, in order.
struct MeshSearch {
  std::optional<std::string> file;
  std::vector<std::string> tried;
  std::string placesText() const;  ///< looked for "a, b and in 3 more places"
};

/// `name` as a model file writes it: package://PACKAGE/path, model://PACKAGE/path, file:///path, or a path. Looked up, in this
/// order:
///   package, model   PACKAGE/path in each folder of `package_path`, of ROS_PACKAGE_PATH, in share/ of each folder of
///                    AMENT_PREFIX_PATH, then in the model's folder and each one above it; such a folder may be the package
///                    itself, by its name; at last the path without the package, in the model's folder and above
///   relative path    the model's folder, each folder above it, then `package_path`
MeshSearch findMesh(const std::string& name, const std::string& model_file,
                    const std::vector<std::string>& package_path);

}  // namespace rigor
