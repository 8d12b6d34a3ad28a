#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

#include <stddef.h>

// How much memory a piece of a program takes, asked of the address sanitizer, which sees every allocation. For one
// thread.

// Counts from here on.
void allocations_begin(void);

// The most bytes that were allocated at once since then, beyond what was there before.
size_t allocations_peak(void);

#endif
