// Numbers, vectors and warnings as JSON, and JSON as text.
#pragma once

#include <Eigen/Core>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rigor/error.h"

namespace rigor::app {

using Json = nlohmann::ordered_json;

/// One line. Names in files may hold bytes that are not UTF-8: they are replaced, not thrown at the user. What JSON leaves of
/// the control characters (DEL, U+0080 … U+009F) is escaped too: the reader may be a terminal.
std::string print(const Json& json);

Json listOf(const Eigen::VectorXd& values);
Json listOf(const Eigen::Vector3d& a);
Json listOf(const std::vector<Warning>& warnings);

}  // namespace rigor::app
