#ifndef CFORECASTHTTP_H
#define CFORECASTHTTP_H

#include <stddef.h>
#include <stdint.h>

// libcurl's options are variadic functions, which Swift cannot call. This header has the few calls that a source of
// forecasts needs.

#if defined(__linux__)

#pragma clang assume_nonnull begin

struct up_http_client;

// The receiver of a response. A function that returns 0 ends the request.
struct up_http_receiver {
    void *context;
    // Receives a line of the header: a status line, or a field.
    void (*line)(void *context, const char *bytes, size_t count);
    // Called once, when the header of the final response is complete. The length is -1 if it is unknown.
    int (*begin)(void *context, long status, int64_t length);
    // Receives a chunk of the decompressed body.
    int (*append)(void *context, const char *bytes, size_t count);
    // Called at least once a second, and after up_http_wake().
    int (*is_wanted)(void *context);
};

struct up_http_request {
    const char *url;
    // Lines such as `Accept: text/plain`.
    const char *const _Nullable *_Nonnull fields;
    size_t field_count;
    // The maximum time until the response is complete.
    long timeout_milliseconds;
    // The maximum time to connect, and without any bytes of the response.
    long idle_seconds;
};

enum {
    // The size of the buffer for the reason of a failure.
    UP_HTTP_REASON_SIZE = 256,
};

// Kinds of failures.
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
void up_http_close(struct up_http_client *client);

// Makes a running request ask its receiver whether it is still wanted. Any thread may call this.
void up_http_wake(struct up_http_client *client);

// Runs a function on a new thread. Returns 0, or the error number.
int up_http_start_thread(void (*body)(void *context), void *context);

// Sends a GET request and passes the response to a receiver, on the calling thread. It does not follow redirects.
enum up_http_result up_http_get(
    struct up_http_client *client, const struct up_http_request *request, const struct up_http_receiver *receiver,
    char *reason);

#pragma clang assume_nonnull end

#endif
#endif
