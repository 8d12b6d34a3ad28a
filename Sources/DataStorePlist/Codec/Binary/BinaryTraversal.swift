/// A traversal of the objects of a binary property list. It computes an output for each object from the outputs of its
/// children.
///
/// Each object is visited at most once, regardless of the number of references, and without recursion. Time and memory
/// are therefore proportional to the size of the file.
struct BinaryTraversal<Output> {
    /// A closure that computes the output of an object. The outputs of a container's children are in the order of its
    /// references.
    typealias Compute = (BinaryObject, [Output], BinaryReader) throws(PropertyListError) -> Output

    private enum State {
        case unvisited
        /// A container whose children are being visited.
        case open
        case finished(Output)
        /// An invalid object, whose error is in `failures`.
        case failed
    }

    /// A container whose children are being visited.
    private struct Container {
        let number: Int
        let object: BinaryObject
        let references: [Int]
        var outputs: [Output] = []
    }

    let reader: BinaryReader
    private let compute: Compute
    private var states: [State]
    private var failures: [Int: PropertyListError] = [:]
    /// The maximum total size in bytes of the objects that the traversal may still visit, initially twice the size of
    /// the file. The traversal fails if it exceeds the maximum. This happens only if objects overlap.
    private var remainingByteCount: Int

    init(_ reader: BinaryReader, _ compute: @escaping Compute) {
        self.reader = reader
        self.compute = compute
        states = Array(repeating: .unvisited, count: reader.offsets.count)
        remainingByteCount = 2 * reader.bytes.count
    }

    /// Returns the output of an object.
    ///
    /// - Throws: The error of the first invalid object among this object and the objects that it contains. The error is
    ///   cached, so another object that contains the invalid one fails without visiting it again.
    mutating func output(of number: Int) throws(PropertyListError) -> Output {
        if let output = try knownOutput(of: number) { return output }
        var open: [Container] = []
        var number = number
        do throws(PropertyListError) {
            open.append(try begin(number))
            while var container = open.popLast() {
                number = container.number
                while container.outputs.count < container.references.count {
                    let reference = container.references[container.outputs.count]
                    if let output = try knownOutput(of: reference) {
                        container.outputs.append(output)
                    } else {
                        open.append(container)
                        number = reference
                        container = try begin(reference)
                    }
                }
                let output = try compute(container.object, container.outputs, reader)
                states[container.number] = .finished(output)
                if open.isEmpty { return output }
                open[open.count - 1].outputs.append(output)
            }
            throw reader.noObject(number)
        } catch {
            for container in open { fail(container.number, error) }
            fail(number, error)
            throw error
        }
    }

    private mutating func fail(_ number: Int, _ error: PropertyListError) {
        states[number] = .failed
        failures[number] = error
    }

    /// Returns the output of an object if it is a leaf or has been visited. Returns `nil` if it is an unvisited
    /// container.
    private mutating func knownOutput(of number: Int) throws(PropertyListError) -> Output? {
        guard states.indices.contains(number) else { throw reader.noObject(number) }
        switch states[number] {
        case .finished(let output): return output
        case .open: throw PropertyListError("an object contains itself", at: reader.offsets[number])
        case .failed: throw failures[number] ?? reader.noObject(number)
        case .unvisited:
            do throws(PropertyListError) {
                let object = try reader.object(number)
                if object.kind.isContainer { return nil }
                try count(object)
                let output = try compute(object, [], reader)
                states[number] = .finished(output)
                return output
            } catch {
                fail(number, error)
                throw error
            }
        }
    }

    private mutating func begin(_ number: Int) throws(PropertyListError) -> Container {
        let object = try reader.object(number)
        try count(object)
        states[number] = .open
        let references = reader.references(of: object)
        if object.kind == .dictionary {
            for key in references.prefix(references.count / 2) where !reader.isText(key) {
                let offset = try reader.object(key).start
                throw PropertyListError("the key of a dictionary is not text", at: offset)
            }
        }
        var container = Container(number: number, object: object, references: references)
        container.outputs.reserveCapacity(references.count)
        return container
    }

    private mutating func count(_ object: BinaryObject) throws(PropertyListError) {
        remainingByteCount -= object.body.upperBound - object.start
        guard remainingByteCount >= 0 else {
            throw PropertyListError("objects overlap", at: object.start)
        }
    }
}
