// The friction pyramids of a contact problem as a mixed complementarity problem, OS eq. 28 and 34 (RP eq. 3 has its rows in another
// order): w = M z + q with the rows of lcp.h. M is asked for by entries of W and never stored.
#pragma once

#include <vector>

#include "solvers/lcp_form.h"

namespace rigor {

class PyramidLcp final : public LcpMatrix {
 public:
  /// Reads the problem, which must live on, with a dense W. Does not allocate once it has seen the number of rows.
  void assign(const ContactProblem& problem);
  void reserve(int rows, int directions);

  int rows() const override { return static_cast<int>(lines_.size()); }
  double at(int row, int column) const override;
  void multiply(const std::vector<int>& columns, const double* z, double* out) const override;

  const std::vector<double>& q() const { return q_; }
  const std::vector<double>& lo() const { return lo_; }
  const std::vector<double>& hi() const { return hi_; }
  /// One number d for every contact, (trace W_ii/3)^−½, which keeps its cone; 1/d for its σ.
  const std::vector<double>& scale() const { return scale_; }

  /// λ [m] of a z.
  void readImpulse(const double* z, double* impulse) const;
  /// Places of z that belong to impulses and modes of an earlier answer: sides of the pyramids that λt lies in, σ where it slips.
  void guessPlaces(const double* impulse, const std::vector<ContactMode>& modes, std::vector<LcpPlace>& places) const;

 private:
  enum class Role : unsigned char { kRow, kCorner, kSlip };
  // One line of z and w. `row` is that of the contact problem; of a corner and of σ the first of the contact.
  struct Line {
    Role role;
    int row, corner;
    int first;  // line of λn of the contact
    double mu, compliance;
  };
  // Lines of one block: `first` … `first + count − 1`.
  struct Span {
    int first, count;
  };

  double entryOfRow(int row, const Line& column) const;

  const ContactProblem* problem_ = nullptr;
  const double (*corners_)[2] = nullptr;
  std::vector<Line> lines_;
  std::vector<Span> spans_;  // [blocks]
  std::vector<double> q_, lo_, hi_, scale_;
  mutable std::vector<double> impulse_, velocity_;
};

}  // namespace rigor
