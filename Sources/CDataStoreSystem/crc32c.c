#include "crc32c.h"

#if defined(__x86_64__)

int up_crc32c_has_instruction;

__attribute__((constructor)) static void find_instruction(void) {
    unsigned int a, b, c, d;
    __asm__("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "a"(1), "c"(0));
    up_crc32c_has_instruction = (c >> 20) & 1;  // SSE4.2
}

#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>

int up_crc32c_has_instruction;

// The architecture made the instruction mandatory only in version 8.1.
__attribute__((constructor)) static void find_instruction(void) {
    up_crc32c_has_instruction = (getauxval(AT_HWCAP) >> 7) & 1;  // HWCAP_CRC32
}

#endif
