import CLMDB
import Foundation

/// Where benchmarks have their data, and how long they may take.
final class Stage {
    /// Whether all is to be short.
    let isQuick: Bool

    /// The program `profile-cli`, where it is to be measured.
    let program: String?

    private let directory: URL
    private var templates: [String: URL] = [:]
    private var directoryCount = 0

    private static let variable = "BENCH_STAGE"

    /// Makes the directory of all data, and has `UserDefaults` keep its files there, too. On Linux that is decided by
    /// an environment variable when a program starts, so this one starts again.
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
        throw Failure("the program cannot be started again: \(String(cString: strerror(errno)))")
        #endif
    }

    func rounds(_ usual: Int) -> Int { isQuick ? 3 : usual }

    func operations(_ usual: Int) -> Int { isQuick ? max(usual / 50, 2) : usual }

    /// The path of a directory that is not there yet.
    func newPath() -> String {
        directoryCount += 1
        return directory.appending(path: "\(directoryCount)").path
    }

    /// The path of a new store with so many profiles. All of the same size have the same bytes: they are copies of one
    /// that is never opened again.
    func store(count: Int) async throws -> String {
        try await copy(of: "profiles-\(count)") { path in try await Profiles.fill(path, numbers: 0..<count) }
    }

    /// The path of a new store with so many profiles and all indexes of them.
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

    func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// How many bytes a file has.
    func byteCount(_ path: String) throws -> Double {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        guard let count = attributes[.size] as? NSNumber else { throw Failure("\(path) has no size") }
        return count.doubleValue
    }

    func makeDirectory(_ path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }

    /// Has everything written that is still to be written, so that it disturbs no measurement.
    func settle() { sync() }

    /// Removes all data.
    func clear() {
        do {
            try FileManager.default.removeItem(at: directory)
        } catch {
            FileHandle.standardError.write(Data("warning: \(directory.path) stays: \(error)\n".utf8))
        }
    }

    /// Whether the data is not on a disk.
    var isInMemory: Bool {
        #if os(Linux)
        var status = statfs()
        // TMPFS_MAGIC of linux/magic.h.
        return statfs(directory.path, &status) == 0 && status.f_type == 0x0102_1994
        #else
        return false
        #endif
    }
}
