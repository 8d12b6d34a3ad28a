#include "CForecastHTTP.h"

#if defined(__linux__)
#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

// The maximum size of the header of a response in bytes.
static const size_t maximum_header_size = 1 << 18;

struct up_http_client {
    CURL *easy;
    CURLM *multi;
};

struct transfer {
    CURL *handle;
    const struct up_http_receiver *receiver;
    size_t header_size;
    int is_header_complete;
    int has_begun;
};

void up_http_initialize(void) { curl_global_init(CURL_GLOBAL_DEFAULT); }

struct up_http_client *up_http_open(void) {
    struct up_http_client *client = malloc(sizeof *client);
    if (!client) return NULL;
    client->easy = curl_easy_init();
    client->multi = curl_multi_init();
    if (client->easy && client->multi) return client;
    up_http_close(client);
    return NULL;
}

void up_http_close(struct up_http_client *client) {
    curl_easy_cleanup(client->easy);
    curl_multi_cleanup(client->multi);
    free(client);
}

void up_http_wake(struct up_http_client *client) { curl_multi_wakeup(client->multi); }

// libcurl knows the length of the body only after the last line of the header was received.
static int begin(struct transfer *transfer) {
    if (!transfer->is_header_complete || transfer->has_begun) return 1;
    long status = 0;
    curl_off_t length = -1;
    curl_easy_getinfo(transfer->handle, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(transfer->handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    transfer->has_begun = 1;
    return transfer->receiver->begin(transfer->receiver->context, status, (int64_t)length);
}

static size_t receive_line(char *bytes, size_t size, size_t count, void *context) {
    struct transfer *transfer = context;
    transfer->header_size += size * count;
    if (transfer->header_size > maximum_header_size) return 0;
    if (count >= 5 && memcmp(bytes, "HTTP/", 5) == 0) transfer->is_header_complete = 0;
    if (count <= 2 && (count == 0 || bytes[0] == '\r' || bytes[0] == '\n')) {
        long status = 0;
        curl_easy_getinfo(transfer->handle, CURLINFO_RESPONSE_CODE, &status);
        // An interim response (1xx) precedes the final one.
        transfer->is_header_complete = status >= 200;
    }
    transfer->receiver->line(transfer->receiver->context, bytes, size * count);
    return size * count;
}

static size_t receive_body(char *bytes, size_t size, size_t count, void *context) {
    struct transfer *transfer = context;
    if (!begin(transfer)) return 0;
    transfer->receiver->append(transfer->receiver->context, bytes, size * count);
    return transfer->receiver->is_wanted(transfer->receiver->context) ? size * count : 0;
}

static int report(void *context, curl_off_t total, curl_off_t now, curl_off_t upload_total, curl_off_t upload_now) {
    struct transfer *transfer = context;
    return begin(transfer) && transfer->receiver->is_wanted(transfer->receiver->context) ? 0 : 1;
}

static enum up_http_result kind(CURLcode code) {
    switch (code) {
    case CURLE_OK: return up_http_done;
    case CURLE_OPERATION_TIMEDOUT: return up_http_timed_out;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY: return up_http_no_host;
    case CURLE_COULDNT_CONNECT: return up_http_refused;
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM: return up_http_lost;
    default: return up_http_failed;
    }
}

// Runs a transfer.
static CURLcode perform(struct up_http_client *client, const struct up_http_receiver *receiver) {
    if (curl_multi_add_handle(client->multi, client->easy) != CURLM_OK) return CURLE_OUT_OF_MEMORY;
    CURLcode code = CURLE_ABORTED_BY_CALLBACK;
    int running = 1;
    while (receiver->is_wanted(receiver->context)) {
        if (curl_multi_perform(client->multi, &running) != CURLM_OK) break;
        if (running == 0) {
            int count = 0;
            CURLMsg *message = curl_multi_info_read(client->multi, &count);
            if (message && message->msg == CURLMSG_DONE) code = message->data.result;
            break;
        }
        if (curl_multi_poll(client->multi, NULL, 0, 1000, NULL) != CURLM_OK) break;
    }
    curl_multi_remove_handle(client->multi, client->easy);
    return code;
}

// Returns a list of the lines of a text, or NULL if memory is exhausted.
static struct curl_slist *list(const char *text) {
    struct curl_slist *list = NULL;
    char *rest = NULL, *lines = strdup(text);
    if (!lines) return NULL;
    for (char *line = strtok_r(lines, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        struct curl_slist *more = curl_slist_append(list, line);
        if (!more) {
            curl_slist_free_all(list);
            list = NULL;
            break;
        }
        list = more;
    }
    free(lines);
    return list;
}

enum up_http_result up_http_get(
    struct up_http_client *client, const char *url, const char *fields, long timeout_milliseconds, long idle_seconds,
    const struct up_http_receiver *receiver, char *reason) {
    CURL *handle = client->easy;
    struct transfer transfer = {handle, receiver, 0, 0, 0};
    char buffer[CURL_ERROR_SIZE] = "";
    struct curl_slist *lines = list(fields);
    reason[0] = 0;
    if (!lines) {
        strncpy(reason, "out of memory", UP_HTTP_REASON_SIZE);
        return up_http_failed;
    }
    // The connections of earlier requests stay open.
    curl_easy_reset(handle);
    curl_easy_setopt(handle, CURLOPT_URL, url);
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, lines);
    // All encodings that libcurl can decode.
    curl_easy_setopt(handle, CURLOPT_ACCEPT_ENCODING, "");
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
    curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
#if LIBCURL_VERSION_NUM >= 0x075700
    // The end of a request does not wait for the resolver of host names.
    curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
#endif
    curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, timeout_milliseconds);
    curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT, idle_seconds);
    curl_easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(handle, CURLOPT_LOW_SPEED_TIME, idle_seconds);
    curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, buffer);
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, receive_line);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, &transfer);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, receive_body);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, &transfer);
    curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, report);
    curl_easy_setopt(handle, CURLOPT_XFERINFODATA, &transfer);
    curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
    CURLcode code = perform(client, receiver);
    if (code == CURLE_OK) begin(&transfer);
    strncpy(reason, buffer[0] ? buffer : curl_easy_strerror(code), UP_HTTP_REASON_SIZE - 1);
    reason[UP_HTTP_REASON_SIZE - 1] = 0;
    // The handle must not refer to this function's variables.
    curl_easy_reset(handle);
    curl_slist_free_all(lines);
    return kind(code);
}
#endif
