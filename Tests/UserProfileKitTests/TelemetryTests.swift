#if Telemetry
import DataStoreCore
import InMemoryTracing
import MetricsTestKit
import Testing
import Tracing
import UserProfileDomain

@testable import UserProfileKit

/// Tests of the metrics and spans of a store.
@Suite struct TelemetryTests {
    private let metrics = TestMetrics()
    private let tracer = InMemoryTracer()
    private let key: Key

    init() throws { key = try Key(collection: "notes", id: "a") }

    private func store(_ base: any DataStore = MemoryDataStore()) -> ObservedDataStore {
        ObservedDataStore(base: base, logger: nil, observers: [Telemetry(metrics, tracer)])
    }

    @Test("A transaction has a count, a duration, a wait, a size and a span")
    func transactions() async throws {
        let store = store()
        try await store.write { [key] in try $0.put(["title": .string("milk")], for: key) }
        #expect(try await store.record(for: key) != nil)
        let (read, write) = ([("operation", "read")], [("operation", "write")])
        for dimensions in [read, write] {
            #expect(try metrics.expectCounter("userprofile.transactions", dimensions).totalValue == 1)
            #expect(try metrics.expectCounter("userprofile.retries", dimensions).totalValue == 0)
            #expect(try metrics.expectRecorder("userprofile.records", dimensions).values == [1])
            let duration = try #require(try metrics.expectTimer("userprofile.duration", dimensions).lastValue)
            let wait = try #require(try metrics.expectTimer("userprofile.wait", dimensions).lastValue)
            #expect(wait > 0 && wait <= duration)
        }
        #expect(try metrics.expectRecorder("userprofile.bytes", write).values == [4])
        let spans = tracer.popFinishedSpans()
        #expect(spans.map(\.operationName) == ["userprofile.write", "userprofile.read"])
        for span in spans {
            #expect(span.attributes.get("userprofile.collections") == "notes")
            #expect(span.startInstant.nanosecondsSinceEpoch <= span.endInstant.nanosecondsSinceEpoch)
        }
    }

    @Test("The store repeats a transaction, and the size of the last attempt counts")
    func retries() async throws {
        try await store(RepeatingStore()).write { [key] in try $0.put(["title": .string("milk")], for: key) }
        let dimensions = [("operation", "write")]
        #expect(try metrics.expectCounter("userprofile.retries", dimensions).totalValue == 2)
        #expect(try metrics.expectRecorder("userprofile.records", dimensions).values == [1])
    }

    @Test("A failure is counted with its code, and marks the span")
    func failures() async throws {
        let store = store()
        await #expect(throws: DataStoreError.self) {
            try await store.write { _ in throw DataStoreError(.full, "no space is left") }
        }
        await #expect(throws: CancellationError.self) { try await store.read { _ in throw CancellationError() } }
        let full = [("operation", "write"), ("code", "full")]
        #expect(try metrics.expectCounter("userprofile.failures", full).totalValue == 1)
        // The error of the caller's closure is no failure of the store.
        #expect(metrics.counters(label: "userprofile.failures").count == 1)
        #expect(tracer.popFinishedSpans().map(\.status?.code) == [.error, nil])
    }

    @Test("The span of a save belongs to the span of its caller")
    func parents() async throws {
        let storage = try UserProfileStorage(store: store())
        try await tracer.withSpan("request") { _ in
            try await storage.profiles.saveMailAddress(MailAddress("vision@example.com"))
        }
        let spans = tracer.popFinishedSpans()
        let request = try #require(spans.first { $0.operationName == "request" })
        let write = try #require(spans.first { $0.operationName == "userprofile.write" })
        #expect(write.parentSpanID == request.spanID && write.traceID == request.traceID)
        #expect(!"\(spans)".contains("vision"))
    }
}

/// A store that runs the closure of a write three times.
private struct RepeatingStore: DataStore {
    let base = MemoryDataStore()

    func read<Result: Sendable>(_ body: @Sendable (borrowing ReadTransaction) throws -> Result) async throws -> Result {
        try base.read(body)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        for _ in 0..<2 {
            _ = try? await base.write { transaction in
                _ = try body(&transaction)
                throw CancellationError()
            }
        }
        return try await base.write(body)
    }

    func generation() async throws -> UInt64 { try base.generation() }

    func observe(
        _ scope: ChangeScope, _ wake: @escaping @Sendable (ChangedKeys) -> Void
    ) async throws(DataStoreError) -> ChangeObservation {
        try await base.observe(scope, wake)
    }

    func close() async { await base.close() }
}
#endif
