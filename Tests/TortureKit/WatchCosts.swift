/// The resources that the program reports before, during and after observation.
package struct WatchCosts {
    private let outcome: TortureProgram.Outcome

    /// Runs the program on a store.
    package init(_ subject: any TortureSubject) async throws {
        outcome = try await TortureProgram.run(subject.storeArguments + ["costs", subject.path])
    }

    /// A description of each unexpected resource.
    package var findings: [String] {
        guard outcome.isDone, let before = open("before") else { return ["\(outcome)"] }
        var findings: [String] = []
        for time in ["meanwhile", "again"] {
            let more = open(time)?.filter { !$0.hasPrefix("/") } ?? []
            let expected = before.filter { !$0.hasPrefix("/") }
            if more.sorted() != expected.sorted() { findings.append("\(time): \(more)") }
            if threads(time) < 1 { findings.append("\(time): no thread") }
        }
        if open("afterwards") != before { findings.append("afterwards: \(open("afterwards") ?? []), before \(before)") }
        // The resources of the store are released, too.
        if open("closed")?.contains(where: { $0.hasPrefix("/") && !(before.contains($0)) }) != false {
            findings.append("closed: \(open("closed") ?? [])")
        }
        for time in ["afterwards", "closed"] where threads(time) != 0 { findings.append("\(time): a thread is left") }
        return findings
    }

    private func open(_ time: String) -> [String]? { words("open", time) }

    private func threads(_ time: String) -> Int { words("threads", time)?.first.flatMap { Int($0) } ?? -1 }

    private func words(_ first: String, _ time: String) -> [String]? {
        outcome.lines(first).map { $0.split(separator: " ").map(String.init) }.first { $0.first == time }
            .map { Array($0.dropFirst()) }
    }
}
