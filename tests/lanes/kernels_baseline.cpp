// The kernels in registers of two doubles.
#include "lanes/kernels_in_lanes.h"

template bool rigor::runEveryKernelInLanes<rigor::Pack4<2>>(const Topology&, const Parameters<double>&, const double*,
                                                            int, double*);
