// Numbers below 2e-308 count as 0 while this lives. What a constraint holds keeps a rounding error, which the next step shrinks to a
// rounding error of its own: motion out of the plane of a planar mechanism is 1e-17, 1e-33, … and after twenty steps below what
// doubles hold in full. Such numbers mean nothing, and processors take a hundred times as long for them.
#pragma once

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace rigor {

class TinyIsZero {
 public:
#if defined(__SSE2__)
  TinyIsZero() : before_(_mm_getcsr()) { _mm_setcsr(before_ | kFlush); }
  ~TinyIsZero() { _mm_setcsr((_mm_getcsr() & ~kFlush) | (before_ & kFlush)); }  // flags that were raised stay

 private:
  static constexpr unsigned kFlush = 0x8040;  // results (bit 15) and operands (bit 6)
  unsigned before_;
#else
  TinyIsZero() {}
#endif
  TinyIsZero(const TinyIsZero&) = delete;
  TinyIsZero& operator=(const TinyIsZero&) = delete;
};

}  // namespace rigor
