// Contact problems in files: JSON for people, NPZ for programs; both give back the same bits.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "contact/check_problem.h"
#include "contact/visit_block.h"
#include "io/file.h"
#include "io/npz/npz.h"
#include "rigor/error.h"
#include "rigor/io.h"

namespace rigor {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr BlockKind kKinds[] = {BlockKind::kEqual, BlockKind::kAtLeast, BlockKind::kBox, BlockKind::kContact};

const char* nameOf(BlockKind kind) {
  return visitKind(kind, 0, []<class Unit>(UnitType<Unit>) { return Unit::kName; });
}

// What a file must know of a kind.
struct Form {
  int rows;  // of its law; a block has as many, or any number where it is 1
  bool friction, bounds;
};

Form formOf(BlockKind kind) {
  return visitKind(kind, 0,
                   []<class Unit>(UnitType<Unit>) { return Form{Unit::kRows, Unit::kHasFriction, Unit::kHasBounds}; });
}

// The numbers of a file before they are known to fit together, whichever format they came in.
struct Draft {
  std::string file;
  Json blocks, W_blocks, W_sides;  // null if absent
  std::vector<double> W_nodes, W_A, W_B;
  std::vector<double> W, b, mu, bias, gap_over_h, compliance, row_error;
  Law law = Law::kCoulomb;
  int directions = kUsualDirections;
  bool unsymmetric = false;              // W is meant to differ from its transpose
  std::optional<double> velocity_scale;  // absent: judged by the problem's own numbers

