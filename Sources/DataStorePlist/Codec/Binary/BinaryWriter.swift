import DataStoreCore

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
    ///   - objects: The objects of the entries of other programs.
    ///   - keys: The numbers of the objects that are keys of these entries.
    ///   - values: The numbers of the objects that are their values.
    ///   - forEachRecord: A closure that passes each record to its argument, in the order of the keys.
    /// - Returns: The bytes of the file.
    static func bytes(
        _ objects: BinaryObjects, keys: [Int], values: [Int], _ forEachRecord: (_ body: (Key, Record) -> Void) -> Void
    ) -> [UInt8] {
        var collections: [(name: String, records: [(id: String, record: Record)])] = []
        forEachRecord { key, record in
            if collections.last.map({ !$0.name.hasSameBytes(as: key.collection) }) ?? true {
                collections.append((key.collection, []))
            }
            collections[collections.count - 1].records.append((key.id, record))
        }
        var writer = BinaryWriter(objects: objects)
        // The key is written before the records. If the end of the file is lost, intact records can still be found.
        let key = writer.key(EntryCollector.rootKey)
        let ownEntry = writer.append(collections)
        writer.objects.setRoot(keys: keys + [key], values: values + [ownEntry])
        return writer.objects.bytes()
    }

    // MARK: Records

    private mutating func append(_ collections: [(name: String, records: [(id: String, record: Record)])]) -> Int {
        dictionary(collections.count + 1) { writer, index in
            writer.key(
                index == 0 ? EntryCollector.formatKey : EntryCollector.key(ofCollection: collections[index - 1].name))
        } value: { writer, index in
            if index == 0 { return writer.integer(EntryCollector.formatVersion) }
            let (name, records) = collections[index - 1]
            return writer.dictionary(records.count) { writer, index in
                writer.text(EntryCollector.key(ofID: records[index].id, in: name))
            } value: { writer, index in
                writer.append(records[index].record)
            }
        }
    }

    private mutating func append(_ record: Record) -> Int {
        dictionary(record.count) { writer, index in
            writer.key(record[index].name.propertyListKey)
        } value: { writer, index in
            writer.append(record[index].value)
        }
    }

    private mutating func append(_ value: Value) -> Int {
        let storage = Self.storage(of: value)
        if let storage, let number = shared[storage] { return number }
        let number: Int
        if let (key, wrapped) = value.wrapped {
            number = dictionary(1) { writer, _ in
                writer.key(key)
            } value: { writer, _ in
                writer.write(wrapped)
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
        case .real(let number): word(0x23, number.bitPattern)
        case .bool(let flag): objects.leaf { $0.append(flag ? 0x09 : 0x08) }
        case .date(let date): word(0x33, date.secondsSince2001.bitPattern)
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

    private mutating func dictionary(
        _ count: Int, key: (inout BinaryWriter, Int) -> Int, value: (inout BinaryWriter, Int) -> Int
    ) -> Int {
        let (number, first) = objects.container(0xD, 2 * count)
        for index in 0..<count {
            objects.references[first + index] = key(&self, index)
            objects.references[first + count + index] = value(&self, index)
        }
        return number
    }

    private mutating func array(_ values: [Value]) -> Int {
        let (number, first) = objects.container(0xA, values.count)
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
                BinaryObjects.appendHead(0x5, text.utf8.count, to: &leaves)
                leaves.append(contentsOf: text.utf8)
            } else {
                BinaryObjects.appendHead(0x6, text.utf16.count, to: &leaves)
                for unit in text.utf16 {
                    leaves.append(UInt8(unit >> 8))
                    leaves.append(UInt8(unit & 0xFF))
                }
            }
        }
    }

    private mutating func data(_ data: [UInt8]) -> Int {
        objects.leaf { leaves in
            BinaryObjects.appendHead(0x4, data.count, to: &leaves)
            leaves += data
        }
    }

    /// Writes an integer, and returns the number of its object. Integers of 8 bytes are signed, and shorter ones are
    /// unsigned.
    private mutating func integer(_ number: Int64) -> Int {
        objects.leaf { leaves in
            let bits = UInt64(bitPattern: number)
            let byteCount = BinaryObjects.byteCount(of: bits)
            leaves.append(0x10 | UInt8(byteCount.trailingZeroBitCount))
            BinaryObjects.append(bits, byteCount, to: &leaves)
        }
    }

    private mutating func word(_ marker: UInt8, _ bits: UInt64) -> Int {
        objects.leaf { leaves in
            leaves.append(marker)
            BinaryObjects.append(bits, 8, to: &leaves)
        }
    }
}
