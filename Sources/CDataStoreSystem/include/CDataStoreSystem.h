#ifndef CDATASTOREFILES_H
#define CDATASTOREFILES_H

#include <stdint.h>

#include "crc32c.h"

// Functions that Swift's Glibc module and swift-system lack. They return 0, or -1 and set errno, unless stated
// otherwise.

// The attributes of a file, without its times. After a query of a file's times, Linux 6.13 and later set a new time at
// the next write. Making this time durable takes a third of the duration of a flush.
struct up_status {
    uint64_t device, inode;
    int64_t size;
    uint32_t mode, owner, group, link_count;
};

// Opens a directory for access to its entries and returns the descriptor. The path is relative to the open directory.
// If follows_links is 0, a symbolic link in the last component is an error. The process needs no permission to list the
// directory.
int up_open_directory(int directory, const char *path, int follows_links);

// Queries the status of a directory entry. If follows_links is 0, a symbolic link is not followed.
int up_status_at(int directory, const char *name, int follows_links, struct up_status *status);

// Queries the status of an open file.
int up_status_of(int descriptor, struct up_status *status);

// The metadata that distinguishes two states of a file without reading it. Times are nanoseconds since 1970; times
// after 2262 do not fit and wrap around.
struct up_stamp {
    struct up_status status;
    int64_t changed, inode_changed;
};

// Queries the stamp of an open file.
int up_stamp_of(int descriptor, struct up_stamp *stamp);

// Returns 1 if two stamps are equal, otherwise 0.
int up_is_same_stamp(const struct up_stamp *stamp, const struct up_stamp *other);

// Returns 1 if an open file still has a stamp, and 0 if it has another one or cannot be queried.
int up_has_stamp(int descriptor, const struct up_stamp *stamp);

// Copies the extended attributes of an open file to another one, with the access control list. If the first file has no
// access control list, removes the one that the second file has inherited from its directory. Skips other attributes
// that the process may not read or set.
int up_copy_attributes(int from, int to);

// Acquires a lock on a byte of an open file without waiting. It is an open file description lock: closing other
// descriptors of the file does not release it. An exclusive lock needs a descriptor that is open for writing. If
// another open file holds the lock, errno is EAGAIN or EACCES.
int up_lock(int descriptor, int64_t byte, int is_exclusive);

// Releases a lock on a byte.
int up_unlock(int descriptor, int64_t byte);

// Returns 1 if another open file holds a lock on a byte of a range, 0 if not, or -1 and sets errno. If the count is 0,
// the range has no end.
int up_is_locked(int descriptor, int64_t first, int64_t count);

// Renames a directory entry. If the new name exists, nothing changes and errno is EEXIST.
int up_rename_exclusively(int directory, const char *name, const char *new_name);

// Returns the magic number of the file system of an open file. Returns 0 on systems other than Linux, or if the file
// system cannot be queried.
uint64_t up_file_system(int descriptor);

// Starts a command with `/bin/sh -c` in the environment of this process. Returns its process id, and sets `output` to a
// descriptor from which its output is read. Its input is empty, and it neither blocks nor ignores a signal.
int up_spawn_shell(const char *command, int *output);

#endif
