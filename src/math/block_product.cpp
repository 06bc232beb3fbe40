#include "math/block_product.h"

#include <array>
#include <utility>

namespace rigor {
namespace {

using Kernel = void (*)(const double* A, const double* B, double* C, int rows, int inner, int stride);

template <int kInner, int kWidth>
void kernel(const double* A, const double* B, double* C, int rows, int inner, int stride) {
  if (kInner > 0) inner = kInner;
  if (kWidth == 1)
    subtractColumn(A, B, C, rows, inner, stride);
  else if (stride == kWidth)  // a block on its own has no gaps between rows: addresses are constants too
    subtractPanel<kWidth>(A, B, C, rows, inner, kWidth);
  else
    subtractPanel<kWidth>(A, B, C, rows, inner, stride);
}

template <int... k>
constexpr std::array<Kernel, sizeof...(k)> listKernels(std::integer_sequence<int, k...>) {
  return {kernel<k / kFixedSizes, k % kFixedSizes + 1>...};
}

// [inner size, 0 if it has no code of its own][width − 1]
constexpr auto kKernels = listKernels(std::make_integer_sequence<int, (kFixedSizes + 1) * kFixedSizes>{});

}  // namespace

void subtractProduct(const double* A, const double* B, double* C, int rows, int inner, int columns, int stride) {
  const Kernel* kernels = kKernels.data() + (inner <= kFixedSizes ? inner : 0) * kFixedSizes;
  for (; columns > kFixedSizes; columns -= kFixedSizes, B += kFixedSizes, C += kFixedSizes)
    kernels[kFixedSizes - 1](A, B, C, rows, inner, stride);
  kernels[columns - 1](A, B, C, rows, inner, stride);
}

}  // namespace rigor
