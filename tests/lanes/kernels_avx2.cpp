// The kernels in registers of four doubles, compiled as lanes_avx2.cpp is.
#include "lanes/kernels_in_lanes.h"

template bool rigor::runEveryKernelInLanes<rigor::Pack4<4>>(const Topology&, const Parameters<double>&, const double*,
                                                            int, double*);
