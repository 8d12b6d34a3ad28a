#include "CAllocations.h"

#include <sanitizer/allocator_interface.h>

static ptrdiff_t current, peak;

static void allocated(const volatile void *pointer, size_t size) {
    (void)pointer;
    current += (ptrdiff_t)size;
    if (current > peak) peak = current;
}

static void freed(const volatile void *pointer) {
    if (pointer) current -= (ptrdiff_t)__sanitizer_get_allocated_size(pointer);
}

void allocations_begin(void) {
    static int installed;
    if (!installed) installed = __sanitizer_install_malloc_and_free_hooks(allocated, freed);
    current = peak = 0;
}

size_t allocations_peak(void) { return (size_t)peak; }
