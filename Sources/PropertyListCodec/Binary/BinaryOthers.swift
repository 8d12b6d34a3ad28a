/// The entries of other programs in a binary property list: their objects are written back byte for byte, only what they
/// refer to each other by is new.
struct BinaryOthers: Sendable {
    /// An object as it stands in the file.
    enum Object: Sendable {
        case leaf([UInt8])
        /// The upper half of the first byte, and which of these objects it refers to.
        case container(marker: UInt8, references: [Int])
    }

    private(set) var objects: [Object] = []
    /// The keys and values of the entries, as numbers of objects.
    private(set) var entries: [(key: Int, value: Int)] = []
    /// The number here of an object there.
    private var numbers: [Int: Int] = [:]

    /// Takes an entry with all that it refers to. Where that fails, nothing of it is taken.
    mutating func take(key: Int, value: Int, of reader: BinaryReader) throws(ParseFailure) {
        let count = objects.count
        do throws(ParseFailure) {
            entries.append((try take(key, of: reader), try take(value, of: reader)))
        } catch {
            objects.removeSubrange(count...)
            numbers = numbers.filter { $0.value < count }
            throw error
        }
    }

    /// Takes an object and those that it refers to, one level after the other, not by calling itself: it may be as deep as
    /// it likes.
    private mutating func take(_ number: Int, of reader: BinaryReader) throws(ParseFailure) -> Int {
        if let known = numbers[number] { return known }
        /// A container whose objects are being taken, and how many have been.
        var open: [(number: Int, references: [Int], taken: Int)] = []
        var isOpen: Set<Int> = []
        func begin(_ number: Int, _ others: inout BinaryOthers) throws(ParseFailure) {
            let object = try reader.object(number)
            others.numbers[number] = others.objects.count
            guard object.kind.isContainer else {
                return others.objects.append(.leaf(Array(reader.bytes[object.start..<object.body.upperBound])))
            }
            others.objects.append(.container(marker: object.marker, references: []))
            let references = reader.references(of: object)
            if object.kind == .dictionary {
                for key in references.prefix(references.count / 2) {
                    let key = try reader.object(key)
                    guard key.kind.isText else {
                        throw ParseFailure(reason: "the key of a dictionary is no text", offset: key.start)
                    }
                }
            }
            open.append((number, references, 0))
            isOpen.insert(number)
        }
        try begin(number, &self)
        while let (container, references, taken) = open.last {
            guard taken < references.count else {
                open.removeLast()
                isOpen.remove(container)
                close(container, references)
                continue
            }
            open[open.count - 1].taken += 1
            let next = references[taken]
            if isOpen.contains(next) {
                throw ParseFailure(
                    reason: "an object contains itself", offset: try reader.object(next).start)
            }
            if numbers[next] == nil { try begin(next, &self) }
        }
        return numbers[number] ?? 0
    }

    private mutating func close(_ container: Int, _ references: [Int]) {
        guard let place = numbers[container], case .container(let marker, _) = objects[place] else { return }
        objects[place] = .container(marker: marker, references: references.map { numbers[$0] ?? 0 })
    }
}
