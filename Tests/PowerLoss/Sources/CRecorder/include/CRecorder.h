#ifndef RECORDER_H
#define RECORDER_H

#include <stddef.h>
#include <stdint.h>

// The effect of a recorded call.
enum recorder_effect {
    RECORDER_NONE,        // none, e.g. an open with O_CREAT of an existing file
    RECORDER_WRITE,       // writes bytes at a position of a file, and extends it if necessary
    RECORDER_STORE,       // the same, by stores through a shared mapping since the previous record
    RECORDER_TRUNCATE,    // sets the size
    RECORDER_EXTEND,      // sets the size if it is smaller
    RECORDER_SYNC,        // makes a file or directory durable
    RECORDER_SYNC_ALL,    // makes everything durable
    RECORDER_ENTRY,       // sets an entry of a directory: creates, links or (inode 0) removes it
    RECORDER_RENAME,      // moves an entry; the second directory and name are the target
    RECORDER_ACKNOWLEDGE, // the program has promised that everything up to a number (the position) is durable
};

// A record of the log. The call, the names and the bytes follow it, without terminators.
struct recorder_record {
    uint32_t effect;
    uint32_t is_durable; // whether a write is durable when it returns (O_DSYNC, O_SYNC)
    uint64_t inode;
    uint64_t mode; // the type of the inode of an entry
    uint64_t directory;
    uint64_t other_directory;
    int64_t position;
    uint32_t call_count;
    uint32_t name_count;
    uint32_t other_name_count;
    uint32_t byte_count;
};

// Records the calls of this process that change files on the file system of a directory. Begins with an empty log.
void recorder_start(const char *directory);

// Adds a promise to the log.
void recorder_acknowledge(uint64_t number);

// Ends recording, and returns the log, which is valid until the next start.
const uint8_t *recorder_stop(size_t *count);

#endif
