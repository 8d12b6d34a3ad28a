import DataStoreCore
import FuzzSupport
@testable import UserProfileSealing

/// Opens damaged sealed values, and reads arbitrary bytes as a sealed value and as a key file. libFuzzer calls this
/// function for each input.
///
/// The first byte of an input chooses a sealed value. Each further pair of bytes changes a byte of it.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzSealed(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe inputBytes(start, count)
    do {
        try subject.get().check(bytes)
    } catch {
        fatalError("the subject cannot be made: \(error)")
    }
    return 0
}

private let subject = Result { try Subject() }

/// Sealed values of two fields and records.
private struct Subject {
    private struct Sealed {
        let sealer: FieldSealer
        let id: String
        let bytes: [UInt8]
        let value: Value
    }

    private var values: [Sealed] = []

    init() throws {
        let key = try SealingKey.random(number: 1)
        var envelope = try SealingEnvelope(for: key)
        let keyring = try envelope.open(with: key)
        require(keyring.allow(try envelope.reserve(1 << 20)), "messages are not reserved")
        for isSearchable in [false, true] {
            let sealer = try FieldSealer(fieldID: FieldSealer.randomFieldID(), isSearchable: isSearchable, keyring)
            for id in ["me", "you"] {
                for value in [Value.string("ada@example.com"), .integer(1), .array([.bool(true)])] {
                    values.append(
                        Sealed(
                            sealer: sealer, id: id, bytes: try sealer.seal(value, inRecord: id), value: value))
                }
            }
        }
    }

    func check(_ input: [UInt8]) {
        checkKeyFile(input)
        guard let first = input.first else { return }
        let sealed = values[Int(first) % values.count]
        var changed = sealed.bytes
        var rest = input.dropFirst()
        while let position = rest.popFirst(), let change = rest.popFirst() {
            changed[Int(position) % changed.count] ^= change
        }
        check(changed, of: sealed)
        check(Array(input.dropFirst()), of: sealed)
        check(Array(sealed.bytes.prefix(input.count)), of: sealed)
        check(sealed.bytes + input, of: sealed)
        for other in values where other.bytes != sealed.bytes { check(other.bytes, of: sealed) }
    }

    /// Checks that only the bytes that were sealed for a record and a field are opened there.
    private func check(_ bytes: [UInt8], of sealed: Sealed) {
        do throws(DataStoreError) {
            let value = try sealed.sealer.open(bytes, inRecord: sealed.id)
            let isOriginal = values.contains { $0.bytes == bytes && $0.id == sealed.id && $0.value == value }
            require(isOriginal, "a changed value is opened: \(bytes)")
        } catch {
            require(bytes != sealed.bytes, "the value is not opened: \(error)")
            require([.corrupted, .unsupportedFormat].contains(error.code), "another error: \(error)")
            require(!"\(error)".contains("ada@example.com"), "the error has the value: \(error)")
        }
    }

    /// Checks that a text is read as a key only if writing the key gives a line of the text.
    private func checkKeyFile(_ input: [UInt8]) {
        do throws(DataStoreError) {
            guard let key = try SealingKey.find(nil, inText: input, of: "the input") else { return }
            let text = String(decoding: input, as: UTF8.self)
            let digits = key.text.split(separator: " ").dropFirst(2).first ?? "none"
            require(text.lowercased().contains(digits.filter { $0 != "\n" }), "a key comes from nowhere")
        } catch {
            require(error.code == .wrongSealingKey, "another error: \(error)")
        }
    }
}
