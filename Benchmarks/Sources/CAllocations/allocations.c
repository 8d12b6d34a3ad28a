// A replacement of malloc(3) and related functions that counts calls. It replaces the functions of glibc in all
// libraries of the program. Each thread has its own counter, so counting costs one addition.
#include "CAllocations.h"
#include <errno.h>

#if defined(__linux__) && defined(__GLIBC__)
static __thread size_t count;

size_t allocation_count(void) { return count; }

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
    count++;
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count++;
    return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
    count++;
    return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
    count++;
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    count++;
    *block = __libc_memalign(alignment, size);
    return *block ? 0 : ENOMEM;
}
#else
size_t allocation_count(void) { return 0; }
#endif
