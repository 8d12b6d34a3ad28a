#if Sealing
import DataStoreCore
import DataStoreQueries
import Testing

@testable import UserProfileSealing

@Suite struct SealingEnvelopeTests {
    private let key: SealingKey
    private let envelope: SealingEnvelope

    init() throws {
        key = try SealingKey.random(number: 3, label: "office")
        envelope = try SealingEnvelope(for: key)
    }

    @Test("The record of an envelope opens with the key")
    func record() throws {
        let read = try SealingEnvelope(record: envelope.record)
        #expect(read.record == envelope.record && read.request.number == 3 && read.request.label == "office")
        let keys = try read.open(with: key).keys
        #expect(keys.map(\.valueKey) == (try envelope.open(with: key).keys.map(\.valueKey)))
    }

    @Test("A missing key and a wrong key are two errors, which name the key")
    func wrongKeys() async throws {
        let missing = try SealingKey.random(number: 4)
        let wrong = try SealingKey.random(number: 3, label: "office")
        #expect(try await code { _ = try envelope.open(with: missing) } == .missingSealingKey)
        #expect(try await code { _ = try envelope.open(with: wrong) } == .wrongSealingKey)
        for key in [missing, wrong] {
            #expect(throws: DataStoreError.self) { try envelope.open(with: key) }
            let error = #expect(throws: DataStoreError.self) {
                try envelope.rewrapped(from: key, to: try .random(number: 9))
            }
            #expect("\(try #require(error))".contains("sealing key 3 (office)"))
        }
    }

    @Test("Another key opens a rewrapped envelope, and sealed values stay valid")
    func rewrap() async throws {
        let id = FieldSealer.randomFieldID()
        let field = SealedField(SealedFieldDefinition(QueryField("field"), isSearchable: true), id: id)
        var old = envelope
        let oldKeyring = try old.open(with: key)
        #expect(oldKeyring.allow(try old.reserve(1)))
        let sealed = try oldKeyring.sealer(for: field).seal(.string("a"), inRecord: "me")

        let newKey = try SealingKey.random(number: 4, label: "cloud")
        let new = try SealingEnvelope(record: try old.rewrapped(from: key, to: newKey).record)
        #expect(try await code { _ = try new.open(with: key) } == .missingSealingKey)
        let sealer = try new.open(with: newKey).sealer(for: field)
        #expect(try sealer.open(sealed, inRecord: "me") == .string("a"))
        let blind = try oldKeyring.sealer(for: field).blind(of: .string("a"))
        #expect(sealer.blind(of: .string("a")) == blind)
        #expect(new.keys.map(\.messageCount) == [1] && new.request.label == "cloud")
        let sameNumber = try SealingKey.random(number: 3)
        #expect(try await code { _ = try envelope.rewrapped(from: key, to: sameNumber) } == .misuse)
    }

    @Test(
        "A new data key seals new values, and old ones stay valid until it is the only one", arguments: [false, true])
    func dataKeys(_ renewsBlindKey: Bool) async throws {
        let id = FieldSealer.randomFieldID()
        let field = SealedField(SealedFieldDefinition(QueryField("field"), isSearchable: true), id: id)
        func keyring(_ envelope: inout SealingEnvelope) throws -> SealingKeyring {
            let keyring = try envelope.open(with: key)
            #expect(keyring.allow(try envelope.reserve(1)))
            return keyring
        }
        var first = envelope
        let old = try keyring(&first).sealer(for: field).seal(.string("a"), inRecord: "me")
        var second = try first.addingDataKey(key, renewsBlindKey: renewsBlindKey)
        let sealer = try keyring(&second).sealer(for: field)
        let new = try sealer.seal(.string("a"), inRecord: "me")
        #expect(try SealedValue(old).keyNumber == 1 && SealedValue(new).keyNumber == 2)
        #expect(try (SealedValue(old).blind == SealedValue(new).blind) == !renewsBlindKey)
        #expect(try sealer.blind(of: .string("a"))?[...] == SealedValue(new).blind)
        for value in [old, new] { #expect(try sealer.open(value, inRecord: "me") == .string("a")) }

        second.removeOldDataKeys()
        let last = try SealingEnvelope(record: second.record).open(with: key).sealer(for: field)
        #expect(try last.open(new, inRecord: "me") == .string("a"))
        #expect(try await code { _ = try last.open(old, inRecord: "me") } == .corrupted)
    }

    @Test("A data key seals only reserved messages, and at most 2^32")
    func limit() async throws {
        var envelope = envelope
        let keyring = try envelope.open(with: key)
        let sealer = try FieldSealer(fieldID: FieldSealer.randomFieldID(), isSearchable: false, keyring)
        #expect(try await code { _ = try sealer.seal(.integer(1), inRecord: "me") } == .misuse)
        #expect(keyring.allow(try envelope.reserve(2)))
        for _ in 0..<2 { _ = try sealer.seal(.integer(1), inRecord: "me") }
        #expect(try await code { _ = try sealer.seal(.integer(1), inRecord: "me") } == .misuse)
        // A failed attempt uses no message of the next reservation.
        #expect(keyring.allow(try envelope.reserve(1)))
        _ = try sealer.seal(.integer(1), inRecord: "me")
        for count in [SealingEnvelope.maximumMessageCount - 2, .max, -1] {
            let found = try await code { _ = try envelope.reserve(count) }
            #expect(found == .full)
        }
        _ = try envelope.reserve(SealingEnvelope.maximumMessageCount - 3)
        var renewed = try SealingEnvelope(record: envelope.record).addingDataKey(key)
        #expect(keyring.allow(try renewed.reserve(1)) == false)
    }

    @Test("Each damaged wrapped key is found")
    func damagedKeys() async throws {
        let wrapped = envelope.keys[0]
        for bit in 0..<2 * 40 * 8 {
            var (dataKey, blindKey) = (wrapped.valueKey, wrapped.blindKey)
            if bit < 320 { dataKey[bit / 8] ^= 1 << (bit % 8) } else { blindKey[bit / 8 - 40] ^= 1 << (bit % 8) }
            let damaged = SealingEnvelope(
                request: envelope.request,
                keys: [DataKey(number: 1, valueKey: dataKey, blindKey: blindKey)])
            #expect(try await code { _ = try damaged.open(with: key) } == .corrupted)
        }
    }

    @Test("A damaged or newer record is an error")
    func damagedRecords() async throws {
        func expect(_ name: String, _ value: Value?, _ expected: DataStoreError.Code = .corrupted) async throws {
            var record = envelope.record
            record[name] = value
            let found = try await code { _ = try SealingEnvelope(record: record) }
            #expect(found == expected, "\(name)")
        }
        try await expect("version", .integer(2), .unsupportedFormat)
        for version in [nil, .integer(0), .string("1")] as [Value?] { try await expect("version", version) }
        for number in [nil, .integer(-1), .integer(1 << 32), .string("3")] as [Value?] {
            try await expect("key", number)
        }
        for label in ["", "a\nb", " a", String(repeating: "a", count: 101)] {
            try await expect("label", .string(label))
        }
        try await expect("other", .integer(1))
        try await expect("passphrase", .string("x"))
        guard case .array(let keys)? = envelope.record["dataKeys"], case .record(let wrapped)? = keys.first else {
            throw DataStoreError(.corrupted, "no keys")
        }
        for keys in [[], keys + keys, Array(repeating: keys[0], count: 257), [.integer(1)]] as [[Value]] {
            try await expect("dataKeys", .array(keys))
        }
        for (name, value) in [
            ("number", .integer(-1)), ("dataKey", .data([1])), ("blindKey", nil), ("messages", .integer(-1)),
            ("messages", .integer(SealingEnvelope.maximumMessageCount + 1)), ("other", .integer(1)),
        ] as [(String, Value?)] {
            var changed = wrapped
            changed[name] = value
            try await expect("dataKeys", .array([.record(changed)]))
        }
    }
}
#endif
