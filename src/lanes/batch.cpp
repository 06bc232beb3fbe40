#include "rigor/batch.h"

#include <fmt/format.h>

#include <cmath>

#include "lanes/lanes.h"

namespace rigor {
namespace {

/// What an array must hold: `count` numbers per environment.
void checkSize(const char* function, const char* array, std::size_t size, int environments, const char* unit,
               std::size_t count) {
  const std::size_t expected = static_cast<std::size_t>(environments) * count;
  if (size == expected) return;
  throw Error(Place{{}, 0, function},
              fmt::format("{} has {} numbers; {} environments of {} {} need {}", array, size, environments, count, unit,
                          expected),
              "Arrays hold one row per environment, rows one after another.");
}

void checkCount(const char* function, int environments) {
  if (environments < 0)
    throw Error(Place{{}, 0, function}, fmt::format("{} environments", environments), "Give 0 or more.");
}

Lanes* makeLanesFor(InstructionSet set, const Model& model) {
  if (set == InstructionSet::kAvx2) return makeLanes<Pack4<4>>(model.topology(), model.parameters());
  return makeLanes<Pack4<2>>(model.topology(), model.parameters());
}

}  // namespace

InstructionSet bestInstructionSet() {
  return __builtin_cpu_supports("avx2") ? InstructionSet::kAvx2 : InstructionSet::kBaseline;
}

const char* instructionSetName(InstructionSet set) { return set == InstructionSet::kAvx2 ? "avx2" : "baseline"; }

Batch::Batch(Model model, InstructionSet set) : model_(std::move(model)), set_(set) {
  if (set == InstructionSet::kAvx2 && bestInstructionSet() != set)
    throw Error(Place{{}, 0, "Batch"}, "this CPU has no AVX2", "Leave the instruction set out, or give kBaseline.");
  lanes_.reset(makeLanesFor(set, model_));
}
Batch::~Batch() = default;
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&&) noexcept = default;

void Batch::forwardDynamics(int environments, std::span<const double> q, std::span<const double> v,
                            std::span<const double> tau, std::span<double> acceleration) {
  constexpr const char* kName = "Batch::forwardDynamics";
  const int nq = model_.nq(), nv = model_.nv();
  checkCount(kName, environments);
  checkSize(kName, "q", q.size(), environments, "coordinates", nq);
  checkSize(kName, "v", v.size(), environments, "velocities", nv);
  checkSize(kName, "tau", tau.size(), environments, "forces", nv);
  checkSize(kName, "acceleration", acceleration.size(), environments, "accelerations", nv);
  lanes_->forwardDynamics(environments, q.data(), v.data(), tau.data(), acceleration.data());
}

void Batch::inverseDynamics(int environments, std::span<const double> q, std::span<const double> v,
                            std::span<const double> acceleration, std::span<double> tau) {
  constexpr const char* kName = "Batch::inverseDynamics";
  const int nq = model_.nq(), nv = model_.nv();
  checkCount(kName, environments);
  checkSize(kName, "q", q.size(), environments, "coordinates", nq);
  checkSize(kName, "v", v.size(), environments, "velocities", nv);
  checkSize(kName, "acceleration", acceleration.size(), environments, "accelerations", nv);
  checkSize(kName, "tau", tau.size(), environments, "forces", nv);
  lanes_->inverseDynamics(environments, q.data(), v.data(), acceleration.data(), tau.data());
}

void Batch::massMatrix(int environments, std::span<const double> q, std::span<double> M) {
  constexpr const char* kName = "Batch::massMatrix";
  const std::size_t nv = model_.nv();
  checkCount(kName, environments);
  checkSize(kName, "q", q.size(), environments, "coordinates", model_.nq());
  checkSize(kName, "M", M.size(), environments, "entries", nv * nv);
  lanes_->massMatrix(environments, q.data(), M.data());
}

void Batch::integrate(int environments, std::span<const double> q, std::span<const double> v, double step,
                      std::span<double> next) {
  constexpr const char* kName = "Batch::integrate";
  checkCount(kName, environments);
  checkSize(kName, "q", q.size(), environments, "coordinates", model_.nq());
  checkSize(kName, "v", v.size(), environments, "velocities", model_.nv());
  checkSize(kName, "next", next.size(), environments, "coordinates", model_.nq());
  if (!std::isfinite(step)) throw Error("Batch::integrate: the step is not finite", "Give seconds, e.g. 0.001.");
  lanes_->integrate(environments, q.data(), v.data(), step, next.data());
}

}  // namespace rigor
