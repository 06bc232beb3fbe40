// Lanes in registers of four doubles. The only unit compiled with AVX2; it runs only where the CPU has it.
#include "lanes/lane_kernels.h"

template rigor::Lanes* rigor::makeLanes<rigor::Pack4<4>>(const Topology&, const Parameters<double>&);
