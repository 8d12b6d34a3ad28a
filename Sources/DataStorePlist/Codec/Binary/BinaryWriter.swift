/// A writer of binary property lists. It writes the records of a store and preserves the entries of other programs.
struct BinaryWriter {
    private var objects: BinaryObjects
    /// The object number of each key that was written. Records with the same field refer to the same key object.
    private var keys: [String: Int] = [:]
    /// The object number of each large value that was written, by the addresses of its contents in memory. Records that
    /// share a value refer to the same object, and keep this memory alive while they are written.
    private var shared: [Range<UInt>: Int] = [:]

    /// Returns the bytes of a file.
    ///
    /// - Parameters:
    ///   - collections: The collections of the store.
    ///   - objects: The entries of other programs.
    /// - Returns: The bytes of the file.
    static func bytes(_ collections: [StoredCollection], _ objects: BinaryObjects) -> [UInt8] {
        var writer = BinaryWriter(objects: objects)
        // The key is written before the records. If the end of the file is lost, intact records can still be found.
        let key = writer.key(EntryCollector.rootKey)
        // The first entry of the dictionary is not a collection but the version of the format.
        let ownEntry = writer.dictionary([nil] + collections.map(Optional.some)) { writer, collection in
            guard let (name, entries) = collection else {
                return (writer.key(EntryCollector.formatKey), writer.integer(EntryCollector.formatVersion))
            }
            let key = writer.key(EntryCollector.key(ofCollection: name))
            let records = writer.dictionary(entries) { writer, entry in
                (writer.text(EntryCollector.key(ofID: entry.key.id, in: name)), writer.append(entry.record))
            }
            return (key, records)
        }
        writer.objects.addToRoot(key, ownEntry)
        return writer.objects.bytes()
    }

    // MARK: Values

    private mutating func append(_ record: Record) -> Int {
        dictionary(record) { ($0.key($1.name.propertyListKey), $0.append($1.value)) }
    }

    private mutating func append(_ value: Value) -> Int {
        let storage = Self.storage(of: value)
        if let storage, let number = shared[storage] { return number }
        let number: Int
        if let (key, wrapped) = value.wrapped {
            number = dictionary(CollectionOfOne((key, wrapped))) { writer, entry in
                // Only the bytes of a sealed value outlive this call, so only they may be found by their address.
                if case .sealed = value { return (writer.key(entry.0), writer.append(entry.1)) }
                return (writer.key(entry.0), writer.write(entry.1))
            }
        } else {
            number = write(value)
        }
        if let storage { shared[storage] = number }
        return number
    }

    /// Writes a value that a property list can represent, and returns the number of its object.
    private mutating func write(_ value: Value) -> Int {
        switch value {
        case .string(let text): self.text(text)
        case .integer(let number): integer(number)
        case .real(let number): word(.real, number)
        case .bool(let flag): objects.leaf { $0.append((flag ? BinaryObject.Kind.yes : .no).rawValue) }
        case .date(let date): word(.date, date.secondsSince2001)
        case .data(let bytes), .sealed(let bytes): data(bytes)
        case .array(let values): array(values)
        case .record(let record): append(record)
        }
    }

    /// Returns the addresses of the bytes of a large string or large data in memory, or `nil` for other values. If
    /// several records share the memory, they need only one object.
    ///
    /// Arrays and records are not shared, because ``BinaryDecoder`` limits the number of values to which shared
    /// containers unfold.
    ///
    /// The addresses serve only to compare values and are never dereferenced.
    private static func storage(of value: Value) -> Range<UInt>? {
        let count = BinaryObjects.sharedByteCount
        func addresses(_ buffer: UnsafeBufferPointer<UInt8>) -> Range<UInt> {
            let start = UInt(bitPattern: buffer.baseAddress)
            return start..<start + UInt(buffer.count)
        }
        switch value {
        case .string(let text) where text.utf8.count >= count:
            return unsafe text.utf8.withContiguousStorageIfAvailable { unsafe addresses($0) }
        case .data(let bytes) where bytes.count >= count:
            return unsafe bytes.withUnsafeBufferPointer { unsafe addresses($0) }
        default: return nil
        }
    }

    // MARK: Containers

    /// Writes a dictionary, and returns the number of its object. `write` writes the key and the value of an entry, and
    /// returns their numbers.
    private mutating func dictionary<Entries: Collection>(
        _ entries: Entries, _ write: (inout BinaryWriter, Entries.Element) -> (key: Int, value: Int)
    ) -> Int {
        let (number, first) = objects.container(.dictionary, 2 * entries.count)
        for (index, entry) in entries.enumerated() {
            let (key, value) = write(&self, entry)
            objects.references[first + index] = key
            objects.references[first + entries.count + index] = value
        }
        return number
    }

    private mutating func array(_ values: [Value]) -> Int {
        let (number, first) = objects.container(.array, values.count)
        for (index, value) in values.enumerated() { objects.references[first + index] = append(value) }
        return number
    }

    // MARK: Leaves

    /// Writes a key unless it was already written, and returns the number of its object. Keys are in Unicode's composed
    /// form or ASCII, so two different keys never compare equal.
    private mutating func key(_ key: String) -> Int {
        if let number = keys[key] { return number }
        let number = text(key)
        keys[key] = number
        return number
    }

    private mutating func text(_ text: String) -> Int {
        objects.leaf { leaves in
            if text.utf8.allSatisfy({ $0 < 0x80 }) {
                BinaryObjects.appendHead(.ascii, text.utf8.count, to: &leaves)
                leaves.append(contentsOf: text.utf8)
            } else {
                BinaryObjects.appendHead(.utf16, text.utf16.count, to: &leaves)
                for unit in text.utf16 { BinaryObjects.append(UInt64(unit), 2, to: &leaves) }
            }
        }
    }

    private mutating func data(_ data: [UInt8]) -> Int {
        objects.leaf { leaves in
            BinaryObjects.appendHead(.data, data.count, to: &leaves)
            leaves += data
        }
    }

    private mutating func integer(_ number: Int64) -> Int {
        objects.leaf { BinaryObjects.appendInteger(UInt64(bitPattern: number), to: &$0) }
    }

    /// Writes a floating-point number of 8 bytes, and returns the number of its object.
    private mutating func word(_ kind: BinaryObject.Kind, _ number: Double) -> Int {
        objects.leaf { leaves in
            leaves.append(kind.rawValue | 3)
            BinaryObjects.append(number.bitPattern, 8, to: &leaves)
        }
    }
}
