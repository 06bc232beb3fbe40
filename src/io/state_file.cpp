// States to evaluate a model at: {"q": […], "v": […], "tau": […], "ctrl": […]} or a list of such objects.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "io/file.h"
#include "rigor/algorithms.h"
#include "rigor/io.h"

namespace rigor {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kForm =
    "A state is {\"q\": [nq numbers], \"v\": [nv], \"tau\": [nv], \"ctrl\": [nu]}; q is needed.";

Json parse(const std::string& file) {
  try {
    return Json::parse(readFile(file, kTextLimit));
  } catch (const Json::parse_error& error) {
    throw Error({file, 0, ""}, fmt::format("is no JSON: at byte {}", error.byte), kForm);
  }
}

Eigen::VectorXd readList(const Json& state, const char* key, const Place& where) {
  const Json& list = state[key];
  if (!list.is_array()) throw Error(where, fmt::format("{} is not a list of numbers", key), kForm);
  Eigen::VectorXd values(static_cast<Eigen::Index>(list.size()));
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_number()) throw Error(where, fmt::format("{}[{}] is not a number", key, i), kForm);
    values[static_cast<Eigen::Index>(i)] = list[i].get<double>();
  }
  return values;
}

ModelState readState(const Json& json, const Model& model, const Place& where) {
  if (!json.is_object()) throw Error(where, "is not an object", kForm);
  for (const auto& [key, value] : json.items())
    if (key != "q" && key != "v" && key != "tau" && key != "ctrl")
      throw Error(where, fmt::format("unknown key \"{}\"", key), kForm);
  if (!json.contains("q")) throw Error(where, "has no q", kForm);
  ModelState state;
  state.q = readList(json, "q", where);
  state.v = json.contains("v") ? readList(json, "v", where) : Eigen::VectorXd::Zero(model.nv());
  state.tau = json.contains("tau") ? readList(json, "tau", where) : Eigen::VectorXd::Zero(model.nv());
  if (json.contains("ctrl") && readList(json, "ctrl", where).size() > 0)
    throw Error(where, "ctrl has numbers, but the model has no actuators", "Leave ctrl out; give joint forces as tau.");
  try {
    checkState(model, state.q, state.v);
    checkForces(model, state.tau);
  } catch (const Error& error) {
    throw Error(where, error.problem(), error.remedy());
  }
  return state;
}

}  // namespace

StateFile loadStates(const std::string& file, const Model& model) {
  const Json json = parse(file);
  StateFile states;
  states.is_list = json.is_array();
  if (!states.is_list) {
    states.states.push_back(readState(json, model, {file, 0, "state"}));
    return states;
  }
  for (std::size_t i = 0; i < json.size(); ++i)
    states.states.push_back(readState(json[i], model, {file, 0, fmt::format("state {}", i)}));
  return states;
}

}  // namespace rigor
