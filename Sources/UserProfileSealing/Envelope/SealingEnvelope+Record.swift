#if Sealing

// The envelope as a record. The article <doc:SealedValues> specifies its fields.
extension SealingEnvelope {
    private static let version: Int64 = 1
    /// The number of bytes of a wrapped key of 32 bytes.
    fileprivate static let wrappedByteCount = 40
    /// The maximum number of data keys, which limits the time to open a damaged or hostile envelope.
    static let maximumKeyCount = 256

    /// The record that a store keeps.
    package var record: Record {
        var record: Record = [
            "version": .integer(SealingEnvelope.version),
            "key": .integer(Int64(request.number ?? 0)),
            "dataKeys": .array(
                keys.map { key in
                    .record([
                        "number": .integer(Int64(key.number)), "dataKey": .data(key.valueKey),
                        "blindKey": .data(key.blindKey), "messages": .integer(key.messageCount),
                    ])
                }),
        ]
        if !request.label.isEmpty { record["label"] = .string(request.label) }
        if let derivation = request.derivation { record["passphrase"] = .record(derivation.record) }
        return record
    }

    /// Reads the envelope from a record, whose writer is not trusted.
    ///
    /// - Throws: `DataStoreError` with the code `unsupportedFormat` if the version is unknown, or `corrupted` if the
    ///   record is damaged.
    package init(record: Record) throws(DataStoreError) {
        guard let version = record["version"]?.integer, version >= 1 else {
            throw .damagedEnvelope("the version is invalid")
        }
        guard version == SealingEnvelope.version else {
            throw DataStoreError(
                .unsupportedFormat,
                "the keys of the sealed fields have the version \(version), and this program knows only "
                    + "\(SealingEnvelope.version); use a newer program")
        }
        for field in record where !["version", "key", "label", "passphrase", "dataKeys"].contains(field.name) {
            throw .damagedEnvelope("the field \(field.name.escapedForMessage) is unknown")
        }
        guard record["label"] != .string(""), let label = (record["label"] ?? .string("")).string,
            SealingKey.isValid(label: label)
        else { throw .damagedEnvelope("the label is invalid") }
        let derivation = try record["passphrase"].map { (value) throws(DataStoreError) in
            guard let parameters = value.record else { throw .damagedEnvelope("the passphrase is invalid") }
            return try PassphraseDerivation(record: parameters)
        }
        guard let number = record["key"]?.integer.flatMap(UInt32.init(exactly:)) else {
            throw .damagedEnvelope("the number of the key is invalid")
        }
        guard let values = record["dataKeys"]?.array, (1...SealingEnvelope.maximumKeyCount).contains(values.count)
        else { throw .damagedEnvelope("the data keys are missing, or there are too many") }
        var keys: [DataKey<[UInt8]>] = []
        for value in values {
            guard let key = DataKey(value), keys.last.map({ $0.number < key.number }) ?? true else {
                throw .damagedEnvelope("data key \(keys.count + 1) of \(values.count) is invalid")
            }
            keys.append(key)
        }
        self.init(request: SealingKeyRequest(number: number, label: label, derivation: derivation), keys: keys)
    }

    // MARK: The record with the data keys of a store, which each copy of the store contains

    private static let key = Key(stored: "keys", in: SealedField.keysCollection)
    private static let field = "envelope"

    /// Returns the envelope of a store, or `nil` if the store never had a sealed field.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` or `unsupportedFormat`, as ``init(record:)``, or `busy` if
    ///   the store has had another key of the program since `key` was found.
    static func stored(
        in transaction: borrowing ReadTransaction, for key: SealingKey? = nil
    ) throws(DataStoreError) -> SealingEnvelope? {
        guard let record = try transaction.record(for: SealingEnvelope.key) else { return nil }
        guard case .record(let envelope)? = record[SealingEnvelope.field], record.count == 1 else {
            throw .damagedEnvelope("its record is incomplete")
        }
        let stored = try SealingEnvelope(record: envelope)
        guard key.map({ $0.number == stored.request.number && $0.derivation == stored.request.derivation }) ?? true
        else { throw DataStoreError(.busy, "another program has just changed the sealing key; try again") }
        return stored
    }

    /// Reads the envelope of a store with sealed fields.
    ///
    /// - Throws: `DataStoreError` with the code `missingSealingKey` if the store never had a sealed field, or an error
    ///   of ``stored(in:for:)``.
    init(in transaction: borrowing ReadTransaction, for key: SealingKey? = nil) throws(DataStoreError) {
        guard let stored = try SealingEnvelope.stored(in: transaction, for: key) else { throw .neverSealed }
        self = stored
    }

    func put(in transaction: inout WriteTransaction) throws(DataStoreError) {
        try transaction.put([SealingEnvelope.field: .record(record)], for: SealingEnvelope.key)
    }
}

extension DataKey<[UInt8]> {
    fileprivate init?(_ value: Value) {
        guard let record = value.record, record.count == 4,
            let number = record["number"]?.integer.flatMap(UInt32.init(exactly:)),
            case .data(let valueKey)? = record["dataKey"], case .data(let blindKey)? = record["blindKey"],
            [valueKey, blindKey].allSatisfy({ $0.count == SealingEnvelope.wrappedByteCount }),
            let messageCount = record["messages"]?.integer,
            (0...SealingEnvelope.maximumMessageCount).contains(messageCount)
        else { return nil }
        self.init(number: number, valueKey: valueKey, blindKey: blindKey, messageCount: messageCount)
    }
}
#endif
