import DataStoreCore
import DataStoreQueries
import UserProfileData
import UserProfileDomain

extension FieldMapping {
    /// Returns a mapping for each declared field of a type to the field of the record with the same name.
    ///
    /// - Parameter type: The type of the entity, or of a part of it.
    /// - Returns: The mappings by name; an empty dictionary if the type is not `Queryable`.
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

/// A field of any type of entity.
private protocol DeclaredField {
    var name: String { get }
    var contentType: Any.Type { get }
}

extension EntityField: DeclaredField {
    fileprivate var contentType: Any.Type { Content.self }
}

/// Parts of any type of entity.
private protocol DeclaredParts {
    var name: String { get }
    var partType: Any.Type { get }
}

extension EntityParts: DeclaredParts {
    fileprivate var partType: Any.Type { Part.self }
}
