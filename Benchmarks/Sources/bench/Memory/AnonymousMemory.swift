import Foundation

/// The anonymous memory of this process: resident memory that is not mapped from a file, and so not a part of the map.
enum AnonymousMemory {
    /// Returns the current amount in KiB.
    static func kibibytes() throws -> Int {
        // `proc_pid_smaps_rollup(5)`: the sum over all mappings.
        let rollup = try String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8)
        for line in rollup.split(separator: "\n") where line.hasPrefix("Anonymous:") {
            if let number = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) { return number }
        }
        throw Failure("/proc/self/smaps_rollup does not tell the anonymous memory")
    }
}
