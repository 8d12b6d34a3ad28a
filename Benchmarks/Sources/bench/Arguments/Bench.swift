import ArgumentParser

/// The benchmark program.
@main
struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure the LMDB store against bare calls of liblmdb, in the same run and on the same data.",
        subcommands: [RunBenchmarks.self, ProbeMemory.self],
        defaultSubcommand: RunBenchmarks.self
    )
}
