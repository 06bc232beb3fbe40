#include "io/mesh/find_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace rigor {
namespace {

namespace fs = std::filesystem;

constexpr int kMostParents = 32;  // a path as deep as that is a mistake

/// "%20" is a blank: names in URIs may be written so.
std::string decode(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto hex = [&](std::size_t at) {
      return at < text.size() && std::isxdigit(static_cast<unsigned char>(text[at]));
    };
    if (text[i] == '%' && hex(i + 1) && hex(i + 2)) {
      const char byte = static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
      if (byte != '\0') {
        plain += byte;
        i += 2;
        continue;
      }
    }
    plain += text[i];
  }
  return plain;
}

std::vector<fs::path> listOfFolders(const char* variable, const char* below) {
  std::vector<fs::path> folders;
  const char* value = std::getenv(variable);
  std::string rest = value ? value : "";
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    if (colon != 0) folders.push_back(fs::path(rest.substr(0, colon)) / below);
    rest = colon == rest.npos ? "" : rest.substr(colon + 1);
  }
  return folders;
}

/// The folder of a file and those above it, nearest first.
std::vector<fs::path> foldersAbove(const std::string& file) {
  std::error_code none;
  std::vector<fs::path> folders;
  fs::path folder = fs::absolute(file, none).lexically_normal().parent_path();
  for (int i = 0; i < kMostParents && !folder.empty(); ++i) {
    folders.push_back(folder);
    if (folder == folder.parent_path()) break;
    folder = folder.parent_path();
  }
  return folders;
}

class Search {
 public:
  /// True once something is found.
  bool look(const fs::path& place) {
    if (search.file) return true;
    const std::string name = place.lexically_normal().string();
    if (std::find(search.tried.begin(), search.tried.end(), name) != search.tried.end()) return false;
    search.tried.push_back(name);
    std::error_code none;
    if (fs::exists(place, none) && !fs::is_directory(place, none)) search.file = name;
    return search.file.has_value();
  }
  /// PACKAGE/path below a folder, or path if the folder itself is the package.
  bool lookForPackage(const fs::path& folder, const std::string& package, const std::string& path) {
    if (look(folder / package / path)) return true;
    const fs::path clean = (folder / "").lexically_normal().parent_path();
    return clean.filename() == package && look(clean / path);
  }

  MeshSearch search;
};

}  // namespace

std::string MeshSearch::placesText() const {
  constexpr std::size_t kShown = 6;
  std::string list;
  for (std::size_t i = 0; i < std::min(tried.size(), kShown); ++i) list += (i ? ", " : "") + tried[i];
  if (tried.size() > kShown) list += fmt::format(" and in {} more places", tried.size() - kShown);
  return fmt::format("looked for \"{}\"", list);
}

MeshSearch findMesh(const std::string& name, const std::string& model_file,
                    const std::vector<std::string>& package_path) {
  Search found;
  std::string path = decode(name);
  std::replace(path.begin(), path.end(), '\\', '/');
  const std::size_t scheme = path.find("://");
  const bool in_package = path.rfind("package://", 0) == 0 || path.rfind("model://", 0) == 0;
  if (scheme != path.npos && !in_package) {  // file:///path; of any other kind nothing is fetched
    found.look(path.rfind("file://", 0) == 0 ? fs::path(path.substr(7)) : fs::path(path));
    return found.search;
  }
  const std::vector<fs::path> above = foldersAbove(model_file);
  if (!in_package) {
    if (fs::path(path).is_absolute()) return found.look(path), found.search;
    for (const fs::path& folder : above) found.look(folder / path);
    for (const std::string& folder : package_path) found.look(fs::path(folder) / path);
    return found.search;
  }
  path = path.substr(scheme + 3);
  const std::size_t slash = path.find('/');
  const std::string package = path.substr(0, slash), rest = slash == path.npos ? "" : path.substr(slash + 1);
  for (const std::string& folder : package_path) found.lookForPackage(folder, package, rest);
  for (const fs::path& folder : listOfFolders("ROS_PACKAGE_PATH", "")) found.lookForPackage(folder, package, rest);
  for (const fs::path& folder : listOfFolders("AMENT_PREFIX_PATH", "share"))
    found.lookForPackage(folder, package, rest);
  for (const fs::path& folder : above) found.lookForPackage(folder, package, rest);
  for (const fs::path& folder : above) found.look(folder / rest);
  return found.search;
}

}  // namespace rigor
