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
    fileprivate static func stored(of type: Any.Type, level: Int) -> [String: FieldMapping] {
        guard level < StoredProperties.maximumLevel, let type = type as? any Queryable.Type else { return [:] }
        return declared(by: type, level: level)
    }

    private static func declared<Entity: Queryable>(by type: Entity.Type, level: Int) -> [String: FieldMapping] {
        var fields: [String: FieldMapping] = [:]
        if Entity.fields is any CodedFields {
            add(propertiesOf: type, at: nil, level: level, to: &fields)
            if fields.isEmpty {
                let reason =
                    "\(type) has no stored property that queries can compare, or the program has no "
                    + "reflection metadata; declare its fields as constants of the type EntityField"
                fields["\(type)"] = FieldMapping(QueryField("\(type)"), kind: nil, problem: reason)
            }
            return fields
        }
        for case (_, let field as any DeclaredField) in Mirror(reflecting: Entity.fields).children {
            fields[field.name] = field.mapping(level: level)
        }
        return fields
    }

    /// Adds the fields of a type's stored properties, and of the properties of nested structs.
    private static func add(
        propertiesOf type: any Any.Type, at path: QueryField?, level: Int, to fields: inout [String: FieldMapping]
    ) {
        let stored = StoredProperties.of(type)
        for (property, reason) in stored.problems {
            fields[property] = FieldMapping(path ?? QueryField(property), kind: nil, problem: reason)
        }
        for property in stored.properties {
            let field = path?.part(property.field) ?? property.field
            let type = StoredProperties.unwrapped(property.type)
            if type is any FieldContent.Type {
                fields[field.name] = self.stored(field, type)
            } else if let array = type as? any ArrayType.Type {
                let elements = field.elements
                if array.elementType is any FieldContent.Type {
                    fields[elements.name] = self.stored(elements, array.elementType)
                } else {
                    let parts = self.stored(of: array.elementType, level: level + 1)
                    if !parts.isEmpty { fields[elements.name] = FieldMapping(elements, parts: parts) }
                }
            } else if level < StoredProperties.maximumLevel, type is any Decodable.Type {
                add(propertiesOf: type, at: field, level: level + 1, to: &fields)
            }
        }
    }

    /// Returns the record field with a name, which may be a path such as `place.name`.
    fileprivate static func path(_ name: String) -> QueryField { QueryField(parsing: name) ?? QueryField(name) }

    fileprivate static func stored(_ field: QueryField, _ content: any Any.Type) -> FieldMapping {
        let raw = rawType(of: content)
        return if raw == MailAddress.self {
            FieldMapping(mailAddress: field)
        } else if raw == Decimal.self {
            FieldMapping(field.transformed(by: .decimal))
        } else if raw == UUID.self {
            // A person or a migration may have written a UUID in lowercase.
            FieldMapping(field.transformed(by: .asciiLowercase))
        } else {
            FieldMapping(field, kind: CodingShape.kind(of: content))
        }
    }

    /// Returns the type of the raw values if a type is `RawRepresentable`, otherwise the type itself.
    private static func rawType(of type: any Any.Type) -> any Any.Type {
        func raw<Content: RawRepresentable>(_ type: Content.Type) -> any Any.Type { rawType(of: Content.RawValue.self) }
        return (type as? any RawRepresentable.Type).map { raw($0) } ?? type
    }
}

/// A protocol to which every ``EntityField`` and ``EntityParts`` conforms, whatever its generic arguments are.
private protocol DeclaredField {
    var name: String { get }

    /// Returns the translation of the field of a type that is nested in `level` other types.
    func mapping(level: Int) -> FieldMapping
}

extension EntityField: DeclaredField {
    fileprivate func mapping(level: Int) -> FieldMapping { .stored(FieldMapping.path(name), Content.self) }
}

extension EntityParts: DeclaredField {
    fileprivate func mapping(level: Int) -> FieldMapping {
        FieldMapping(FieldMapping.path(name).elements, parts: FieldMapping.stored(of: Part.self, level: level + 1))
    }
}
