#if Sealing
import Crypto
import DataStoreCore
import DataStoreQueries
import Foundation
import RecordFraming
import Testing

@testable import UserProfileSealing

/// Compares the format with the answers of `vectors.py`, another implementation.
@Suite struct VectorTests {
    private let vectors: Vectors
    private let keyring: SealingKeyring

    init() throws {
        vectors = try Vectors.read()
        keyring = SealingKeyring(keys: [
            DataKey(
                number: vectors.dataKeyNumber, valueKey: SymmetricKey(data: try vectors.dataKey.hexadecimal),
                blindKey: SymmetricKey(data: try vectors.blindKey.hexadecimal))
        ])
    }

    @Test("Values are sealed to the same bytes, and opened")
    func values() throws {
        #expect(vectors.answers.count > 60)
        for answer in vectors.answers {
            let value = answer.value.value
            #expect(value.cbor == (try answer.cbor.hexadecimal))
            #expect(value.indexText == (try answer.comparable.hexadecimal), "\(value)")
            let id = try answer.field.hexadecimal
            let sealer = try FieldSealer(fieldID: id, isSearchable: answer.isSearchable, keyring)
            let nonce = try AES.GCM.Nonce(data: answer.nonce.hexadecimal)
            let sealed = try sealer.seal(
                value, inRecord: answer.record, nonce: nonce, blind: sealer.blind(of: value))
            #expect(sealed == (try answer.sealed.hexadecimal), "\(value)")
            #expect(try sealer.open(sealed, inRecord: answer.record) == value)
            let header = try SealedValue(sealed)
            #expect(header.keyNumber == vectors.dataKeyNumber && header.fieldID == id[...])
            #expect(header.blind.map(Array.init) == sealer.blind(of: value))
        }
    }

    @Test("Keys are wrapped to the same bytes")
    func wrapping() throws {
        let key = try SealingKey(number: 7, bytes: try vectors.programKey.hexadecimal)
        let wrapped = DataKey(
            number: vectors.dataKeyNumber, valueKey: try vectors.wrappedDataKey.hexadecimal,
            blindKey: try vectors.wrappedBlindKey.hexadecimal)
        let envelope = SealingEnvelope(request: SealingKeyRequest(number: 7), keys: [wrapped])
        let opened = try envelope.open(with: key)
        #expect(opened.keys.map(\.valueKey) == keyring.keys.map(\.valueKey))
        #expect(opened.keys.map(\.blindKey) == keyring.keys.map(\.blindKey))
        let other = try SealingKey.random(number: 8)
        let back = try envelope.rewrapped(from: key, to: other).rewrapped(from: other, to: key)
        #expect(back.record == envelope.record)
    }

    @Test("A passphrase derives the same key")
    func passphrase() throws {
        let derivation = try PassphraseDerivation(record: [
            "algorithm": .string("scrypt"), "n": .integer(1 << 14), "r": .integer(8), "p": .integer(1),
            "salt": .data(try vectors.salt.hexadecimal),
        ])
        let key = try derivation.key(from: vectors.passphrase, number: 7, label: "")
        #expect(key.bytes == (try vectors.derivedKey.hexadecimal))
        let wrapped = DataKey(
            number: vectors.dataKeyNumber, valueKey: try vectors.wrappedByDerivedKey[0].hexadecimal,
            blindKey: try vectors.wrappedByDerivedKey[1].hexadecimal)
        let envelope = SealingEnvelope(
            request: SealingKeyRequest(number: 7, derivation: derivation), keys: [wrapped])
        #expect(try envelope.open(with: key).keys.map(\.valueKey) == keyring.keys.map(\.valueKey))
    }
}

/// The output of `vectors.py`.
private struct Vectors: Decodable {
    struct Answer: Decodable {
        let value: VectorValue
        let isSearchable: Bool
        let record, field, nonce, cbor, comparable, sealed: String
    }

    let programKey, dataKey, blindKey, wrappedDataKey, wrappedBlindKey: String
    let dataKeyNumber: UInt32
    let passphrase, salt, derivedKey: String
    let wrappedByDerivedKey: [String]
    let answers: [Answer]

    static func read() throws -> Vectors {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "vectors.json")
        return try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file))
    }
}

/// A value in the form of `vectors.py`: an object with the kind as its only member.
private struct VectorValue: Decodable {
    private enum Kind: String, CodingKey { case string, integer, real, bool, date, data, array, record }

    /// A field of a record, as an array of the name and the value.
    private struct Field: Decodable {
        let name: String
        let value: Value

        init(from decoder: any Decoder) throws {
            var elements = try decoder.unkeyedContainer()
            name = try elements.decode(String.self)
            value = try elements.decode(VectorValue.self).value
        }
    }

    let value: Value

    init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Kind.self)
        let kind = try #require(object.allKeys.first)
        switch kind {
        case .string: value = .string(try object.decode(String.self, forKey: kind))
        case .integer: value = .integer(try object.decode(Int64.self, forKey: kind))
        case .real:
            let bits = try #require(UInt64(try object.decode(String.self, forKey: kind), radix: 16))
            value = .real(Double(bitPattern: bits))
        case .bool: value = .bool(try object.decode(Bool.self, forKey: kind))
        case .date:
            let parts = try object.decode([Int64].self, forKey: kind)
            value = .date(try #require(Timestamp(seconds: parts[0], nanoseconds: UInt32(parts[1]))))
        case .data: value = .data(try object.decode(String.self, forKey: kind).hexadecimal)
        case .array: value = .array(try object.decode([VectorValue].self, forKey: kind).map(\.value))
        case .record:
            let fields = try object.decode([Field].self, forKey: kind)
            value = .record(try Record(fields.map { ($0.name, $0.value) }))
        }
    }
}
#endif
