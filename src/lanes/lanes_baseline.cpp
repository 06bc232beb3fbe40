// Lanes in pairs of registers of two doubles, which every x86-64 has.
#include "lanes/lane_kernels.h"

rigor::Lanes::~Lanes() = default;

template rigor::Lanes* rigor::makeLanes<rigor::Pack4<2>>(const Topology&, const Parameters<double>&);
