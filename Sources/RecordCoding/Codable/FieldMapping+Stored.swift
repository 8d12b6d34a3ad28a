import DataStoreCore
import DataStoreQueries
import UserProfileData
import UserProfileDomain

extension FieldMapping {
    /// Returns translations for the declared fields of a type, each to the record field with the same name.
    ///
    /// - Parameter type: An entity type, or the type of a part of an entity.
    /// - Returns: The translations by field name, or an empty dictionary if the type is not `Queryable`.
    static func stored(of type: Any.Type) -> [String: FieldMapping] {
        guard let type = type as? any Queryable.Type else { return [:] }
        return declared(by: type)
    }

    private static func declared<Entity: Queryable>(by type: Entity.Type) -> [String: FieldMapping] {
        var fields: [String: FieldMapping] = [:]
        for (_, constant) in Mirror(reflecting: Entity.fields).children {
            switch constant {
            case let field as any DeclaredField: fields[field.name] = stored(field)
            case let parts as any DeclaredParts:
                fields[parts.name] = FieldMapping(.elements(of: parts.name), parts: stored(of: parts.partType))
            default: break
            }
        }
        return fields
    }

    private static func stored(_ field: any DeclaredField) -> FieldMapping {
        field.contentType == MailAddress.self
            ? FieldMapping(QueryField(field.name, transform: .comparableMailAddress))
            : FieldMapping(QueryField(field.name), kind: FieldProbe.kind(of: field.contentType))
    }
}

/// An ``EntityField``, regardless of its generic types.
private protocol DeclaredField {
    var name: String { get }
    var contentType: Any.Type { get }
}

extension EntityField: DeclaredField {
    fileprivate var contentType: Any.Type { Content.self }
}

/// An ``EntityParts``, regardless of its generic types.
private protocol DeclaredParts {
    var name: String { get }
    var partType: Any.Type { get }
}

extension EntityParts: DeclaredParts {
    fileprivate var partType: Any.Type { Part.self }
}
