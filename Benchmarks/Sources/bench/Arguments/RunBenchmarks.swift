import ArgumentParser
import Foundation

/// Runs benchmarks and prints one line per comparison.
struct RunBenchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure the stores against what one would use instead, in the same run.",
        discussion: """
            Each workload is done in two ways, ours and the peer's, in turn, round after round. Shown are the medians \
            of the rounds with the least and the greatest, and the median of the rounds' ratios, ours through theirs. \
            The peers are bare calls of liblmdb, GRDB, UserDefaults, a JSON file, and the memory store; of the \
            property-list store they are UserDefaults, and writing the same file by bare calls.

            The data is made in the temporary directory. Set TMPDIR where that is not on a disk: there a durable save \
            costs nothing.

            EXAMPLES
              bench
              bench read scan
              bench --profiles 2000 --quick
            """
    )

    @Argument(help: "What to measure. (default: all)")
    var workloads: [Workload] = []

    @Option(
        help: "How many profiles there are; may be given several times. (default: what the workload is measured at)")
    var profiles: [Int] = []

    @Flag(help: "A few short rounds: to see that all runs, not to measure.")
    var quick = false

    @Option(
        help: ArgumentHelp("The profile-cli whose whole process is measured; else it is not.", valueName: "program"))
    var cli: String?

    @Flag(help: "Tab-separated lines: workload, unit, ours, peer, theirs, ratio.")
    var tsv = false

    func validate() throws {
        guard profiles.allSatisfy({ $0 >= SharedCommitBenchmark.taskCount }) else {
            throw ValidationError("--profiles must be \(SharedCommitBenchmark.taskCount) or more.")
        }
    }

    func run() async throws {
        let stage = try Stage(isQuick: quick, program: cli)
        defer { stage.clear() }
        if stage.isInMemory {
            report(
                "warning: the temporary directory is in memory; set TMPDIR to a directory on a disk\n", .standardError)
        }
        if !tsv { report(Table.head + "\n", .standardOutput) }
        for workload in workloads.isEmpty ? Workload.allCases : workloads {
            for count in profiles.isEmpty ? workload.usualCounts : profiles {
                for comparison in try await workload.run(on: stage, count: count) {
                    report((tsv ? comparison.tabSeparated : Table.row(of: comparison)) + "\n", .standardOutput)
                }
            }
        }
    }

    /// Writes immediately; `print` would buffer the output.
    private func report(_ text: String, _ file: FileHandle) { file.write(Data(text.utf8)) }
}
