// Snapshots: the state and everything else that decides the bits of the next step.
#include <fmt/format.h>

#include <algorithm>

#include "io/header.h"
#include "io/id_arrays.h"
#include "io/npz/npz.h"
#include "model/topology.h"
#include "rigor/io.h"

namespace rigor {
namespace {

constexpr const char* kFormat = "rigor snapshot";
// 3: ids of 64 bits; 2: and one past for all trees; 1: and three impulses per block, narrower ids
constexpr int kVersion = 4;

std::vector<double> toVector(const Eigen::VectorXd& values) { return {values.begin(), values.end()}; }
Eigen::VectorXd toEigen(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

void saveBlocks(const std::vector<BlockMemory>& blocks, NpzWriter& npz) {
  std::vector<RowId> id;
  std::vector<double> impulse;
  std::vector<std::uint8_t> rows, mode, impact;
  for (const BlockMemory& block : blocks) {
    id.push_back(block.id);
    rows.push_back(static_cast<std::uint8_t>(block.rows));
    impulse.insert(impulse.end(), block.impulse, block.impulse + kMostRows);
    mode.push_back(static_cast<std::uint8_t>(block.mode));
    impact.push_back(block.impact);
  }
  addIds("block_id", id, npz);
  npz.add("block_rows", rows);
  npz.add("block_impulse", impulse, kMostRows);
  npz.add("block_mode", mode);
  npz.add("block_impact", impact);
}

std::vector<BlockMemory> loadBlocks(const NpzReader& npz, const HeaderFacts& facts, const std::string& file) {
  const int version = facts.version;
  const std::size_t width = version == 1 ? 3 : kMostRows;
  const IdLayout layout = version > 3 ? IdLayout::kWide : (version > 1 ? IdLayout::kPairs : IdLayout::kShapes);
  const std::vector<RowId> id = readIds(file, npz, "block_id", layout, facts.is_plane);
  const std::vector<double> impulse = npz.read<double>("block_impulse", {id.size(), width});
  const std::vector<std::uint8_t> rows =
      version == 1 ? std::vector<std::uint8_t>(id.size(), 3) : npz.read<std::uint8_t>("block_rows", {id.size()});
  const std::vector<std::uint8_t> mode = npz.read<std::uint8_t>("block_mode", {id.size()});
  const std::vector<std::uint8_t> impact = npz.read<std::uint8_t>("block_impact", {id.size()});
  std::vector<BlockMemory> blocks(id.size());
  for (std::size_t i = 0; i < id.size(); ++i) {
    if (mode[i] > 2 || rows[i] > kMostRows || (i > 0 && id[i] <= id[i - 1]))
      throw Error({file, 0, fmt::format("block {}", i)}, "has an unknown mode, too many rows, or is out of order",
                  "Save it again.");
    blocks[i].id = id[i];
    blocks[i].rows = rows[i];
    std::copy_n(impulse.begin() + static_cast<std::ptrdiff_t>(width * i), width, blocks[i].impulse);
    blocks[i].mode = static_cast<ContactMode>(mode[i]);
    blocks[i].impact = impact[i] != 0;
  }
  return blocks;
}

void loadPast(const NpzReader& npz, int version, std::size_t trees, const std::string& file, Memory& memory) {
  const std::size_t count = version < 3 ? 1 : trees;  // all trees had the same past
  memory.last_step = npz.read<double>("last_step", {count});
  const std::vector<std::int32_t> increments = npz.read<std::int32_t>("increments", {count});
  for (const std::int32_t known : increments)
    if (known < 0 || known > 3)
      throw Error({file, 0, "increments"}, fmt::format("is {}", known), "Save the snapshot again.");
  memory.increments.assign(increments.begin(), increments.end());
  if (version < 3) {
    memory.last_step.assign(trees, memory.last_step[0]);
    memory.increments.assign(trees, memory.increments[0]);
  }
  for (int age = 0; age < 3; ++age) memory.rates[age] = toEigen(npz.read<double>(fmt::format("rate_{}", age)).values);
}

}  // namespace

void saveSnapshot(const std::string& file, const Scene& scene, const Snapshot& snapshot) {
  const auto& [state, memory] = snapshot;
  if (state.q.size() != scene.model.nq() || state.v.size() != scene.model.nv())
    throw Error({file, 0, ""}, "the snapshot belongs to another model than the scene; nothing was written",
                "Give the scene of the simulator that was saved.");
  NpzWriter npz(file);
  npz.addText("header", makeHeader(scene, kFormat, kVersion));
  npz.add("time", &state.time, {1});
  npz.add("q", toVector(state.q));
  npz.add("v", toVector(state.v));
  npz.add("last_step", memory.last_step);
  npz.add("increments", std::vector<std::int32_t>(memory.increments.begin(), memory.increments.end()));
  for (int age = 0; age < 3; ++age) npz.add(fmt::format("rate_{}", age), toVector(memory.rates[age]));
  if (memory.momentum.size() > 0) npz.add("momentum", toVector(memory.momentum));
  if (memory.event_step > 0.0) npz.add("event_step", std::vector<double>{memory.event_step});
  saveBlocks(memory.blocks, npz);
  npz.add("controller", memory.controller);
  npz.add("random", memory.random);
  npz.commit();
}

SnapshotOptions loadSnapshotOptions(const std::string& file) {
  const HeaderFacts facts = parseHeader(NpzReader(file).readText("header"), kFormat, kVersion, file);
  return {facts.dt, facts.stepper, facts.integrator, facts.solver, facts.law};
}

Snapshot loadSnapshot(const std::string& file, const Scene& scene) {
  const NpzReader npz(file);
  const HeaderFacts facts = parseHeader(npz.readText("header"), kFormat, kVersion, file);
  if (facts.hash != (facts.version > 3 ? computeModelHash(scene.model) : computeOldModelHash(scene.model)))
    throw Error({file, 0, "header"}, fmt::format("belongs to another model (scene \"{}\")", facts.scene),
                fmt::format("Give the scene that it was saved from, or save a new one from \"{}\".", scene.name));
  const std::size_t nq = scene.model.nq(), nv = scene.model.nv();
  Snapshot snapshot;
  auto& [state, memory] = snapshot;
  state.time = npz.read<double>("time", {1})[0];
  state.q = toEigen(npz.read<double>("q", {nq}));
  state.v = toEigen(npz.read<double>("v", {nv}));
  loadPast(npz, facts.version, scene.model.topology().trees, file, memory);
  for (const Eigen::VectorXd& rate : memory.rates)
    if (rate.size() != 0 && rate.size() != static_cast<Eigen::Index>(nv))
      throw Error({file, 0, "rates"}, "do not fit the model", "Save the snapshot again.");
  if (npz.has("event_step")) memory.event_step = npz.read<double>("event_step", {1})[0];
  if (npz.has("momentum")) memory.momentum = toEigen(npz.read<double>("momentum", {nv}));
  memory.blocks = loadBlocks(npz, facts, file);
  memory.controller = npz.read<double>("controller").values;
  memory.random = npz.read<std::uint64_t>("random").values;
  return snapshot;
}

}  // namespace rigor
