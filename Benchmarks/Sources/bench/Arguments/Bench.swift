import ArgumentParser
import Foundation

/// The program: measures, or is a process that is measured.
@main
enum Bench {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let rest = Array(arguments.dropFirst())
        if arguments.first == RunHotPath.name {
            // Valgrind cannot bear it that the main thread ends, as that of an asynchronous `main` does.
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
