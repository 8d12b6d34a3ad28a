import Foundation

/// The memory of this process that is no part of a file: what is in memory beside the map.
enum AnonymousMemory {
    /// How much of it is in memory now, in KiB.
    static func kibibytes() throws -> Int {
        // `proc_pid_smaps_rollup(5)`: the sum over all mappings.
        let rollup = try String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8)
        for line in rollup.split(separator: "\n") where line.hasPrefix("Anonymous:") {
            if let number = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) { return number }
        }
        throw Failure("/proc/self/smaps_rollup does not tell the anonymous memory")
    }
}
