import Foundation

/// The benchmark of the memory of a process that opens a store, reads profiles and scans all of them. The anonymous
/// memory must not grow with the size of the store.
struct MemoryBenchmark {
    let stage: Stage
    let count: Int

    func run() async throws -> [Comparison] {
        let path = try await stage.store(count: count)
        var (ours, theirs): ([[Double]], [[Double]]) = ([], [])
        for _ in 0..<stage.rounds(3) {
            ours.append(try await probe(path))
            theirs.append(try await probe(path, "--bare"))
        }
        try stage.remove(path)
        return ProbeMemory.steps.enumerated().flatMap { index, step in
            let (name, ours) = ("memory after \(step), \(count) profiles", ours.map { $0[index] })
            return [
                Comparison(
                    name, .kibibytes, peer: "bare liblmdb in this program", ours: ours, theirs: theirs.map { $0[index] }
                ),
                Comparison(
                    name, .kibibytes, peer: "8 MiB", goal: .atMost(1), ours: ours, theirs: ours.map { _ in 8192 }),
            ]
        }
    }

    /// Returns the memory of a new process in KiB after each step.
    private func probe(_ path: String, _ options: String...) async throws -> [Double] {
        let reads = stage.operations(100_000)
        let (text, status) = try await Process.output(
            of: Bundle.main.executableURL,
            [ProbeMemory.name, path, "--profiles", "\(count)", "--reads", "\(reads)"] + options)
        let numbers = text.split(separator: "\n").compactMap { Double($0) }
        guard status == 0, numbers.count == ProbeMemory.steps.count else {
            throw Failure("the memory probe exited with \(status)")
        }
        return numbers
    }
}
