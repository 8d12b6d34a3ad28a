import ArgumentParser

/// An operation that programs perform frequently.
enum HotPath: String, CaseIterable, ExpressibleByArgument {
    case read
    case plistRead = "plist-read"
    case scan
    case save
    case find
    case page
    case birthdays
    case put
    case load
    case entityRead = "entity-read"
    case entityList = "entity-list"
    case mappingList = "mapping-list"
    case entityPage = "entity-page"
    case entityScan = "entity-scan"
    case entitySave = "entity-save"
    case entityLoad = "entity-load"
    case sealedRead = "sealed-read"
    case sealedFind = "sealed-find"

    /// Whether the operation is on entities of a program, with the mapping of a `Codable` type or a hand-written one.
    var isOfEntities: Bool { rawValue.hasPrefix("entity-") || self == .mappingList }

    /// Whether the operation is on users with sealed fields.
    var isOfSealedFields: Bool { rawValue.hasPrefix("sealed-") }
}
