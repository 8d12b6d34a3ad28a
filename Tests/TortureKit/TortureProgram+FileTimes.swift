package import Foundation

extension TortureProgram {
    /// Mounts a file system that stores file times as whole seconds, an ext4 with inodes of 128 bytes in a loop device,
    /// and passes its path to a closure. It is unmounted afterwards.
    ///
    /// - Parameters:
    ///   - directory: A directory for the image and the mount point.
    ///   - body: A closure that uses the file system.
    /// - Throws: The error of the closure, or an error if the file system cannot be mounted.
    package static func withCoarseFileTimes(
        in directory: URL, _ body: @escaping (_ path: String) async throws -> Void
    ) async throws {
        // The file system is mounted only for the shell, which ends if this process ends. Other processes reach the
        // mount point through the shell's root directory.
        let script = """
            cd '\(directory.path)'
            mkdir disk
            truncate -s 16M image
            mkfs.ext4 -q -I 128 image >/dev/null 2>&1
            mount -o loop image disk
            echo "mounted $$"
            read line || true
            """
        let outcome = try await runWithOwnMounts(script: script) { session in
            guard let process = try await session.line()?.split(separator: " ").last else { return }
            try await body("/proc/\(process)/root\(directory.path)/disk")
            try await session.endInput()
        }
        guard outcome.isDone else { throw NotMounted(error: outcome.error) }
    }

    /// Returns whether this process may mount a file system in a loop device.
    @Sendable package static func canMountLoopDevice() async throws -> Bool {
        let directory = FileManager.default.temporaryDirectory.appending(path: "mount-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        do {
            try await withCoarseFileTimes(in: directory) { _ in }
            return true
        } catch {
            // A program is not installed, this process is not root, or there is no loop device.
            return false
        }
    }

    private struct NotMounted: Error {
        let error: String
    }
}
