import DataStoreCore
import DataStoreSystem

extension ProfileProgram {
    /// Executes ``largerProgram`` in place of this program, in the same process and with the same arguments. Returns
    /// only if the larger program cannot be executed or does not exist.
    ///
    /// Only the larger program links network libraries, because they load some thirty shared libraries. Loading these
    /// takes longer than most commands run.
    ///
    /// - Returns: The error if the larger program cannot be executed, or `nil` if there is no larger program.
    func executeLargerProgram() -> UnreadableFile? {
        guard let largerProgram else { return nil }
        let directory = Self.directory
        let installed = "\(Path(directory).parent)/libexec/\(largerProgram)"
        // SwiftPM builds all programs into one directory.
        let paths = [installed, "\(directory)/\(largerProgram)"]
        // The arguments live as long as the process. execv(2) returns only if it fails.
        for path in paths { unsafe execv(path, CommandLine.unsafeArgv) }
        let problem = FileProblem(errno: errno)
        return UnreadableFile(
            message: "could not run \(installed.escapingControlCharacters), which fetches forecasts "
                + "and opens databases: \(problem.description)",
            isForbidden: problem.isForbidden)
    }

    /// The directory of the running program, without symbolic links.
    private static var directory: String {
        #if canImport(Darwin)
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        var size = UInt32(path.count)
        guard unsafe _NSGetExecutablePath(&path, &size) == 0 else { return "." }
        #else
        let path = "/proc/self/exe"
        #endif
        // The caller owns the result.
        guard let resolved = unsafe realpath(path, nil) else { return "." }
        defer { unsafe free(resolved) }
        return unsafe Path(String(cString: resolved)).parent
    }
}
