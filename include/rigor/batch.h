// Dynamics of many environments of one model, four at a time: for learning, sampling and sweeps over states.
//
// Every array has one row per environment, rows one after another: q is [environments × nq], v and forces are
// [environments × nv]. Each environment gets the very bits that it would get alone, whatever the number of environments,
// its place among them, and the instruction set; a number that is not finite spoils its own environment only.
#pragma once

#include <memory>
#include <span>

#include "rigor/model.h"

namespace rigor {

/// What four lanes run on. Results are the same bits; AVX2 takes about half the time.
enum class InstructionSet {
  kBaseline,  ///< SSE2, which every x86-64 has: two registers of two doubles
  kAvx2,      ///< one register of four doubles
};

InstructionSet bestInstructionSet();                 ///< of the CPU that this runs on
const char* instructionSetName(InstructionSet set);  ///< "baseline", "avx2"

/// Kernels over many environments. Holds its scratch: one Batch per thread; nothing is allocated after construction.
///
/// Forces are generalised forces of all joints: springs, damping and friction of the model are not added. M includes
/// armature. Quaternions in q must have unit length. An output may be the input of the same shape. Arrays of a wrong size
/// throw Error.
class Batch {
 public:
  /// Throws Error if the CPU lacks the instruction set.
  explicit Batch(Model model, InstructionSet set = bestInstructionSet());
  ~Batch();
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;

  const Model& model() const { return model_; }
  InstructionSet instructionSet() const { return set_; }

  /// acceleration = M⁻¹ (tau − c(q, v)), c with gravity: the articulated-body algorithm.
  void forwardDynamics(int environments, std::span<const double> q, std::span<const double> v,
                       std::span<const double> tau, std::span<double> acceleration);

  /// tau = M acceleration + c(q, v): the recursive Newton–Euler algorithm. Undoes forwardDynamics.
  void inverseDynamics(int environments, std::span<const double> q, std::span<const double> v,
                       std::span<const double> acceleration, std::span<double> tau);

  /// M(q), dense and symmetric [environments × nv × nv].
  void massMatrix(int environments, std::span<const double> q, std::span<double> M);

  /// next = q ⊕ step·v: translations and angles add, quaternions turn and keep unit length. `step` in seconds.
  void integrate(int environments, std::span<const double> q, std::span<const double> v, double step,
                 std::span<double> next);

 private:
  Model model_;
  InstructionSet set_;
  std::unique_ptr<class Lanes> lanes_;
};

}  // namespace rigor
