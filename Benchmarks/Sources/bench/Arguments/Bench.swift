import ArgumentParser

/// The program: measures, or is a process that ``MemoryBenchmark`` or ``WatchBenchmark`` looks at.
@main
enum Bench {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == ProbeMemory.name {
            await ProbeMemory.main(Array(arguments.dropFirst()))
        } else if arguments.first == TimedSaves.name {
            await TimedSaves.main(Array(arguments.dropFirst()))
        } else {
            await RunBenchmarks.main(arguments)
        }
    }
}
