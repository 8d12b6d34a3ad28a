// Records the system calls of this process that change files, in their order.
//
// The program that links this file defines the functions of libc that it wraps, so the dynamic linker binds the calls
// of all shared libraries, e.g. liblmdb, to them as well. Each wrapper holds one lock from the call until it is
// recorded. Calls that libc makes internally (`fopen`, `fwrite`) are not seen; no store uses them.

#define _GNU_SOURCE
#include "CRecorder.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { SECTOR = 512, MAP_COUNT = 64 };

struct mapping {
    uint8_t *address;
    uint8_t *copy; // the contents when they were last recorded
    size_t count;
    int64_t position;
    uint64_t inode;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int is_recording;
static dev_t device;
static uint8_t *records;
static size_t record_count, capacity;
static struct mapping mappings[MAP_COUNT];

// Calls the wrapped function of libc.
#define REAL(function) \
    ({ \
        static __typeof__(&function) found; \
        if (!found) found = (__typeof__(&function))dlsym(RTLD_NEXT, #function); \
        found; \
    })

// MARK: The log

static void append(const void *bytes, size_t count) {
    if (record_count + count > capacity) {
        capacity = (record_count + count) * 2;
        records = realloc(records, capacity);
        if (!records) abort();
    }
    if (count) memcpy(records + record_count, bytes, count);
    record_count += count;
}

static void add(struct recorder_record record, const char *call, const char *name, const char *other_name) {
    record.call_count = (uint32_t)strlen(call);
    record.name_count = name ? (uint32_t)strlen(name) : 0;
    record.other_name_count = other_name ? (uint32_t)strlen(other_name) : 0;
    append(&record, sizeof record);
    append(call, record.call_count);
    append(name, record.name_count);
    append(other_name, record.other_name_count);
}

// Records the sectors of mappings that have changed.
static void add_stores(void) {
    for (struct mapping *map = mappings; map < mappings + MAP_COUNT; map++) {
        for (size_t start = 0; map->address && start < map->count; start += SECTOR) {
            size_t count = map->count - start < SECTOR ? map->count - start : SECTOR;
            if (memcmp(map->address + start, map->copy + start, count) == 0) continue;
            memcpy(map->copy + start, map->address + start, count);
            add((struct recorder_record){.effect = RECORDER_STORE, .inode = map->inode,
                                         .position = map->position + (int64_t)start, .byte_count = (uint32_t)count},
                "store", NULL, NULL);
            append(map->copy + start, count);
        }
    }
}

// Acquires the lock if calls are recorded; otherwise returns 0.
static int begin(void) {
    if (!is_recording) return 0;
    pthread_mutex_lock(&lock);
    if (is_recording) return add_stores(), 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

// Releases the lock. Recording a call must not change its error.
static void end(int error) {
    pthread_mutex_unlock(&lock);
    errno = error;
}

void recorder_start(const char *directory) {
    struct stat found;
    if (stat(directory, &found) != 0) abort();
    pthread_mutex_lock(&lock);
    device = found.st_dev;
    record_count = 0;
    is_recording = 1;
    pthread_mutex_unlock(&lock);
}

void recorder_acknowledge(uint64_t number) {
    if (!begin()) return;
    add((struct recorder_record){.effect = RECORDER_ACKNOWLEDGE, .position = (int64_t)number}, "", NULL, NULL);
    end(errno);
}

const uint8_t *recorder_stop(size_t *count) {
    if (!begin()) abort();
    is_recording = 0;
    for (int index = 0; index < MAP_COUNT; index++) free(mappings[index].copy);
    memset(mappings, 0, sizeof mappings);
    *count = record_count;
    end(errno);
    return records;
}

// MARK: Contents

// Fills the status of a descriptor, and returns whether it is a file or directory of the recorded file system.
static int is_recorded(int descriptor, struct stat *found) {
    return fstat(descriptor, found) == 0 && found->st_dev == device
        && (S_ISREG(found->st_mode) || S_ISDIR(found->st_mode));
}

static int is_durable(int descriptor) { return (fcntl(descriptor, F_GETFL) & (O_DSYNC | O_SYNC)) != 0; }

// Returns the position of the next write without an explicit position.
static int64_t current_position(int descriptor) {
    struct stat found;
    if ((fcntl(descriptor, F_GETFL) & O_APPEND) && fstat(descriptor, &found) == 0) return found.st_size;
    return lseek(descriptor, 0, SEEK_CUR);
}

static void add_write(const char *call, int file, int64_t position, ssize_t count, const struct iovec *parts) {
    struct stat found;
    if (count <= 0 || !is_recorded(file, &found)) return;
    add((struct recorder_record){.effect = RECORDER_WRITE, .is_durable = (uint32_t)is_durable(file),
                                 .inode = found.st_ino, .position = position, .byte_count = (uint32_t)count},
        call, NULL, NULL);
    for (size_t left = (size_t)count; left > 0; parts++) {
        size_t part = parts->iov_len < left ? parts->iov_len : left;
        append(parts->iov_base, part);
        left -= part;
    }
}

#define WRITE(call, file, where, parts, invocation) \
    if (!begin()) return invocation; \
    int64_t start = where; \
    ssize_t written = invocation; \
    int error = errno; \
    add_write(call, file, start, written, parts); \
    end(error); \
    return written

ssize_t write(int file, const void *bytes, size_t count) {
    struct iovec part = {(void *)bytes, count};
    WRITE("write", file, current_position(file), &part, REAL(write)(file, bytes, count));
}
ssize_t pwrite(int file, const void *bytes, size_t count, off_t position) {
    struct iovec part = {(void *)bytes, count};
    WRITE("pwrite64", file, position, &part, REAL(pwrite)(file, bytes, count, position));
}
ssize_t writev(int file, const struct iovec *parts, int count) {
    WRITE("writev", file, current_position(file), parts, REAL(writev)(file, parts, count));
}
ssize_t pwritev(int file, const struct iovec *parts, int count, off_t position) {
    WRITE("pwritev", file, position, parts, REAL(pwritev)(file, parts, count, position));
}

// The kernel copied the bytes, so they are read back.
#define COPY(call, file, where, invocation) \
    if (!begin()) return invocation; \
    int64_t start = where; \
    ssize_t written = invocation; \
    int error = errno; \
    struct iovec part = {malloc(written > 0 ? (size_t)written : 1), written > 0 ? (size_t)written : 0}; \
    if (!part.iov_base || pread(file, part.iov_base, part.iov_len, start) < written) abort(); \
    add_write(call, file, start, written, &part); \
    free(part.iov_base); \
    end(error); \
    return written

ssize_t copy_file_range(int in, off_t *in_position, int out, off_t *position, size_t count, unsigned flags) {
    COPY("copy_file_range", out, position ? *position : current_position(out),
         REAL(copy_file_range)(in, in_position, out, position, count, flags));
}
ssize_t sendfile(int out, int in, off_t *position, size_t count) {
    COPY("sendfile", out, current_position(out), REAL(sendfile)(out, in, position, count));
}

// Records a call on a descriptor that has succeeded.
#define CHANGE(call, file, kind, size, invocation) \
    if (!begin()) return invocation; \
    struct stat found; \
    int result = invocation; \
    int error = errno; \
    if (result == 0 && is_recorded(file, &found)) \
        add((struct recorder_record){.effect = kind, .inode = found.st_ino, .position = size}, call, NULL, NULL); \
    end(error); \
    return result

int ftruncate(int file, off_t size) { CHANGE("ftruncate", file, RECORDER_TRUNCATE, size, REAL(ftruncate)(file, size)); }
int posix_fallocate(int file, off_t start, off_t count) {
    CHANGE("fallocate", file, RECORDER_EXTEND, start + count, REAL(posix_fallocate)(file, start, count));
}
int fallocate(int file, int mode, off_t start, off_t count) {
    // Punching holes and moving ranges are not modelled.
    if (is_recording && mode != 0) abort();
    CHANGE("fallocate", file, RECORDER_EXTEND, start + count, REAL(fallocate)(file, mode, start, count));
}

int fsync(int file) { CHANGE("fsync", file, RECORDER_SYNC, 0, REAL(fsync)(file)); }
int fdatasync(int file) { CHANGE("fdatasync", file, RECORDER_SYNC, 0, REAL(fdatasync)(file)); }
int syncfs(int file) { CHANGE("syncfs", file, RECORDER_SYNC_ALL, 0, REAL(syncfs)(file)); }

// MARK: Mappings

void *mmap(void *address, size_t count, int protection, int flags, int file, off_t position) {
    void *map = REAL(mmap)(address, count, protection, flags, file, position);
    int error = errno;
    struct stat found;
    if (map == MAP_FAILED || file < 0 || !(flags & MAP_SHARED) || !(protection & PROT_WRITE) || !begin()) return map;
    if (is_recorded(file, &found)) {
        struct mapping *free_one = mappings;
        while (free_one < mappings + MAP_COUNT && free_one->address) free_one++;
        // Accessing a page beyond the end of the file would end the process.
        if (free_one == mappings + MAP_COUNT || found.st_size < position + (off_t)count) abort();
        free(free_one->copy);
        *free_one = (struct mapping){map, malloc(count), count, position, found.st_ino};
        memcpy(free_one->copy, map, count);
    }
    end(error);
    return map;
}

int munmap(void *address, size_t count) {
    if (begin()) {
        for (int index = 0; index < MAP_COUNT; index++)
            if (mappings[index].address == address) mappings[index].address = NULL;
        end(errno);
    }
    return REAL(munmap)(address, count);
}

int msync(void *address, size_t count, int flags) {
    if (!begin()) return REAL(msync)(address, count, flags);
    int result = REAL(msync)(address, count, flags);
    int error = errno;
    for (struct mapping *map = mappings; result == 0 && (flags & MS_SYNC) && map < mappings + MAP_COUNT; map++)
        if (map->address && map->address <= (uint8_t *)address && (uint8_t *)address < map->address + map->count)
            add((struct recorder_record){.effect = RECORDER_SYNC, .inode = map->inode}, "msync", NULL, NULL);
    end(error);
    return result;
}

// MARK: Directories

// An entry of a directory, by the identity of the directory.
struct entry {
    uint64_t directory;
    char name[256];
};

static struct entry entry_of(int directory, const char *path) {
    struct entry entry = {0};
    char parent[4096];
    size_t count = strlen(path);
    if (count >= sizeof parent) return entry;
    while (count > 1 && path[count - 1] == '/') count--;
    size_t start = count;
    while (start > 0 && path[start - 1] != '/') start--;
    if (count - start >= sizeof entry.name) return entry;
    memcpy(entry.name, path + start, count - start);
    memcpy(parent, path, start);
    parent[start] = 0;
    struct stat found;
    if (fstatat(directory, parent, &found, AT_EMPTY_PATH) == 0 && found.st_dev == device)
        entry.directory = found.st_ino;
    return entry;
}

// Records that an entry exists, or was removed.
static void add_entry(const char *call, int directory, const char *path) {
    struct entry entry = entry_of(directory, path);
    struct stat found = {0};
    if (!entry.directory) return;
    if (fstatat(directory, path, &found, AT_SYMLINK_NOFOLLOW) != 0) found.st_ino = 0;
    add((struct recorder_record){.effect = RECORDER_ENTRY, .inode = found.st_ino, .mode = found.st_mode & S_IFMT,
                                 .directory = entry.directory},
        call, entry.name, NULL);
}

static int open_and_record(int directory, const char *path, int flags, mode_t mode) {
    if (!(flags & (O_CREAT | O_TRUNC)) || !begin()) return REAL(openat)(directory, path, flags, mode);
    if ((flags & O_TMPFILE) == O_TMPFILE) abort(); // not modelled
    struct stat found;
    int existed = fstatat(directory, path, &found, flags & O_NOFOLLOW ? AT_SYMLINK_NOFOLLOW : 0) == 0;
    int file = REAL(openat)(directory, path, flags, mode);
    int error = errno;
    if (file >= 0 && !existed) {
        add_entry("openat", directory, path);
    } else if (file >= 0 && is_recorded(file, &found)) {
        uint32_t effect = flags & O_TRUNC ? RECORDER_TRUNCATE : RECORDER_NONE;
        add((struct recorder_record){.effect = effect, .inode = found.st_ino}, "openat", NULL, NULL);
    }
    end(error);
    return file;
}

#define OPEN(directory, path) \
    va_list arguments; \
    va_start(arguments, flags); \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0; \
    va_end(arguments); \
    return open_and_record(directory, path, flags, mode)

int open(const char *path, int flags, ...) { OPEN(AT_FDCWD, path); }
int openat(int directory, const char *path, int flags, ...) { OPEN(directory, path); }
int creat(const char *path, mode_t mode) {
    return open_and_record(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

#define CHANGE_ENTRY(call, directory, path, invocation) \
    if (!begin()) return invocation; \
    int result = invocation; \
    int error = errno; \
    if (result == 0) add_entry(call, directory, path); \
    end(error); \
    return result

int mkdirat(int directory, const char *path, mode_t mode) {
    CHANGE_ENTRY("mkdir", directory, path, REAL(mkdirat)(directory, path, mode));
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }
int unlinkat(int directory, const char *path, int flags) {
    CHANGE_ENTRY("unlink", directory, path, REAL(unlinkat)(directory, path, flags));
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
int linkat(int directory, const char *path, int new_directory, const char *new_path, int flags) {
    CHANGE_ENTRY("link", new_directory, new_path, REAL(linkat)(directory, path, new_directory, new_path, flags));
}
int link(const char *path, const char *new_path) { return linkat(AT_FDCWD, path, AT_FDCWD, new_path, 0); }

int renameat2(int directory, const char *path, int new_directory, const char *new_path, unsigned flags) {
    if (!begin()) return REAL(renameat2)(directory, path, new_directory, new_path, flags);
    if (flags & RENAME_EXCHANGE) abort(); // not modelled
    int result = REAL(renameat2)(directory, path, new_directory, new_path, flags);
    int error = errno;
    struct entry from = entry_of(directory, path), to = entry_of(new_directory, new_path);
    if (result == 0 && from.directory && to.directory)
        add((struct recorder_record){.effect = RECORDER_RENAME, .directory = from.directory,
                                     .other_directory = to.directory},
            "rename", from.name, to.name);
    end(error);
    return result;
}
int renameat(int directory, const char *path, int new_directory, const char *new_path) {
    return renameat2(directory, path, new_directory, new_path, 0);
}
int rename(const char *path, const char *new_path) { return renameat2(AT_FDCWD, path, AT_FDCWD, new_path, 0); }

// Stores change files without a function of libc in one case: a rename that does not replace a file.
long syscall(long number, ...) {
    va_list arguments;
    va_start(arguments, number);
    long values[6];
    for (int index = 0; index < 6; index++) values[index] = va_arg(arguments, long);
    va_end(arguments);
    if (number == SYS_renameat2)
        return renameat2((int)values[0], (const char *)values[1], (int)values[2], (const char *)values[3],
                         (unsigned)values[4]);
    return REAL(syscall)(number, values[0], values[1], values[2], values[3], values[4], values[5]);
}

// MARK: Names for files of more than 2 GiB, which are the same functions on 64-bit systems

#define ALIAS(function) __attribute__((alias(#function)))
ssize_t pwrite64(int, const void *, size_t, off64_t) ALIAS(pwrite);
ssize_t pwritev64(int, const struct iovec *, int, off64_t) ALIAS(pwritev);
ssize_t sendfile64(int, int, off64_t *, size_t) ALIAS(sendfile);
int ftruncate64(int, off64_t) ALIAS(ftruncate);
int posix_fallocate64(int, off64_t, off64_t) ALIAS(posix_fallocate);
int fallocate64(int, int, off64_t, off64_t) ALIAS(fallocate);
void *mmap64(void *, size_t, int, int, int, off64_t) ALIAS(mmap);
int open64(const char *, int, ...) ALIAS(open);
int openat64(int, const char *, int, ...) ALIAS(openat);
int creat64(const char *, mode_t) ALIAS(creat);
