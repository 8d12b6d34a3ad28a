import Foundation

/// The program that asks weather services.
///
/// What `make install` installs as `profile-cli` is built without the trait `Networking`: the libraries that a URL session
/// is made of, some thirty, would take longer to load than most commands to run. The same program with them is installed
/// beside it, and takes over where something is to be fetched.
enum OnlineProgram {
    /// Goes on as the program that asks weather services, which begins anew with the same arguments. Returns where this is it.
    ///
    /// - Throws: ``UnreadableFile`` where it is not installed.
    static func takeOver() throws {
        #if !Networking
        let path = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "libexec/profile-cli/online").path
        // The arguments live as long as the process, and where this returns it has failed.
        unsafe execv(path, CommandLine.unsafeArgv)
        let problem = FileProblem(errno: errno)
        throw UnreadableFile(
            message: "\(path.debugDescription), which asks weather services, cannot be run: \(problem.words)",
            isForbidden: problem.isForbidden)
        #endif
    }
}
