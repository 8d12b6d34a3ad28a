package import DataStoreCore
package import DataStoreQueries

/// The saves of the tasks in a crash test. Every step is derived from the seed, so the test knows the expected contents
/// of the store without communication.
///
/// Each task has its own collection and performs its steps sequentially. A step with several changes is one
/// transaction, and is counted in a record that all tasks share.
package struct CrashWorkload: Sendable {
    /// The number of concurrent tasks.
    package static let taskCount = 4

    /// The seed of the numbers.
    package let seed: UInt64

    package init(seed: UInt64) { self.seed = seed }

    /// Returns the key of the record that counts the steps with several changes.
    package static func counter() throws -> Key { try Key(collection: "shared", id: "steps of several changes") }

    /// Returns the schema: an index of two fields for each task's collection.
    package static func schema() throws -> Schema {
        try Schema(
            (0..<taskCount).map { Schema.Collection(collection(of: $0), indexes: [.on("step"), .on("index")]) })
    }

    /// Returns the collection of a task.
    package static func collection(of task: Int) -> String { "task\(task)" }

    /// Returns a step of a task.
    package func step(_ number: Int, of task: Int) -> CrashStep {
        var random = self.random(number, task, 0)
        switch random.next(below: 20) {
        case let kind where kind < 13:
            let content = kind < 10 ? CrashStep.Content(task: task, step: number, index: 0) : nil
            return CrashStep(
                changes: [CrashStep.Change(id: "\(random.next(below: 30))", content: content)], isThrowing: false)
        case let kind:
            // The first change is a write and the ids differ, so every step changes something.
            let first = random.next(below: 30)
            let changes = (0..<2 + random.next(below: 4)).map { index in
                let isRemoval = index > 0 && random.next(below: 4) == 0
                let content = CrashStep.Content(task: task, step: number, index: index)
                return CrashStep.Change(id: "\((first + 7 * index) % 30)", content: isRemoval ? nil : content)
            }
            return CrashStep(changes: changes, isThrowing: kind == 19)
        }
    }

    /// Returns the record that a change writes: small, larger than a page, or much larger.
    package func record(_ content: CrashStep.Content) -> Record {
        var random = self.random(content.step, content.task, content.index + 1)
        let byteCount =
            switch random.next(below: 50) {
            case 0..<40: random.next(below: 300)
            case 40..<48: 4096 + random.next(below: 8192)
            default: 100_000 + random.next(below: 200_000)
            }
        let byte = UInt8(random.next(below: 256))
        return [
            "step": .integer(Int64(content.step)), "index": .integer(Int64(content.index)),
            "data": .data(Array(repeating: byte, count: byteCount)),
        ]
    }

    private func random(_ parts: Int...) -> Mixer {
        var mixer = Mixer(state: seed)
        for part in parts {
            mixer.state ^= UInt64(part)
            _ = mixer.next()
        }
        return mixer
    }

    /// SplitMix64 (Steele, Lea and Flood 2014).
    private struct Mixer {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            state = mixed ^ (mixed >> 31)
            return state
        }

        mutating func next(below bound: Int) -> Int { Int(next() % UInt64(bound)) }
    }
}
