/// An object that seals and opens the values of one field. `UserProfileSealing` implements it, so that programs without
/// sealed fields link no cryptography.
package protocol FieldSealing: Sendable {
    /// Returns the sealed value, without a content, that a query compares in order to find a value of a searchable
    /// field.
    func blind(of value: Value) throws(DataStoreError) -> Value

    /// Seals a value, which can be opened only under the same id of a record.
    func seal(_ value: Value, inRecord id: String) throws(DataStoreError) -> Value

    /// Opens the bytes of a sealed value, and appends the CBOR of the value to an array.
    func open(_ bytes: [UInt8], inRecord id: String, into cbor: inout [UInt8]) throws(DataStoreError)
}

/// The sealed fields of one open store.
package protocol StoreSealing: Sendable {
    /// The store. Its transactions load the keys when they need them.
    var store: any DataStore { get }

    /// Whether entities are read without their sealed fields.
    var omitsSealedFields: Bool { get }

    /// Returns the object that seals and opens the values of a field.
    func sealing(of definition: SealedFieldDefinition, in collection: String) -> any FieldSealing

    /// Seals the existing values of fields that are not sealed yet, in one transaction.
    ///
    /// - Parameters:
    ///   - fields: The definitions, by the paths of the fields.
    ///   - records: The store through which the records are written.
    /// - Throws: `DataStoreError` if the program cannot get its key, or if the store contains other definitions of the
    ///   same fields.
    func seal(_ fields: [SealedPath: SealedFieldDefinition], through records: SchemaStore) async throws
}

/// The keys with which a program seals and opens fields. The module `UserProfileSealing` creates them:
///
/// ```swift
/// let keys = StoreKeys.source(.file("/etc/my-program/key"))
/// ```
public struct StoreKeys: Sendable {
    package let sealing: @Sendable (any DataStore) -> any StoreSealing

    package init(_ sealing: @escaping @Sendable (any DataStore) -> any StoreSealing) { self.sealing = sealing }

    /// No keys. Entities are read without their sealed fields, e.g. for an export.
    package static let omittingSealedFields = StoreKeys { LockedSealing($0, omitsSealedFields: true) }
}

/// The sealing of a store for a program without keys. Each use of a sealed value throws an error.
package struct LockedSealing: StoreSealing, FieldSealing {
    package let store: any DataStore
    package let omitsSealedFields: Bool
    private var field = ""

    package init(_ store: any DataStore, omitsSealedFields: Bool = false) {
        self.store = store
        self.omitsSealedFields = omitsSealedFields
    }

    package func sealing(of definition: SealedFieldDefinition, in collection: String) -> any FieldSealing {
        var sealing = self
        sealing.field = definition.field.path
        return sealing
    }

    package func seal(_ fields: [SealedPath: SealedFieldDefinition], through records: SchemaStore) {}

    package func blind(of value: Value) throws(DataStoreError) -> Value { throw .sealedValue(field) }

    package func seal(_ value: Value, inRecord id: String) throws(DataStoreError) -> Value {
        throw .sealedValue(field)
    }

    package func open(_ bytes: [UInt8], inRecord id: String, into cbor: inout [UInt8]) throws(DataStoreError) {
        throw .sealedValue(field)
    }
}
