#include <stddef.h>

/// Returns the number of memory blocks that this thread has allocated. Without the counter, the result is always 0.
size_t allocation_count(void);
