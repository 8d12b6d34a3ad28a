#define _GNU_SOURCE
#include "CDataStoreSystem.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#elif defined(__APPLE__)
#include <copyfile.h>
#endif

#if defined(__APPLE__)
#define UP_CHANGED(status) ((status)->st_mtimespec)
#define UP_INODE_CHANGED(status) ((status)->st_ctimespec)
#else
#define UP_CHANGED(status) ((status)->st_mtim)
#define UP_INODE_CHANGED(status) ((status)->st_ctim)
#endif

int up_open_directory(int directory, const char *path, int follows_links) {
#if defined(O_PATH)
    const int access = O_PATH;
#else
    const int access = O_RDONLY;
#endif
    return openat(directory, path, access | O_DIRECTORY | O_CLOEXEC | (follows_links ? 0 : O_NOFOLLOW));
}

static void copy_status(const struct stat *from, struct up_status *to) {
    to->device = (uint64_t)from->st_dev;
    to->inode = (uint64_t)from->st_ino;
    to->size = (int64_t)from->st_size;
    to->mode = (uint32_t)from->st_mode;
    to->owner = (uint32_t)from->st_uid;
    to->group = (uint32_t)from->st_gid;
    to->link_count = (uint32_t)from->st_nlink;
}

static int status_without_times(int directory, const char *name, int flags, struct up_status *status) {
#if defined(__linux__)
    struct statx found;
    const unsigned mask = STATX_TYPE | STATX_MODE | STATX_NLINK | STATX_UID | STATX_GID | STATX_INO | STATX_SIZE;
    if (statx(directory, name, flags, mask, &found) != 0) return -1;
    status->device = makedev(found.stx_dev_major, found.stx_dev_minor);
    status->inode = found.stx_ino;
    status->size = (int64_t)found.stx_size;
    status->mode = found.stx_mode;
    status->owner = found.stx_uid;
    status->group = found.stx_gid;
    status->link_count = found.stx_nlink;
    return 0;
#else
    struct stat found;
    if ((name[0] ? fstatat(directory, name, &found, flags) : fstat(directory, &found)) != 0) return -1;
    copy_status(&found, status);
    return 0;
#endif
}

int up_status_at(int directory, const char *name, int follows_links, struct up_status *status) {
    return status_without_times(directory, name, follows_links ? 0 : AT_SYMLINK_NOFOLLOW, status);
}

int up_status_of(int descriptor, struct up_status *status) {
#if defined(__linux__)
    return status_without_times(descriptor, "", AT_EMPTY_PATH, status);
#else
    return status_without_times(descriptor, "", 0, status);
#endif
}

