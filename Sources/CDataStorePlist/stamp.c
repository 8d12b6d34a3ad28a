#define _GNU_SOURCE
#include "CDataStorePlist.h"
#include <sys/stat.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif

// The C library of most Linux distributions makes fstat of newfstatat with an empty path, which the kernel fetches first: that is
// a sixth of the call, and the call is nearly half of a read. Where long has 64 bits the kernel fills the same struct either way.
static int status_of(int descriptor, struct stat *status) {
#if defined(__linux__) && defined(__LP64__) && defined(SYS_fstat)
    return (int)syscall(SYS_fstat, descriptor, status);
#else
    return fstat(descriptor, status);
#endif
}

// Files may be given times after 2262, for which there is no room: they wrap around, as where the stamp was taken.
static int64_t nanoseconds(struct timespec time) {
    return (int64_t)((uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec);
}

int up_has_stamp(int descriptor, const struct up_stamp *stamp) {
    struct stat status;
    if (status_of(descriptor, &status) != 0) return 0;
#if defined(__APPLE__)
    const struct timespec changed = status.st_mtimespec, inode_changed = status.st_ctimespec;
#else
    const struct timespec changed = status.st_mtim, inode_changed = status.st_ctim;
#endif
    return stamp->device == (uint64_t)status.st_dev && stamp->inode == (uint64_t)status.st_ino
        && stamp->size == (int64_t)status.st_size && stamp->changed == nanoseconds(changed)
        && stamp->inode_changed == nanoseconds(inode_changed) && stamp->mode == (uint32_t)(status.st_mode & 07777)
        && stamp->owner == (uint32_t)status.st_uid && stamp->group == (uint32_t)status.st_gid
        && stamp->name_count == (uint64_t)status.st_nlink;
}
