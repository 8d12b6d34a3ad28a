import CLMDB
import Foundation

/// The directory for the data of benchmarks, and the length of the measurements.
final class Stage {
    /// Whether measurements are short and therefore imprecise.
    let isQuick: Bool

    /// The path of `profile-cli`, or `nil` if its process is not measured.
    let program: String?

    private let directory: URL
    private var templates: [String: URL] = [:]
    private var directoryCount = 0

    private static let variable = "BENCH_STAGE"

    /// Creates the directory for all data, and makes `UserDefaults` store its files there.
    ///
    /// On Linux, an environment variable at the start of the program determines the location of these files, so the
    /// program restarts itself.
    init(isQuick: Bool, program: String? = nil) throws {
        self.isQuick = isQuick
        self.program = program
        if let path = ProcessInfo.processInfo.environment[Self.variable] {
            directory = URL(filePath: path)
            return
        }
        directory = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        #if os(Linux)
        setenv(Self.variable, directory.path, 1)
        setenv("XDG_CONFIG_HOME", directory.path, 1)
        execv("/proc/self/exe", CommandLine.unsafeArgv)
        throw Failure("the program could not restart itself: \(String(cString: strerror(errno)))")
        #endif
    }

    func rounds(_ usual: Int) -> Int { isQuick ? 3 : usual }

    func operations(_ usual: Int) -> Int { isQuick ? max(usual / 50, 2) : usual }

    /// Returns the path of a directory that does not exist yet.
    func newPath() -> String {
        directoryCount += 1
        return directory.appending(path: "\(directoryCount)").path
    }

    /// Returns the path of a new store with a number of profiles. All stores of one size have the same bytes, because
    /// each is a copy of a store that is never opened again.
    func store(count: Int) async throws -> String {
        try await copy(of: "profiles-\(count)") { path in try await Profiles.fill(path, numbers: 0..<count) }
    }

    /// Returns the path of a new store with a number of profiles and all of their indexes.
    func indexedStore(count: Int) async throws -> String {
        try await copy(of: "indexed-\(count)") { path in
            try await Profiles.fill(path, numbers: 0..<count)
            try await Profiles.buildIndexes(path)
        }
    }

    private func copy(of name: String, _ make: (String) async throws -> Void) async throws -> String {
        let template = templates[name] ?? directory.appending(path: name)
        if templates[name] == nil { try await make(template.path) }
        templates[name] = template
        let path = newPath()
        try FileManager.default.copyItem(atPath: template.path, toPath: path)
        settle()
        return path
    }

    func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// Returns the size of a file in bytes.
    func byteCount(_ path: String) throws -> Double {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        guard let count = attributes[.size] as? NSNumber else { throw Failure("\(path) has no size") }
        return count.doubleValue
    }

    func makeDirectory(_ path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }

    /// Flushes all pending writes of the system, so that they do not disturb a measurement.
    func settle() { sync() }

    /// Removes all data of the benchmarks.
    func clear() {
        do {
            try FileManager.default.removeItem(at: directory)
        } catch {
            FileHandle.standardError.write(Data("warning: \(directory.path) stays: \(error)\n".utf8))
        }
    }

    /// Whether the data are in a file system in memory.
    var isInMemory: Bool {
        #if os(Linux)
        var status = statfs()
        // The number is TMPFS_MAGIC of linux/magic.h.
        return statfs(directory.path, &status) == 0 && status.f_type == 0x0102_1994
        #else
        return false
        #endif
    }
}