static int64_t nanoseconds(struct timespec time) {
    return (int64_t)((uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec);
}

// Glibc implements fstat as newfstatat with an empty path, which the kernel must copy first. This takes a sixth of the
// call, and the call takes nearly half of a read of a property list. If long has 64 bits, both calls fill the same
// structure.
static int status_of(int descriptor, struct stat *status) {
#if defined(__linux__) && defined(__LP64__) && defined(SYS_fstat)
    return (int)syscall(SYS_fstat, descriptor, status);
#else
    return fstat(descriptor, status);
#endif
}

int up_stamp_of(int descriptor, struct up_stamp *stamp) {
    struct stat found;
    if (status_of(descriptor, &found) != 0) return -1;
    copy_status(&found, &stamp->status);
    stamp->changed = nanoseconds(UP_CHANGED(&found));
    stamp->inode_changed = nanoseconds(UP_INODE_CHANGED(&found));
    return 0;
}

int up_is_same_stamp(const struct up_stamp *stamp, const struct up_stamp *other) {
    _Static_assert(sizeof *stamp == 56, "a stamp has no padding");
    return memcmp(stamp, other, sizeof *stamp) == 0;
}

int up_has_stamp(int descriptor, const struct up_stamp *stamp) {
    struct up_stamp found;
    return up_stamp_of(descriptor, &found) == 0 && up_is_same_stamp(&found, stamp);
}

#if defined(__linux__)
#define UP_ACCESS_LIST "system.posix_acl_access"

static int copy_attribute(int from, int to, const char *name, char *value, size_t capacity) {
    // These two are signatures of the contents, which differ in the other file.
    if (strcmp(name, "security.ima") == 0 || strcmp(name, "security.evm") == 0) return 0;
    const ssize_t count = fgetxattr(from, name, value, capacity);
    if (count >= 0 && fsetxattr(to, name, value, (size_t)count, 0) == 0) return 0;
    if (errno == ENODATA) return 0;
    // Without its access control list, the file might grant more than the list does.
    if (strcmp(name, UP_ACCESS_LIST) == 0) return -1;
    return errno == EPERM || errno == EACCES || errno == ENOTSUP ? 0 : -1;
}
#endif

int up_copy_attributes(int from, int to) {
#if defined(__linux__)
    (void)fremovexattr(to, UP_ACCESS_LIST);
    ssize_t count = flistxattr(from, NULL, 0);
    if (count == 0 || (count < 0 && errno == ENOTSUP)) return 0;
    if (count < 0) return -1;
    // The kernel allows no longer list and no longer value.
    const size_t capacity = 65536;
    char *names = malloc(2 * capacity);
    if (!names) return -1;
    int result = 0;
    count = flistxattr(from, names, capacity);
    if (count < 0) result = -1;
    for (const char *name = names; result == 0 && name < names + count; name += strlen(name) + 1) {
        result = copy_attribute(from, to, name, names + capacity, capacity);
    }
    const int code = errno;
    free(names);
    errno = code;
    return result;
#elif defined(__APPLE__)
    return fcopyfile(from, to, NULL, COPYFILE_ACL | COPYFILE_XATTR);
#else
    (void)from;
    (void)to;
    return 0;
#endif
}

#if defined(__APPLE__)
#define UP_SET_LOCK 90  // F_OFD_SETLK
#define UP_GET_LOCK 92  // F_OFD_GETLK
#else
#define UP_SET_LOCK F_OFD_SETLK
#define UP_GET_LOCK F_OFD_GETLK
#endif

static struct flock range(short type, int64_t first, int64_t count) {
    struct flock lock;
    memset(&lock, 0, sizeof lock);
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    lock.l_start = (off_t)first;
    lock.l_len = (off_t)count;
    return lock;
}

int up_lock(int descriptor, int64_t byte, int is_exclusive) {
    struct flock lock = range(is_exclusive ? F_WRLCK : F_RDLCK, byte, 1);
    return fcntl(descriptor, UP_SET_LOCK, &lock);
}

int up_unlock(int descriptor, int64_t byte) {
    struct flock lock = range(F_UNLCK, byte, 1);
    return fcntl(descriptor, UP_SET_LOCK, &lock);
}

int up_is_locked(int descriptor, int64_t first, int64_t count) {
    struct flock lock = range(F_WRLCK, first, count);
    if (fcntl(descriptor, UP_GET_LOCK, &lock) != 0) return -1;
    return lock.l_type != F_UNLCK;
}

int up_rename_exclusively(int directory, const char *name, const char *new_name) {
#if defined(__APPLE__)
    return renameatx_np(directory, name, directory, new_name, RENAME_EXCL);
#else
    if (syscall(SYS_renameat2, directory, name, directory, new_name, 1u /* RENAME_NOREPLACE */) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return -1;
    // This file system cannot check and rename atomically. A directory never replaces a file or a non-empty directory,
    // and a hard link never replaces anything.
    struct stat found;
    if (fstatat(directory, new_name, &found, AT_SYMLINK_NOFOLLOW) == 0) {
        errno = EEXIST;
        return -1;
    }
    if (fstatat(directory, name, &found, AT_SYMLINK_NOFOLLOW) != 0) return -1;
    if (S_ISDIR(found.st_mode)) return renameat(directory, name, directory, new_name);
    if (linkat(directory, name, directory, new_name, 0) != 0) return -1;
    return unlinkat(directory, name, 0);
#endif
}

uint64_t up_file_system(int descriptor) {
#if defined(__linux__)
    struct statfs found;
    return fstatfs(descriptor, &found) == 0 ? (uint64_t)found.f_type & 0xFFFFFFFF : 0;
#else
    (void)descriptor;
    return 0;
#endif
}
