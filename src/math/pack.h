// Four doubles side by side, one per environment. A kernel that runs on them does the work of four environments in the
// instructions of one, and gives each lane the bits that the double kernel would: the same operations in the same order,
// every one of them correctly rounded. (Only the payload of a NaN may differ.)
//
// kWidth is how many doubles a register holds: 2 on every x86-64, 4 with AVX2. The width is part of the type, so that
// code compiled with AVX2 shares no function with code that must run without it. Lanes wider than the registers of the
// instruction set would silently run several times slower; a unit compiled without AVX2 cannot even name them.
#pragma once

#include "math/scalar.h"

namespace rigor {

namespace detail {

template <int kWidth>
struct Register;
template <>
struct Register<2> {
  typedef double Values __attribute__((vector_size(16)));
};
#ifdef __AVX2__
template <>
struct Register<4> {
  typedef double Values __attribute__((vector_size(32)));
};
#endif

}  // namespace detail

inline constexpr int kLanes = 4;

template <int kWidth>
class Pack4 {
  static constexpr int kParts = kLanes / kWidth;
  using Values = typename detail::Register<kWidth>::Values;
  using Bits = decltype(Values{} < Values{});  // integers of the same size

 public:
  /// A truth value per lane, all bits or none.
  struct Mask {
    Bits part[kParts];
  };

  Pack4() = default;
  RIGOR_INLINE Pack4(double x) {               // implicit: kernels mix T with plain numbers
    for (Values& p : part_) p = x - Values{};  // x − 0 keeps the sign of a zero, x + 0 would not
  }

  RIGOR_INLINE Pack4(double a, double b, double c,
                     double d) {  // whole registers: lanes set one by one wait for each other
    if constexpr (kWidth == 4)
      part_[0] = Values{a, b, c, d};
    else
      part_[0] = Values{a, b}, part_[1] = Values{c, d};
  }

  RIGOR_INLINE double lane(int i) const { return part_[i / kWidth][i % kWidth]; }
  RIGOR_INLINE void setLane(int i, double x) { part_[i / kWidth][i % kWidth] = x; }

  RIGOR_INLINE friend Pack4 operator-(const Pack4& a) {
    return each([&](int k) { return -a.part_[k]; });
  }
  RIGOR_INLINE friend Pack4 operator+(const Pack4& a, const Pack4& b) {
    return each([&](int k) { return a.part_[k] + b.part_[k]; });
  }
  RIGOR_INLINE friend Pack4 operator-(const Pack4& a, const Pack4& b) {
    return each([&](int k) { return a.part_[k] - b.part_[k]; });
  }
  RIGOR_INLINE friend Pack4 operator*(const Pack4& a, const Pack4& b) {
    return each([&](int k) { return a.part_[k] * b.part_[k]; });
  }
  RIGOR_INLINE friend Pack4 operator/(const Pack4& a, const Pack4& b) {
    return each([&](int k) { return a.part_[k] / b.part_[k]; });
  }
  RIGOR_INLINE Pack4& operator+=(const Pack4& b) { return *this = *this + b; }
  RIGOR_INLINE Pack4& operator-=(const Pack4& b) { return *this = *this - b; }
  RIGOR_INLINE Pack4& operator*=(const Pack4& b) { return *this = *this * b; }
  RIGOR_INLINE Pack4& operator/=(const Pack4& b) { return *this = *this / b; }

  RIGOR_INLINE friend Mask operator<(const Pack4& a, const Pack4& b) {
    return test([&](int k) { return a.part_[k] < b.part_[k]; });
  }
  RIGOR_INLINE friend Mask operator>(const Pack4& a, const Pack4& b) {
    return test([&](int k) { return a.part_[k] > b.part_[k]; });
  }
  RIGOR_INLINE friend Mask operator<=(const Pack4& a, const Pack4& b) {
    return test([&](int k) { return a.part_[k] <= b.part_[k]; });
  }
  RIGOR_INLINE friend Mask operator>=(const Pack4& a, const Pack4& b) {
    return test([&](int k) { return a.part_[k] >= b.part_[k]; });
  }
  RIGOR_INLINE friend Mask operator==(const Pack4& a, const Pack4& b) {
    return test([&](int k) { return a.part_[k] == b.part_[k]; });
  }

  RIGOR_INLINE friend Pack4 select(const Mask& mask, const Pack4& a, const Pack4& b) {
    return each([&](int k) { return mask.part[k] ? a.part_[k] : b.part_[k]; });
  }
  RIGOR_INLINE friend Pack4 absolute(const Pack4& a) {
    return each([&](int k) { return (Values)((Bits)a.part_[k] & 0x7fffffffffffffffL); });
  }
  RIGOR_INLINE friend Pack4 squareRoot(const Pack4& a) {
    return each([&](int k) {
      Values root;
      for (int i = 0; i < kWidth; ++i) root[i] = squareRoot(a.part_[k][i]);  // becomes one instruction
      return root;
    });
  }

 private:
  template <class Operation>
  RIGOR_INLINE static Pack4 each(const Operation& operation) {
    Pack4 result;
    for (int k = 0; k < kParts; ++k) result.part_[k] = operation(k);
    return result;
  }
  template <class Comparison>
  RIGOR_INLINE static Mask test(const Comparison& comparison) {
    Mask result;
    for (int k = 0; k < kParts; ++k) result.part[k] = comparison(k);
    return result;
  }

  Values part_[kParts];
};

}  // namespace rigor
