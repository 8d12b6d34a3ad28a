import Hummingbird
import NIOCore
import ServiceLifecycle
import Synchronization

/// A response of server-sent events: `change` whenever a page may differ from the one that the browser shows.
///
/// The event has no content; the browser fetches the page again. Changes in quick succession are merged.
struct EventStream {
    static let mediaType = "text/event-stream"

    /// The minimum time between two events.
    static let spacing = Duration.milliseconds(150)

    /// The time after which a comment is sent, so that a closed connection is noticed.
    static let heartbeat = Duration.seconds(15)

    /// The maximum duration of a response. The browser then connects again.
    static let maximumDuration = Duration.seconds(600)

    /// Creates the response.
    ///
    /// - Parameter read: Reads the properties of models that the page shows, and returns whether the page can be shown.
    ///   The models are kept until the response ends.
    /// - Returns: The response.
    static func response(_ read: @escaping @MainActor @Sendable () -> Bool) -> Response {
        let body = ResponseBody { writer in
            try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
            try await send(&writer, read)
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: [.contentType: mediaType], body: body)
    }

    private static func send(
        _ writer: inout any ResponseBodyWriter, _ read: @escaping @MainActor @Sendable () -> Bool
    ) async throws {
        let (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let pending = PendingChange()
        let observation = await PageObservation(read) {
            pending.set()
            waker.yield()
        }
        let heart = Task {
            for _ in 0..<Int(maximumDuration / heartbeat) {
                try await Task.sleep(for: heartbeat)
                waker.yield()
            }
            waker.finish()
        }
        defer {
            heart.cancel()
            withExtendedLifetime(observation) {}
        }
        // After a signal, the studio does not wait for the browser to close the connection.
        for await _ in wakes.cancelOnGracefulShutdown() {
            let isChange = pending.take()
            try await writer.write(ByteBuffer(string: isChange ? "event: change\ndata:\n\n" : ":\n\n"))
            if isChange { try await Task.sleep(for: spacing) }
        }
    }
}

/// Whether a change was not sent yet.
private final class PendingChange: Sendable {
    private let isSet = Atomic(false)

    func set() { isSet.store(true, ordering: .releasing) }

    func take() -> Bool { isSet.exchange(false, ordering: .acquiringAndReleasing) }
}
