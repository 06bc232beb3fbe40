// Counts what this program takes from the heap, to prove that a loop takes nothing.
#pragma once

long allocationCount();  ///< calls of operator new so far
