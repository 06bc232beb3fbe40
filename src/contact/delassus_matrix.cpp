#include "rigor/delassus_matrix.h"

#include "contact/row_product.h"

namespace rigor {

double DelassusMatrix::multiplyRow(int row, const double* x) const { return rigor::multiplyRow(*this, row, x); }

void DelassusMatrix::multiplyAdd(const double* x, const double* b, double* y) const {
  rigor::multiplyAdd(*this, x, b, y);
}

}  // namespace rigor