  [[noreturn]] void fail(const std::string& element, const std::string& problem, const std::string& remedy = "") const {
    throw Error(
        {file, 0, element}, problem,
        remedy.empty() ? "A problem has W [m × m] or W_blocks, b [m], blocks or mu, bias, compliance." : remedy);
  }
};

double readNumber(const Draft& draft, const Json& json, const std::string& element) {
  if (!json.is_number() || !std::isfinite(json.get<double>())) draft.fail(element, "is not a finite number");
  return json.get<double>();
}

// A list of numbers, or a list of such lists (a matrix by rows).
std::vector<double> readList(const Draft& draft, const Json& json, const std::string& element) {
  std::vector<double> values;
  if (json.is_null()) return values;
  if (!json.is_array()) draft.fail(element, "is not a list of numbers");
  for (const Json& item : json) {
    if (!item.is_array()) {
      values.push_back(readNumber(draft, item, element));
      continue;
    }
    for (const Json& inner : item) values.push_back(readNumber(draft, inner, element));
  }
  return values;
}

int readIndex(const Draft& draft, const Json& json, const std::string& element) {
  const double value = readNumber(draft, json, element);
  if (value < 0.0 || value > 1e6 || value != std::floor(value))
    draft.fail(element, fmt::format("{} is no index", value));
  return static_cast<int>(value);
}

/// A whole number, or the two words of a wider one.
RowId readId(const Draft& draft, const Json& json, const std::string& element) {
  const auto isWhole = [](const Json& word) { return word.is_number_unsigned(); };
  if (isWhole(json)) return {0, json.get<std::uint64_t>()};
  if (!json.is_array() || json.size() != 2 || !isWhole(json[0]) || !isWhole(json[1]))
    draft.fail(element, "id is not a whole number, nor a list of two");
  return {json[0].get<std::uint64_t>(), json[1].get<std::uint64_t>()};
}

// A word that nobody reads is a mistake: "frction" would leave the floor without any.
void refuseUnknownKeys(const Draft& draft, const Json& block, const std::string& element) {
  static constexpr const char* kKeys[] = {"kind", "row", "size", "mu", "lo", "hi", "id"};
  for (const auto& item : block.items())
    if (std::find(std::begin(kKeys), std::end(kKeys), item.key()) == std::end(kKeys))
      draft.fail(fmt::format("{}.{}", element, item.key()), "is not known", "Known: kind, row, size, mu, lo, hi, id.");
}

Block readBlock(const Draft& draft, const Json& json, int index, int next_row) {
  const std::string element = fmt::format("blocks[{}]", index);
  if (!json.is_object() || !json.contains("kind")) draft.fail(element, "has no kind");
  Block block;
  const auto kind =
      std::find_if(std::begin(kKinds), std::end(kKinds), [&](BlockKind k) { return json["kind"] == nameOf(k); });
  if (kind == std::end(kKinds)) draft.fail(element, "has an unknown kind", "Known: equal, at_least, box, contact.");
  block.kind = *kind;
  const Form form = formOf(block.kind);
  refuseUnknownKeys(draft, json, element);
  block.row = json.contains("row") ? readIndex(draft, json["row"], element + ".row") : next_row;
  block.size = json.contains("size") ? readIndex(draft, json["size"], element + ".size") : form.rows;
  if (form.rows > 1 && !visitBlock(block, [&]<class Unit>(UnitType<Unit>) { return block.size == Unit::kRows; }))
    draft.fail(element, fmt::format("a {} of {} rows", nameOf(block.kind), block.size),
               "Contacts have 3 rows (normal, tangent, tangent), 4 with torsion or 6 with rolling; without friction "
               "write kind at_least.");
  if (block.row != next_row || block.size < 1)
    draft.fail(element, fmt::format("row {} and size {} do not follow the block before", block.row, block.size),
               "Blocks cover all rows in order without gaps.");
  if (form.friction) {
    if (json.contains("mu"))
      block.mu = readNumber(draft, json["mu"], element + ".mu");
    else if (draft.blocks.is_null())
      block.mu = draft.mu[index];
    else
      draft.fail(element, "has no mu", "A contact has its friction coefficient with it, 0 if there is none.");
    if (block.mu < 0.0) draft.fail(element, fmt::format("mu is {}", block.mu), "Friction is zero or positive.");
  }
  if (form.bounds) {  // JSON has no infinity: an absent bound or null means none
    const auto bound = [&](const char* key, double none) {
      return json.contains(key) && !json[key].is_null() ? readNumber(draft, json[key], element) : none;
    };
    block.lo = bound("lo", -kInfinity), block.hi = bound("hi", kInfinity);
    if (block.lo > block.hi) draft.fail(element, "lo is above hi", "Swap them.");
  }
  if (json.contains("id")) {
    block.id = readId(draft, json["id"], element);
  }
  return block;
}

std::vector<Block> readBlocks(const Draft& draft, int rows) {
  std::vector<Block> blocks;
  int next_row = 0;
  if (draft.blocks.is_null()) {  // all contacts
    if (rows % 3 != 0 || static_cast<int>(draft.mu.size()) != rows / 3)
      draft.fail("mu", fmt::format("has {} values for {} rows", draft.mu.size(), rows),
                 "Without blocks every three rows are a contact and mu has one value for each.");
    for (int i = 0; i < rows / 3; ++i) blocks.push_back(readBlock(draft, {{"kind", "contact"}}, i, 3 * i));
    return blocks;
  }
  if (!draft.blocks.is_array()) draft.fail("blocks", "is not a list");
  if (!draft.mu.empty())
    draft.fail("mu", "blocks are given too", "Write mu into each contact of blocks, or leave blocks out.");
  for (const Json& json : draft.blocks) {
    blocks.push_back(readBlock(draft, json, static_cast<int>(blocks.size()), next_row));
    next_row += blocks.back().size;
  }
  if (next_row != rows) draft.fail("blocks", fmt::format("cover {} rows, b has {}", next_row, rows));
  return blocks;
}

// Sides of the factors [block, node, [freedoms of that node]], in the order of the blocks.
void readSides(const Draft& draft, const std::vector<Block>& blocks, DelassusFactors& factors) {
  int block = 0;
  const auto close = [&] {
    factors.block_row.push_back(blocks[block].row + blocks[block].size);
    factors.first_side.push_back(static_cast<int>(factors.sides.size()));
    ++block;
  };
  int offset = 0;
  for (const Json& entry : draft.W_sides) {
    if (!entry.is_array() || entry.size() != 3 || !entry[2].is_array())
      draft.fail("W_sides", "an entry is not [block, node, [freedoms]]");
    const int of_block = readIndex(draft, entry[0], "W_sides"), node = readIndex(draft, entry[1], "W_sides");
    if (of_block < block || of_block >= static_cast<int>(blocks.size()) || node >= factors.nodes())
      draft.fail("W_sides", fmt::format("block {} or node {} is out of order or out of range", of_block, node));
    while (block < of_block) close();
    const int length = static_cast<int>(entry[2].size());
    factors.sides.push_back({node, static_cast<int>(factors.freedoms.size()), length, offset});
    for (const Json& freedom : entry[2])
      factors.freedoms.push_back(factors.node_start[node] + readIndex(draft, freedom, "W_sides"));
    offset += length * blocks[of_block].size;
  }
  while (block < static_cast<int>(blocks.size())) close();
}

DelassusMatrix readFactors(const Draft& draft, const std::vector<Block>& blocks) {
  if (!draft.W.empty() || !draft.W_blocks.is_null())
    draft.fail("W_sides", "W or W_blocks are given too", "Keep one of them.");
  if (!draft.W_sides.is_array()) draft.fail("W_sides", "is not a list of [block, node, [freedoms]]");
  DelassusFactors factors;
  for (const double freedoms : draft.W_nodes)
    factors.node_start.push_back(factors.node_start.back() + readIndex(draft, Json(freedoms), "W_nodes"));
  readSides(draft, blocks, factors);
  factors.A = draft.W_A, factors.B = draft.W_B;
  if (!factors.isSound())
    draft.fail("W_sides", "lead to freedoms or to entries of W_A and W_B that are not there",
               "W_A and W_B hold freedoms × rows numbers for every side; freedoms of a side ascend.");
  return DelassusMatrix(std::move(factors));
}

// Blocks of 3 × 3 numbers by block indices; missing ones are zero.
std::vector<double> readMatrix(const Draft& draft, std::size_t rows) {
  if (draft.W_blocks.is_null()) {
    if (draft.W.size() != rows * rows)
      draft.fail("W", fmt::format("has {} values, not {} × {}", draft.W.size(), rows, rows));
    return draft.W;
  }
  if (!draft.W.empty()) draft.fail("W", "W and W_blocks are both given", "Keep one of them.");
  if (!draft.W_blocks.is_array() || rows > 30'000) draft.fail("W_blocks", "is not a list of [row, col, 3 × 3 block]");
  std::vector<double> W(rows * rows, 0.0);
  for (const Json& entry : draft.W_blocks) {
    if (!entry.is_array() || entry.size() != 3) draft.fail("W_blocks", "an entry is not [row, col, 3 × 3 block]");
    const std::size_t row = 3 * readIndex(draft, entry[0], "W_blocks"),
                      column = 3 * readIndex(draft, entry[1], "W_blocks");
    const std::vector<double> values = readList(draft, entry[2], "W_blocks");
    if (values.size() != 9 || row + 3 > rows || column + 3 > rows)
      draft.fail("W_blocks", "a block has not nine numbers or lies outside the matrix");
    for (std::size_t i = 0; i < 9; ++i) W[(row + i / 3) * rows + column + i % 3] = values[i];
  }
  return W;
}

ContactProblem finish(const Draft& draft) {
  ContactProblem problem;
  const std::size_t m = draft.b.size();
  problem.b = draft.b;
  problem.blocks = readBlocks(draft, static_cast<int>(m));
  problem.W = draft.W_sides.is_null() ? DelassusMatrix(readMatrix(draft, m)) : readFactors(draft, problem.blocks);
  problem.bias = draft.bias;
  problem.compliance = draft.compliance;
  for (auto* optional : {&problem.bias, &problem.compliance})
    if (optional->empty()) optional->assign(m, 0.0);
  if (problem.bias.size() != m) draft.fail("bias", fmt::format("has {} values, not {}", problem.bias.size(), m));
  if (problem.compliance.size() != m)
    draft.fail("compliance", fmt::format("has {} values, not {}", problem.compliance.size(), m));
  if (!draft.gap_over_h.empty()) {
    if (!draft.bias.empty()) draft.fail("gap_over_h", "bias and gap_over_h are both given", "Keep one of them.");
    std::size_t contact = 0;
    for (const Block& block : problem.blocks) {
      if (!formOf(block.kind).friction) continue;
      if (contact == draft.gap_over_h.size()) break;
      const double rate = draft.gap_over_h[contact++];
      problem.bias[block.row] =
          problem.compliance[block.row] > 0.0 ? rate : std::max(rate, 0.0);  // ν = φ⁺/h, soft: φ/h
    }
    const auto contacts = static_cast<std::size_t>(std::count_if(
        problem.blocks.begin(), problem.blocks.end(), [](const Block& b) { return formOf(b.kind).friction; }));
    if (draft.gap_over_h.size() != contacts)
      draft.fail("gap_over_h", fmt::format("has {} values for {} contacts", draft.gap_over_h.size(), contacts));
  }
  problem.law = draft.law;
  problem.directions = draft.directions;
  problem.row_error = draft.row_error;
  if (!draft.row_error.empty() && draft.row_error.size() != m)
    draft.fail("row_error", fmt::format("has {} values, not {}", draft.row_error.size(), m));
  if (draft.velocity_scale && !(*draft.velocity_scale > 0.0 && std::isfinite(*draft.velocity_scale)))
    draft.fail("velocity_scale", fmt::format("is {}, not positive and finite", *draft.velocity_scale),
               "It is h · 1 m/s². Leave it out to have the problem judged by its own numbers.");
  problem.velocity_scale = draft.velocity_scale.value_or(0.0);
  if (const auto defect = findDefect(problem, !draft.unsymmetric))
    draft.fail(defect->where().element, defect->problem(), defect->remedy());
  return problem;
}

[[noreturn]] void refuseLcp(const Draft& draft) {
  draft.fail("M", "this is a linear complementarity problem, not a contact problem",
             "Read it with loadLcp; rigor solve takes both. A contact problem has W and b.");
}

Law readLaw(const Draft& draft, const Json& json) {
  if (!json.is_string()) draft.fail("law", "is not a word", "Known: coulomb, dissipation, pyramid, associated.");
  try {
    return findLaw(json.get<std::string>());
  } catch (const Error& error) {
    draft.fail("law", error.problem(), error.remedy());
  }
}

int readDirections(const Draft& draft, double count) {
  // also where the law does not ask for it: a polygon that cannot be is a mistake
  if (count != std::floor(count) || !(std::abs(count) < 1e6) || !isSoundDirections(static_cast<int>(count)))
    draft.fail("directions", fmt::format("is {}", count),
               fmt::format("The polygon of law pyramid has an even number of corners from {} to {}.", kLeastDirections,
                           kMostDirections));
  return static_cast<int>(count);
}

/// A misspelt key would be another problem, solved without a word.
void refuseUnknownKeys(const Draft& draft, const Json& json) {
  static constexpr const char* kKeys[] = {"W",   "W_A",  "W_B",       "W_blocks",    "W_nodes",       "W_sides",
                                          "b",   "bias", "blocks",    "compliance",  "directions",    "gap_over_h",
                                          "law", "mu",   "row_error", "unsymmetric", "velocity_scale"};
  for (const auto& item : json.items()) {
    const bool known =
        std::any_of(std::begin(kKeys), std::end(kKeys), [&](const char* key) { return item.key() == key; });
    if (!known) draft.fail(item.key(), "is not known", "Known: " + fmt::format("{}", fmt::join(kKeys, ", ")) + ".");
  }
}

Draft loadJson(const std::string& file) {
  Draft draft;
  draft.file = file;
  Json json;
  try {
    json = Json::parse(readFile(file, kTextLimit));
  } catch (const Json::exception& error) {
    draft.fail("", fmt::format("broken JSON: {}", error.what()), "Check brackets, commas and quotes.");
  }
  if (!json.is_object()) draft.fail("", "is not a JSON object");
  if (json.contains("M")) refuseLcp(draft);
  refuseUnknownKeys(draft, json);
  const Json none;
  const auto list = [&](const char* key) { return readList(draft, json.contains(key) ? json[key] : none, key); };
  draft.W = list("W"), draft.b = list("b"), draft.mu = list("mu"), draft.bias = list("bias");
  draft.gap_over_h = list("gap_over_h"), draft.compliance = list("compliance");
  draft.row_error = list("row_error");
  draft.W_nodes = list("W_nodes"), draft.W_A = list("W_A"), draft.W_B = list("W_B");
  if (json.contains("W_sides")) draft.W_sides = std::move(json["W_sides"]);
  if (json.contains("blocks")) draft.blocks = std::move(json["blocks"]);  // a copy would recurse
  if (json.contains("W_blocks")) draft.W_blocks = std::move(json["W_blocks"]);
  if (json.contains("velocity_scale"))
    draft.velocity_scale = readNumber(draft, json["velocity_scale"], "velocity_scale");
  if (json.contains("law")) draft.law = readLaw(draft, json["law"]);
  if (json.contains("directions"))
    draft.directions = readDirections(draft, readNumber(draft, json["directions"], "directions"));
  if (json.contains("unsymmetric")) {
    if (!json["unsymmetric"].is_boolean()) draft.fail("unsymmetric", "is neither true nor false");
    draft.unsymmetric = json["unsymmetric"].get<bool>();
  }
  if (!json.contains("b")) draft.fail("b", "is missing");
  return draft;
}

Draft loadNpz(const std::string& file) {
  Draft draft;
  draft.file = file;
  const NpzReader npz(file);
  if (npz.has("M")) refuseLcp(draft);
  const auto list = [&](const char* key) {
    return npz.has(key) ? npz.read<double>(key).values : std::vector<double>();
  };
  draft.W = list("W"), draft.b = npz.read<double>("b").values, draft.mu = list("mu"), draft.bias = list("bias");
  draft.gap_over_h = list("gap_over_h"), draft.compliance = list("compliance");
  draft.row_error = list("row_error");
  draft.W_nodes = list("W_nodes"), draft.W_A = list("W_A"), draft.W_B = list("W_B");
  const auto json = [&](const char* key) {
    Json value = npz.has(key) ? Json::parse(npz.readText(key), nullptr, false) : Json();
    if (value.is_discarded()) draft.fail(key, "is not JSON text", "Write it as the bytes of a JSON list.");
    return value;
  };
  draft.blocks = json("blocks"), draft.W_blocks = json("W_blocks"), draft.W_sides = json("W_sides");
  if (npz.has("law")) draft.law = readLaw(draft, Json(npz.readText("law")));
  if (npz.has("directions")) draft.directions = readDirections(draft, npz.read<double>("directions", {1})[0]);
  if (npz.has("unsymmetric")) draft.unsymmetric = npz.read<double>("unsymmetric", {1})[0] != 0.0;
  if (npz.has("velocity_scale")) draft.velocity_scale = npz.read<double>("velocity_scale", {1})[0];
  return draft;
}

Json describeBlocks(const ContactProblem& problem) {
  Json blocks = Json::array();
  for (const Block& block : problem.blocks) {
    const Form form = formOf(block.kind);
    Json json = {{"kind", nameOf(block.kind)}, {"row", block.row}, {"size", block.size}};
    if (form.friction) json["mu"] = block.mu;
    if (form.bounds) {
      json["lo"] = std::isfinite(block.lo) ? Json(block.lo) : Json();
      json["hi"] = std::isfinite(block.hi) ? Json(block.hi) : Json();
    }
    if (block.id.high == 0)
      json["id"] = block.id.low;
    else
      json["id"] = {block.id.high, block.id.low};
    blocks.push_back(std::move(json));
  }
  return blocks;
}

std::vector<double> listNodes(const DelassusFactors& factors) {
  std::vector<double> nodes;
  for (int i = 0; i < factors.nodes(); ++i) nodes.push_back(factors.node_start[i + 1] - factors.node_start[i]);
  return nodes;
}

Json describeSides(const DelassusFactors& factors) {
  Json sides = Json::array();
  for (int block = 0; block < factors.blocks(); ++block)
    for (int s = factors.first_side[block]; s < factors.first_side[block + 1]; ++s) {
      const DelassusSide& side = factors.sides[s];
      Json freedoms = Json::array();
      for (int k = 0; k < side.length; ++k)
        freedoms.push_back(factors.freedoms[side.first + k] - factors.node_start[side.node]);
      sides.push_back(Json::array({block, side.node, std::move(freedoms)}));
    }
  return sides;
}

void checkFinite(const std::string& file, const char* name, const std::vector<double>& values) {
  if (!std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); }))
    throw Error({file, 0, name}, "holds a value that is not finite; nothing was written",
                "Such a problem has no solution: look where the number was made.");
}

}  // namespace

