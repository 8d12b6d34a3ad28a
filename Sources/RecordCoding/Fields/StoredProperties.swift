import Synchronization

/// The stored properties of a `Codable` type, and the fields in which they are stored.
///
/// The field of a property is known if a case of the type's coding keys has the name of the property, or if the
/// declaration of the type's ``EntityFields`` names the field. The field of any other property is not guessed: opening
/// a store fails, and the message contains the declaration to add.
struct StoredProperties: Sendable {
    /// A property and its field. If the property is an array, it is the field of the whole array.
    struct Property: Sendable {
        let field: QueryField
        let type: any Any.Type
    }

    /// The properties whose fields are known. The order has no meaning.
    let properties: [Property]
    /// The reasons why the fields of some properties are unknown, by the texts of their key paths.
    let problems: [String: String]

    private let typeName: String
    private let fields: [String: QueryField]
    private let named: [NamedProperty]

    /// The maximum nesting of types in each other. It is limited, because a type can contain itself.
    static let maximumLevel = 8

    private static let found = Mutex<[ObjectIdentifier: StoredProperties]>([:])

    /// Returns the stored properties of a type. They are found once.
    static func of(_ type: any Any.Type) -> StoredProperties {
        if let found = found.withLock({ $0[ObjectIdentifier(type)] }) { return found }
        // The lock is not held here, because this runs code of the type.
        let properties = StoredProperties(type)
        found.withLock { $0[ObjectIdentifier(type)] = properties }
        return properties
    }

    private init(_ type: any Any.Type) {
        let typeName = "\(type)"
        let named = ((type as? any Queryable.Type)?.anyFields as? any CodedFields)?.namedProperties ?? []
        var properties = named.compactMap { named in named.field.map { Property(field: $0, type: named.type) } }
        var fields: [String: QueryField] = [:]
        var problems: [String: String] = [:]
        let shape = (type as? any Decodable.Type).map { CodingShape(of: $0) }
        let stored = Reflection.properties(of: type)
        let namedProperties = named.map { $0.name(in: typeName) }
        for property in stored where !namedProperties.contains(property.name) {
            // Names that begin with `$` belong to the compiler, e.g. the storage of a lazy property.
            guard !property.name.hasPrefix("$") else { continue }
            let isOverridable = type is AnyClass && property.isVariable
            if !isOverridable, let name = shape?.field(of: property.name) {
                fields[property.name] = QueryField(name)
                properties.append(Property(field: QueryField(name), type: property.type))
            } else if StoredProperties.isQueryable(property.type) {
                let (name, key) = StoredProperties.suggestion(property.name, shape)
                let isNamed = named.contains { $0.isComputed && $0.isStored(under: key) }
                if name != property.name || isOverridable, isNamed { continue }
                problems["\\\(typeName).\(name)"] = StoredProperties.problem(name, key, of: typeName)
            }
        }
        (self.typeName, self.named, self.properties) = (typeName, named, properties)
        (self.fields, self.problems) = (fields, problems)
    }

    /// Returns the field of a property, or `nil` if it is unknown.
    func field(of member: AnyKeyPath) -> QueryField? {
        if let named = named.first(where: { $0.keyPath == member }) { return named.field }
        return StoredProperties.name(of: member, in: typeName).flatMap { fields[$0] }
    }

    /// Returns the name of the stored property to which a key path refers, or `nil` for a computed property.
    static func name(of member: AnyKeyPath, in typeName: String) -> String? {
        let text = "\(member)"
        let prefix = "\\\(typeName)."
        guard text.hasPrefix(prefix) else { return nil }
        let name = text.dropFirst(prefix.count)
        return name.hasPrefix("<") ? nil : String(name)
    }

    /// Returns the property to declare and its field, if the field is known. The property with a wrapper is stored
    /// under a name that begins with `_`.
    private static func suggestion(_ name: String, _ shape: CodingShape?) -> (name: String, field: String?) {
        let wrapped = String(name.dropFirst())
        if name.hasPrefix("_"), let field = shape?.field(of: wrapped) { return (wrapped, field) }
        return (name, shape?.field(of: name))
    }

    private static func problem(_ name: String, _ field: String?, of typeName: String) -> String {
        let declaration = "EntityFields(of: \(typeName).self, named: [\\.\(name): \"\(field ?? "…")\"])"
        return "the field of the property \(name) of \(typeName) is unknown; declare \(declaration)"
            + (field == nil ? " with its coding key, or nil if it is not stored" : "")
    }

    /// Returns whether a query can refer to a property of a type, or to a property in it.
    private static func isQueryable(_ type: any Any.Type, level: Int = 0) -> Bool {
        let type = unwrapped(type)
        if type is any FieldContent.Type { return true }
        if let array = type as? any ArrayType.Type {
            return array.elementType is any FieldContent.Type || array.elementType is any Queryable.Type
        }
        guard level < StoredProperties.maximumLevel, type is any Decodable.Type else { return false }
        return Reflection.properties(of: type).contains { isQueryable($0.type, level: level + 1) }
    }

    /// Returns the paths of the fields of a type that have a value in each record, because their properties are not
    /// optional.
    static func required(in type: any Any.Type, level: Int = 0) -> Set<String> {
        guard level < StoredProperties.maximumLevel else { return [] }
        return of(type).properties.reduce(into: []) { required, property in
            guard !(property.type is any OptionalType.Type) else { return }
            required.insert(property.field.name)
            for name in self.required(in: property.type, level: level + 1) {
                if let part = QueryField(parsing: name) { required.insert(property.field.part(part).name) }
            }
        }
    }

    /// Returns the type without `Optional`.
    static func unwrapped(_ type: any Any.Type) -> any Any.Type {
        var type = type
        while let optional = type as? any OptionalType.Type { type = optional.wrappedType }
        return type
    }
}

/// A property whose field a declaration names.
struct NamedProperty: Sendable {
    let keyPath: any AnyKeyPath & Sendable
    /// The path of the field, or `nil` if the property is not stored.
    let path: String?

    var field: QueryField? { path.map { QueryField(parsing: $0) ?? QueryField($0) } }
    var type: any Any.Type { Swift.type(of: keyPath).valueType }
    /// Whether the property is computed, e.g. because it has a wrapper.
    var isComputed: Bool { name(in: "\(Swift.type(of: keyPath).rootType)") == nil }

    func name(in typeName: String) -> String? { StoredProperties.name(of: keyPath, in: typeName) }

    /// Returns whether the property can be stored in the field of a key, e.g. as the `wrappedValue` of a wrapper.
    func isStored(under key: String?) -> Bool {
        guard let key, let path else { return true }
        return path == key || path.hasPrefix("\(key).")
    }
}

/// A protocol to which every ``EntityFields`` conforms, whatever its generic arguments are.
protocol CodedFields {
    var namedProperties: [NamedProperty] { get }
}

extension Queryable {
    fileprivate static var anyFields: Any { fields }
}

protocol OptionalType {
    static var wrappedType: any Any.Type { get }
}

extension Optional: OptionalType {
    static var wrappedType: any Any.Type { Wrapped.self }
}

protocol ArrayType {
    static var elementType: any Any.Type { get }
}

extension Array: ArrayType {
    static var elementType: any Any.Type { Element.self }
}
