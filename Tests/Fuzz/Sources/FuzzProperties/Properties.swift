import CAllocations
@testable public import DataStoreCore
@testable import DataStoreLMDB
import FuzzSupport
@testable import RecordFraming

/// The properties of the bytes that an LMDB store reads and writes that hold for any input. If one does not hold, the
/// program ends with its name, and libFuzzer keeps the input.
public enum Properties {
    /// Checks that arbitrary bytes are rejected or decoded as a record, and that a record has only one encoding.
    public static func checkReading(_ bytes: [UInt8]) {
        allocations_begin()
        let record = decode(bytes)
        let peak = allocations_peak()
        require(peak <= memoryBound(for: bytes.count), "decoding \(bytes.count) bytes took \(peak) bytes of memory")
        if let record {
            require(encode(record) == bytes, "a decoded record is encoded as different bytes")
            require(isValid(record), "a decoded record is invalid")
        }
        checkFields(bytes, record)
        checkFrame(bytes, record)
        checkKey(bytes)
    }

    /// Checks that a valid record is decoded unchanged, and that no part of its bytes is accepted as a record.
    ///
    /// - Returns: The bytes, or `nil` if a store would reject the record.
    public static func checkWriting(_ record: Record, cutAt cut: Int) -> [UInt8]? {
        guard isValid(record) else { return nil }
        let bytes = encode(record)
        let decoded = decode(bytes)
        require(decoded == record, "a record comes back as another one, or not at all")
        require(decoded.map(encode) == bytes, "equal records are written as different bytes")
        checkFields(bytes, record)
        require(
            read(frame: frame(of: record)) == record, "a frame is read as another record")
        require(decode(Array(bytes.prefix(cut % bytes.count))) == nil, "the beginning of a record passes for one")
        require(decode(bytes + [UInt8(truncatingIfNeeded: cut)]) == nil, "a record with bytes behind it passes for one")
        return bytes
    }

    /// Checks that reading single fields returns the same values as reading all of them, in any order. For invalid
    /// bytes, reading a field may succeed because it stops before the invalid part.
    private static func checkFields(_ bytes: [UInt8], _ record: Record?) {
        let fields = record ?? [:]
        let names = (fields.prefix(2) + fields.suffix(2)).map(\.name) + ["", "a", "\u{FC}"]
        allocations_begin()
        unsafe bytes.withUnsafeBufferPointer { buffer in
            let encoded = EncodedRecord()
            unsafe encoded.begin(buffer)
            defer { encoded.end() }
            for name in names {
                do {
                    let value = try RecordView(encoded).value(of: name)
                    if let record { require(value == record[name], "a field is read as another one by its name") }
                    let found = try encoded.position(of: FieldName(name))
                    require((found == nil) == (value == nil), "a field is found in another way by its bytes")
                    guard var position = found, case .string(let string)? = value else { continue }
                    require(try encoded.text(at: &position) == string, "a text is another one in place")
                } catch {
                    require(record == nil, "a field cannot be read")
                }
            }
            do {
                let fields = try encoded.fields()
                if let record { require(fields.map(encoded.name) == record.map(\.name), "the names are others") }
            } catch {
                require(record == nil, "the fields cannot be found")
            }
        }
        require(allocations_peak() <= memoryBound(for: bytes.count), "reading a field took too much memory")
    }

    // MARK: Frames

    private static let key = Array("users\0me".utf8)

    /// Checks that a frame is rejected if its checksum is wrong, and decoded to its contents otherwise.
    private static func checkFrame(_ bytes: [UInt8], _ record: Record?) {
        if let framed = read(frame: bytes) {
            require(frame(of: framed) == bytes, "a frame is written as other bytes")
        }
        var (checksum, byTable) = (CRC32C(), CRC32C())
        checksum.add(key.span)
        checksum.add(bytes.span)
        byTable.addByTable(key.span)
        byTable.addByTable(bytes.span)
        require(checksum.value == byTable.value, "the checksum depends on the processor")

        var frame: [UInt8] = [1]
        for shift in [24, 16, 8, 0] { frame.append(UInt8(truncatingIfNeeded: checksum.value >> shift)) }
        frame += bytes
        require(read(frame: frame) == record, "a frame and its body are decoded as different records")
        // The checksum detects every single-bit error. The bit depends on the input, so that a failure can be
        // reproduced.
        let bit = Int(checksum.value) % (frame.count * 8)
        frame[bit / 8] ^= 1 << UInt8(bit % 8)
        require(read(frame: frame) == nil, "bit \(bit) of a frame was flipped, and it was not found out")
    }

    private static func frame(of record: Record) -> [UInt8] {
        RecordFrame.with(record, key: key.span) { frame in frame.indices.map { frame[$0] } }
    }

    private static func read(frame: [UInt8]) -> Record? {
        do {
            return try StoredRecord().view(frame.span, of: key.span) { view throws(DataStoreError) in
                try view.record()
            }
        } catch {
            require(error.code == .corrupted, "a bad frame is not called corrupted but \(error)")
            return nil
        }
    }

    // MARK: Keys

    /// Checks that bytes are rejected or decoded as a key, and that a key has only one encoding.
    private static func checkKey(_ bytes: [UInt8]) {
        let bytes = KeyBytes.prefix("users") + bytes
        do {
            let key = try KeyBytes.key(of: bytes.span)
            let isSame = KeyBytes.with(key) { span in
                span.count == bytes.count && bytes.indices.allSatisfy { span[$0] == bytes[$0] }
            }
            require(isSame, "a key is written as other bytes")
        } catch {
            require(error.code == .corrupted, "a bad key is not called corrupted but \(error)")
        }
    }

    // MARK: CBOR

    private static func decode(_ bytes: [UInt8]) -> Record? {
        do {
            return try Record(cbor: bytes.span)
        } catch {
            let offset = (error.underlying as? CBORDecoder.Failure)?.offset ?? -1
            require(0...bytes.count ~= offset, "an error is at byte \(offset) of \(bytes.count)")
            return nil
        }
    }

    private static func encode(_ record: Record) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(addingCapacity: CBOREncoder.maximumByteCount(of: record)) { output in
            CBOREncoder.encode(record, to: &output)
        }
        return bytes
    }

    private static func isValid(_ record: Record) -> Bool {
        do {
            try record.validate()
            return true
        } catch {
            return false
        }
    }

    /// Returns the maximum amount of memory that decoding may allocate. A value of one byte becomes an element of an
    /// array that grows by doubling, and each nesting level may reserve memory in advance.
    private static func memoryBound(for byteCount: Int) -> Int { 64 * byteCount + 65_536 }
}
