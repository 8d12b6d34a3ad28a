import DataStoreCore
import DataStoreQueries
import UserProfileData
import UserProfileDomain

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension FieldMapping {
    /// Returns the translation of each declared field of a type to the record field with the same path.
    ///
    /// - Parameter type: An entity type, or the type of a part of an entity.
    /// - Returns: The translations by field name, or an empty dictionary if the type is not `Queryable`.
    static func stored(of type: Any.Type) -> [String: FieldMapping] { stored(of: type, level: 0) }

    /// Returns the translations of a type that is nested in `level` other types. The level is limited because parts can
    /// contain parts of the same type.
    private static func stored(of type: Any.Type, level: Int) -> [String: FieldMapping] {
        guard level < FieldProbe.maximumLevel, let type = type as? any Queryable.Type else { return [:] }
        return declared(by: type, level: level)
    }

    private static func declared<Entity: Queryable>(by type: Entity.Type, level: Int) -> [String: FieldMapping] {
        var fields: [String: FieldMapping] = [:]
        if let probed = (Entity.fields as? any ProbedFields)?.probedFields {
            for found in probed {
                if found.type is any FieldContent.Type {
                    fields[found.field.name] = stored(found.field, found.type)
                } else {
                    let parts = stored(of: found.type, level: level + 1)
                    if !parts.isEmpty { fields[found.field.name] = FieldMapping(found.field, parts: parts) }
                }
            }
            return fields
        }
        for (_, constant) in Mirror(reflecting: Entity.fields).children {
            switch constant {
            case let field as any DeclaredField: fields[field.name] = stored(path(field.name), field.contentType)
            case let parts as any DeclaredParts:
                fields[parts.name] = FieldMapping(
                    path(parts.name).elements, parts: stored(of: parts.partType, level: level + 1))
            default: break
            }
        }
        return fields
    }

    /// Returns the record field with a name, which may be a path such as `place.name`.
    private static func path(_ name: String) -> QueryField { QueryField(parsing: name) ?? QueryField(name) }

    private static func stored(_ field: QueryField, _ content: any Any.Type) -> FieldMapping {
        if content == MailAddress.self {
            FieldMapping(mailAddress: field)
        } else if content == Decimal.self {
            FieldMapping(field.transformed(by: .decimal))
        } else if content == UUID.self {
            // A person or a migration may have written a UUID in lowercase.
            FieldMapping(field.transformed(by: .asciiLowercase))
        } else {
            FieldMapping(field, kind: FieldProbe.kind(of: content))
        }
    }
}

/// A protocol to which every ``EntityFields`` conforms, whatever its generic arguments are.
protocol ProbedFields {
    var probedFields: [ProbedField] { get }
}

/// A protocol to which every ``EntityField`` conforms, whatever its generic arguments are.
private protocol DeclaredField {
    var name: String { get }
    var contentType: Any.Type { get }
}

extension EntityField: DeclaredField {
    fileprivate var contentType: Any.Type { Content.self }
}

/// A protocol to which every ``EntityParts`` conforms, whatever its generic arguments are.
private protocol DeclaredParts {
    var name: String { get }
    var partType: Any.Type { get }
}

extension EntityParts: DeclaredParts {
    fileprivate var partType: Any.Type { Part.self }
}
