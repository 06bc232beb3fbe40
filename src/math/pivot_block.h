// A diagonal block as it is eliminated: LU with exchanged rows, and its inverse applied to panels.
#pragma once

namespace rigor {

/// One block with what its factorisation left. All arrays have `size` numbers, the block size², row-major.
struct PivotBlock {
  int size;
  double* block;        ///< becomes L (ones on the diagonal) and U
  double* inverse;      ///< inverse pivots, 0 where a pivot counts as zero
  int* row_of;          ///< row of the block that became row i
  int* column_of;       ///< column that became column i; the identity unless completely pivoted
  const double* scale;  ///< the largest number that each column ever had
};

/// Partial pivoting. False if a pivot is not above `zero_pivot` × the scale of its column, or not finite; the block is spoilt then.
bool factorPartially(const PivotBlock& pivot, double zero_pivot);

/// Complete pivoting. From the first pivot on that counts as zero, all do. Returns how many, or −1 if a number is not finite.
int factorCompletely(const PivotBlock& pivot, double zero_pivot);

/// B ← D⁻¹ B for a panel [size × columns] whose rows are `stride` apart; `scratch` has room for size × 6 numbers.
void applyInverse(const PivotBlock& pivot, bool columns_moved, double* B, int columns, int stride, double* scratch);

/// scale ← the largest of itself and of |block|, column by column.
void raiseScale(int size, const double* block, double* scale);

}  // namespace rigor