ContactProblem loadProblem(const std::string& file) {
  return finish(endsWith(file, ".npz") ? loadNpz(file) : loadJson(file));
}

void saveProblem(const std::string& file, const ContactProblem& problem) {
  if (problem.W.hasForest()) {  // files hold factors of nodes that stand alone
    ContactProblem dense = problem;
    dense.W.becomeDense();
    return saveProblem(file, dense);
  }
  const bool factored = problem.W.isFactored();
  const DelassusFactors& factors = problem.W.factors();
  if (!factored && problem.W.entries().size() != problem.b.size() * problem.b.size())
    throw Error({file, 0, "W"}, "does not fit b; nothing was written", "W is [m × m] where b has m entries.");
  checkFinite(file, "W", problem.W.entries()), checkFinite(file, "b", problem.b);
  checkFinite(file, "W_A", factors.A), checkFinite(file, "W_B", factors.B);
  checkFinite(file, "bias", problem.bias), checkFinite(file, "compliance", problem.compliance);
  checkFinite(file, "row_error", problem.row_error);
  // A step of a run may turn its rows far; whatever was saved must be read again.
  const bool unsymmetric = findDefect(problem).has_value() && !findDefect(problem, false).has_value();
  if (endsWith(file, ".npz")) {
    NpzWriter npz(file);
    if (factored) {
      npz.add("W_nodes", listNodes(factors)), npz.add("W_A", factors.A), npz.add("W_B", factors.B);
      npz.addText("W_sides", describeSides(factors).dump());
    } else {
      npz.add("W", problem.W.entries(), problem.b.size());
    }
    npz.add("b", problem.b);
    npz.add("bias", problem.bias);
    npz.add("compliance", problem.compliance);
    if (!problem.row_error.empty()) npz.add("row_error", problem.row_error);
    const double yes = 1.0;
    if (unsymmetric) npz.add("unsymmetric", &yes, {1});
    if (problem.velocity_scale > 0.0) npz.add("velocity_scale", &problem.velocity_scale, {1});
    if (problem.law != Law::kCoulomb) npz.addText("law", std::string(lawName(problem.law)));
    const double directions = problem.directions;
    if (problem.law == Law::kPyramid) npz.add("directions", &directions, {1});
    npz.addText("blocks", describeBlocks(problem).dump());
    npz.commit();
    return;
  }
  if (!endsWith(file, ".json"))
    throw Error({file, 0, ""}, "is neither .json nor .npz", "Problems are written as .json or .npz.");
  Json json;
  if (factored)
    json = {
        {"W_nodes", listNodes(factors)}, {"W_sides", describeSides(factors)}, {"W_A", factors.A}, {"W_B", factors.B}};
  else
    json["W"] = problem.W.entries();
  json["b"] = problem.b;
  json["bias"] = problem.bias;
  json["compliance"] = problem.compliance;
  json["blocks"] = describeBlocks(problem);
  if (!problem.row_error.empty()) json["row_error"] = problem.row_error;
  if (problem.law != Law::kCoulomb) json["law"] = std::string(lawName(problem.law));
  if (problem.law == Law::kPyramid) json["directions"] = problem.directions;
  if (unsymmetric) json["unsymmetric"] = true;
  if (problem.velocity_scale > 0.0) json["velocity_scale"] = problem.velocity_scale;
  writeFile(file, json.dump());
}

}  // namespace rigor
