#ifndef CRECORDFRAMING_H
#define CRECORDFRAMING_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// CRC-32C (Castagnoli, RFC 3720 appendix B.4) by the processor's own instruction. This is C because Swift has no
// intrinsic for the instruction; the table-driven fallback is Swift. It is inline assembly because the compiler's
// headers need a target attribute that the Swift importer drops.

#if defined(__x86_64__)

// Set before main, because the instruction cpuid is slow. Do not change it.
extern int up_crc32c_has_instruction;

static inline int up_crc32c_is_in_hardware(void) { return up_crc32c_has_instruction; }

// Operands in memory, at any address. With memcpy, the compiler would copy each of them to the stack first.
typedef uint64_t __attribute__((aligned(1), may_alias)) up_word64;
typedef uint32_t __attribute__((aligned(1), may_alias)) up_word32;
typedef uint16_t __attribute__((aligned(1), may_alias)) up_word16;

static inline uint32_t up_crc32c_in_hardware(uint32_t crc, const void *bytes, size_t count) {
    const uint8_t *p = (const uint8_t *)bytes;
    uint64_t state = crc;
    const uint8_t *end = p + (count & ~(size_t)7);
    for (; p != end; p += 8) {
        __asm__("crc32q %1, %0" : "+r"(state) : "m"(*(const up_word64 *)p));
    }
    uint32_t low = (uint32_t)state;
    if (count & 4) {
        __asm__("crc32l %1, %0" : "+r"(low) : "m"(*(const up_word32 *)p));
        p += 4;
    }
    if (count & 2) {
        __asm__("crc32w %1, %0" : "+r"(low) : "m"(*(const up_word16 *)p));
        p += 2;
    }
    if (count & 1) {
        __asm__("crc32b %1, %0" : "+r"(low) : "m"(*p));
    }
    return low;
}

#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>

static inline int up_crc32c_is_in_hardware(void) { return 1; }

static inline uint32_t up_crc32c_in_hardware(uint32_t crc, const void *bytes, size_t count) {
    const uint8_t *p = (const uint8_t *)bytes;
    for (; count >= 8; count -= 8, p += 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        crc = __crc32cd(crc, word);
    }
    if (count & 4) {
        uint32_t word;
        memcpy(&word, p, 4);
        crc = __crc32cw(crc, word);
        p += 4;
    }
    if (count & 2) {
        uint16_t word;
        memcpy(&word, p, 2);
        crc = __crc32ch(crc, word);
        p += 2;
    }
    if (count & 1) {
        crc = __crc32cb(crc, *p);
    }
    return crc;
}

#else

static inline int up_crc32c_is_in_hardware(void) { return 0; }

static inline uint32_t up_crc32c_in_hardware(uint32_t crc, const void *bytes, size_t count) {
    (void)bytes;
    (void)count;
    return crc;
}

#endif

#endif
