#include <stddef.h>

/// How many blocks of memory this thread has asked for; where nobody counts, it stays 0.
size_t allocation_count(void);
