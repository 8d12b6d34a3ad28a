/// The stored properties of a type and the names of enum cases, from the reflection metadata of the program.
///
/// `Mirror` calls the same functions of the Swift runtime, but needs an instance.
enum Reflection {
    struct Property {
        let name: String
        let type: any Any.Type
        /// Whether the property is a variable. A subclass can override a variable, so its key path may have no name.
        let isVariable: Bool
    }

    /// Returns the stored properties of a struct or class, in the order of their declaration. The array is empty if the
    /// program was built without reflection metadata.
    static func properties(of type: any Any.Type) -> [Property] {
        (0..<childCount(of: type)).map { index in
            var field = FieldMetadata()
            // The index is less than the count, and the function fills the metadata.
            let type = unsafe childType(of: type, index: index, metadata: &field)
            defer { unsafe field.free?(field.name) }
            let name = unsafe field.name.map { unsafe String(cString: $0) }
            return Property(name: name ?? "", type: type, isVariable: field.isVariable)
        }
    }

    /// Returns the name of an enum's case, or `nil` if the value is not an enum.
    static func caseName<Content>(of value: Content) -> String? {
        // The runtime returns a string that exists as long as the program.
        unsafe enumCaseName(value).map { unsafe String(cString: $0) }
    }
}

/// The layout in which the runtime describes a stored property.
///
/// - Safety: `@safe` because only the use of the pointers is unsafe.
@safe
private struct FieldMetadata {
    var name: UnsafePointer<CChar>?
    var free: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
    var isStrong = false
    var isVariable = false
}

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func childCount(of type: any Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func childType(
    of type: any Any.Type, index: Int, metadata: UnsafeMutablePointer<FieldMetadata>
) -> any Any.Type

@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Content>(_ value: Content) -> UnsafePointer<CChar>?
