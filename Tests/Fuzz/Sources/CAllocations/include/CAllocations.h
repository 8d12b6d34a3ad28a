#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

#include <stddef.h>

// Measures the memory that a part of the program allocates, with the hooks of the address sanitizer. Only one thread may
// use these functions.

// Starts a measurement.
void allocations_begin(void);

// Returns the peak of the allocated bytes since the start of the measurement, minus the bytes allocated at the start.
size_t allocations_peak(void);

#endif
