#ifndef CDATASTORELMDB_SHIM_H
#define CDATASTORELMDB_SHIM_H

#include <lmdb.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>  // statfs: Swift's Glibc module leaves it out, as it does statx.

extern long syscall(long number, ...);

// What statx(2) fills: the kernel's struct.
struct up_statx {
    uint32_t mask, block_size;
    uint64_t attributes;
    uint32_t link_count, owner, group;
    uint16_t mode, padding;
    uint64_t inode, size, block_count, attributes_mask;
    struct { int64_t seconds; uint32_t nanoseconds; int32_t padding; } times[4];
    uint32_t special_major, special_minor, device_major, device_minor;
    uint64_t rest[14];
};
_Static_assert(sizeof(struct up_statx) == 256, "the kernel's struct statx has 256 bytes");

// Type, mode, inode, size and device of a file, but not its times: Linux 6.13 and later give a file whose times somebody has
// asked for a new time at the next write, and to make that durable, too, costs a third of a flush.
static inline int up_stat_without_times(const char *path, struct up_statx *status) {
    const unsigned int mask = 0x1 | 0x2 | 0x100 | 0x200;  // STATX_TYPE, _MODE, _INO, _SIZE
    return (int)syscall(SYS_statx, -100 /* AT_FDCWD */, path, 0, mask, status);
}

static inline uint64_t up_device(const struct up_statx *status) {
    return makedev(status->device_major, status->device_minor);
}
#endif

#endif
