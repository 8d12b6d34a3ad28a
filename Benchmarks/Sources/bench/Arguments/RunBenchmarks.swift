import ArgumentParser
import Foundation

/// The command that runs benchmarks. It prints one line for each comparison.
struct RunBenchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Compare the stores with the libraries that a program could use instead.",
        discussion: """
            Each workload runs alternately with this package and with a peer. The table shows the median, minimum and \
            maximum of the rounds, and the median of their ratios (this package divided by the peer). The peers are \
            bare calls of liblmdb, GRDB, UserDefaults, a JSON file, and the memory store. For the property-list store, \
            they are UserDefaults and bare system calls that write the same file. The workloads whose names start with \
            `postgres` need the URI of a server in \(PostgresStage.variable); `make bench-postgres` starts one.

            The benchmarks store their data in the temporary directory. If it is in memory, durable saves cost \
            nothing; set TMPDIR to a directory on a disk.

            EXAMPLES
              bench
              bench read scan
              bench --profiles 2000 --quick
            """
    )

    @Argument(help: "The workloads to measure. (default: all)")
    var workloads: [Workload] = []

    @Option(
        help: "The number of profiles. Repeat the option for several numbers. (default: depends on the workload)")
    var profiles: [Int] = []

    @Flag(help: "Run a few short rounds, to test the benchmarks. The results are imprecise.")
    var quick = false

    @Option(
        help: ArgumentHelp("The path of profile-cli, to measure its process.", valueName: "program"))
    var cli: String?

    @Flag(help: "Print tab-separated lines: workload, unit, UserProfile, name of the peer, peer, ratio.")
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
        for workload in workloads.isEmpty ? Workload.allCases.filter(\.isUsual) : workloads {
            for count in profiles.isEmpty ? workload.usualCounts : profiles {
                for comparison in try await workload.run(on: stage, count: count) {
                    report((tsv ? comparison.tabSeparated : Table.row(of: comparison)) + "\n", .standardOutput)
                }
            }
        }
    }

    /// The text is written immediately. `print` would buffer it.
    private func report(_ text: String, _ file: FileHandle) { file.write(Data(text.utf8)) }
}
