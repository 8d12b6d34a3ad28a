import Foundation

/// A simple reader, beside which a goal can be judged: it reads records with liblmdb, reads all their bytes once, as a
/// checksum must, and creates what the caller asks for. It validates nothing and knows the fields of appointments.
struct SimpleReader {
    let reader: BareReader
    private let path: String

    /// Opens a copy of the file of a store.
    init(copying path: String, on stage: Stage) throws {
        self.path = stage.newPath()
        try FileManager.default.copyItem(atPath: path, toPath: self.path)
        reader = try BareReader(BareEnvironment(path: self.path), collection: "appointments")
    }

    func remove(on stage: Stage) throws { try stage.remove(path) }

    /// Reads a record, and decodes constants as `Codable` does. The caller has the text of the id already.
    func read(_ id: String) throws -> Appointment {
        var sum: UInt64 = 0
        try reader.read(id) { sum = Self.sum(of: $0) }
        guard sum != 0 else { throw Failure("a record is empty") }
        return try ConstantDecoder().decoded(Appointment.self)
    }

    /// Returns all appointments, from records of the hand-written mapping.
    func list() throws -> [Appointment] {
        var (all, sum): ([Appointment], UInt64) = ([], 0)
        try reader.forEachRecord { key, value in
            sum &+= Self.sum(of: value)
            all.append(Self.appointment(UnsafeRawBufferPointer(rebasing: value[5...]), id: Self.id(key)))
        }
        return sum == 0 ? [] : all
    }

    /// Returns the number of appointments with more than a number of seats whose titles contain a text.
    func count(seatsAbove seats: Int, titleContaining text: StaticString) throws -> Int {
        var (count, sum): (Int, UInt64) = (0, 0)
        try reader.forEachRecord { _, value in
            sum &+= Self.sum(of: value)
            var fields = PlainCBOR(UnsafeRawBufferPointer(rebasing: value[5...]))
            for _ in 0..<fields.integer() {
                let name = fields.text()
                if name.count == 5, name[0] == UInt8(ascii: "s") {
                    guard fields.integer() > seats else { return }
                } else if name.count == 5, name[0] == UInt8(ascii: "t") {
                    if Self.contains(fields.text(), text) { count += 1 }
                    return
                } else {
                    fields.skip()
                }
            }
        }
        return sum == 0 ? 0 : count
    }

    /// Returns a number that depends on all bytes. A checksum takes at least as long.
    @inline(__always)
    private static func sum(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        var sum: UInt64 = 0
        var offset = 0
        while offset + 8 <= bytes.count {
            sum &+= bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            offset += 8
        }
        while offset < bytes.count {
            sum &+= UInt64(bytes[offset])
            offset += 1
        }
        return sum
    }

    @inline(__always)
    private static func contains(_ text: UnsafeRawBufferPointer, _ part: StaticString) -> Bool {
        guard let start = text.baseAddress else { return false }
        let count = part.utf8CodeUnitCount
        var offset = 0
        while offset + count <= text.count {
            if memcmp(start + offset, part.utf8Start, count) == 0 { return true }
            offset += 1
        }
        return false
    }

    /// Returns the id at the end of a key.
    @inline(__always)
    private static func id(_ key: UnsafeRawBufferPointer) -> UUID {
        var bytes: (UInt64, UInt64) = (0, 0)
        for character in key.suffix(36) where character != UInt8(ascii: "-") {
            let digit = UInt64(character < 0x3A ? character - 0x30 : character - 0x37)
            bytes = (bytes.0 << 4 | bytes.1 >> 60, bytes.1 << 4 | digit)
        }
        return withUnsafeBytes(of: (bytes.0.bigEndian, bytes.1.bigEndian)) { UUID(uuid: $0.load(as: uuid_t.self)) }
    }

    /// Returns the appointment of a record, whose fields have a fixed order.
    @inline(__always)
    private static func appointment(_ cbor: UnsafeRawBufferPointer, id: UUID) -> Appointment {
        var fields = PlainCBOR(cbor)
        func next<Value>(_ read: (inout PlainCBOR) -> Value) -> Value {
            fields.skip()
            return read(&fields)
        }
        let note = fields.integer() == 8 ? next { $0.string() } : nil
        let tags = next { fields in (0..<fields.integer()).map { _ in fields.string() } }
        let place = next { fields in
            _ = fields.integer()
            fields.skip()
            let name = fields.string()
            fields.skip()
            return Appointment.Place(name: name, floor: fields.integer())
        }
        let price = next { $0.real() }
        let seats = next { $0.integer() }
        let title = next { $0.string() }
        let status = next { Appointment.Status(rawValue: $0.string()) } ?? .planned
        let startsAt = next { Date(timeIntervalSince1970: Double($0.integer())) }
        return Appointment(
            id: id, title: title, status: status, startsAt: startsAt, seats: seats, price: price, note: note,
            place: place, tags: tags)
    }
}
