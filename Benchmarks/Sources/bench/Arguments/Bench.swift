import ArgumentParser
import Foundation

/// The benchmark program. It runs benchmarks, or a process that a benchmark measures.
@main
enum Bench {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let rest = Array(arguments.dropFirst())
        if arguments.first == RunHotPath.name {
            // The main thread must not exit, as it does in an asynchronous `main`, because Valgrind does not support
            // that.
            let isDone = DispatchSemaphore(value: 0)
            Task.detached {
                await RunHotPath.main(rest)
                isDone.signal()
            }
            isDone.wait()
        } else {
            Task.detached {
                if arguments.first == ProbeMemory.name {
                    await ProbeMemory.main(rest)
                } else if arguments.first == TimedSaves.name {
                    await TimedSaves.main(rest)
                } else {
                    await RunBenchmarks.main(arguments)
                }
                exit(0)
            }
            dispatchMain()
        }
    }
}
