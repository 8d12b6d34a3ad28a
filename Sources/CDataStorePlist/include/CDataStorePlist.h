#ifndef CDATASTOREPLIST_H
#define CDATASTOREPLIST_H

#include <stdint.h>

// What tells one state of a file from another: the part of stat(2) that the store compares. Times are in nanoseconds since
// 1970.
struct up_stamp {
    uint64_t device, inode;
    int64_t size, changed, inode_changed;
    uint32_t mode, owner, group;
    uint64_t name_count;
};

// Whether an open file has a stamp: 1, or 0 where it has another one or cannot be asked. Each read of a store does.
int up_has_stamp(int descriptor, const struct up_stamp *stamp);

#endif
