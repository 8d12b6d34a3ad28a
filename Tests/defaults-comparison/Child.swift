import DataStoreCore
import Foundation

/// A run of a program that uses preferences, in a separate process, which may be killed or crash.
enum Child {
    /// Returns a date with fractional seconds that a `Date` represents exactly.
    static func date() throws -> Value {
        guard let date = Timestamp(seconds: 1_312_156_800, nanoseconds: 250_000_000) else { throw ReportedFailure() }
        return .date(date)
    }

    /// Runs a command and returns the exit code: 0, or 1 if the library reported a failure.
    static func run(_ side: Side, _ arguments: [String]) async -> Int32 {
        do {
            try await run(side, command: arguments.first ?? "", Array(arguments.dropFirst()))
            return 0
        } catch {
            print("reported")
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            return 1
        }
    }

    private static func run(_ side: Side, command: String, _ description: [String]) async throws {
        let preferences = try side.open()
        let name = description.first ?? ""
        switch command {
        case "save": try await preferences.save(.string(description[1]), name, isAwaited: true)
        case "save-long":
            let text = String(repeating: "a", count: Int(description[0]) ?? 0)
            try await preferences.save(.string(text), "long", isAwaited: true)
        case "save-and-die":
            try await preferences.save(.string(description[1]), name, isAwaited: false)
            kill(getpid(), SIGKILL)
        case "save-on-full-disk":
            // The first write beyond the limit fails, as on a full disk.
            var limit = rlimit(rlim_cur: 2048, rlim_max: 2048)
            #if os(Linux)
            let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
            #else
            let resource = RLIMIT_FSIZE
            #endif
            guard unsafe setrlimit(resource, &limit) == 0 else { throw ReportedFailure() }
            signal(SIGXFSZ, SIG_IGN)
            try await preferences.save(.string(description[1]), name, isAwaited: true)
        case "save-many":
            for number in 0..<(Int(description[1]) ?? 0) {
                try await preferences.save(.string("\(number)"), "\(name)\(number)", isAwaited: true)
            }
        case "save-date": try await preferences.save(date(), name, isAwaited: true)
        case "save-control-character": try await preferences.save(.string("a\u{1}b"), name, isAwaited: true)
        case "save-unsupported": try await preferences.saveUnsupported()
        case "read": print(try preferences.read(name).map(description(of:)) ?? "none")
        case "count":
            let names = (0..<(Int(description[1]) ?? 0)).map { "\(name)\($0)" }
            print(try names.count { try preferences.read($0) != nil })
        default: throw ReportedFailure()
        }
    }

    static func description(of value: Value) -> String {
        switch value {
        case .string(let text): text
        case .date(let date): "\(date.seconds).\(date.nanoseconds)"
        default: value.kind
        }
    }
}
