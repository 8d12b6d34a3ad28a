import DataStoreCore
import UserProfileDomain

/// The field names and the coding of the version of a fetched document. The version is stored as a nested record in the
/// record of a city's weather.
enum VersionFields {
    private static let address = "address"
    private static let entityTag = "entityTag"
    private static let lastModified = "lastModified"

    static func record(of version: FetchedVersion) -> Record {
        var record: Record = [address: .string(version.address)]
        record[entityTag] = version.entityTag.map { .string($0) }
        record[lastModified] = version.lastModified.map { .string($0) }
        return record
    }

    static func version(of record: borrowing RecordView) throws -> FetchedVersion {
        let version = FetchedVersion(
            address: try record.required(address),
            entityTag: try record.optional(entityTag),
            lastModified: try record.optional(lastModified))
        guard let version else { throw FieldError(entityTag, "is missing, and lastModified, too") }
        return version
    }
}
