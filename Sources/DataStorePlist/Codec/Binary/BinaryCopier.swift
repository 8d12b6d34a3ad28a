/// A copier for the entries of other programs in a binary property list. It collects copies of their objects in a
/// template, which a ``BinaryWriter`` writes to the new file.
struct BinaryCopier {
    private(set) var template = BinaryTemplate()
    /// A traversal that checks whether an object and all objects that it contains are valid.
    private var validation: BinaryTraversal<Void>
    /// The numbers that the copied objects have in the template, by their numbers in the original file.
    private var numbers: [Int: Int] = [:]

    init(_ reader: BinaryReader) {
        validation = BinaryTraversal(reader) { (_, _, _) throws(PropertyListError) in }
    }

    /// Copies an entry with all objects that it contains. If one of these objects is invalid, copies nothing and throws
    /// the error of the object.
    mutating func copy(key: Int, value: Int) throws(PropertyListError) {
        try validation.output(of: key)
        try validation.output(of: value)
        template.keys.append(try copy(key))
        template.values.append(try copy(value))
    }

    private mutating func copy(_ root: Int) throws(PropertyListError) -> Int {
        /// The copied containers whose references have not been copied yet. Each has its references in the original
        /// file, and the index of its first reference in the copy.
        var open: [(references: [Int], first: Int)] = []
        let number = try copy(root, &open)
        while let (references, first) = open.popLast() {
            for (index, reference) in references.enumerated() {
                template.objects.references[first + index] = try copy(reference, &open)
            }
        }
        return number
    }

    private mutating func copy(
        _ number: Int, _ open: inout [(references: [Int], first: Int)]
    ) throws(PropertyListError) -> Int {
        if let copied = numbers[number] { return copied }
        let reader = validation.reader
        let object = try reader.object(number)
        let copied: Int
        if object.kind.isContainer {
            let references = reader.references(of: object)
            let container = template.objects.container(object.marker, references.count)
            copied = container.number
            open.append((references, container.first))
        } else {
            copied = template.objects.leaf { $0 += reader.bytes[object.start..<object.body.upperBound] }
        }
        numbers[number] = copied
        return copied
    }
}
