#include "CRecordFraming.h"

#if defined(__x86_64__)

int up_crc32c_has_instruction;

__attribute__((constructor)) static void find_instruction(void) {
    unsigned int a, b, c, d;
    __asm__("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "a"(1), "c"(0));
    up_crc32c_has_instruction = (c >> 20) & 1;  // SSE4.2
}

#endif
