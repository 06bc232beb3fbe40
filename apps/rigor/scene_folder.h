// Where the scenes are that come with rigor.
#pragma once

#include <string>

namespace rigor::app {

/// The user's choice (RIGOR_SCENES), else the folder installed beside this program, else that of the source.
std::string sceneFolder();

}  // namespace rigor::app
