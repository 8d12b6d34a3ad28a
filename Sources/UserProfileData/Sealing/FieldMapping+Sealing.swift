import DataStoreCore
import DataStoreQueries
import UserProfileDomain

// Queries of sealed fields compare blinds, which only tell whether values are equal.
extension FieldMapping {
    /// The sealing of the values that queries compare. It is a class, because each query copies it.
    final class Sealed: Sendable {
        let path: String
        /// The sealing, or `nil` if no query can compare the values, e.g. the month and day of a sealed birthday.
        let sealing: (any FieldSealing)?

        init(path: String, sealing: (any FieldSealing)?) {
            self.path = path
            self.sealing = sealing
        }
    }

    /// Returns the translation to the same field after a field of the record has been sealed.
    func sealed(_ definition: SealedFieldDefinition, by sealing: any FieldSealing) -> FieldMapping {
        let sealedField = definition.field
        let isCompared =
            definition.isSearchable
            && field == definition.transform.map { sealedField.transformed(by: $0) } ?? sealedField
        guard isCompared || field.stored == sealedField || field.isWithin(sealedField) else { return self }
        // Errors name a mail address as the program declares it.
        return replacing(
            sealedField, Sealed(path: (typedMailAddress ?? sealedField).path, sealing: isCompared ? sealing : nil))
    }

    /// Returns the sealing whose blinds queries compare, or `nil` if the field is not sealed. Throws an error if no
    /// query can compare the values.
    func comparedSealing() throws(DataStoreError) -> (any FieldSealing)? {
        guard let sealed else { return nil }
        guard let sealing = sealed.sealing else { throw FieldMapping.misuse(sealed.path) }
        return sealing
    }

    /// Throws an error if the field is sealed, because its values have no order and no text.
    func requirePlain() throws(DataStoreError) {
        if let sealed { throw FieldMapping.misuse(sealed.path) }
    }

    private static func misuse(_ path: String) -> DataStoreError {
        DataStoreError(
            .misuse,
            "the field \(path) is sealed; a searchable field can be compared with ==, != and isIn, and each sealed "
                + "field with nil, but it cannot be sorted, grouped or searched in another way",
            operation: "find records")
    }
}
