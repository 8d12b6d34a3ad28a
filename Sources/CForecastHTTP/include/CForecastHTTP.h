#ifndef CFORECASTHTTP_H
#define CFORECASTHTTP_H

#include <stddef.h>
#include <stdint.h>

// libcurl sets options with variadic functions, which Swift cannot call. This header declares the functions that a
// source of forecasts needs.

#if defined(__linux__)

#pragma clang assume_nonnull begin

struct up_http_client;

// The receiver of a response. If begin or is_wanted returns 0, the request ends.
struct up_http_receiver {
    void *context;
    // Receives a line of the header: a status line, or a field.
    void (*line)(void *context, const char *bytes, size_t count);
    // Called once, when the header of the final response is complete. The length of the body is in bytes, or -1 if it
    // is unknown.
    int (*begin)(void *context, long status, int64_t length);
    // Receives a chunk of the decompressed body.
    void (*append)(void *context, const char *bytes, size_t count);
    // Returns whether the response is still wanted. Called after each chunk, at least once a second, and after
    // up_http_wake().
    int (*is_wanted)(void *context);
};

enum {
    // The size in bytes of the buffer for the reason for a failure.
    UP_HTTP_REASON_SIZE = 256,
};

// The result of a request: success, or the kind of a failure.
enum up_http_result {
    up_http_done,
    up_http_timed_out,
    up_http_no_host,
    up_http_refused,
    up_http_lost,
    up_http_failed,
};

// Initializes libcurl. Must be called once, before any other call.
void up_http_initialize(void);

// Creates a client for one request at a time, which keeps its connections open between requests. Returns NULL if memory
// is exhausted.
struct up_http_client *_Nullable up_http_open(void);

// Closes the connections of a client and frees its memory. No request may be running.
void up_http_close(struct up_http_client *client);

// Makes a running request call is_wanted of its receiver. Any thread may call this function.
void up_http_wake(struct up_http_client *client);

// Sends a GET request and passes the response to a receiver, on the calling thread, which must block SIGPIPE: a write
// to a closed connection is then an error. Redirects are not followed. The header fields are lines such as
// `Accept: text/plain`, separated by line feeds. The first time limit is the maximum time until the response is
// complete; the second one is the maximum time to connect, and the maximum time during which no byte of the response
// arrives. The buffer reason, of UP_HTTP_REASON_SIZE bytes, receives the reason for a failure.
enum up_http_result up_http_get(
    struct up_http_client *client, const char *url, const char *fields, long timeout_milliseconds, long idle_seconds,
    const struct up_http_receiver *receiver, char *reason);

#pragma clang assume_nonnull end

#endif
#endif
