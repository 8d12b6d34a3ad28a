#if Telemetry
import Metrics
import Tracing

/// Metrics and spans of the transactions of a store, for the backends that a program has chosen with
/// `MetricsSystem.bootstrap` and `InstrumentationSystem.bootstrap`.
struct Telemetry: TransactionObserver {
    /// The metrics of one operation.
    private struct Meters: Sendable {
        let count: Counter
        let retries: Counter
        let duration: Timer
        let wait: Timer
        let records: Recorder
        let bytes: Recorder

        init(_ operation: TransactionReport.Operation, _ factory: any MetricsFactory) {
            let dimensions = [("operation", operation.rawValue)]
            count = Counter(label: "userprofile.transactions", dimensions: dimensions, factory: factory)
            retries = Counter(label: "userprofile.retries", dimensions: dimensions, factory: factory)
            duration = Timer(label: "userprofile.duration", dimensions: dimensions, factory: factory)
            wait = Timer(label: "userprofile.wait", dimensions: dimensions, factory: factory)
            records = Recorder(label: "userprofile.records", dimensions: dimensions, factory: factory)
            bytes = Recorder(label: "userprofile.bytes", dimensions: dimensions, factory: factory)
        }
    }

    private let factory: any MetricsFactory
    private let tracer: any Tracer
    private let reads: Meters
    private let writes: Meters

    var isMeasuring: Bool { true }

    init(_ factory: any MetricsFactory = MetricsSystem.factory, _ tracer: any Tracer = InstrumentationSystem.tracer) {
        self.factory = factory
        self.tracer = tracer
        reads = Meters(.read, factory)
        writes = Meters(.write, factory)
    }

    func didEnd(_ report: TransactionReport) {
        let meters = report.operation == .read ? reads : writes
        meters.count.increment()
        meters.retries.increment(by: max(report.runCount - 1, 0))
        meters.duration.recordNanoseconds(report.duration.wholeNanoseconds)
        meters.wait.recordNanoseconds(report.wait.wholeNanoseconds)
        meters.records.record(report.recordCount)
        if report.operation == .write { meters.bytes.record(report.byteCount) }
        if let failure = report.failure {
            let dimensions = [("operation", report.operation.rawValue), ("code", "\(failure.code)")]
            Counter(label: "userprofile.failures", dimensions: dimensions, factory: factory).increment()
        }
        trace(report)
    }

    /// Records a span, whose parent is the span of the calling task.
    private func trace(_ report: TransactionReport) {
        let end = DefaultTracerClock.now
        let start = DefaultTracerClock.Timestamp(
            nanosecondsSinceEpoch: end.nanosecondsSinceEpoch - UInt64(clamping: report.duration.wholeNanoseconds))
        let span = tracer.startSpan("userprofile.\(report.operation.rawValue)", at: start)
        span.attributes["userprofile.collections"] = report.recordCounts.keys.sorted().joined(separator: ",")
        span.attributes["userprofile.records"] = report.recordCount
        if let failure = report.failure {
            span.attributes["userprofile.code"] = "\(failure.code)"
            span.setStatus(SpanStatus(code: .error))
        }
        span.end(at: end)
    }
}

extension Duration {
    fileprivate var wholeNanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
#endif
