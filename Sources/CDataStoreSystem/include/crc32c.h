#ifndef CRC32C_H
#define CRC32C_H

#include <stddef.h>
#include <stdint.h>

// CRC-32C (Castagnoli, RFC 3720 appendix B.4) by the processor's own instruction. This is C because Swift has no
// intrinsic for the instruction; the table-driven fallback is Swift. It is inline assembly because the compiler's
// headers need a target attribute that the Swift importer drops.

#if defined(__x86_64__) || (defined(__aarch64__) && defined(__linux__))

// Set before main, because the processor instruction or system call that finds it is slow. Do not change it.
extern int up_crc32c_has_instruction;

static inline int up_crc32c_is_in_hardware(void) { return up_crc32c_has_instruction; }

#elif defined(__aarch64__) && defined(__APPLE__)

// Every arm64 processor on which a supported system runs has the instruction.
static inline int up_crc32c_is_in_hardware(void) { return 1; }

#else

static inline int up_crc32c_is_in_hardware(void) { return 0; }

#endif

// Operands in memory, at any address. With memcpy, the compiler would copy each of them to the stack first.
typedef uint64_t __attribute__((aligned(1), may_alias)) up_word64;
typedef uint32_t __attribute__((aligned(1), may_alias)) up_word32;
typedef uint16_t __attribute__((aligned(1), may_alias)) up_word16;

#if defined(__x86_64__)

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

#elif defined(__aarch64__)

// The directive allows the instruction without a compiler flag, which would allow the compiler to use it everywhere.
#define UP_CRC32C(instruction, crc, word) \
    __asm__(".arch_extension crc\n\t" instruction : "+r"(crc) : "r"(word))

static inline uint32_t up_crc32c_in_hardware(uint32_t crc, const void *bytes, size_t count) {
    const uint8_t *p = (const uint8_t *)bytes;
    const uint8_t *end = p + (count & ~(size_t)7);
    for (; p != end; p += 8) {
        UP_CRC32C("crc32cx %w0, %w0, %x1", crc, *(const up_word64 *)p);
    }
    if (count & 4) {
        UP_CRC32C("crc32cw %w0, %w0, %w1", crc, *(const up_word32 *)p);
        p += 4;
    }
    if (count & 2) {
        UP_CRC32C("crc32ch %w0, %w0, %w1", crc, (uint32_t)*(const up_word16 *)p);
        p += 2;
    }
    if (count & 1) {
        UP_CRC32C("crc32cb %w0, %w0, %w1", crc, (uint32_t)*p);
    }
    return crc;
}

#else

static inline uint32_t up_crc32c_in_hardware(uint32_t crc, const void *bytes, size_t count) {
    (void)bytes;
    (void)count;
    return crc;
}

#endif

#endif
