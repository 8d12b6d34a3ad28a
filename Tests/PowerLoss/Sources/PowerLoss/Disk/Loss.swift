/// The parts of the pending operations that survive a loss of power.
struct Loss: CustomStringConvertible {
    let description: String
    /// For each operation, whether each of its parts reaches the disk.
    private let kept: [[Bool]]

    private init(_ description: String, _ pending: [PendingOperation], _ isKept: (Int, Int) -> Bool) {
        self.description = description
        kept = pending.indices.map { index in pending[index].parts.indices.map { isKept(index, $0) } }
    }

    /// Returns the state that the loss leaves.
    func state(of disk: Disk) -> DiskState { disk.state { kept[$0][$1] } }

    /// Returns the losses to examine.
    ///
    /// - Parameters:
    ///   - pending: The operations that are not durable.
    ///   - randomCount: The number of random subsets: half of them of operations, half of their parts.
    ///   - random: The random number generator.
    /// - Returns: The losses.
    static func all(
        of pending: [PendingOperation], randomCount: Int, _ random: inout some RandomNumberGenerator
    ) -> [Loss] {
        var losses = [Loss("none kept", pending) { _, _ in false }]
        if pending.isEmpty { return losses }
        losses.append(Loss("all kept", pending) { _, _ in true })
        for index in pending.indices {
            losses.append(Loss("operation \(index) dropped", pending) { operation, _ in operation != index })
            losses.append(Loss("operation \(index) alone kept", pending) { operation, _ in operation == index })
            losses.append(Loss("the first \(index) kept", pending) { operation, _ in operation < index })
            let count = pending[index].parts.count
            guard count > 1 else { continue }
            for middle in Set([1, count / 2, count - 1]).sorted() {
                losses.append(
                    Loss("operation \(index) torn after part \(middle), the others kept", pending) {
                        $0 != index || $1 < middle
                    })
                losses.append(
                    Loss("operation \(index) torn before part \(middle), the others kept", pending) {
                        $0 != index || $1 >= middle
                    })
                losses.append(
                    Loss("operation \(index) torn after part \(middle), later ones lost", pending) {
                        $0 < index || $0 == index && $1 < middle
                    })
            }
        }
        if pending.count == 1 && pending[0].parts.count == 1 { return losses }
        for number in 0..<randomCount {
            let isOfParts = number.isMultiple(of: 2)
            let operations = pending.map { _ in Bool.random(using: &random) }
            let parts = pending.map { operation in operation.parts.map { _ in Bool.random(using: &random) } }
            losses.append(
                Loss("random subset \(number)", pending) { isOfParts ? parts[$0][$1] : operations[$0] })
        }
        return losses
    }
}
