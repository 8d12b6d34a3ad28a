import Foundation
import Subprocess

/// Other programs that read and write property lists: Python's plistlib, and plistutil of libplist.
enum OtherProgram: String, CaseIterable {
    case plistlib, plistutil

    /// Whether all of them are installed; `make test` installs them.
    static func areInstalled() async -> Bool {
        for program in allCases { guard await program.isInstalled() else { return false } }
        return true
    }

    func isInstalled() async -> Bool {
        do {
            switch self {
            case .plistlib: return try await Self.run("python3", ["-c", "import plistlib"]).isEmpty
            case .plistutil: return try await Self.run("plistutil", ["--version"]).isEmpty
            }
        } catch {
            return false
        }
    }

    /// Reads a file and writes its contents to another one.
    ///
    /// - Returns: The error messages of the program.
    func rewrite(_ source: URL, to target: URL, isBinary: Bool) async throws -> String {
        switch self {
        case .plistlib:
            let script = """
                import plistlib, sys
                with open(sys.argv[1], "rb") as source: root = plistlib.load(source)
                form = plistlib.FMT_BINARY if sys.argv[3] == "binary" else plistlib.FMT_XML
                with open(sys.argv[2], "wb") as target: plistlib.dump(root, target, fmt=form)
                """
            return try await Self.run(
                "python3", ["-c", script, source.path, target.path, isBinary ? "binary" : "xml"])
        case .plistutil:
            return try await Self.run(
                "plistutil", ["-i", source.path, "-o", target.path, "-f", isBinary ? "bin" : "xml"])
        }
    }

    /// Runs a program.
    ///
    /// - Returns: The error messages of the program; empty if it exited with 0.
    static func run(_ program: String, _ arguments: [String]) async throws -> String {
        let result = try await Subprocess.run(
            .name(program), arguments: Arguments(arguments), output: .discarded, error: .string(limit: 1 << 16))
        return result.terminationStatus.isSuccess ? "" : "\(result.terminationStatus): \(result.standardError)"
    }
}
