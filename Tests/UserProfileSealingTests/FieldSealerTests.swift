#if Sealing
import Crypto
import DataStoreCore
import DataStoreQueries
import RecordFraming
import Testing

@testable import UserProfileSealing

@Suite struct FieldSealerTests {
    private let keyring: SealingKeyring
    private let opaque: FieldSealer
    private let searchable: FieldSealer

    init() throws {
        keyring = try SealingKeyring.unlimited()
        opaque = try FieldSealer(fieldID: FieldSealer.randomFieldID(), isSearchable: false, keyring)
        searchable = try FieldSealer(fieldID: FieldSealer.randomFieldID(), isSearchable: true, keyring)
    }

    @Test("A sealed value does not contain the value, and two seals of it differ")
    func seal() throws {
        for sealer in [opaque, searchable] {
            let value = Value.string("vision@example.com")
            let sealed = try sealer.seal(value, inRecord: "me")
            #expect(String(decoding: sealed, as: UTF8.self).contains("vision") == false)
            #expect(try sealer.seal(value, inRecord: "me") != sealed)
            #expect(try sealer.open(sealed, inRecord: "me") == value)
            #expect(sealed.count == value.cbor.count + (sealer === opaque ? 50 : 66))
        }
    }

    @Test("Every changed bit and every missing or added byte is found")
    func damage() async throws {
        for sealer in [opaque, searchable] {
            let sealed = try sealer.seal(.string("vision@example.com"), inRecord: "me")
            for bit in 0..<sealed.count * 8 {
                var damaged = sealed
                damaged[bit / 8] ^= 1 << (bit % 8)
                let found = try await code { _ = try sealer.open(damaged, inRecord: "me") }
                #expect(found == .corrupted || found == .unsupportedFormat && bit < 16, "bit \(bit)")
            }
            for count in 0..<sealed.count {
                #expect(
                    try await code { _ = try sealer.open(Array(sealed.prefix(count)), inRecord: "me") } == .corrupted)
            }
            #expect(try await code { _ = try sealer.open(sealed + [0], inRecord: "me") } == .corrupted)
        }
    }

    @Test("Decrypted bytes that are not exactly one value are damage")
    func content() async throws {
        let key = try #require(keyring.keys.last)
        let value = Value.string("vision@example.com")
        let contents: [[UInt8]] = [[], value.cbor + value.cbor, value.cbor.dropLast(), [0xFF], value.cbor]
        for sealer in [opaque, searchable] {
            let valueKey = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: key.valueKey, info: Array("userprofile-sealing-1 value ".utf8) + sealer.fieldID,
                outputByteCount: 32)
            for content in contents {
                var sealed = SealedValue.header(
                    keyNumber: key.number, fieldID: sealer.fieldID, blind: sealer.blind(of: value))
                let box = try AES.GCM.seal(content, using: valueKey, authenticating: sealed + Array("me".utf8))
                sealed += try #require(box.combined)
                let found = try await code {
                    var cbor: [UInt8] = []
                    try sealer.open(sealed, inRecord: "me", into: &cbor)
                    #expect(cbor == value.cbor)
                }
                #expect(found == (content == value.cbor ? nil : .corrupted), "\(content)")
            }
        }
    }

    @Test("A value that is moved to another record, field or store is not opened")
    func moves() async throws {
        let areSearchable = [false, true, false, true]
        let ids = [opaque.fieldID, searchable.fieldID, FieldSealer.randomFieldID(), searchable.fieldID]
        let (keyring, strange) = (keyring, try SealingKeyring.unlimited())
        for (isSearchable, fieldID) in zip(areSearchable, ids) {
            let sealed = try FieldSealer(fieldID: fieldID, isSearchable: isSearchable, keyring).seal(
                .integer(1), inRecord: "me")
            for (isOtherSearchable, otherID) in zip(areSearchable, ids) {
                let other = try FieldSealer(fieldID: otherID, isSearchable: isOtherSearchable, keyring)
                for id in ["me", "you", "", "m", "me "] {
                    let found = try await code { _ = try other.open(sealed, inRecord: id) }
                    let isSame = otherID == fieldID && id == "me"
                    #expect(found == (isSame ? nil : .corrupted))
                }
            }
            let stranger = try FieldSealer(fieldID: fieldID, isSearchable: isSearchable, strange)
            #expect(try await code { _ = try stranger.open(sealed, inRecord: "me") } == .corrupted)
        }
    }

    @Test("A part of one sealed value does not fit into another one of the same field and record")
    func parts() async throws {
        let sealer = searchable
        let (first, second) = (
            try sealer.seal(.string("a"), inRecord: "me"), try sealer.seal(.string("b"), inRecord: "me")
        )
        // The blind, the nonce, the ciphertext, the tag.
        for part in [22..<38, 38..<50, 50..<52, 52..<68] {
            var mixed = first
            mixed.replaceSubrange(part, with: second[part])
            #expect(try await code { _ = try sealer.open(mixed, inRecord: "me") } == .corrupted)
        }
    }

    @Test("Equal comparable forms have equal blinds in one field, and other blinds in another field")
    func blinds() async throws {
        let id = FieldSealer.randomFieldID()
        let sealer = try FieldSealer(fieldID: id, isSearchable: true, transform: .asciiLowercase, keyring)
        let blind = try SealedValue(try sealer.seal(.string("A@b"), inRecord: "1")).blind
        #expect(try SealedValue(try sealer.seal(.string("a@B"), inRecord: "2")).blind == blind)
        #expect(sealer.blind(of: .string("a@b"))?[...] == blind)
        #expect(sealer.blind(of: .string("a@c"))?[...] != blind)
        #expect(sealer.blind(of: .integer(1)) == sealer.blind(of: .real(1)))
        #expect(searchable.blind(of: .string("a@b"))?[...] != blind)
        #expect(opaque.blind(of: .string("a@b")) == nil)
        // A program with another comparable form has sealed the value.
        let exact = try FieldSealer(fieldID: id, isSearchable: true, keyring)
        let sealed = try sealer.seal(.string("A@b"), inRecord: "1")
        #expect(try await code { _ = try exact.open(sealed, inRecord: "1") } == .corrupted)
    }

    @Test("The id of a field has 16 bytes", arguments: [0, 15, 17])
    func fieldID(_ count: Int) async throws {
        let id = [UInt8](repeating: 1, count: count)
        #expect(try await code { _ = try FieldSealer(fieldID: id, isSearchable: false, keyring) } == .corrupted)
    }

    @Test("Random bytes are no sealed value")
    func randomBytes() async throws {
        var generator = SystemRandomNumberGenerator()
        let sealer = opaque
        for _ in 0..<2000 {
            var bytes: [UInt8] = (0..<Int.random(in: 0...120)).map { _ in generator.next() }
            if Bool.random() { bytes.replaceSubrange(..<min(2, bytes.count), with: [1, 0]) }
            if Bool.random(), bytes.count > 22 { bytes.replaceSubrange(2..<22, with: [0, 0, 0, 1] + opaque.fieldID) }
            #expect(try await code { _ = try sealer.open(bytes, inRecord: "me") } != nil)
        }
    }
}
#endif
