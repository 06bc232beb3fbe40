// The dynamics of four environments at a time, behind one interface for all instruction sets.
//
// Code that is compiled for AVX2 may share no inline function with the rest of the library: the linker keeps one copy of
// each, and if it kept the AVX2 copy, older CPUs would crash in code that has nothing to do with lanes. So the kernels
// sit behind virtual functions, and each instruction set has one unit (lanes_avx2.cpp, lanes_baseline.cpp) that defines
// nothing but functions of its own pack type. A test lists the symbols of the AVX2 unit.
#pragma once

#include "model/parameters.h"

namespace rigor {

template <int kWidth>
class Pack4;

/// Kernels of one model over many environments; arrays [environments × n], row by row. Owns its scratch, so one object
/// serves one thread, and allocates in its constructor only. Every environment gets the bits of the double kernels.
class Lanes {
 public:
  virtual ~Lanes();  // its own unit holds it, so that no other emits it

  /// acceleration = M⁻¹ (tau − c), M with armature
  virtual void forwardDynamics(int environments, const double* q, const double* v, const double* tau,
                               double* acceleration) = 0;
  /// tau = M acceleration + c, M with armature
  virtual void inverseDynamics(int environments, const double* q, const double* v, const double* acceleration,
                               double* tau) = 0;
  /// M with armature, dense [environments × nv × nv]
  virtual void massMatrix(int environments, const double* q, double* M) = 0;
  /// next = q ⊕ step·v
  virtual void integrate(int environments, const double* q, const double* v, double step, double* next) = 0;
};

/// Lanes on `Pack`; `topology` must outlive them. Defined for Pack4<2> and, on CPUs that have AVX2, Pack4<4>.
template <class Pack>
Lanes* makeLanes(const Topology& topology, const Parameters<double>& parameters);

}  // namespace rigor
