import Foundation

/// The anonymous memory of this process, i.e. resident memory that is not mapped from a file. It does not include the
/// memory map of a store.
enum AnonymousMemory {
    /// Returns the current amount of anonymous memory in KiB.
    static func kibibytes() throws -> Int {
        // The file contains the sums over all mappings (`proc_pid_smaps_rollup(5)`).
        let rollup = try String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8)
        for line in rollup.split(separator: "\n") where line.hasPrefix("Anonymous:") {
            if let number = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) { return number }
        }
        throw Failure("/proc/self/smaps_rollup does not contain the anonymous memory")
    }
}
