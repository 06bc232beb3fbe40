// Numbers out of the JSON of a header.
#pragma once

#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "rigor/error.h"
#include "verify/real.h"

namespace rigor::verify {

using Json = nlohmann::ordered_json;

[[noreturn]] inline void failHeader(const std::string& problem) {
  throw Error({"", 0, "header"}, problem, "The recording is damaged; record the run again.");
}

inline Real numberOf(const Json& json) {
  return json.is_null() ? std::numeric_limits<Real>::infinity() : Real(json.get<double>());
}
inline Vec vectorOf(const Json& json) { return {numberOf(json.at(0)), numberOf(json.at(1)), numberOf(json.at(2))}; }
inline Pose poseOf(const Json& json) {
  const Json& q = json.at("quaternion_wxyz");
  return {rotationOf({numberOf(q.at(0)), numberOf(q.at(1)), numberOf(q.at(2)), numberOf(q.at(3))}),
          vectorOf(json.at("position"))};
}

}  // namespace rigor::verify
