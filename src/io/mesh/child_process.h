// Work that may crash or hang, done by a copy of this process.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace rigor {

/// What `work` returns. Nothing if the copy crashed, took more than a minute of CPU time, was stuck for five, or could not be
/// made. An Error that `work` throws arrives as one, at `file`. What the copy writes to the terminal is lost.
std::optional<std::string> runInChild(const std::function<std::string()>& work, const std::string& file);

}  // namespace rigor
