// Two doubles side by side in one register, which every x86-64 has. A kernel that runs on them does two limbs of a robot
// in the instructions of one (paired_tree.h) and gives each the bits that the double kernel would: the same operations in
// the same order, every one of them correctly rounded.
#pragma once

#include "math/scalar.h"

namespace rigor {

class Pair {
  typedef double Values __attribute__((vector_size(16)));
  typedef double Unaligned __attribute__((vector_size(16), aligned(8), may_alias));
  typedef long Bits __attribute__((vector_size(16)));

 public:
  /// A truth value per lane, all bits or none.
  struct Mask {
    Bits bits;
  };

  Pair() = default;
  RIGOR_INLINE Pair(double x) : values_{x, x} {}  // implicit: kernels mix T with plain numbers
  RIGOR_INLINE Pair(double first, double second) : values_{first, second} {}

  /// Two numbers that follow each other in memory.
  RIGOR_INLINE static Pair load(const double* from) { return Pair(*reinterpret_cast<const Unaligned*>(from)); }
  RIGOR_INLINE void store(double* to) const { *reinterpret_cast<Unaligned*>(to) = values_; }

  RIGOR_INLINE double lane(int i) const { return values_[i]; }
  RIGOR_INLINE void setLane(int i, double x) { values_[i] = x; }

  RIGOR_INLINE friend Pair operator-(const Pair& a) { return Pair(-a.values_); }
  RIGOR_INLINE friend Pair operator+(const Pair& a, const Pair& b) { return Pair(a.values_ + b.values_); }
  RIGOR_INLINE friend Pair operator-(const Pair& a, const Pair& b) { return Pair(a.values_ - b.values_); }
  RIGOR_INLINE friend Pair operator*(const Pair& a, const Pair& b) { return Pair(a.values_ * b.values_); }
  RIGOR_INLINE friend Pair operator/(const Pair& a, const Pair& b) { return Pair(a.values_ / b.values_); }
  RIGOR_INLINE Pair& operator+=(const Pair& b) { return values_ += b.values_, *this; }
  RIGOR_INLINE Pair& operator-=(const Pair& b) { return values_ -= b.values_, *this; }
  RIGOR_INLINE Pair& operator*=(const Pair& b) { return values_ *= b.values_, *this; }

  RIGOR_INLINE friend Mask operator<(const Pair& a, const Pair& b) { return {a.values_ < b.values_}; }
  RIGOR_INLINE friend Mask operator>(const Pair& a, const Pair& b) { return {a.values_ > b.values_}; }
  RIGOR_INLINE friend Mask operator==(const Pair& a, const Pair& b) { return {a.values_ == b.values_}; }

  RIGOR_INLINE friend Pair select(const Mask& mask, const Pair& a, const Pair& b) {
    return Pair(mask.bits ? a.values_ : b.values_);
  }
  /// a where b is not larger, NaN included: as std::max(a, b).
  RIGOR_INLINE friend Pair larger(const Pair& a, const Pair& b) { return select(a < b, b, a); }
  RIGOR_INLINE friend Pair absolute(const Pair& a) { return Pair((Values)((Bits)a.values_ & 0x7fffffffffffffffL)); }

 private:
  RIGOR_INLINE explicit Pair(Values values) : values_(values) {}

  Values values_;
};

}  // namespace rigor
