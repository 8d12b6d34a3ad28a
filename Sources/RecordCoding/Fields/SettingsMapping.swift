package import DataStoreCore
package import DataStoreQueries
import UserProfileData

/// The stored values of a group of settings. As an entity, it can have sealed fields.
package struct SettingsGroup: Identifiable, Sendable {
    package let id: String
    package var values: Record
}

/// The mapping of groups of settings, whose records are their values.
package struct SettingsMapping: RecordMapping {
    package init() {}

    package var collection: String { Settings.collection }
    package var fieldNames: [String] { [] }
    package var fields: FieldTree { .unknown }

    package func record(of group: SettingsGroup) -> Record { group.values }

    // A value that is missing in the group was reset.
    package func record(of group: SettingsGroup, replacing old: Record?) -> Record { group.values }

    package func entity(of record: borrowing RecordView, id: consuming String) throws -> SettingsGroup {
        SettingsGroup(id: id, values: try record.record())
    }
}
