#ifndef CDATASTOREFILES_H
#define CDATASTOREFILES_H

#include <stdint.h>

// What Swift's Glibc module and swift-system lack. Functions return 0, or -1 and set errno.

// The attributes of a file, without its times. Linux 6.13 and later give a file whose times were queried a new time at the
// next write; making that durable costs a third of a flush.
struct up_status {
    uint64_t device, inode;
    int64_t size;
    uint32_t mode, owner, group;
    uint64_t link_count;
};

// Opens a directory for access to its entries, which needs no permission to list it. Returns the descriptor.
int up_open_directory(int directory, const char *path, int follows_links);

// The status of a directory's entry. A symbolic link is not followed.
int up_status_at(int directory, const char *name, struct up_status *status);

// The status of an open file.
int up_status_of(int descriptor, struct up_status *status);

// What tells two states of a file apart without reading it. Times are nanoseconds since 1970. Files may have times after 2262,
// which do not fit; they wrap around.
struct up_stamp {
    struct up_status status;
    int64_t changed, inode_changed;
};

// The stamp of an open file.
int up_stamp_of(int descriptor, struct up_stamp *stamp);

// The stamp of a directory's entry, through symbolic links.
int up_stamp_at(int directory, const char *name, struct up_stamp *stamp);

// Whether an open file still has a stamp: 1, or 0 if it has another one or cannot be queried.
int up_has_stamp(int descriptor, const struct up_stamp *stamp);

// Acquires a lock on a byte of an open file without waiting: an open file description lock, which closing other descriptors of
// the file does not release. An exclusive lock needs a descriptor that is open for writing. If another open file holds it, errno
// is EAGAIN or EACCES.
int up_lock(int descriptor, int64_t byte, int is_exclusive);

// Releases a lock on a byte.
int up_unlock(int descriptor, int64_t byte);

// Whether another open file holds a lock on a byte of a range: 1 or 0, or -1. A length of 0 extends to the end.
int up_is_locked(int descriptor, int64_t first, int64_t count);

// Renames an entry of a directory. If the new name exists, nothing changes and errno is EEXIST.
int up_rename_exclusively(int directory, const char *name, const char *new_name);

// The magic number of the file system of an open file; 0 on other systems than Linux.
uint64_t up_file_system(int descriptor);

#endif
