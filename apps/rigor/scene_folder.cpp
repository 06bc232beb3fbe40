#include "scene_folder.h"

#include <cstdlib>
#include <filesystem>

namespace rigor::app {

std::string sceneFolder() {
  if (const char* chosen = std::getenv("RIGOR_SCENES")) return chosen;
  std::error_code none;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", none);
  const auto installed = program.parent_path().parent_path() / "share/rigor/scenes";
  return std::filesystem::exists(installed) ? installed.string() : RIGOR_SCENES_DIR;
}

}  // namespace rigor::app
